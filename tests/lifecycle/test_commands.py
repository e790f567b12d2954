"""Commands in comments: what is one, and what each of them does on GitHub."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.lifecycle.commands import Command, Said, decided, read
from tests.hostile import HOSTILE
from tests.lifecycle.conftest import TRAVEL, World, actions
from tests.proposals import HOURS, SKILL

DAY = datetime(2026, 1, 5, tzinfo=UTC)
FINDING = "tb-abcdefghij"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/trace-bot hold", Command("hold")),
        ("\n\n/trace-bot resume\nThanks!", Command("resume")),
        ("/trace-bot rebuild --discard-edits", Command("rebuild", discard=True)),
        ("/trace-bot snooze 365d", Command("snooze", days=365)),
        ("/trace-bot ignore", Command("ignore")),
        ("/trace-bot ignore file for 9d", Command("ignore", "file", days=9)),
        ("/trace-bot ignore because no", Command("ignore", why="no")),
        (
            f"/trace-bot ignore finding {FINDING} for 30d because it is meant so",
            Command("ignore", "finding", FINDING, 30, "it is meant so"),
        ),
        ("/trace-bot unignore kind", Command("unignore", "kind")),
        ("/trace-bot why", Command("why")),
    ],
)
def test_commands_with_their_arguments(text: str, command: Command) -> None:
    assert read(text) == command


@pytest.mark.parametrize(
    "text",
    [
        "/trace-bot snooze",
        "/trace-bot snooze 0d",
        "/trace-bot snooze 366d",
        "/trace-bot snooze 9d and more",
        "/trace-bot ignore everything",
        "/trace-bot ignore finding ../../etc",
        "/trace-bot ignore for 999d",
        f"/trace-bot ignore because {'x' * 201}",
        "/trace-bot rebuild --force",
        "/trace-bot hold https://evil.example",
    ],
)
def test_wrong_arguments_are_told(text: str) -> None:
    assert isinstance(read(text), str)


@given(text=st.one_of(st.sampled_from(HOSTILE), st.text(max_size=300)))
def test_any_other_text_is_no_command(text: str) -> None:
    if read(text) is not None:
        assert text.lstrip().startswith("/trace-bot ")
    elif text.strip():
        # Only the first line that is not blank is read.
        assert read(f"{text}\n/trace-bot hold") is None


def said(text: str, days: int = 0, *, new: bool = False) -> Said:
    command = read(text)
    assert isinstance(command, Command)
    when = DAY + timedelta(days=days)
    return Said(command, 1, "dev", when, ("tb-a", "tb-b"), (SKILL,), "SKILL_FILE_STALE", new)


def test_the_last_word_counts() -> None:
    words = [said("/trace-bot unignore", 1), said("/trace-bot ignore because x")]
    assert decided(words).ignored == {}
    again = [*words, said("/trace-bot ignore file for 2d", 2)]
    assert decided(again).ignored[SKILL].until == DAY + timedelta(days=4)
    assert decided([said("/trace-bot snooze 3d")]).snoozed["tb-b"] == DAY + timedelta(days=3)


def test_old_commands_are_not_done_again() -> None:
    assert decided([said("/trace-bot rebuild"), said("/trace-bot hold")]).rebuild == {}
    new = decided([said("/trace-bot rebuild", new=True), said("/trace-bot hold", new=True)])
    assert (new.rebuild, new.holds) == ({1: False}, {1: True})


# --- on GitHub


def opened(world: World) -> str:
    return world.run(world.failed("s1")).units[0].branch


def test_hold_and_resume_are_a_label(world: World) -> None:
    branch = opened(world)
    head = world.hub.head(branch)
    world.hub.comment(1, "dev", "/trace-bot hold")
    both = (world.failed("s1"), world.failed("s2", TRAVEL, anchor="travel"))
    world.run(*both)
    assert "trace-bot:hold" in world.hub.issue(1).labels
    assert world.hub.head(branch) == head
    world.hub.comment(1, "dev", "/trace-bot resume")
    world.run(*both)
    assert "trace-bot:hold" not in world.hub.issue(1).labels
    assert world.hub.head(branch) != head
    assert "> Status" not in world.body()


def test_rebuild_of_a_frozen_one_needs_leave(world: World) -> None:
    branch = opened(world)
    ours = world.hub.read_file(SKILL, branch)
    head = world.push(branch, f"{ours}Mine.\n")
    first = world.hub.comment(1, "dev", "/trace-bot rebuild")
    world.run(world.failed("s1"))
    assert world.hub.head(branch) == head
    assert sorted(r.content for r in first.reactions) == ["-1", "eyes"]
    assert any("--discard-edits" in c.body for c in world.replies())
    world.hub.comment(1, "dev", "/trace-bot rebuild --discard-edits")
    world.run(world.failed("s1"))
    assert world.hub.read_file(SKILL, branch) == ours
    assert "> Status" not in world.body()
    assert "managed" in world.section("Open")


def test_rebuild_of_a_frozen_one_that_the_plan_no_longer_has(world: World) -> None:
    branch = opened(world)
    ours = world.hub.read_file(SKILL, branch)
    head = world.push(branch, f"{ours}Mine.\n")
    world.hub.comment(1, "dev", "/trace-bot rebuild --discard-edits")
    world.run()
    assert world.hub.head(branch) == head or world.hub.read_file(SKILL, branch) == ours


def test_snoozed_and_closed_is_not_rejected(world: World) -> None:
    opened(world)
    world.hub.comment(1, "dev", "/trace-bot snooze 10d")
    world.run(world.failed("s1"))
    world.hub.close(1, "dev")
    world.hub.clock.advance(days=5)
    assert actions(world.run(world.failed("s1"))) == ["skipped"]
    world.hub.clock.advance(days=6)
    assert actions(world.run(world.failed("s1"))) == ["opened"]


@pytest.mark.parametrize("scope", ["file", "kind"])
def test_ignored_files_and_kinds_are_not_proposed(world: World, scope: str) -> None:
    opened(world)
    world.hub.comment(1, "dev", f"/trace-bot ignore {scope} for 20d because @all of it is fine")
    world.run(world.failed("s1"))
    world.hub.close(1, "dev")
    other = world.failed("s2", TRAVEL, anchor="travel")
    hours = world.failed("s3", HOURS, kind="KB_CONTENT_STALE")
    publication = world.run(other, hours)
    assert sorted(actions(publication)) == ["opened", "skipped"]
    row = world.section("Rejected and ignored")
    assert "ignored by dev on 2026-01-05 until 2026-01-25: (at)all of it is fine" in row
    world.tick("unignore")
    assert "opened" in actions(world.run(other, hours))
    assert len(world.hub.pulls()) == 3


def test_why_and_help_are_answered_once(world: World) -> None:
    opened(world)
    world.hub.comment(1, "dev", "/trace-bot why")
    asked = world.hub.comment(1, "dev", "/trace-bot help")
    for _ in range(3):
        world.run(world.failed("s1"))
    told = [c.body for c in world.replies()]
    assert len(told) == 2
    assert "This one is managed. It rests on 1 failed runs" in told[0]
    assert told[1].startswith(f"Re {asked.id}: Write one of these")


def test_a_trusted_bot_may_command(world: World) -> None:
    opened(world)
    world.hub.comment(1, "ops[bot]", "/trace-bot hold")
    world.run(world.failed("s1"), command_bots=["ops[bot]"])
    assert "trace-bot:hold" in world.hub.issue(1).labels


def test_ignore_on_the_dashboard_names_its_finding(world: World) -> None:
    weak = world.failed("s1", HOURS, kind="KB_CONTENT_STALE", verified=False)
    world.run(weak)
    finding = world.plan([weak], world.site()).proposals[0].change_set.finding_ids[0]
    assert "is not proved by the repository itself" in world.section("Candidates")
    unnamed = world.hub.comment(world.board.number, "dev", "/trace-bot ignore")
    world.hub.comment(world.board.number, "dev", f"/trace-bot ignore finding {finding}")
    sure = world.failed("s1", HOURS, kind="KB_CONTENT_STALE")
    assert actions(world.run(sure)) == ["skipped"]
    assert "-1" in [r.content for r in unnamed.reactions]
    world.hub.comment(world.board.number, "dev", f"/trace-bot unignore finding {finding}")
    assert actions(world.run(sure)) == ["opened"]
