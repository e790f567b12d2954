"""Runs with one decisive step, and how well a ranking of steps finds it. Steps count from 0."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from bot.bench.public.outcome import PublicSet, not_beaten
from bot.context.repo import ContextRepo
from bot.ports import Engine
from bot.records.finding import Case, Detection
from bot.records.trajectory import Trajectory
from bot.stages.segment import segment

NEAR = (1, 3, 5)
HARD_ERROR = re.compile(
    r"\btraceback\b|\bexception\b|\berror\b|exit ?code: [1-9]|\bfailed\b|\bnot found\b", re.I
)
WRITE = re.compile(r"'name': '(cancel|modify|return|exchange|book|update|send|transfer)_")
CODE = re.compile(r"```(python|py|sh|bash)\b")


class Said(msgspec.Struct, frozen=True):
    """One message of a run as the rules of thumb see it; `tool` is set on a tool's answer."""

    speaker: str
    text: str
    tool: str = ""


class Run(msgspec.Struct, frozen=True):
    """A failed run, and apart from it what is known about its failure.

    `step_of` maps a node to its message; `trajectory` holds nothing of `gold` or `culprit`.
    """

    run_id: str
    trajectory: Trajectory
    said: tuple[Said, ...]
    step_of: dict[str, int]
    gold: int
    culprit: str


Rule = Callable[[Run], Sequence[int]]


def engine_rule(engine: Engine, repo: ContextRepo) -> Rule:
    """The steps in the order of the engine's scores; none where it abstains."""

    def ranked(run: Run) -> Sequence[int]:
        detection = Detection(is_dsat=True, confidence=1.0, summary="The run failed.")
        case = Case(run.trajectory, segment(run.trajectory), detection)
        found = engine.attribute(case, repo)
        scores = sorted(found.scores, key=lambda s: -s.score) if found else []
        known = (run.step_of[s.node_id] for s in scores if s.node_id in run.step_of)
        return tuple(dict.fromkeys(known))

    return ranked


def first(run: Run) -> Sequence[int]:
    """From the start on."""
    return range(len(run.said))


def last(run: Run) -> Sequence[int]:
    """From the end back."""
    return range(len(run.said))[::-1]


def first_error(run: Run) -> Sequence[int]:
    """The first message with a hard error text, else the last."""
    found = [n for n, said in enumerate(run.said) if HARD_ERROR.search(said.text)]
    return found or last(run)


def before_error(run: Run) -> Sequence[int]:
    """The message before the first hard error text, else the second."""
    found = [n - 1 for n, said in enumerate(run.said) if n and HARD_ERROR.search(said.text)]
    return found or range(1, len(run.said))


def second_of_runner_up(run: Run) -> Sequence[int]:
    """The second message of whoever speaks second most often: the one who does the work, where
    the one who speaks most often is who gives the orders."""
    busiest = Counter(_name(said.speaker) for said in run.said).most_common(2)
    own = [n for n, said in enumerate(run.said) if _name(said.speaker) == busiest[-1][0]]
    return (*own[1:2], *own[:1], *own[2:])


def first_code(run: Run) -> Sequence[int]:
    """The first message that holds code, else the first."""
    return [n for n, said in enumerate(run.said) if CODE.search(said.text)] or first(run)


def call_before_tool_error(run: Run) -> Sequence[int]:
    """The call that a tool first answered with an error, else the last message."""
    found = [
        n - 1 for n, said in enumerate(run.said) if said.tool and said.text.startswith("Error")
    ]
    return found or last(run)


def first_write(run: Run) -> Sequence[int]:
    """The first message that calls a tool which changes something, else the last."""
    return [n for n, said in enumerate(run.said) if WRITE.search(said.text)] or last(run)


FLOORS: Mapping[str, Rule] = {
    "always first": first,
    "always last": last,
    "first hard error": first_error,
    "before the first hard error": before_error,
    "second of the runner-up": second_of_runner_up,
    "first code block": first_code,
    "first write call": first_write,
    "call before a tool error": call_before_tool_error,
}


def accuracy(runs: Sequence[Run], rule: Rule) -> dict[str, float]:
    """Percentages over all runs; a run without an answer is wrong throughout."""
    hits: dict[str, int] = {"agent": 0, "Acc@1": 0, "Acc@3": 0, **{f"±{n}": 0 for n in NEAR}}
    answered = 0
    for run in runs:
        steps = list(rule(run))[:3]
        if not steps:
            continue
        answered += 1
        top = steps[0]
        hits["agent"] += same_speaker(run.said[top].speaker, run.culprit)
        hits["Acc@1"] += top == run.gold
        hits["Acc@3"] += run.gold in steps
        for n in NEAR:
            hits[f"±{n}"] += abs(top - run.gold) <= n
    total = len(runs) or 1
    return {**{k: 100 * v / total for k, v in hits.items()}, "answered": 100 * answered / total}


def expected_random(runs: Sequence[Run]) -> dict[str, float]:
    """What a step drawn with equal chances reaches on average."""
    total: dict[str, float] = {}
    for run in runs:
        count = len(run.said)
        chance = {
            "agent": sum(same_speaker(s.speaker, run.culprit) for s in run.said) / count,
            "Acc@1": 1 / count,
            "Acc@3": min(3, count) / count,
            **{f"±{n}": sum(abs(i - run.gold) <= n for i in range(count)) / count for n in NEAR},
            "answered": 1.0,
        }
        for name, value in chance.items():
            total[name] = total.get(name, 0.0) + 100 * value / len(runs)
    return total


def same_speaker(one: str, other: str) -> bool:
    """Whether two labels mean one agent: `Orchestrator (thought)` is the Orchestrator."""
    return _name(one) == _name(other)


def _name(speaker: str) -> str:
    return speaker.partition("(")[0].strip().casefold()


def scored(
    name: str, runs: Sequence[Run], engine: Rule, printed: Mapping[str, dict[str, float]], note: str
) -> PublicSet:
    """The engine's scores with every floor beside them."""
    scores = {"engine": accuracy(runs, engine), "random (expected)": expected_random(runs)}
    scores |= {floor: accuracy(runs, rule) for floor, rule in FLOORS.items()}
    beaten = not_beaten(scores, ("Acc@1",))
    return PublicSet(name, len(runs), scores, dict(printed), note, beaten)
