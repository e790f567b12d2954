"""The user's rules for tool calls: which node type a call is, and which file it read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from bot.records.trajectory import ToolCall
from context_repo_schema.config import NodeRule, ToolNodeType

Rules = Mapping[ToolNodeType, tuple[NodeRule, ...]]

PLACE = re.compile(r"\{([^{}]*)\}")
ALONE = re.compile(r"(input|output)(\.[^{}/]+)?")
LONGEST = 1000


def matching(tool: ToolCall, rules: Rules) -> tuple[ToolNodeType, NodeRule] | None:
    """The first rule that fits the call, with its type, in the order of the configuration."""
    for kind, group in rules.items():
        for rule in group:
            if _fits(rule, tool):
                return kind, rule
    return None


def read_by(rule: NodeRule, tool: ToolCall) -> str | None:
    """The path that the rule makes from the call; None without one, or where a place is empty."""
    if rule.path is None:
        return None
    template = f"{{{rule.path}}}" if ALONE.fullmatch(rule.path) else rule.path
    places = PLACE.findall(template)
    values = {place: _at(tool, place) for place in places}
    if any(value is None or len(value) > LONGEST for value in values.values()):
        return None
    return PLACE.sub(lambda place: values[place.group(1)] or "", template)


def _fits(rule: NodeRule, tool: ToolCall) -> bool:
    wanted = {"name": rule.tool, **rule.where}
    return all(_like(_at(tool, place), pattern) for place, pattern in wanted.items())


def _like(value: str | None, pattern: str) -> bool:
    if value is None or len(value) > LONGEST:
        return False
    return fnmatchcase(value.casefold(), pattern.casefold())


def _at(tool: ToolCall, place: str) -> str | None:
    """The text at a place such as `input.page` or `output.items.0.kind`."""
    first, *rest = place.split(".")
    value: Any = {"name": tool.name, "input": tool.input, "output": tool.output}.get(first)
    for part in rest:
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isascii() and part.isdigit():
            value = value[int(part)] if int(part) < len(value) else None
        else:
            return None
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else None
