"""The reference of `trace-bot.yaml`, a page made from the records and their descriptions.

`python -m context_repo_schema.reference` writes it beside this file.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from context_repo_schema.config import Config

HERE = Path(__file__).parent
PAGE = HERE / "CONFIGURATION.md"
KEYS = HERE / "keys.toml"

Schema = Mapping[str, Any]


def page() -> str:
    """The whole page as Markdown."""
    text = tomllib.loads(KEYS.read_text("utf-8"))
    _, schemas = msgspec.json.schema_components([Config], ref_template="{name}")
    parts = [text["head"]]
    for title, names in text["groups"].items():
        rows = [row for name in names for row in _rows("Config", name, name, schemas, text)]
        head = ("| key | value | default | meaning |", "| --- | --- | --- | --- |")
        parts.append("\n".join((f"## {title}", "", *head, *rows, "")))
    return "\n".join(parts)


def _rows(
    record: str, field: str, path: str, schemas: Mapping[str, Schema], text: Mapping[str, Any]
) -> Iterator[str]:
    """The row of one key, and below it those of the record that it holds."""
    schema = schemas[record]["properties"][field]
    meaning = text[record][field]
    inner, below = _inner(schema)
    default = schema.get("default")
    shown = "" if inner or default is None else f"`{json.dumps(default, ensure_ascii=False)}`"
    cells = (f"`{path}`", _value(schema), shown, meaning)
    yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    for name in schemas[inner]["properties"] if inner else ():
        yield from _rows(inner, name, f"{path}{below}.{name}", schemas, text)


def _inner(schema: Schema) -> tuple[str, str]:
    """The record that a key holds, and how its place is written between the two names."""
    if "$ref" in schema:
        return schema["$ref"], ""
    for part, below in (("additionalProperties", ".NAME"), ("items", "[]")):
        if isinstance(schema.get(part), Mapping):
            name, rest = _inner(schema[part])
            return name, below + rest if name else ""
    return "", ""


def _value(schema: Schema) -> str:
    """What may stand there, in words."""
    if "$ref" in schema:
        return "keys below"
    if "anyOf" in schema:
        kinds = [kind for kind in schema["anyOf"] if kind.get("type") != "null"]
        return " or ".join(map(_value, kinds))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema["type"]
    if kind == "array":
        return f"list of {_plural(schema['items'])}"
    if kind == "object":
        names = schema.get("propertyNames", {}).get("enum")
        by = f"by {', '.join(f'`{name}`' for name in names)}" if names else "by name"
        return f"{_value(schema['additionalProperties'])}, {by}"
    return {
        "integer": "whole number",
        "number": "number",
        "string": "text",
        "boolean": "yes or no",
    }[kind] + _bounds(schema)


def _plural(schema: Schema) -> str:
    return "rules" if "$ref" in schema else "texts" if schema.get("type") == "string" else "values"


def _bounds(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None:
        return f", {least} to {most}"
    return f", at least {least}" if least is not None else ""


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8", newline="\n")
