"""Prompt templates: `$name` is filled in, and a name too many or too few is an error.

A file holds the rules, a line of `===`, and the question that follows them. Files whose name
starts with an underscore are parts that others name: `$rules` is what most of them begin with, and
`$reminder` what stands behind the data.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from string import Template

import msgspec

FOLDER = Path(__file__).parent
RULER = "\n===\n"
REMINDER = "reminder"


class Prompt(msgspec.Struct, frozen=True):
    """What the model is told first, and what it is then asked."""

    rules: str
    question: str


def prompt(name: str, **values: str) -> Prompt:
    """A filled prompt.

    Values are not searched for names again. Raises `ValueError` unless the names of the values
    are exactly those of the template.
    """
    rules, ruler, question = text(name).partition(RULER)
    if not ruler:
        raise ValueError(f"prompts/{name}.md has no line of === between rules and question")
    template = Template(question)
    known = set(template.get_identifiers()) - {REMINDER}
    if known != set(values):
        raise ValueError(f"prompts/{name}.md takes {sorted(known)}, not {sorted(values)}")
    asked = template.substitute(values, **{REMINDER: part(f"_{REMINDER}")})
    return Prompt(_with_parts(rules).strip(), asked.strip())


def part(name: str, **values: str) -> str:
    """A part by itself, filled: a message that follows in a conversation."""
    return Template(text(name)).substitute(values).strip()


def digest() -> str:
    """The first 16 hex digits of the SHA-256 over all wording: which wording was in force."""
    whole = hashlib.sha256()
    for path in sorted((*FOLDER.glob("*.md"), *FOLDER.glob("*.json"))):
        whole.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()[:16]


@cache
def text(name: str) -> str:
    """A template as it stands in its file."""
    return (FOLDER / f"{name}.md").read_text("utf-8")


def _with_parts(rules: str) -> str:
    """The rules with `$categories` and the like replaced by the part of that name."""
    template = Template(rules)
    parts = {name: text(f"_{name}").strip() for name in template.get_identifiers()}
    return template.substitute(parts)
