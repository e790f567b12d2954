"""Answers have a closed form: on the way out as a schema, on the way in as a check."""

import jsonschema
import msgspec
import pytest

from bot.engines.llm.form import Form, Malformed
from bot.engines.llm.messages import Reply


class Quote(msgspec.Struct, frozen=True):
    node: str
    quote: str


class Answer(msgspec.Struct, frozen=True):
    node: str
    confidence: float
    quotes: tuple[Quote, ...]
    path: str | None


FORM = Form(Answer, {"node": ("node_1", "node_2")})
GOOD = {"node": "node_1", "confidence": 0.5, "quotes": [], "path": None}


def test_the_schema_is_closed_all_the_way_down():
    schema = FORM.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    quotes = schema["properties"]["quotes"]["items"]
    assert schema["required"] == list(GOOD)
    assert schema["properties"]["node"]["enum"] == ["node_1", "node_2"]
    assert quotes["properties"]["node"]["enum"] == ["node_1", "node_2"]
    assert schema["additionalProperties"] is quotes["additionalProperties"] is False
    assert "$ref" not in str(schema)


def test_the_schema_accepts_what_is_read():
    jsonschema.validate(GOOD, FORM.schema())
    assert FORM.read(Reply(msgspec.json.encode(GOOD).decode())) == Answer("node_1", 0.5, (), None)


def test_small_liberties_are_taken_well():
    said = {**GOOD, "node": " Node_2 ", "confidence": "0.5", "extra": 1}
    assert FORM.read(Reply(msgspec.json.encode(said).decode())).node == "node_2"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no", "no JSON object"),
        ('{"node": "node_9"}', "node must be one of: node_1, node_2"),
        ('{"node": "node_1", "quotes": [{"node": "x", "quote": "q"}]}', "node must be one of"),
        ('{"node": "node_1", "confidence": "high", "quotes": [], "path": null}', "confidence"),
        ('{"node": "node_1"}', "confidence"),
    ],
)
def test_what_does_not_fit_is_said_in_words(text, reason):
    with pytest.raises(Malformed, match=reason):
        FORM.read(Reply(text))


def test_a_cut_is_mentioned():
    with pytest.raises(Malformed, match="cut off"):
        FORM.read(Reply("{", cut=True))
