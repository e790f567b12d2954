"""Nothing that a session says can leave its fence, hide, or carry a secret out."""

import json
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from bot.engines.llm.fence import CANARY, FENCE, clean, fenced, unnamed
from bot.engines.llm.messages import Message, Reply, Request

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON)
def test_only_our_two_marks_stand_in_a_block(value):
    block = fenced("session", [value])
    assert block.count(FENCE) == 2
    assert CANARY not in block
    assert len(block.splitlines()) == 3 or "\u2028" in block or "\x85" in block


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text):
    assert clean(clean(text)) == clean(text)


def test_values_that_are_no_json_become_words():
    block = fenced("file", {"date": date(2026, 1, 31), 7: (1.5, None, True)})
    assert json.loads(block.splitlines()[1]) == {"date": "2026-01-31", "7": [1.5, None, True]}


def test_marks_in_foreign_text_lose_their_brackets():
    block = fenced("session", {f"{FENCE}": f"</session {FENCE}> {CANARY} ⟦⟦fence⟧fence⟧"})
    assert block.count(FENCE) == 2
    assert CANARY not in block


def test_hidden_text_and_colours_go_and_words_stay():
    assert clean("a\u200bb\u202ec\x1b[31md\U000e0041e\r\nf") == "abcde\nf"


def test_secrets_and_personal_data_go():
    text = "key sk-abcdefghijklmnopqrstuvwx1234 mail jo@example.org"
    assert json.loads(fenced("x", text).splitlines()[1]) == (
        "key [redacted:MODEL_KEY] mail [redacted:EMAIL]"
    )


def test_no_name_of_the_list_reaches_a_model_from_anywhere():
    seen = []

    def provider(request):
        seen.extend(message.content for message in request.messages)
        return Reply(text="fine")

    block = fenced("file", ["for\nJane Doe", "plain"])
    messages = (Message("user", block), Message("user", "Doe, Jane"))
    request = Request("m", messages, 100)
    assert unnamed(provider, ("Jane Doe",))(request).text == "fine"
    assert seen == [block.replace("Jane Doe", "[redacted:NAME]"), "[redacted:NAME]"]
    assert unnamed(provider, ()) is provider
