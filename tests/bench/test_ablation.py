"""A part taken away: what is lost, and what exploring regains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.arguments import PARTS, parser
from bot.bench import lineups
from bot.bench.ablation import ablations, recovery
from bot.bench.run import Lineup, Part, run_all
from bot.bench.score import Row
from bot.bench.suite import load
from bot.cli import main
from bot.engines.offline import train
from bot.engines.offline.engine import OfflineEngine
from bot.engines.offline.features import GROUPS
from bot.errors import ConfigError

BASE = Row("suite", "s", "simple", True, True, "KB_CONTENT_GAP", None, "kb_entry", *[None] * 6)


def rows(*nodes: bool | None) -> tuple[Row, ...]:
    return tuple(
        msgspec.structs.replace(BASE, session_id=f"s{n}", node=node) for n, node in enumerate(nodes)
    )


def part(**without: tuple[Row, ...]) -> Part:
    whole = rows(True, True, False, True, None)
    return Part("suite", whole, {}, "the suite itself", 0.0, without)


def test_recovery_is_the_share_of_wrong_nodes_that_exploring_puts_right() -> None:
    found = recovery([part(exploration=rows(False, True, False, False, None))])
    assert found is not None
    assert found.count == 3
    assert found.value == pytest.approx(2 / 3)


def test_recovery_needs_a_run_without_exploration() -> None:
    assert recovery([part(authority=rows(False, False, False, False, None))]) is None
    assert recovery([part(exploration=rows(True, True, True, True, None))]) is None


def test_each_part_has_a_row_with_its_difference() -> None:
    lost = rows(False, True, False, False, None)
    (table,) = ablations([part(authority=lost, exploration=lost)])
    assert [row[0] for row in table.rows] == ["without authority", "without exploration"]
    assert table.rows[0][1].startswith("0.25 (-0.50 [")
    assert not list(ablations([part()]))


def test_the_command_line_names_the_groups_of_measures() -> None:
    for name in GROUPS:
        asked = parser().parse_args(["bench", "run", "x", "--ablate", name])
        assert asked.ablate == [name]
    assert sorted(PARTS) == sorted(GROUPS)


def test_only_the_offline_engine_has_parts_to_take_away() -> None:
    with pytest.raises(ConfigError, match="--ablate takes parts of the offline engine away"):
        lineups.shipped("llm", OfflineEngine, ["authority"])


def test_the_engine_without_a_part_runs_beside_the_whole(
    folder: Any, scripted: Any, tmp_path: Path
) -> None:
    suite = load(folder.write(tmp_path))
    lineup = Lineup(scripted, {"authority": scripted})
    (found,) = run_all([suite], lambda suite: lineup)
    assert found.without["authority"] == found.rows


def test_hold_out_needs_others_to_learn_from(folder: Any, tmp_path: Path) -> None:
    suite = load(folder.write(tmp_path))
    with pytest.raises(ConfigError, match="three suites or more"):
        lineups.held_out([suite, suite], [])


def test_a_suite_that_is_held_out_is_scored_by_the_others(
    folder: Any, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    places = []
    for name, category in (("a", "KB_CONTENT_STALE"), ("b", "KB_CONTENT_GAP"), ("c", "NONE")):
        folder.labels[0]["fault_category"] = category
        places.append(str(folder.write(tmp_path / name)))
    assert main(["bench", "held-out", *places, "--json", "-"]) == 0
    told = msgspec.json.decode(capsysbinary.readouterr().out)
    assert [found["name"] for found in told["parts"]] == ["a", "b", "c"]
    assert "held out" in told["made"]["what"]


def test_no_engine_has_seen_the_suite_that_it_is_scored_on(folder: Any, tmp_path: Path) -> None:
    suites = []
    for number in range(train.FOLDS + 1):
        folder.labels[0]["fault_category"] = ("KB_CONTENT_STALE", "KB_CONTENT_GAP")[number % 2]
        suites.append(load(folder.write(tmp_path / f"suite-{number}")))
    lineup = lineups.held_out(suites, ["authority"])
    for suite in (suites[0], suites[-1]):
        judged = lineup(suite)
        for build in (judged.engine, judged.without["authority"]):
            learned_from = build.args[0].weights.made_from  # type: ignore[attr-defined]
            assert suite.name not in learned_from
            assert len(learned_from) >= train.FOLDS - 1
