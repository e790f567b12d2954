"""The form of an answer: a closed JSON Schema on the way out, checked again on the way in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from bot.engines.llm.messages import Reply
from bot.engines.llm.parse import json_object

A = TypeVar("A")

_KEPT = ("type", "enum", "items", "anyOf", "properties", "description")


class Malformed(Exception):
    """An answer that does not have the form asked for; the sentence tells the model why."""


class Form(msgspec.Struct, Generic[A], frozen=True):
    """The record that an answer becomes, with the only values that some of its fields may take.

    `choices` closes string fields by name, wherever in the record they stand.
    """

    type: type[A]
    choices: Mapping[str, Sequence[str]] = {}

    def schema(self) -> dict[str, Any]:
        """The JSON Schema: every field required, no others allowed, no references, no bounds
        that only some providers know."""
        whole = msgspec.json.schema(self.type)
        return _closed(whole, whole.get("$defs", {}), self.choices)

    def read(self, reply: Reply) -> A:
        """The answer as a record. Raises `Malformed`."""
        found = json_object(reply.text)
        if found is None:
            cut = " before it was cut off" if reply.cut else ""
            raise Malformed(f"there was no JSON object in the answer{cut}")
        _chosen(found, self.choices)
        try:
            return msgspec.convert(found, self.type, strict=False)
        except msgspec.ValidationError as problem:
            raise Malformed(str(problem)) from problem


def _closed(
    node: dict[str, Any], known: dict[str, Any], choices: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    if "$ref" in node:
        return _closed(known[node["$ref"].rpartition("/")[2]], known, choices)
    kept = {key: value for key, value in node.items() if key in _KEPT}
    if "anyOf" in kept:
        kept["anyOf"] = [_closed(option, known, choices) for option in kept["anyOf"]]
    if "items" in kept:
        kept["items"] = _closed(kept["items"], known, choices)
    if "properties" in kept:
        kept["properties"] = {
            name: _limited(_closed(inner, known, choices), choices.get(name))
            for name, inner in kept["properties"].items()
        }
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    return kept


def _limited(schema: dict[str, Any], allowed: Sequence[str] | None) -> dict[str, Any]:
    if allowed is None:
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [_limited(option, allowed) for option in schema["anyOf"]]}
    return {**schema, "enum": list(allowed)} if schema.get("type") == "string" else schema


def _chosen(value: Any, choices: Mapping[str, Sequence[str]], name: str = "") -> None:
    """Hold every closed field to its choices; letter case and outer space are made right."""
    if isinstance(value, list):
        for inner in value:
            _chosen(inner, choices, name)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) and key in choices:
                value[key] = _choice(key, inner, choices[key])
            _chosen(value[key], choices, key)


def _choice(name: str, said: str, allowed: Sequence[str]) -> str:
    for one in allowed:
        if said.strip().casefold() == one.casefold():
            return one
    raise Malformed(f"{name} must be one of: {', '.join(allowed)}")
