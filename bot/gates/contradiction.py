"""G11: a new sentence must not say otherwise than one that stays.

Two sentences are compared only if they have the same words and differ in their numbers or in a
denial. In the same file they must stand in the same place (heading, parent list item), since
elsewhere the same words speak of something else. Another file counts where it says what the
change takes away here (a warning), and where the new sentence replaces nothing. That both
differed before is no news.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from bot.gates.inputs import Inputs, added, removed
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import GateResult

FEWEST_WORDS = 5
SENTENCE = re.compile(r"(?<=[.!?;])\s+")
HEADING = re.compile(r"#{1,6}\s")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
VALUE = re.compile(r"\d+(?:[.,:/-]\d+)*")
POLARITY = frozenset(
    {"not", "no", "never", "without", "cannot", "nicht", "kein", "keine", "nie", "ohne", "ne"}
    | {"pas", "jamais", "sans", "nunca", "sin", "non", "mai", "senza", "не", "нет", "никогда"}
)
OUT_OF_FORCE = frozenset({"draft", "deprecated", "superseded", "withdrawn", "archived"})


class Statement(msgspec.Struct, frozen=True):
    """A sentence taken apart: where it stands, its words, its values, and whether it denies."""

    place: tuple[str, ...]
    words: frozenset[str]
    values: frozenset[str]
    denies: bool

    def contradicts(self, other: Statement) -> bool:
        """Whether both say different things in the same words."""
        if self.words != other.words:
            return False
        differ = bool(self.values and other.values) and self.values != other.values
        return differ or self.denies != other.denies


def contradiction(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Draft where a sentence that stays says otherwise; a warning where it says what goes."""
    results = [result for file in change_set.files for result in _results(file, inputs)]
    changed = {file.path for file in change_set.files}
    results += [
        result
        for file in change_set.files
        for path, text in _in_force(inputs)
        if path not in changed
        for result in _elsewhere(file, path, text)
    ]
    worst = min(results, key=lambda result: result.outcome != "draft", default=None)
    return worst or GateResult("G11", "passed")


def _results(file: FileChange, inputs: Inputs) -> Iterator[GateResult]:
    """Contradictions within the file as it will be."""
    new = set(added(file))
    lines = (file.new_text or "").split("\n")
    fresh = set(_statements(lines, only=new))
    kept = set(_statements(lines, sharing=_long_words(fresh))) - fresh
    if any(a.place == b.place and a.contradicts(b) for a in fresh for b in kept):
        yield _draft(file.path)


def _elsewhere(file: FileChange, path: str, text: str) -> Iterator[GateResult]:
    """Contradictions with another file."""
    # A nested list item says nothing without its parents, which the other file has not.
    fresh = list(_statements(line for line in added(file) if not line[:1].isspace()))
    gone = list(_statements(removed(file)))
    told = _statements(text.split("\n"), sharing=_long_words(fresh))
    for kept in (one for one in told if len(one.place) == 1):
        for new in (one for one in fresh if one.contradicts(kept)):
            before = [old for old in gone if old.words == new.words]
            if not before:
                yield _draft(path)
            elif any(not old.contradicts(kept) for old in before):
                yield GateResult("G11", "warning", f"{path} still says what is changed here")


def _draft(path: str) -> GateResult:
    return GateResult("G11", "draft", f"a sentence that stays in {path} says otherwise")


def _in_force(inputs: Inputs) -> Iterator[tuple[str, str]]:
    for component in inputs.repo.components:
        status = str(component.meta.get("status", "")).lower()
        if component.type != "schema_hint" and status not in OUT_OF_FORCE:
            yield component.path, inputs.repo.texts[component.path]


def _long_words(statements: Iterable[Statement]) -> frozenset[str]:
    """One word of each, which any sentence in the same words must hold."""
    return frozenset(max(sorted(one.words), key=len) for one in statements)


def _statements(
    lines: Iterable[str], only: set[str] | None = None, sharing: frozenset[str] | None = None
) -> Iterator[Statement]:
    """The sentences of the lines, of those in `only`, or of those with a word of `sharing`.

    A sentence ends with its line. Each knows its place: the heading, and the less indented lines
    that it stands under.
    """
    heading, above = "", list[tuple[int, str]]()
    for line in lines if sharing is None or sharing else ():
        text = line.strip()
        if not text:
            continue
        if HEADING.match(line):
            heading, above = text, []
            continue
        indent = len(line) - len(line.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        if _wanted(line, only, sharing):
            place = (heading, *(parent for _, parent in above))
            for sentence in SENTENCE.split(line):
                yield from _statement(place, sentence)
        above.append((indent, text))


def _wanted(line: str, only: set[str] | None, sharing: frozenset[str] | None) -> bool:
    if only is not None:
        return line in only
    low = line.casefold() if sharing is not None else ""
    return sharing is None or any(word in low for word in sharing)


def _statement(place: tuple[str, ...], sentence: str) -> Iterator[Statement]:
    words = [word.casefold() for word in WORD.findall(sentence)]
    if len(words) >= FEWEST_WORDS and not POLARITY.issuperset(words):
        values = frozenset(VALUE.findall(sentence))
        denies = len(POLARITY.intersection(words)) % 2 == 1
        yield Statement(place, frozenset(words) - POLARITY, values, denies)
