"""The rules of `rules.toml`, ready to search with."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from bot.redact.proofs import PROOFS

# The one kind that rests on nothing but the look of a string: an id may look like that too.
UNLABELLED = "HIGH_ENTROPY"
# Scripts behind this one (CJK and others) put no space between words.
LAST_SPACED = 0x2E7F


class Rule(NamedTuple):
    """What one kind of secret or of personal data looks like.

    Of what `pattern` finds, the group `keep` stays and the rest, the value, goes where `proof`
    agrees to it. One of `near` has to stand in the text in lower case; none asked means always.
    """

    kind: str
    pattern: re.Pattern[str]
    near: tuple[str, ...]
    proof: Callable[[str], bool]

    def spans(self, text: str, low: str) -> list[tuple[int, int]]:
        """Where the values stand in a text; `low` is the text in lower case."""
        if self.near and not any(word in low for word in self.near):
            return []
        spans = ((_after_kept(match), match.end()) for match in self.pattern.finditer(text))
        return [(start, end) for start, end in spans if self.proof(text[start:end])]


@cache
def rules(group: str) -> tuple[Rule, ...]:
    """The rules of a group, `secret` or `personal`, in their order."""
    data = tomllib.loads(files(__package__).joinpath("rules.toml").read_text("utf-8"))
    return tuple(_rule(row, data["words"]) for row in data[group])


def named(names: Sequence[str]) -> tuple[Rule, ...]:
    """The rule for names from a list: in either order, with anything but letters between."""
    forms = "|".join(form for name in names for form in _forms(name.split()))
    return (Rule("NAME", re.compile(forms, re.I), (), bool),) if forms else ()


def _forms(parts: Sequence[str]) -> list[str]:
    escaped = [re.escape(part) for part in parts]
    if any(ord(char) > LAST_SPACED for part in parts for char in part):
        return [r"[\s·・]*".join(escaped)]
    between = r"(?:[\s._,-]|\\[nrt]){1,3}"
    orders = dict.fromkeys((between.join(escaped), between.join((*escaped[-1:], *escaped[:-1]))))
    # In a prompt, where JSON was written, `\n` may stand right before a name.
    return [rf"(?:(?<![^\W_])|(?<=\\[nrt])){form}(?![^\W_])" for form in orders if form]


def _rule(row: Mapping[str, Any], words: Mapping[str, Sequence[str]]) -> Rule:
    pattern = row["pattern"]
    for name, listed in words.items():
        pattern = pattern.replace("{{" + name + "}}", "|".join(listed))
    near = [word for part in row.get("near", ()) for word in words.get(part.strip("{}"), (part,))]
    flags = 0 if row.get("case", True) else re.I
    proof = PROOFS[row["proof"]] if "proof" in row else bool
    return Rule(row["kind"], re.compile(pattern, flags), tuple(near), proof)


def _after_kept(match: re.Match[str]) -> int:
    return match.end("keep") if "keep" in match.re.groupindex else match.start()
