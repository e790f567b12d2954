"""Everything that hypotheses about one session are measured against, computed once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.context.search import Index, meanings
from bot.engines.offline.acts import Manner
from bot.engines.offline.candidate import Shape
from bot.engines.offline.claims import Claims, claims
from bot.engines.offline.library import Library
from bot.engines.offline.mend.astray import Said, Text, said
from bot.engines.offline.pull import Pull, pull
from bot.engines.offline.talk import Round, Talk, talk
from bot.engines.offline.tone import vector
from bot.provenance.language import language_of
from bot.provenance.polarity import Mark, polarity
from bot.provenance.seen import Seen, seen
from bot.provenance.words import fields, strings
from bot.records.finding import Case
from bot.records.trajectory import Trajectory


class Sight(msgspec.Struct, frozen=True):
    """What the agent had before its eyes by the end of a round.

    `limit` is the last node's position, `knowledge` and `tools` are unit numbers, `stems` the
    words of the knowledge. `strange` are rare words of question and complaint that it lacks.
    """

    limit: int
    knowledge: frozenset[int]
    tools: frozenset[int]
    files: frozenset[str]
    stems: frozenset[str]
    strange: frozenset[str]


class RoundView(msgspec.Struct, frozen=True):
    """One disputed round with the pull of each of its voices.

    `matter` is question and complaint as one text, `exchange` question and answer, `whole` all
    that was said of it: a correction that only hints needs the question to be understood.
    """

    round: Round
    matter: Pull
    exchange: Pull
    whole: Pull
    question: Pull
    answer: Pull
    thoughts: Pull
    searches: Pull
    said: Claims
    asked: Claims
    stems: frozenset[str]
    asked_stems: frozenset[str]
    relevance: float
    manner: Manner
    sight: Sight


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
    sounds: dict[Shape, float] = {}
    sides: tuple[Mark, ...] = ()
    tongue: str | None = None
    exchanges: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
    ordered: dict[int, list[float]] = {}
    maps: dict[int, tuple[Said, ...]] = {}

    @property
    def index(self) -> Index:
        """The repository's index."""
        return self.library.index

    @property
    def trajectory(self) -> Trajectory:
        """The session itself."""
        return self.case.trajectory

    def near(self, unit: int) -> tuple[list[float], list[float], list[float]]:
        """`Library.near`."""
        return self.library.near(unit)

    def exchange(self, position: int) -> tuple[frozenset[str], frozenset[str]]:
        """The words of what a tool was sent and of what it answered."""
        if position not in self.exchanges:
            tool = self.trajectory.nodes[position].tool
            sent = _stems(list(strings(tool.input))) if tool else frozenset()
            back = _stems(list(strings(tool.output))) if tool else frozenset()
            self.exchanges[position] = (sent, back)
        return self.exchanges[position]

    def mapped(self, number: int) -> tuple[Said, ...]:
        """The words of the synonym map that the searches of a round said."""
        if number not in self.maps:
            texts = [Text(text) for text in self.rounds[number].round.searches]
            self.maps[number] = said(self.index, texts) if texts else ()
        return self.maps[number]

    def returned(self, position: int) -> frozenset[str]:
        """The names of the fields that a tool's answer held, without case."""
        tool = self.trajectory.nodes[position].tool
        return frozenset(fields(tool.output)) if tool is not None else frozenset()

    def marks(self, unit: int) -> tuple[Mark, ...]:
        """`Library.marks_of`."""
        return self.library.marks_of(unit)


def scene(case: Case, prepared: Library) -> Scene:
    """Read one session against a prepared repository."""
    index = prepared.index
    parts = talk(case)
    complaint = pull(index, parts.complaint)
    shown = seen(case.trajectory, index)
    said = _stems(parts.complaint)
    views = []
    for one in parts.disputed:
        sight = _sight(index, one, shown, said | _stems(one.question))
        views.append(_view(one, prepared, parts, complaint, sight))
    return Scene(
        case=case,
        library=prepared,
        talk=parts,
        seen=shown,
        rounds=tuple(views),
        complaint=complaint,
        admission=pull(index, parts.admission),
        wanted=claims(parts.complaint),
        admitted=claims(parts.admission),
        complaint_stems=said,
        manner=prepared.acts.measure(parts.complaint, "query"),
        exchanges={},
        ordered={},
        maps={},
        sounds=_sounds(prepared, parts),
        sides=_sides(parts.complaint),
        tongue=language_of(" ".join(t.content for t in case.trajectory.turns if t.role == "user")),
        admission_manner=prepared.acts.measure(parts.admission, "query"),
    )


def _stems(sentences: Sequence[str]) -> frozenset[str]:
    return frozenset(t for sentence in sentences for t in meanings(sentence))


def _sight(index: Index, round_: Round, shown: Seen, said: frozenset[str]) -> Sight:
    limit = max(round_.nodes, default=0)
    before = [n for n, positions in shown.units.items() if min(positions) <= limit]
    knowledge = frozenset(n for n in before if index.units[n].type in ("kb_entry", "skill"))
    held = frozenset(s for n in knowledge for s in index.bags[n])
    common = len(index.units) / 12
    rare = {s for s in said if index.frequency.get(s, 0) < common}
    return Sight(
        limit=limit,
        knowledge=knowledge,
        tools=frozenset(n for n in before if index.units[n].tool),
        files=frozenset(index.units[n].path for n in knowledge),
        stems=held,
        strange=frozenset(rare - held),
    )


def _sounds(prepared: Library, parts: Talk) -> dict[Shape, float]:
    if prepared.tone is None:
        return {}
    return prepared.tone.sounds(vector(prepared.index.encoder, parts))


def _sides(sentences: Sequence[str]) -> tuple[Mark, ...]:
    """One mark for each side that is taken: how often it is changes nothing."""
    marks = (mark for sentence in sentences for mark in polarity(sentence))
    return tuple({(mark.axis, mark.pole): mark for mark in marks}.values())


def _joined(*groups: Sequence[str]) -> tuple[str, ...]:
    text = " ".join(sentence for group in groups for sentence in group)
    return (text,) if text else ()


def _view(
    round_: Round, prepared: Library, parts: Talk, complaint: Pull, sight: Sight
) -> RoundView:
    index = prepared.index
    question, answer = pull(index, round_.question), pull(index, round_.answer)
    return RoundView(
        round=round_,
        matter=pull(index, _joined(round_.question, parts.complaint)),
        exchange=pull(index, _joined(round_.question, round_.answer)),
        whole=pull(
            index, _joined(round_.question, round_.answer, parts.complaint, parts.admission)
        ),
        question=question,
        answer=answer,
        thoughts=pull(index, round_.thoughts),
        searches=pull(index, round_.searches),
        said=claims((*round_.answer, *round_.thoughts)),
        asked=claims(round_.question),
        stems=_stems((*round_.question, *round_.answer)),
        asked_stems=_stems((*round_.question, *round_.searches)),
        relevance=_agreement(complaint, answer) + _agreement(complaint, question),
        manner=prepared.acts.measure(round_.answer, "query"),
        sight=sight,
    )


def _agreement(first: Pull, second: Pull) -> float:
    """How alike two pulls are: the mean of their products over the units both reach."""
    top = sorted(range(len(first.semantic)), key=lambda n: -second.of(n))[:20]
    return sum(first.of(n) for n in top) / (2 * len(top)) if top else 0.0
