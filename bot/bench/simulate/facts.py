"""What a repository states: values, rules, terms and titles that a fault can be made of."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import msgspec

from bot.bench.simulate.alter import ALTERABLE
from bot.bench.simulate.document import Document, as_written
from bot.context.repo import ContextRepo
from bot.context.unit import Unit
from bot.context.units import cut
from bot.provenance.values import Value, values
from context_repo_schema.component import ComponentType

SHORTEST, LONGEST = 25, 260
FEWEST_WORDS = 5
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[.\][ \t]+)?")
_BREAK = re.compile(r"[,;:(–—]|\. ")
_EDGE = re.compile(r"^\W+|[\W_]+$")
_MARKUP = re.compile(r"[*`|_]+")
# A question, a lead-in, a placeholder or a link states nothing that could be wrong.
_NOT_SAID = re.compile(r"\n|https?:|[\[\]{}<>]|[?:][\s*_]*$")
SUBJECT_WORDS = 7


class Fact(msgspec.Struct, frozen=True):
    """One sentence or row of a document, verbatim in `quote`, and what it is about.

    `line` is the whole line where the quote fills it (a list item, a row, a paragraph), else
    None: only such a line can be taken out without leaving half a sentence.
    """

    path: str
    type: ComponentType
    topic: str
    subject: str
    quote: str
    line: str | None
    value: Value | None = None


def facts(documents: Sequence[Document], draw: random.Random) -> tuple[Fact, ...]:
    """Every fact of the documents, in random order."""
    found = [fact for document in documents for fact in _of(document)]
    draw.shuffle(found)
    return tuple(found)


def _of(document: Document) -> Iterator[Fact]:
    for unit in document.units:
        plain = _MARKUP.sub("", unit.text)
        if not SHORTEST <= len(unit.text) <= LONGEST or _NOT_SAID.search(unit.text):
            continue
        if unit.kind == "sentence" and len(plain.split()) < FEWEST_WORDS:
            continue
        heading = unit.headings[-1] if unit.headings else document.title
        value = next((v for v in values(unit.text) if v.kind in ALTERABLE), None)
        yield Fact(
            document.path,
            document.type,
            _MARKUP.sub("", heading) if len(unit.headings) > 1 else document.title,
            subject(unit, value),
            unit.text,
            _line(document.text, unit),
            value,
        )


def _line(text: str, unit: Unit) -> str | None:
    """The line of the unit where nothing else stands on it."""
    start = text.rfind("\n", 0, unit.start) + 1
    end = text.find("\n", unit.end)
    line = text[start : end if end >= 0 else len(text)]
    alone = _BULLET.sub("", line, count=1).strip() if unit.kind == "sentence" else line.strip()
    return line if alone == unit.text.strip() else None


def subject(unit: Unit, value: Value | None) -> str:
    """What the unit is about, in its own words: the cell names of a row, or the words beside
    the value, or those that open the sentence."""
    if unit.cells:
        column = next(
            (
                head
                for head, cell in zip(unit.header, unit.cells, strict=False)
                if value and value.text in cell
            ),
            "",
        )
        return _EDGE.sub("", _MARKUP.sub("", f"{unit.cells[0]} {column}".strip()))
    text = unit.text
    before = _BREAK.split(text[: value.start])[-1] if value else ""
    if len(before.split()) < 2:
        before = text[: value.start] if value else text
    words = _MARKUP.sub("", before).split()
    chosen = words[-SUBJECT_WORDS:] if value else words[:SUBJECT_WORDS]
    return _EDGE.sub("", " ".join(chosen))


class Ground:
    """The repository as it is before the first fault: finds what can be changed unmistakably."""

    def __init__(self, repo: ContextRepo) -> None:
        self._texts = repo.texts
        self._whole = "\0".join(repo.texts[path] for path in sorted(repo.texts))

    def once(self, path: str, piece: str) -> str | None:
        """The piece as its file writes it, where it occurs there once and nowhere else."""
        written = as_written(path, self._texts[path], piece)
        return written if written and self._whole.count(written) == 1 else None

    def nowhere(self, piece: str) -> bool:
        """Whether no file holds the text."""
        return piece not in self._whole


class Term(msgspec.Struct, frozen=True):
    """A word of a synonym map that leads to a document, and the entry as it is written."""

    path: str
    term: str
    entry: str
    leads_to: str


def terms(repo: ContextRepo, documents: Sequence[Document]) -> tuple[Term, ...]:
    """Terms that stand in no document themselves, but whose siblings do in just a few."""
    found = []
    bodies = {d.path: f"{d.title}\n{d.text}".casefold() for d in documents if d.type == "kb_entry"}
    for component in repo.components:
        if component.type != "synonym_map":
            continue
        for unit in cut(component, repo.texts[component.path]):
            found += list(_of_entry(unit, bodies))
    return tuple(found)


def _of_entry(unit: Unit, bodies: dict[str, str]) -> Iterator[Term]:
    for term in unit.terms[1:]:
        others = [other.casefold() for other in unit.terms if other != term]
        holding = [
            path
            for path, body in bodies.items()
            if term.casefold() not in body and any(other in body for other in others)
        ]
        if holding and all(term.casefold() not in body for body in bodies.values()):
            yield Term(unit.path, term, unit.text, holding[0])
