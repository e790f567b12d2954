"""A session as a conversation: rounds of question and answer, the complaint, the admission."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import islice

import msgspec

from bot.context.cut.sentences import split
from bot.provenance.words import strings
from bot.records.finding import Case
from bot.records.trajectory import Trajectory, Turn

_SEARCHES = ("kb_search",)
_STRONG = 0.7
# What is looked at of an endless session: the rounds nearest to the complaint, its first turns,
# and of each text the beginning. What lies beyond is pasted matter or another topic.
BEFORE, BEYOND = 8, 4
COMPLAINTS = 12
CHARACTERS, SENTENCES = 10_000, 200


class Round(msgspec.Struct, frozen=True):
    """What was asked and answered once, and the positions of the nodes that served it.

    `question`, `answer`, `thoughts` and `searches` are sentences; `turn_id` is the answer's
    turn (the question's where nobody answered).
    """

    turn_id: int
    question: tuple[str, ...]
    answer: tuple[str, ...]
    thoughts: tuple[str, ...]
    searches: tuple[str, ...]
    nodes: tuple[int, ...]


class Talk(msgspec.Struct, frozen=True):
    """The rounds up to the complaint, the complaint's sentences, and what the agent said then.

    `complaint` is empty where nothing but an explicit score speaks. `disputed` rounds are those
    that the complaint can be about, oldest first; `main` is the one right before it began. Of a
    long session these are the rounds and turns nearest to where the complaint began.
    """

    disputed: tuple[Round, ...]
    main: int
    complaint: tuple[str, ...]
    admission: tuple[str, ...]
    after: tuple[int, ...]


def talk(case: Case) -> Talk:
    """Split a dissatisfied session at its complaint."""
    trajectory = case.trajectory
    rounds = _rounds(trajectory)
    turns = _complaint_turns(case)
    first = min(turns, default=None)
    last = max(turns, default=None)
    before = [r for r in rounds if last is None or r.turn_id < last] or rounds[:1]
    main = max(sum(first is None or r.turn_id < first for r in before) - 1, 0)
    said = [t for t in trajectory.turns if t.turn_id in turns]
    later = [t for t in trajectory.turns if first is not None and t.turn_id > first]
    answers = [t for t in later if t.role == "assistant"][:COMPLAINTS]
    positions = {p for r in before[: main + 1] for p in r.nodes}
    after = tuple(p for p in range(len(trajectory.nodes)) if p not in positions)
    oldest = max(main + 1 - BEFORE, 0)
    return Talk(
        disputed=tuple(before[oldest : main + 1 + BEYOND]),
        main=main - oldest,
        complaint=_sentences(said),
        admission=_sentences(answers),
        after=after,
    )


def _sentences(turns: list[Turn]) -> tuple[str, ...]:
    return _split([turn.content for turn in turns])


def _split(texts: Iterable[str]) -> tuple[str, ...]:
    told = (sentence for text in texts for sentence in split(text[:CHARACTERS]))
    return tuple(islice(told, SENTENCES))


def _complaint_turns(case: Case) -> set[int]:
    """The user turns of the last unbroken run of strong signals after an answer, and the later
    ones; the last one after an answer where nothing is strong.

    A weak signal is often a new question; what follows a complaint explains it.
    """
    turns = case.trajectory.turns
    answered = next((t.turn_id for t in turns if t.role == "assistant"), None)
    later = [t.turn_id for t in turns if t.role == "user" and t.turn_id > (answered or 0)]
    if answered is None or not later:
        return set()
    power = dict.fromkeys(later, 0.0)
    for signal in case.detection.signals:
        if signal.turn_id in power:
            power[signal.turn_id] = max(power[signal.turn_id], signal.confidence)
    bar = _STRONG * (max(power.values()) or 1.0)
    strong = [t for t in later if power[t] >= bar]
    if not strong:
        return {later[-1]}
    first = last = later.index(strong[-1])
    while first and later[first - 1] in strong and last - first + 1 < COMPLAINTS:
        first -= 1
    return set(later[first : first + COMPLAINTS])


def _rounds(trajectory: Trajectory) -> list[Round]:
    groups: list[list[Turn]] = []
    for turn in trajectory.turns:
        if not groups or (turn.role != "assistant" and groups[-1][-1].role == "assistant"):
            groups.append([])
        groups[-1].append(turn)
    ends = [group[-1].turn_id for group in groups]
    owned: list[list[int]] = [[] for _ in groups]
    for position, node in enumerate(trajectory.nodes):
        owned[min(bisect_left(ends, node.turn_id), len(groups) - 1)].append(position)
    return [_round(trajectory, g, tuple(o)) for g, o in zip(groups, owned, strict=True)]


def _round(trajectory: Trajectory, group: list[Turn], positions: tuple[int, ...]) -> Round:
    nodes = [trajectory.nodes[p] for p in positions]
    asked = [" ".join(strings(n.tool.input)) for n in nodes if n.tool and n.type in _SEARCHES]
    return Round(
        turn_id=group[-1].turn_id,
        question=_sentences([t for t in group if t.role == "user"]),
        answer=_sentences([t for t in group if t.role == "assistant"]),
        thoughts=_split(n.reasoning for n in nodes if n.reasoning),
        searches=tuple(text[:CHARACTERS] for text in asked[:SENTENCES]),
        nodes=positions,
    )
