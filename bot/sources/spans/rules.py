"""The user's rules for spans: which attributes of their own say what kind of step a span is.

What a rule finds is written into the span under two names that an instrumentation may use itself.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from msgspec.structs import replace

from bot.provenance.rules import PLACE, Rules
from bot.sources.spans.span import Span
from bot.sources.spans.values import tree
from bot.sources.spans.vocabulary import text_field

NODE_TYPE, PATH = "trace_bot.node_type", "trace_bot.path"
ATTRIBUTES = "attributes."
LONGEST = 1000


def ruled(span: Span, rules: Rules) -> Span:
    """The span with the type that the first rule that fits gives it, and what it read."""
    for kind, group in rules.items():
        for rule in group:
            wanted = {"name": rule.tool, **rule.where}
            if all(_like(_at(span, place), pattern) for place, pattern in wanted.items()):
                told = {NODE_TYPE: kind, PATH: _path(rule.path, span)}
                known = {name: value for name, value in told.items() if value}
                return replace(span, attributes={**span.attributes, **known})
    return span


def _path(template: str | None, span: Span) -> str | None:
    """The path that a rule makes from the span; None without one, or where a place is empty."""
    if template is None:
        return None
    if template.startswith(ATTRIBUTES):
        return _at(span, template)
    values = {place: _at(span, place) for place in PLACE.findall(template)}
    if not all(values.values()):
        return None
    return PLACE.sub(lambda place: values[place.group(1)] or "", template)


def _at(span: Span, place: str) -> str | None:
    """The text at a place: `name`, or `attributes.` and the whole name of one."""
    if place == "name":
        return text_field(span, "tool_name") or span.name
    if not place.startswith(ATTRIBUTES):
        return None
    value: Any = tree(span.attributes, place.removeprefix(ATTRIBUTES))
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value) if isinstance(value, str | int | float) else None
    return text if text is not None and len(text) <= LONGEST else None


def _like(value: str | None, pattern: str) -> bool:
    return value is not None and fnmatchcase(value.casefold(), pattern.casefold())
