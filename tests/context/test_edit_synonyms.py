import pytest

from bot.context.edit import apply
from bot.context.edits.synonyms import add_synonyms, append_rule
from bot.errors import EditRefused

RULES = "# refund, not this\r\nrefund, money back\r\nPTO => paid time off\r\na\\, b,c"


@pytest.mark.parametrize(
    ("term", "more", "old", "new"),
    [
        ("Refund", ["chargeback", "Money Back"], "money back", "money back, chargeback"),
        ("pto", ["annual leave"], "PTO", "PTO, annual leave"),
        ("a, b", ["d"], ",c", ",c,d"),
        ("cancel", ["revoke, quit"], ",c", ",c\r\ncancel, revoke\\, quit"),
    ],
)
def test_synonyms_join_the_rule_of_the_term_or_make_one(
    term: str, more: list[str], old: str, new: str
) -> None:
    edit = add_synonyms("synonyms.txt", RULES, term, more)
    assert apply(edit, RULES) == RULES.replace(old, new)


def test_words_that_stand_there_already_are_refused() -> None:
    with pytest.raises(EditRefused, match="already"):
        add_synonyms("synonyms.txt", RULES, "refund", ["money back"])


def test_first_rule_of_an_empty_file() -> None:
    assert apply(append_rule("synonyms.txt", "", ["a", "b"]), "") == "a, b"
    assert apply(append_rule("synonyms.txt", "\n", ["a", "b"]), "\n") == "a, b\n"
