"""Detection on suites that the weights never saw: leave one domain out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from bot.bench.metrics import Estimate, bootstrap
from bot.bench.suite import Suite
from bot.errors import ConfigError
from bot.records.trajectory import Trajectory
from bot.signals.learn import examples, learned
from bot.signals.model import Model
from bot.signals.table import signals
from bot.stages.detect import detect
from bot.stages.segment import segment


class Verdict(msgspec.Struct, frozen=True):
    """One session: whether a reader and whether the detector calls it dissatisfied."""

    suite: str
    session_id: str
    wanted: bool
    found: bool


def held_out(suites: Sequence[Suite]) -> Iterator[Verdict]:
    """Each suite judged by what the others taught.

    Raises `ConfigError` where there are no others.
    """
    if len(suites) < 2:
        raise ConfigError("name two suites or more: one to judge, the others to learn from")
    rows = {suite.name: list(examples(suite)) for suite in suites}
    for suite in suites:
        model = learned(
            [row for name, known in rows.items() if name != suite.name for row in known]
        )
        for trajectory in suite.trajectories:
            wanted = suite.labels[trajectory.session_id].is_dsat
            yield Verdict(suite.name, trajectory.session_id, wanted, _found(trajectory, model))


def _found(trajectory: Trajectory, model: Model) -> bool:
    segments = segment(trajectory)
    found = (signal for part in segments for signal in signals(trajectory, part, model))
    return detect(trajectory, segments, found).is_dsat


def precision(verdicts: Sequence[Verdict]) -> float | None:
    """Of the sessions called dissatisfied, the share that are."""
    called = [v for v in verdicts if v.found]
    return sum(v.wanted for v in called) / len(called) if called else None


def recall(verdicts: Sequence[Verdict]) -> float | None:
    """Of the dissatisfied sessions, the share that was found."""
    real = [v for v in verdicts if v.wanted]
    return sum(v.found for v in real) / len(real) if real else None


def f1(verdicts: Sequence[Verdict]) -> float | None:
    """Harmonic mean of precision and recall."""
    everything = sum(v.wanted + v.found for v in verdicts)
    return 2 * sum(v.wanted and v.found for v in verdicts) / everything if everything else None


def _row(name: str, verdicts: Sequence[Verdict]) -> str:
    cells = (_cell(bootstrap(measure, verdicts)) for measure in (precision, recall, f1))
    return f"| {name} | {len(verdicts)} | {' | '.join(cells)} |"


def _cell(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def report(verdicts: Sequence[Verdict]) -> str:
    """A Markdown table, a row for each suite and one for all, and the sessions misjudged."""
    names = dict.fromkeys(v.suite for v in verdicts)
    wrong = [v for v in verdicts if v.wanted != v.found]
    return "\n".join(
        [
            "| held out | sessions | precision | recall | F1 |",
            "| --- | --- | --- | --- | --- |",
            *(_row(name, [v for v in verdicts if v.suite == name]) for name in names),
            _row("all", verdicts),
            "",
            *(f"- {'missed' if v.wanted else 'alarm'}: {v.suite} {v.session_id}" for v in wrong),
        ]
    )
