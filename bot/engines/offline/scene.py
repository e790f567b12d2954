"""Everything that hypotheses about one session are measured against, computed once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.context.authority import Standing, standing
from bot.context.search import Index
from bot.context.words import stems
from bot.engines.offline.acts import Acts, Manner
from bot.engines.offline.claims import Claims, Commonness, claims
from bot.engines.offline.endings import endings
from bot.engines.offline.pull import Pull, pull
from bot.engines.offline.talk import Round, Talk, talk
from bot.provenance.seen import Seen, seen
from bot.records.finding import Case
from bot.records.trajectory import Trajectory


class Library(msgspec.Struct, frozen=True):
    """A repository ready for questions: its index, the standing of its files, its manners."""

    index: Index
    standings: dict[str, Standing]
    acts: Acts
    manner: Manner
    claims: tuple[Claims, ...]
    common: Commonness
    ends: dict[str, tuple[int, ...]]


class RoundView(msgspec.Struct, frozen=True):
    """One disputed round with the pull of each of its voices."""

    round: Round
    question: Pull
    answer: Pull
    thoughts: Pull
    searches: Pull
    said: Claims
    asked: Claims
    stems: frozenset[str]
    relevance: float
    manner: Manner


class Scene(msgspec.Struct, frozen=True):
    """One dissatisfied session over one repository."""

    case: Case
    library: Library
    talk: Talk
    seen: Seen
    rounds: tuple[RoundView, ...]
    complaint: Pull
    admission: Pull
    wanted: Claims
    admitted: Claims
    complaint_stems: frozenset[str]
    manner: Manner
    admission_manner: Manner
    neighbours: dict[int, tuple[list[float], list[float]]] = {}

    @property
    def index(self) -> Index:
        """The repository's index."""
        return self.library.index

    @property
    def trajectory(self) -> Trajectory:
        """The session itself."""
        return self.case.trajectory

    def near(self, unit: int) -> tuple[list[float], list[float]]:
        """How near one unit is to every other, by words and by meaning."""
        if unit not in self.neighbours:
            rows = self.index.neighbours([unit])
            self.neighbours[unit] = (rows.lexical[0], rows.semantic[0])
        return self.neighbours[unit]

    def round_of(self, position: int) -> int:
        """The disputed round that a node served; -1 for a node after the complaint."""
        return next((i for i, v in enumerate(self.rounds) if position in v.round.nodes), -1)


def library(index: Index) -> Library:
    """Prepare a repository: standings, prototypes, values of every unit."""
    acts = Acts.load(index.encoder)
    standings = {path: standing(index.repo, path) for path in index.by_path}
    read = tuple(claims((unit.reading,)) for unit in index.units)
    return Library(
        index=index,
        standings=standings,
        acts=acts,
        manner=acts.measure([index.passage(unit) for unit in index.units], "passage"),
        claims=read,
        common=Commonness(read),
        ends=endings(index, standings),
    )


def scene(case: Case, prepared: Library) -> Scene:
    """Read one session against a prepared repository."""
    index = prepared.index
    parts = talk(case)
    complaint = pull(index, parts.complaint)
    return Scene(
        case=case,
        library=prepared,
        talk=parts,
        seen=seen(case.trajectory, index),
        rounds=tuple(_view(r, prepared, complaint) for r in parts.disputed),
        complaint=complaint,
        admission=pull(index, parts.admission),
        wanted=claims(parts.complaint),
        admitted=claims(parts.admission),
        complaint_stems=_stems(parts.complaint),
        manner=prepared.acts.measure(parts.complaint, "query"),
        admission_manner=prepared.acts.measure(parts.admission, "query"),
    )


def _stems(sentences: Sequence[str]) -> frozenset[str]:
    return frozenset(s for sentence in sentences for s in stems(sentence))


def _view(round_: Round, prepared: Library, complaint: Pull) -> RoundView:
    index = prepared.index
    question, answer = pull(index, round_.question), pull(index, round_.answer)
    return RoundView(
        round=round_,
        question=question,
        answer=answer,
        thoughts=pull(index, round_.thoughts),
        searches=pull(index, round_.searches),
        said=claims((*round_.answer, *round_.thoughts)),
        asked=claims(round_.question),
        stems=_stems((*round_.question, *round_.answer)),
        relevance=_agreement(complaint, answer) + _agreement(complaint, question),
        manner=prepared.acts.measure(round_.answer, "query"),
    )


def _agreement(first: Pull, second: Pull) -> float:
    """How alike two pulls are: the mean of their products over the units both reach."""
    top = sorted(range(len(first.semantic)), key=lambda n: -second.of(n))[:20]
    return sum(first.of(n) for n in top) / (2 * len(top)) if top else 0.0
