"""Templates: every one can be filled, and a name too many or too few is an error."""

from string import Template

import pytest

from bot.prompts.template import FOLDER, REMINDER, RULER, digest, part, prompt, text

QUESTIONS = sorted(p.stem for p in FOLDER.glob("*.md") if not p.stem.startswith("_"))


def names(name: str) -> list[str]:
    found = Template(text(name).partition(RULER)[2]).get_identifiers()
    return [one for one in found if one != REMINDER]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_has_rules_data_and_a_form(name):
    made = prompt(name, **dict.fromkeys(names(name), "DATA"))
    assert "ind out why an AI agent let its user down" in made.rules.partition("\n")[0]
    assert "⟦canary⟧" in made.rules
    assert "Answer in this form" in made.rules
    assert made.question.startswith("DATA")
    assert made.question.endswith(
        "Answer with one JSON object in the form described, and nothing else."
    )
    assert "$" not in made.rules + made.question


@pytest.mark.parametrize("name", QUESTIONS)
def test_names_must_be_exactly_those_of_the_template(name):
    values = dict.fromkeys(names(name), "x")
    with pytest.raises(ValueError, match="takes"):
        prompt(name, **values, another="x")
    values.popitem()
    with pytest.raises(ValueError, match="takes"):
        prompt(name, **values)


def test_values_are_not_searched_for_names():
    values = dict.fromkeys(names("shortlist"), "costs $talk and ${x} $$")
    assert "costs $talk and ${x} $$" in prompt("shortlist", **values).question


def test_a_part_lacks_nothing():
    assert "because" in part("_repair", reason="because")
    with pytest.raises(KeyError):
        part("_repair")


def test_the_digest_is_stable():
    assert digest() == digest()
