"""The acceptance list as far as it is about runs: repeated, cut off, raced, limited, late."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.errors import CannotOpenPullRequest, TraceBotError, TryLater
from bot.forges.github import GitHubForge
from bot.records.change import Edit
from bot.records.report import SessionResult
from tests.forges.conftest import fill
from tests.github_fake import Fault, GitHubFake
from tests.lifecycle.conftest import KINDS, TRAVEL, World, actions, otherwise, state
from tests.proposals import HOURS, SKILL, THRESHOLD, TOOL

LIMIT = {"message": "You have exceeded a secondary rate limit."}
WAIT = {"Retry-After": "900"}


def test_a01_another_answer_of_the_model_writes_nothing(world: World) -> None:
    world.run(world.failed("s1"))
    before = state(world.hub)
    written = world.writes()
    for run in range(4):
        told = world.failed("s1", otherwise(run), kind=KINDS[run % 3], anchor=f"place-{run}")
        assert actions(world.run(told)) == ["unchanged"]
    assert (world.writes(), state(world.hub)) == (written, before)


def three(world: World) -> list[SessionResult]:
    return [
        world.failed("s1"),
        world.failed("s2", HOURS, kind="KB_CONTENT_STALE"),
        world.failed("s3", TOOL, kind="TOOL_PROMPT_ERROR"),
    ]


# Each scene prepares a GitHub, and says what the plan of the interrupted run is.


def opens(world: World) -> list[SessionResult]:
    return [world.failed("s1")]


def joins(world: World) -> list[SessionResult]:
    """T2: a finding more, so one commit replaces another and the words follow."""
    world.run(world.failed("s1"))
    return [world.failed("s1"), world.failed("s2", TRAVEL, anchor="travel")]


def conflicts(world: World) -> list[SessionResult]:
    """T5: the base changed the very line, and the plan has a fresh proposal."""
    world.run(world.failed("s1"))
    text = (world.hub.read_file(SKILL) or "").replace("above $50,000 go", "above $60,000 go")
    world.push("main", text)
    return [world.failed("s1", Edit(SKILL, "UPDATE", "above $25,000 go", "above $60,000 go"))]


def pointless(world: World) -> list[SessionResult]:
    """T9: somebody else has made the same change."""
    branch = world.run(world.failed("s1")).units[0].branch
    world.push("main", world.hub.read_file(SKILL, branch) or "")
    return []


def closed(world: World) -> list[SessionResult]:
    world.run(world.failed("s1"))
    world.hub.close(1, "dev")
    return [world.failed("s1")]


def commanded(world: World) -> list[SessionResult]:
    world.run(world.failed("s1"))
    world.hub.comment(1, "dev", "/trace-bot why")
    world.hub.comment(1, "dev", "/trace-bot snooze 400d")
    world.hub.comment(1, "dev", "/trace-bot hold")
    return [world.failed("s1")]


def resolved(world: World) -> list[SessionResult]:
    world.run(world.failed("s1"))
    world.hub.merge(1, "dev")
    world.hub.clock.advance(days=15)
    return [world.satisfied(f"fine-{at}") for at in range(20)]


SCENES = [opens, joins, conflicts, pointless, closed, commanded, resolved]


def cut_off(root: Path, scene: object, after: int | None) -> tuple[object, list[str]]:
    """GitHub after a run that was cut off after so many calls and a whole one; the methods of its
    calls."""
    with GitHubFake(root / "hub") as hub:
        fill(hub)
        world = World(root, hub)
        sessions = scene(world)  # type: ignore[operator]
        start = len(hub.log)
        hub.stop_after = None if after is None else start + after
        with contextlib.suppress(TraceBotError):
            world.run(*sessions)
        calls, hub.stop_after = [method for method, _ in hub.log[start:]], None
        world.run(*sessions)
        return state(hub), calls


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a02_a_crash_after_any_write_is_healed(tmp_path: Path, scene: object) -> None:
    """Before the first and after each call that may write. A cut at any other index leaves the
    same GitHub as one of these; `tests/forges/test_github.py` cuts at every single one."""
    unbroken, calls = cut_off(tmp_path / "whole", scene, None)
    writing = [at for at, method in enumerate(calls) if method != "GET"]
    assert len(writing) > 1
    for after in (writing[0], *(at + 1 for at in writing)):
        found, _ = cut_off(tmp_path / str(after), scene, after)
        assert found == unbroken, f"cut off after {after} calls"


def test_a08_only_sessions_from_after_the_merge_bring_it_back(world: World) -> None:
    old = [world.failed(f"old-{at}") for at in range(9)]
    world.run(*old[:1])
    world.hub.merge(1, "dev")
    world.hub.clock.advance(days=3)
    travelled = Edit(SKILL, "UPDATE", "above $20,000 go", "above $25,000 go")
    late = [world.failed(s.session_id, travelled, started_at=s.started_at) for s in old]
    assert actions(world.run(*late)) == ["skipped"]
    publication = world.run(world.failed("new", travelled))
    assert actions(publication) == ["opened"]
    assert publication.units[0].branch.endswith("-g2")
    body = world.body(publication.units[0].number or 0)
    assert "### Earlier attempts\nTried before: no.1." in body
    assert "-Invoices above $50,000 go to procurement." in body
    assert "The fault is back: 1 session with the merged text" in world.section("Back again")
    comments = [c.body for c in world.hub.repo().comments.values() if c.number == 1]
    assert len(comments) == 1
    assert comments[0].startswith("The fault is back:")


def test_a08_a_context_commit_decides_where_a_session_names_one(world: World) -> None:
    world.run(world.failed("s1"))
    before = world.hub.head() or ""
    world.hub.merge(1, "dev")
    after = world.hub.head() or ""
    world.hub.clock.advance(days=3)
    again = Edit(SKILL, "UPDATE", "above $20,000 go", "above $25,000 go")
    stale = _with_commit(world.failed("s2", again), before)
    assert actions(world.run(stale)) == ["skipped"]
    assert actions(world.run(_with_commit(world.failed("s3", again), "$(rm)"))) == ["skipped"]
    assert actions(world.run(_with_commit(world.failed("s4", again), after))) == ["opened"]


def _with_commit(result: SessionResult, commit: str) -> SessionResult:
    from msgspec.structs import replace

    return replace(result, context_commit=commit)


def test_a13_creation_forbidden_keeps_branch_and_link(world: World) -> None:
    world.hub.repo().actions_may_open_pulls = False
    with pytest.raises(CannotOpenPullRequest, match=r"compare/main\.\.\.trace-bot/") as caught:
        world.run(world.failed("s1"))
    assert caught.value.exit_code == 4
    (branch,) = [name for name in world.hub.branches() if name != "main"]
    assert branch.startswith("trace-bot/skill/pay-")
    assert f"/compare/main...{branch})" in world.section("Problems")
    world.hub.repo().actions_may_open_pulls = True
    assert actions(world.run(world.failed("s1"))) == ["opened"]


def test_a14_a_lost_answer_makes_no_second_one(world: World) -> None:
    world.hub.faults.append(Fault(status=502, method="POST", path="/pulls$", after=True))
    assert actions(world.run(world.failed("s1"))) == ["opened"]
    assert actions(world.run(world.failed("s1"))) == ["unchanged"]
    assert len(world.hub.pulls()) == 1


@pytest.mark.parametrize("scene", [joins, commanded, pointless, resolved], ids=lambda s: s.__name__)
def test_a14_a_lost_answer_to_any_write_is_healed(tmp_path: Path, scene: object) -> None:
    """Each write is done and answered by a 502, and the run goes on as far as it can."""
    unbroken, calls = cut_off(tmp_path / "whole", scene, None)
    for at in (at for at, method in enumerate(calls) if method != "GET"):
        with GitHubFake(tmp_path / str(at) / "hub") as hub:
            fill(hub)
            world = World(tmp_path / str(at), hub)
            sessions = scene(world)  # type: ignore[operator]
            hub.faults.append(Fault(status=502, index=len(hub.log) + at, after=True))
            with contextlib.suppress(TraceBotError):
                world.run(*sessions)
            assert hub.faults == []
            world.run(*sessions)
            assert state(hub) == unbroken, f"the answer to call {at} was lost"


def test_a15_a_limit_in_the_middle_is_finished_by_the_next_run(world: World) -> None:
    world.hub.faults.append(
        Fault(status=403, headers=WAIT, body=LIMIT, method="POST", path="/issues/1/labels$")
    )
    with pytest.raises(TryLater) as caught:
        world.run(*three(world), max_new_prs_per_run=3)
    assert caught.value.exit_code == 75
    assert world.writes() == 2
    world.run(*three(world), max_new_prs_per_run=3)
    assert len(world.hub.pulls()) == 3
    assert all(issue.labels == ["trace-bot"] for issue in world.hub.pulls())


def test_a16_two_publishers_at_once_open_one(world: World) -> None:
    sites = [world.site() for _ in range(2)]
    plans = [world.plan([world.failed("s1")], site) for site in sites]
    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(GitHubForge(site).publish, plan)
            for site, plan in zip(sites, plans, strict=True)
        ]
        assert {actions(run.result())[0] for run in runs} <= {"opened", "unchanged", "skipped"}
    assert len(world.hub.pulls()) == 1
    world.run(world.failed("s1"))
    open_boards = [
        i for i in world.hub.repo().issues.values() if i.pull is None and i.state == "open"
    ]
    assert len(open_boards) == 1


def test_a17_a_conflict_is_mended_in_the_same_pull_request(world: World) -> None:
    branch = world.run(world.failed("s1")).units[0].branch
    seen: list[tuple[str | None, str | None]] = []

    def look() -> None:
        seen.append((world.hub.head(branch), world.hub.head()))

    text = (world.hub.read_file(SKILL) or "").replace("above $50,000 go", "above $60,000 go")
    world.push("main", text)
    world.hub.faults.append(Fault(act=look, times=10_000))
    edit = Edit(SKILL, "UPDATE", "above $25,000 go", "above $60,000 go")
    assert actions(world.run(world.failed("s1", edit))) == ["updated"]
    look()
    assert all(head is not None and head != base for head, base in seen)
    assert len({head for head, _ in seen}) == 2
    assert len(world.hub.pulls()) == 1
    assert world.hub.head("main") in world.parents(branch)
    assert "above $25,000 go" in (world.hub.read_file(SKILL, branch) or "")
    assert actions(world.run(world.failed("s1", edit))) == ["unchanged"]


def test_a25_a_queue_is_worked_off_and_seen(world: World) -> None:
    files = {
        f"knowledge_base/k{at:02}.md": f"# K{at}\n\nIt takes {at + 10} days.\n" for at in range(30)
    }
    world.hub.push_commit("main", files, "More", "dev")
    found = [
        world.failed(
            f"s{at:02}",
            Edit(path, "UPDATE", f"takes {at + 50} days", f"takes {at + 10} days"),
            kind="KB_CONTENT_STALE",
        )
        for at, path in enumerate(files)
    ]
    assert actions(world.run(*found)).count("opened") == 2
    second = actions(world.run(*found))
    assert (second.count("opened"), second.count("queued")) == (1, 27)
    assert actions(world.run(*found)).count("opened") == 0
    waiting = world.section("Waiting").strip().splitlines()
    assert len(waiting) == 27
    assert all("queued: 3 are open, max" in row for row in waiting)


def test_a30_half_a_source_closes_and_resolves_nothing(world: World) -> None:
    branch = world.run(world.failed("s1")).units[0].branch
    world.push("main", world.hub.read_file(SKILL, branch) or "")
    world.run(partial=True)
    assert world.hub.issue(1).state == "open"
    assert "nothing is closed" in world.dashboard
    world.run()
    assert world.hub.issue(1).state == "closed"


def test_a30_half_a_source_resolves_nothing(world: World) -> None:
    world.run(world.failed("s1"))
    world.hub.merge(1, "dev")
    world.hub.clock.advance(days=15)
    fine = [world.satisfied(f"fine-{at}") for at in range(20)]
    world.run(*fine, partial=True)
    assert "Resolved" not in world.dashboard
    world.run(*fine)
    assert "Resolved: 20 sessions with the merged text, 0 failed" in world.section(
        "Merged and watched"
    )
    assert THRESHOLD.path == SKILL
