"""G11: a new sentence must not say otherwise than one that stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from bot.gates.inputs import Inputs, added
from bot.records.change import ChangeSet
from bot.records.plan import GateResult

ALIKE = 0.8
FEWEST_WORDS = 5
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
VALUE = re.compile(r"\d+(?:[.,:/-]\d+)*")
POLARITY = frozenset(
    {"not", "no", "never", "without", "cannot", "nicht", "kein", "keine", "nie", "ohne", "ne"}
    | {"pas", "jamais", "sans", "nunca", "sin", "non", "mai", "senza", "не", "нет", "никогда"}
)
OUT_OF_FORCE = frozenset({"draft", "deprecated", "superseded", "withdrawn", "archived"})


class Statement(msgspec.Struct, frozen=True):
    """A sentence taken apart: the words it is about, its values, and whether it denies."""

    words: frozenset[str]
    values: frozenset[str]
    denies: bool


def contradiction(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Draft where a kept sentence has nearly the same words with other values or a denial."""
    kept = list(_kept(change_set, inputs))
    for file in change_set.files:
        for new in _statements("\n".join(added(file))):
            where = next((path for path, old in kept if _contradict(new, old)), None)
            if where:
                return GateResult(
                    "G11",
                    "draft",
                    f"a sentence that stays in {where} says otherwise",
                )
    return GateResult("G11", "passed")


def _kept(change_set: ChangeSet, inputs: Inputs) -> Iterator[tuple[str, Statement]]:
    changed = {file.path: file for file in change_set.files}
    for path, text in inputs.repo.texts.items():
        component = inputs.repo.component(path)
        if component is None or component.type == "schema_hint":
            continue
        if str(component.meta.get("status", "")).lower() in OUT_OF_FORCE:
            continue
        if path not in changed:
            yield from ((path, statement) for statement in _statements(text))
            continue
        # What the change itself says is no rival of itself.
        own = set(added(changed[path]))
        rest = [line for line in (changed[path].new_text or "").split("\n") if line not in own]
        yield from ((path, statement) for statement in _statements("\n".join(rest)))


def _statements(text: str) -> Iterator[Statement]:
    for sentence in SENTENCE.split(text):
        words = [word.casefold() for word in WORD.findall(sentence)]
        if len(words) >= FEWEST_WORDS:
            yield Statement(
                frozenset(words) - POLARITY,
                frozenset(VALUE.findall(sentence)),
                len(POLARITY.intersection(words)) % 2 == 1,
            )


def _contradict(new: Statement, old: Statement) -> bool:
    both = len(new.words & old.words)
    if both < ALIKE * len(new.words | old.words):
        return False
    values_differ = bool(new.values and old.values) and not (
        new.values <= old.values or old.values <= new.values
    )
    return values_differ or new.denies != old.denies
