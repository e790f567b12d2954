"""The dashboard reads back what it wrote, keeps to its budget, and serves a tick once."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from bot.defang import cell
from bot.forges.github import GitHubForge
from bot.lifecycle.dashboard import (
    BUDGET,
    Board,
    Box,
    Memory,
    Row,
    Tick,
    Watch,
    is_same,
    nonce,
    read,
    render,
    served,
    with_problems,
)
from tests.github_fake import Fault
from tests.hostile import HOSTILE
from tests.lifecycle.conftest import World, actions
from tests.proposals import HOURS

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)
FINDING = "tb-abcdefghij"
MEMORY = Memory(
    approved={FINDING: "2026-01-05T09:00:00Z"},
    unignored={"0123456789ab": "2026-01-05T09:00:00Z"},
    resumed="2026-01-05T09:00:00Z",
    served={"01234567": 2},
    watch=(Watch(3, 19, 1, "2026-01-05T09:00:00+00:00", "back"),),
    read_up_to="2026-01-05T08:59:00Z",
)


@given(words=st.one_of(st.sampled_from(HOSTILE), st.text(max_size=200)))
def test_what_it_remembers_reads_back(words: str) -> None:
    rows = (Row(cell(words)), Row(cell(words), Box("propose-again", FINDING)))
    board = Board("1 open", rows={"rejected": rows, "candidates": rows}, memory=MEMORY)
    text = render(board, NOW)
    assert read(text) == (MEMORY, ())
    assert is_same(text, render(board, NOW + timedelta(hours=23)), NOW + timedelta(hours=23))
    assert not is_same(text, render(board, NOW + timedelta(hours=25)), NOW + timedelta(hours=25))


def test_how_far_a_run_read_is_no_reason_to_write_within_a_day() -> None:
    later = msgspec.structs.replace(MEMORY, read_up_to="2026-01-06T08:59:00Z")
    old, new = (render(Board("1 open", memory=memory), NOW) for memory in (MEMORY, later))
    assert is_same(old, new, NOW + timedelta(hours=23))
    assert not is_same(old, new, NOW + timedelta(hours=25))
    other = msgspec.structs.replace(MEMORY, resumed="")
    assert not is_same(old, render(Board("1 open", memory=other), NOW), NOW)


def test_it_is_cut_from_its_end() -> None:
    rows = tuple(Row("x" * 150) for _ in range(900))
    board = Board(
        "many", problems=rows[:50], rows={"open": rows[:9], "candidates": rows}, memory=MEMORY
    )
    text = render(board, NOW)
    assert len(text) <= BUDGET
    assert text.count("x" * 150) >= 59
    assert "more in the run's artifact" in text
    assert text.count("<details>") == text.count("</details>") == 1
    assert read(text) == (MEMORY, ())


def test_a_tick_serves_once() -> None:
    tick = Tick("approve", FINDING, nonce(Memory(), "approve", FINDING))
    memory, acted = served(Memory(), [tick], NOW)
    assert (memory.approved, acted) == ({FINDING: "2026-01-05T09:00:00Z"}, frozenset({tick}))
    again, none = served(memory, [tick], NOW)
    assert (again, none) == (memory, frozenset())


def test_other_bodies_are_no_dashboard() -> None:
    for text in (*HOSTILE, "", "<!-- trace-bot:dashboard:v9 {} -->"):
        assert read(text) is None


def test_somebody_elses_issue_with_our_marker_is_no_dashboard(world: World) -> None:
    world.run(world.failed("s1"))
    world.hub.open_issue("eve", "trace-bot dashboard", world.dashboard)
    forged = world.hub.issue(3)
    body = forged.body
    world.run(world.failed("s1"), world.failed("s2", HOURS))
    assert (forged.body, forged.state) == (body, "open")


def test_of_two_dashboards_the_first_stays(world: World) -> None:
    world.run(world.failed("s1"))
    world.hub.open_issue("trace-bot[bot]", "trace-bot dashboard", world.dashboard)
    world.run(world.failed("s1"))
    assert world.hub.issue(3).state == "closed"
    assert [c.body for c in world.replies()] == ["The dashboard is no.2."]


def test_without_issues_a_warning_says_so(world: World) -> None:
    world.hub.repo().has_issues = False
    publication = world.run(world.failed("s1"))
    assert actions(publication) == ["opened"]
    assert any("issues are switched off" in warning for warning in publication.warnings)
    assert "### Open\n- [no.1](../pull/1): managed" in publication.dashboard


def test_cost_and_link_stand_beside_the_time_and_are_no_reason_to_write(world: World) -> None:
    url = "https://github.example/acme/context/actions/runs/7"
    for cost, run_url in ((0.5, url), (0.7, "javascript:alert(1)")):
        site = world.site()
        plan = msgspec.structs.replace(
            world.plan([world.failed("s1")], site), cost_usd=cost, run_url=run_url
        )
        GitHubForge(site).publish(plan)
        told = f"Last run 2026-01-05T09:00:00Z for 0.50 USD ([run]({url}))\n"
        assert world.dashboard.startswith(told)


def test_a_preview_writes_the_dashboard_alone(world: World) -> None:
    publication = world.run(world.failed("s1"), mode="preview")
    assert actions(publication) == ["skipped"]
    assert world.hub.pulls() == []
    assert "mode: propose" in world.section("Waiting").replace("`", "").replace("\\", "")


def test_a_box_makes_one_run_a_preview(world: World) -> None:
    world.run(world.failed("s1"))
    world.tick("run-preview")
    hours = world.failed("s2", HOURS, kind="KB_CONTENT_STALE")
    assert sorted(actions(world.run(world.failed("s1"), hours))) == ["skipped", "unchanged"]
    assert sorted(actions(world.run(world.failed("s1"), hours))) == ["opened", "unchanged"]


def test_a_damaged_memory_is_begun_anew(world: World) -> None:
    world.run(world.failed("s1"))
    body = world.dashboard.replace('{"a":', '{"a":7,"x":')
    world.hub.edit(2, "dev", body=body)
    assert actions(world.run(world.failed("s1"))) == ["unchanged"]
    assert read(world.dashboard) == (Memory(), ())


def test_the_dashboard_survives_a_failing_write(world: World) -> None:
    world.hub.faults.append(
        Fault(status=422, body={"message": "No."}, method="POST", path="/issues$")
    )
    publication = world.run(world.failed("s1"))
    assert actions(publication) == ["opened"]
    world.run(world.failed("s1"))
    assert "managed" in world.section("Open")


@given(words=st.lists(st.sampled_from(HOSTILE).map(cell), min_size=1, max_size=4))
def test_problems_come_and_go_and_the_rest_stays(words: list[str]) -> None:
    body = render(Board("1 open", rows={"open": (Row("one"),)}, memory=MEMORY), NOW)
    told = with_problems(body, words)
    assert "### Open\n- one" in told
    assert read(told) == (MEMORY, ())
    assert with_problems(told, words) == told
    assert with_problems(told, ["other"]) == with_problems(body, ["other"])


def test_t25_a_configuration_that_cannot_be_read_is_told(world: World) -> None:
    world.run(world.failed("s1"))
    site = world.site()
    (site.repo.root / "trace-bot.yaml").write_text("max_open_pr: 2\nmode: propse\n")
    pulls = [world.hub.issue(1).body]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "bot.cli", "publish", "nowhere.json"),
            *("--context", str(site.repo.root)),
        ],
        env={**site.environment, "CI": "true", "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    problems = world.section("Problems")
    assert problems.count("\n- ") + 1 == 2
    assert "did you mean" in problems
    assert "managed" in world.section("Open")
    assert [world.hub.issue(1).body] == pulls
    world.run(world.failed("s1"))
    assert "### Problems" not in world.dashboard
