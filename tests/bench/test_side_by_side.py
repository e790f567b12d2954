"""Several sessions at once, and no more than a number of them: the same rows in the same order."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.bench.run import evenly, run_suite
from bot.bench.suite import Suite, load
from bot.cli import main
from bot.context.words import _stem
from bot.engines.scripted import ScriptedEngine
from bot.errors import AccessError


class Waiting(ScriptedEngine):
    """Answers a session only once another is under way, so that it can never run alone."""

    def __init__(self, together: int) -> None:
        super().__init__({})
        self.together = together
        self.seen: list[str] = []
        self._met = threading.Barrier(together)
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True

    def apart(self) -> Waiting:
        return self

    def signals(self, trajectory: Any, segment: Any) -> Any:
        self._met.wait(10)
        self.seen.append(trajectory.session_id)
        return ()


def many(folder: Any, tmp_path: Path, count: int) -> Suite:
    suite = load(folder.write(tmp_path / "suite"))
    first = suite.trajectories[0]
    ids = [f"s-{number}" for number in range(count)]
    label = next(iter(suite.labels.values()))
    return msgspec.structs.replace(
        suite,
        trajectories=tuple(msgspec.structs.replace(first, session_id=name) for name in ids),
        labels={name: msgspec.structs.replace(label, session_id=name) for name in ids},
    )


def test_sessions_side_by_side_keep_the_order_of_the_file(folder: Any, tmp_path: Path) -> None:
    suite = many(folder, tmp_path, 9)
    engine = Waiting(3)
    rows = run_suite(suite, engine)
    assert [row.session_id for row in rows] == [t.session_id for t in suite.trajectories]
    assert sorted(engine.seen) == sorted(suite.labels)
    assert [row.error for row in rows] == [None] * 9


def test_trouble_of_every_session_ends_the_run(folder: Any, tmp_path: Path) -> None:
    suite = many(folder, tmp_path, 40)

    class Denied(Waiting):
        def signals(self, trajectory: Any, segment: Any) -> Any:
            self.seen.append(trajectory.session_id)
            raise AccessError("no key")

    engine = Denied(2)
    with pytest.raises(AccessError):
        run_suite(suite, engine)
    assert engine.stopped
    assert len(engine.seen) < 40


@pytest.mark.parametrize(
    ("count", "picked"),
    [(None, range(10)), (99, range(10)), (10, range(10)), (3, (0, 3, 6)), (5, (0, 2, 4, 6, 8)),
     (1, (0,))],
)  # fmt: skip
def test_a_limit_spreads_evenly_over_the_file(
    folder: Any, tmp_path: Path, count: int | None, picked: Any
) -> None:
    suite = evenly(many(folder, tmp_path, 10), count)
    assert [t.session_id for t in suite.trajectories] == [f"s-{n}" for n in picked]


def test_the_limit_is_of_every_suite(folder: Any, tmp_path: Path, capsysbinary: Any) -> None:
    suites = [str(folder.write(tmp_path / name)) for name in ("one", "two")]
    assert main(["bench", "run", *suites, "--limit", "1", "--json", "-"]) == 0
    told = msgspec.json.decode(capsysbinary.readouterr().out)
    assert [(row["suite"], row["session_id"]) for row in told["rows"]] == [
        ("one", "s-1"),
        ("two", "s-1"),
    ]


def test_words_are_stemmed_alike_in_many_threads() -> None:
    roots = ("relat", "hop", "consign", "general", "operat", "nation", "decis", "organ")
    words = [root + end for root in roots for end in ("ionally", "ing", "ments", "ization", "s")]
    fresh = _stem.__wrapped__
    alone = [fresh(word) for word in words]
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: [fresh(word) for word in words], range(16)))
    finally:
        sys.setswitchinterval(often)
    assert found == [alone] * 16
