"""The acceptance list as far as it is about what people and other bots do (each by its number)."""

from __future__ import annotations

import msgspec
import pytest

from bot.identity.marker import Marker, parse
from tests.forges.conftest import environment
from tests.github_fake import Fault
from tests.lifecycle.conftest import TRAVEL, World, actions, otherwise
from tests.proposals import HOURS, SKILL


def opened(world: World, *names: str) -> str:
    """The first pull request; its branch."""
    publication = world.run(*(world.failed(name) for name in names or ("s1",)))
    assert actions(publication) == ["opened"]
    return publication.units[0].branch


@pytest.mark.parametrize(
    ("author", "amend", "frozen"),
    [("dev", False, True), ("dev", True, True), ("format-bot[bot]", False, True)],
)
def test_a03_commits_of_others_freeze(world: World, author: str, amend: bool, frozen: bool) -> None:
    branch = opened(world)
    text = (world.hub.read_file(SKILL, branch) or "") + "More.\n"
    head = world.push(branch, text, author, amend=amend)
    for count in (3, 9):
        world.run(*(world.failed(f"s{at}", otherwise(count)) for at in range(count)))
    assert world.hub.head(branch) == head
    assert (f"commit {head[:12]} is not trace-bot's" in world.body()) is frozen
    assert "no.1](../pull/1): frozen" in world.section("Open")


def test_a03_update_branch_stays_managed(world: World) -> None:
    branch = opened(world)
    world.hub.push_commit("main", {"README.md": "New."}, "Elsewhere", "dev")
    head = world.hub.update_branch(1, "dev")
    world.run(world.failed("s1"))
    assert world.hub.head(branch) == head
    assert "> Status:" not in world.body()
    assert "no.1](../pull/1): managed" in world.section("Open")


def test_a04_words_around_the_island_survive_ten_runs(world: World) -> None:
    opened(world)
    world.hub.edit(1, "dev", body=f"Above, by hand.\n\n{world.body()}\n\nBelow, by hand.")
    for run in range(1, 11):
        world.run(*(world.failed(f"s{at}", otherwise(run)) for at in range(3 * run)))
        assert world.body().startswith("Above, by hand.\n\n<!-- trace-bot:begin -->")
        assert world.body().endswith("<!-- trace-bot:end -->\n\nBelow, by hand.")
    marker = parse(world.body())
    assert isinstance(marker, Marker)
    assert marker.count == 30


def test_a05_closed_stays_closed_and_the_dashboard_shows_the_growth(world: World) -> None:
    opened(world)
    world.hub.close(1, "dev")
    for run in range(1, 21):
        world.hub.clock.advance(days=1)
        sessions = [world.failed(f"s{at}", otherwise(run)) for at in range(run + 1)]
        assert actions(world.run(*sessions)) == ["skipped"]
        offered = "tb:propose-again=" in world.section("Rejected and ignored")
        assert offered is (run >= 14), "after fourteen days, and not before"
    assert len(world.hub.pulls()) == 1
    rejected = world.section("Rejected and ignored")
    assert "rejected: closed by dev on 2026-01-05; 21 sessions by now, 1 then" in rejected
    assert "- [ ] <!-- tb:propose-again=" in rejected
    world.tick("propose-again")
    publication = world.run(world.failed("s1"))
    assert actions(publication) == ["opened"]
    assert publication.units[0].branch.endswith("-g2")
    world.hub.clock.advance(days=1)
    world.hub.close(publication.units[0].number or 0, "dev")
    for _ in range(2):
        # Wanted once is not wanted for good.
        assert actions(world.run(world.failed("s1"))) == ["skipped"]


def test_a06_a_third_finding_of_the_file_comes_alone(world: World) -> None:
    first = world.failed("s1")
    second = world.failed("s2", TRAVEL, anchor="travel")
    assert actions(world.run(first, second)) == ["opened"]
    world.hub.close(1, "dev")
    place = ("name: pay\ndescription: Pays", "name: pay\ndescription: Settles")
    third = world.failed(
        "s3", msgspec.structs.replace(TRAVEL, old=place[0], new=place[1]), anchor="file"
    )
    publication = world.run(first, second, third)
    assert actions(publication) == ["opened"]
    branch = publication.units[0].branch
    text = world.hub.read_file(SKILL, branch) or ""
    assert "Settles" in text
    assert "$50,000" in text
    assert "booked on Mondays" in text
    marker = parse(world.body(publication.units[0].number or 0))
    assert isinstance(marker, Marker)
    assert len(marker.findings) == 1
    assert marker.generation == 2
    assert branch.endswith("-g2")


def test_a07_a_stale_sweeper_is_no_person(world: World) -> None:
    opened(world)
    world.hub.close(1, "stale[bot]")
    assert actions(world.run(world.failed("s1"))) == ["skipped"]
    assert "expired: closed by stale\\[bot\\]" in world.section("Rejected and ignored")
    world.hub.clock.advance(days=31)
    publication = world.run(world.failed("s1"))
    assert actions(publication) == ["opened"]
    world.hub.close(publication.units[0].number or 0, "stale[bot]")
    world.hub.clock.advance(days=90)
    assert actions(world.run(world.failed("s1"))) == ["skipped"]


def test_a09_reverted_never_comes_again(world: World) -> None:
    opened(world)
    before = world.hub.read_file(SKILL) or ""
    world.hub.merge(1, "dev")
    world.hub.clock.advance(days=2)
    world.hub.push_commit("main", {SKILL: before}, "Back to what it was", "dev")
    for day in range(3):
        world.hub.clock.advance(days=20)
        assert actions(world.run(*(world.failed(f"d{day}-{at}") for at in range(9)))) == ["skipped"]
    assert len(world.hub.pulls()) == 1
    assert "merged, and reverted since" in world.section("Rejected and ignored")


REFUSED = [
    ("reader", "/trace-bot hold"),
    ("helper[bot]", "/trace-bot hold"),
    ("dev", "```\n/trace-bot hold\n```"),
    ("dev", "> /trace-bot hold"),
    ("dev", "Please\n/trace-bot hold"),
    ("dev", "/trace-bot hold everything"),
    ("dev", "/trace-bot  hold"),
    ("dev", "/trace-bot merge"),
    ("dev", " /trace-bot hold"),
]


@pytest.mark.parametrize(("login", "text"), REFUSED)
def test_a18_commands_that_are_none_change_nothing(world: World, login: str, text: str) -> None:
    opened(world)
    world.hub.permission("reader", "read")
    world.hub.comment(1, login, text)
    world.run(world.failed("s1"))
    assert world.hub.issue(1).labels == ["trace-bot"]
    before = world.writes()
    world.run(world.failed("s1"))
    assert world.writes() == before


def test_a18_edited_and_repeated_commands_act_once_at_most(world: World) -> None:
    opened(world)
    edited = world.hub.comment(1, "dev", "Thanks!")
    world.hub.clock.advance(minutes=5)
    world.hub.edit_comment(edited, "/trace-bot hold")
    world.run(world.failed("s1"))
    assert world.hub.issue(1).labels == ["trace-bot"]
    assert sorted(r.content for r in edited.reactions) == ["-1", "eyes"]
    held = [world.hub.comment(1, "dev", "/trace-bot hold") for _ in range(2)]
    world.run(world.failed("s1"))
    assert world.hub.issue(1).labels == ["trace-bot", "trace-bot:hold"]
    assert [sorted(r.content for r in c.reactions) for c in held] == [["+1", "eyes"]] * 2
    world.hub.unlabel(1, "dev", "trace-bot:hold")
    before = world.writes()
    world.run(world.failed("s1"))
    # Only the dashboard, which calls it managed again.
    assert [path.rpartition("/")[0] for _, path in world.hub.writes[before:]] in (
        [],
        ["/repos/acme/context/issues"],
    )
    assert world.hub.issue(1).labels == ["trace-bot"]


def test_a19_a_box_ticked_between_read_and_write_is_kept(world: World) -> None:
    opened(world)
    world.hub.close(1, "dev")
    world.hub.clock.advance(days=20)
    world.run(*(world.failed(f"s{at}") for at in range(4)))
    number = world.board.number
    world.hub.faults.append(
        Fault(method="GET", path=rf"/issues/{number}$", act=lambda: world.tick("propose-again"))
    )
    world.hub.clock.advance(days=2)
    assert actions(world.run(*(world.failed(f"s{at}") for at in range(8)))) == ["skipped"]
    assert world.hub.faults == []
    assert "- [x] <!-- tb:propose-again=" in world.dashboard
    assert actions(world.run(*(world.failed(f"s{at}") for at in range(8)))) == ["opened"]
    assert "[x]" not in world.dashboard


def test_a27_a_label_that_a_person_took_off_stays_off(world: World) -> None:
    opened(world)
    world.hub.unlabel(1, "dev", "trace-bot")
    for count in (3, 6, 12):
        world.run(*(world.failed(f"s{at}") for at in range(count)))
        assert world.hub.issue(1).labels == []


def test_a28_another_login_goes_on_with_the_old_pull_requests(world: World) -> None:
    opened(world)
    world.hub.tokens["tok-new"] = "acme-context[bot]"
    assert "tok-new" in environment(world.hub, "tok-new")["GITHUB_TOKEN"]
    former = {"token": "tok-new", "bot_logins": ["trace-bot[bot]"]}
    publication = world.run(*(world.failed(f"s{at}") for at in range(4)), **former)
    assert actions(publication) == ["updated"]
    assert "4 failed runs" in world.body()
    world.hub.close(1, "dev")
    publication = world.run(world.failed("s1"), world.failed("s2", HOURS), **former)
    assert sorted(actions(publication)) == ["opened", "skipped"]
