"""What tool definitions state, and the wrong statement that each could hold instead."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from bot.context.cut.tree import Tree, json_tree
from bot.context.repo import ContextRepo
from context_repo_schema.recognise import data_of, tools_of

Contradiction = Literal["member", "optional", "format", "unit"]
_FORMATS = (
    ("YYYY-MM-DD", "DD.MM.YYYY"),
    ("MM/DD/YYYY", "YYYY-MM-DD"),
    ("HH:MM", "HH.MM"),
    ("ISO 8601", "Unix seconds"),
)


class ToolFact(msgspec.Struct, frozen=True):
    """`text[start:end]` of a tool file becomes `wrong`; the tool itself takes `right`.

    `sample` is a call as the tool wants it.
    """

    path: str
    tool: str
    parameter: str
    kind: Contradiction
    start: int
    end: int
    wrong: str
    right: str
    sample: dict[str, Any]


def tool_facts(repo: ContextRepo, words: Mapping[str, list[str]]) -> tuple[ToolFact, ...]:
    """Every way to make a parameter's description contradict its tool. JSON files only.

    `words` holds the sentences that can be planted: `optional`, and `cents` for amounts.
    """
    found: list[ToolFact] = []
    for component in repo.components:
        text = repo.texts[component.path]
        if component.type != "tool_prompt" or not component.path.endswith(".json"):
            continue
        tree = json_tree(text)
        if tree is None:
            continue
        samples = {
            str(tool["name"]): sample(tool) for tool in tools_of(data_of(component.path, text))
        }
        for name, schema in _schemas(tree):
            for parameter, child in _properties(schema):
                required = parameter in _strings(schema.get("required"))
                for kind, start, end, wrong, right in _wrongs(text, child, required, words):
                    found.append(
                        ToolFact(
                            component.path,
                            name,
                            parameter,
                            kind,
                            start,
                            end,
                            wrong,
                            right,
                            samples.get(name, {}),
                        )
                    )
    return tuple(found)


_Wrong = tuple[Contradiction, int, int, str, str]


def _wrongs(
    text: str, child: Tree, required: bool, words: Mapping[str, list[str]]
) -> Iterator[_Wrong]:
    listed = child.get("enum")
    members = [leaf for _, leaf in listed.members] if listed else []
    if len(members) > 1:
        member = members[-1]
        other = _misspelled(member.value)
        if other and other not in _strings(listed):
            yield "member", member.start, member.end, json.dumps(other), member.value
    description = child.get("description")
    if description is None or text[description.start] != '"':
        return
    for right, wrong in _FORMATS:
        at = text.find(right, description.start, description.end)
        if at >= 0:
            yield "format", at, at + len(right), wrong, right
    kind = child.get("type")
    end = description.end - 1
    if kind and kind.value in ("number", "integer") and words["cents"]:
        yield "unit", end, end, f" {words['cents'][0]}", words["cents"][1]
    if required:
        yield "optional", end, end, f" {words['optional'][0]}", ""


def _misspelled(member: str) -> str | None:
    for old, new in (("_", "-"), (" ", "_"), ("-", "_")):
        if old in member:
            return member.replace(old, new)
    return member.upper() if member.islower() else member.lower() if member.isupper() else None


def _schemas(tree: Tree) -> Iterator[tuple[str, Tree]]:
    """(tool, schema of its parameters) for every definition below."""
    name = tree.get("name")
    schema = tree.get("parameters") or tree.get("input_schema") or tree.get("inputSchema")
    if name is not None and schema is not None and schema.get("properties"):
        yield name.value, schema
        return
    for _, child in tree.members:
        yield from _schemas(child)


def _properties(schema: Tree) -> tuple[tuple[str, Tree], ...]:
    held = schema.get("properties")
    return held.members if held else ()


def _strings(tree: Tree | None) -> list[str]:
    return [leaf.value for _, leaf in tree.members] if tree else []


def sample(tool: Mapping[str, Any]) -> dict[str, Any]:
    """A call of the tool that its schema allows, every required parameter set."""
    schema: Mapping[str, Any] = next(
        (
            tool[k]
            for k in ("parameters", "input_schema", "inputSchema")
            if isinstance(tool.get(k), dict)
        ),
        {},
    )
    properties = schema.get("properties")
    required = schema.get("required", ())
    if not isinstance(properties, dict):
        return {}
    draw = random.Random(str(tool["name"]))
    return {k: _value(k, v, draw) for k, v in properties.items() if k in required}


def _value(name: str, schema: Any, draw: random.Random) -> Any:
    if not isinstance(schema, dict):
        return f"{name}-{draw.randrange(100, 999)}"
    if schema.get("enum"):
        return schema["enum"][0]
    match schema.get("type"):
        case "integer" | "number":
            return draw.randrange(2, 90)
        case "boolean":
            return True
        case "array":
            return [_value(name, schema.get("items", {}), draw)]
        case "object":
            inner = schema.get("properties") or {}
            return {key: _value(key, value, draw) for key, value in inner.items()}
        case _:
            return _text(name, str(schema.get("description", "")), draw)


def _text(name: str, description: str, draw: random.Random) -> str:
    """The example that the description gives, else the name with a number."""
    example = re.search(r"such as ['\"]([^'\"]+)['\"]|e\.g\.,? ['\"]?([\w.-]+)", description)
    if example:
        return next(group for group in example.groups() if group)
    if "YYYY-MM-DD" in description:
        return f"2026-0{draw.randrange(1, 9)}-1{draw.randrange(0, 9)}"
    return f"{name}-{draw.randrange(100, 999)}"
