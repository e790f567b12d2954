"""A repository ready for questions: what is known of it before any session is read, and what the
sessions asked of it so far."""

from __future__ import annotations

import msgspec

from bot.context.authority import Standing, standing
from bot.context.search import Index
from bot.engines.offline import cues
from bot.engines.offline.accord import Accords
from bot.engines.offline.acts import Acts, Manner
from bot.engines.offline.claims import Claims, Commonness, claims
from bot.engines.offline.cues import holds
from bot.engines.offline.endings import Ending, endings
from bot.engines.offline.tone import Tone
from bot.provenance.language import language_of
from bot.provenance.polarity import Mark, polarity

KEPT = 400  # units whose rows are kept: each is as long as the repository


class Rebuttal(msgspec.Struct, frozen=True):
    """What other files say of a unit, each from 0 to 1: how surely one says the same, one states
    another value of the same thing (`by` names it), one takes the opposite side."""

    confirmed: float
    refuted: float
    opposed: float
    by: int | None


class Library(msgspec.Struct, frozen=True):
    """The index, the standing of the files, their manners; the rest fills as it is asked for.

    `stated` are the units that say something, `binding` those that bind whoever answers.
    """

    index: Index
    standings: dict[str, Standing]
    acts: Acts
    manner: Manner
    tone: Tone | None
    claims: tuple[Claims, ...]
    common: Commonness
    ends: dict[str, tuple[Ending, ...]]
    binding: frozenset[int]
    stated: tuple[int, ...]
    accords: Accords
    outage: tuple[str, ...]
    neighbours: dict[int, tuple[list[float], list[float], list[float]]] = {}
    marks: dict[int, tuple[Mark, ...]] = {}
    weighed: dict[tuple[str, str], dict[str, float]] = {}
    kin: dict[tuple[str, str], dict[str, float]] = {}
    rebuttals: dict[int, Rebuttal] = {}
    wholes: dict[str, dict[str, float]] = {}
    tongues: dict[str, str | None] = {}

    def tongue(self, path: str) -> str | None:
        """The language of a file, as `language_of` has it."""
        if path not in self.tongues:
            self.tongues[path] = language_of(self.index.repo.texts.get(path, ""))
        return self.tongues[path]

    def near(self, unit: int) -> tuple[list[float], list[float], list[float]]:
        """How near one unit is to every other: by words, by meaning, and by meaning without
        headings."""
        if unit not in self.neighbours:
            if len(self.neighbours) >= KEPT:
                self.neighbours.clear()
            rows = self.index.neighbours([unit])
            self.neighbours[unit] = (rows.lexical[0], rows.semantic[0], rows.bare[0])
        return self.neighbours[unit]

    def marks_of(self, unit: int) -> tuple[Mark, ...]:
        """The words of a unit that take a side."""
        if unit not in self.marks:
            self.marks[unit] = polarity(self.index.units[unit].reading)
        return self.marks[unit]


def library(index: Index, tone: Tone | None = None) -> Library:
    """Prepare a repository: standings, examples of acts, values of every unit."""
    acts, words = Acts.load(index.encoder), cues.load()
    standings = {path: standing(index.repo, path) for path in index.by_path}
    read = tuple(claims((unit.reading,)) for unit in index.units)
    return Library(
        index=index,
        standings=standings,
        acts=acts,
        manner=acts.measure([index.passage(unit) for unit in index.units], "passage"),
        tone=tone,
        claims=read,
        common=Commonness(read),
        ends=endings(index, standings, words),
        neighbours={},
        marks={},
        weighed={},
        kin={},
        accords=Accords(index, read),
        outage=words.outage,
        rebuttals={},
        wholes={},
        tongues={},
        stated=tuple(n for n, u in enumerate(index.units) if u.kind not in ("meta", "term")),
        binding=frozenset(
            n for n, u in enumerate(index.units) if holds(u.reading, words.assistants)
        ),
    )
