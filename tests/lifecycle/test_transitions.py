"""Each transition of the contract's table, by its number, against GitHub on loopback."""

from __future__ import annotations

import msgspec
import pytest

from bot.identity.marker import Marker, parse
from bot.records.change import Edit
from bot.records.plan import Reading
from bot.records.report import SessionResult
from tests.github_fake import Fault
from tests.lifecycle.conftest import TRAVEL, World, actions, otherwise
from tests.proposals import HOURS, SKILL, THRESHOLD, TOOL

CONFLICT = "above $60,000 go"
FRESH = Edit(SKILL, "UPDATE", "above $25,000 go", CONFLICT)


def opened(world: World, **config: object) -> str:
    publication = world.run(world.failed("s1"), **config)
    assert actions(publication) == ["opened"]
    return publication.units[0].branch


def marker(world: World, number: int = 1) -> Marker:
    found = parse(world.body(number))
    assert isinstance(found, Marker)
    return found


def rewritten(world: World, old: str, new: str) -> str:
    text = (world.hub.read_file(SKILL) or "").replace(old, new)
    return world.push("main", text)


def hold(world: World) -> None:
    world.hub.label(1, "dev", "trace-bot:hold")


def freeze(world: World) -> None:
    branch = world.hub.pull(1).head
    world.push(branch, (world.hub.read_file(SKILL, branch) or "") + "Mine.\n")


def contest(world: World) -> None:
    world.hub.review(1, "dev", "APPROVE")


def discuss(world: World) -> None:
    world.hub.review_comment(1, "dev", "Really?", SKILL, 9)


def draft(world: World) -> None:
    world.hub.set_draft(1, "dev", True)


def rebase(world: World) -> None:
    world.hub.push_commit("next", {"README.md": "Next."}, "Next", "dev")
    world.hub.edit(1, "dev")
    from tests.github_fake.rest.pulls import change_base

    repo = world.hub.repo()
    change_base(world.hub.state, repo, world.hub.issue(1), world.hub.pull(1), "next", "dev")


HANDS_OFF = [hold, freeze, contest, discuss, draft]


@pytest.mark.parametrize("touch", [hold, contest, discuss])
def test_t01_evidence_is_told_and_nothing_pushed(world: World, touch: object) -> None:
    head = world.hub.head(opened(world))
    touch(world)  # type: ignore[operator]
    sessions = [world.failed(f"s{at}", otherwise(at)) for at in range(5)]
    assert actions(world.run(*(world.failed(f"s{at}") for at in range(5)))) == ["updated"]
    assert "5 failed runs" in world.body()
    assert world.hub.head(world.hub.pull(1).head) == head
    assert world.hub.repo().comments == {}
    assert len(sessions) == 5


def test_another_id_of_the_same_finding_becomes_an_alias(world: World) -> None:
    opened(world)
    named = [
        world.failed(f"s{at}", otherwise(at), kind="SYSTEM_PROMPT_GAP", anchor="elsewhere")
        for at in range(1)
    ]
    more = [world.failed(f"t{at}", kind="SYSTEM_PROMPT_GAP", anchor="elsewhere") for at in range(4)]
    world.run(*named)
    assert marker(world).aliases == ()
    world.run(*more)
    assert len(marker(world).aliases) == 1
    world.hub.close(1, "dev")
    assert actions(world.run(*more)) == ["skipped"]


def test_t02_a_new_finding_joins_by_one_commit(world: World) -> None:
    branch = opened(world)
    before = world.hub.head()
    travel = world.failed("s2", TRAVEL, anchor="travel")
    assert actions(world.run(world.failed("s1"), travel)) == ["updated"]
    assert world.parents(branch) == [before]
    assert "reject these 2 findings" in world.body()
    assert len(marker(world).findings) == 2
    written = world.writes()
    assert actions(world.run(world.failed("s1"), travel)) == ["unchanged"]
    assert world.writes() == written


@pytest.mark.parametrize("touch", HANDS_OFF)
def test_t02b_elsewhere_it_waits_and_is_listed(world: World, touch: object) -> None:
    branch = opened(world)
    touch(world)  # type: ignore[operator]
    head = world.hub.head(branch)
    world.run(world.failed("s1"), world.failed("s2", TRAVEL, anchor="travel"))
    assert world.hub.head(branch) == head
    assert len(world.hub.pulls()) == 1
    assert "1 more findings wait" in world.section("Open")
    if touch is not freeze:
        assert "> Status: there is 1 finding more on the same files" in world.body()


@pytest.mark.parametrize("updated", [False, True])
def test_t03_t04_a_base_that_moved_elsewhere(world: World, updated: bool) -> None:
    branch = opened(world)
    head = world.hub.head(branch)
    new = world.hub.push_commit("main", {"README.md": "New."}, "Elsewhere", "dev")
    world.run(world.failed("s1"), keep_updated=updated)
    assert (world.hub.head(branch) == head) is not updated
    if updated:
        assert world.parents(branch) == [new]
        assert "> Status" not in world.body()
    written = world.writes()
    world.run(world.failed("s1"), keep_updated=updated)
    assert world.writes() == written


def test_t05_what_fits_beside_it_is_carried_over_without_a_model(world: World) -> None:
    branch = opened(world)
    new = rewritten(world, "Travel is booked on Mondays.", "Travel is booked by the desk.")
    assert actions(world.run()) == ["updated"]
    assert world.parents(branch) == [new]
    text = world.hub.read_file(SKILL, branch) or ""
    assert "above $25,000 go" in text
    assert "booked by the desk" in text
    written = world.writes()
    world.run()
    assert world.writes() == written


def test_t05_else_the_plan_s_proposal_takes_its_place(world: World) -> None:
    branch = opened(world)
    rewritten(world, "above $50,000 go", CONFLICT)
    assert actions(world.run(world.failed("s1", FRESH))) == ["updated"]
    assert "above $25,000 go" in (world.hub.read_file(SKILL, branch) or "")


def test_t05_else_it_is_closed_with_a_sentence(world: World) -> None:
    branch = opened(world)
    rewritten(world, "Invoices above $50,000 go to procurement.", "Ask procurement.")
    assert actions(world.run()) == ["closed"]
    assert world.hub.issue(1).state == "closed"
    assert world.hub.head(branch) is None
    assert marker(world).state == "obsolete"
    (comment,) = world.hub.repo().comments.values()
    assert comment.body.startswith("The text that it changes is no longer there.")


@pytest.mark.parametrize("touch", HANDS_OFF)
def test_t05b_a_conflict_elsewhere_is_only_told(world: World, touch: object) -> None:
    branch = opened(world)
    touch(world)  # type: ignore[operator]
    head = world.hub.head(branch)
    rewritten(world, "above $50,000 go", CONFLICT)
    world.run(world.failed("s1", FRESH))
    assert world.hub.head(branch) == head
    assert "> Status: it conflicts with its base; `/trace-bot rebuild" in world.body()
    assert ("--discard-edits" in world.body()) is (touch is freeze)


def test_t08_what_a_person_changed_is_theirs(world: World) -> None:
    opened(world)
    world.hub.edit(1, "dev", title="Our own title")
    world.run(world.failed("s1"), world.failed("s2", TRAVEL, anchor="travel"))
    assert world.hub.issue(1).title == "Our own title"
    assert len(marker(world).findings) == 2
    rebase(world)
    head = world.hub.head(world.hub.pull(1).head)
    world.run(world.failed("s1"), world.failed("s2", TRAVEL, anchor="travel"))
    assert "held" in world.section("Open")
    assert world.hub.head(world.hub.pull(1).head) == head


def test_t09_the_same_change_in_the_base_ends_it(world: World) -> None:
    branch = opened(world)
    world.push("main", world.hub.read_file(SKILL, branch) or "")
    assert actions(world.run()) == ["closed"]
    assert world.hub.head(branch) is None
    (comment,) = world.hub.repo().comments.values()
    assert comment.body.startswith("The base has this change already.")
    assert "Rejected" not in world.dashboard


def test_t09_a_file_that_is_gone_ends_it(world: World) -> None:
    opened(world)
    world.hub.push_commit("main", {SKILL: None}, "Gone", "dev")
    assert actions(world.run()) == ["closed"]


@pytest.mark.parametrize("touch", [hold, freeze, contest])
def test_t09b_elsewhere_it_is_only_told(world: World, touch: object) -> None:
    branch = opened(world)
    ours = world.hub.read_file(SKILL, branch) or ""
    touch(world)  # type: ignore[operator]
    world.push("main", world.hub.read_file(SKILL, branch) or ours)
    world.run()
    assert world.hub.issue(1).state == "open"
    assert "> Status: The base has this change already. It may be closed." in world.body()


def test_t09_half_of_it_in_the_base_ends_nothing(world: World) -> None:
    both = world.failed("s1", THRESHOLD, HOURS)
    branch = world.run(both).units[0].branch
    world.push("main", world.hub.read_file(SKILL, branch) or "")
    assert "closed" not in actions(world.run())
    assert world.hub.issue(1).state == "open"


def test_t09_reopened_by_a_person_stays_open(world: World) -> None:
    branch = opened(world)
    head = world.hub.head(branch)
    world.push("main", world.hub.read_file(SKILL, branch) or "")
    world.run()
    world.hub.push_commit("main", {SKILL: "# Else\n"}, "Else", "dev")
    assert head is not None
    world.restore(branch, head)
    world.hub.reopen(1, "dev")
    for _ in range(2):
        world.run()
        assert world.hub.issue(1).state == "open"
    world.hub.close(1, "dev")
    world.run()
    assert "rejected: closed by dev" in world.section("Rejected and ignored")


def test_t10_closed_or_without_its_branch_it_is_rejected(world: World) -> None:
    branch = opened(world)
    world.hub.delete_branch(branch, "dev")
    assert actions(world.run(world.failed("s1"))) == ["skipped"]
    assert "rejected: closed by dev on 2026-01-05" in world.section("Rejected and ignored")


def test_t10_work_of_others_on_a_closed_branch_is_not_deleted(world: World) -> None:
    branch = opened(world)
    freeze(world)
    world.hub.close(1, "dev")
    world.run(world.failed("s1"))
    assert world.hub.head(branch) is not None


def test_t13_reopened_by_a_person_it_goes_on(world: World) -> None:
    opened(world)
    world.hub.close(1, "dev")
    world.hub.reopen(1, "dev")
    assert actions(world.run(*(world.failed(f"s{at}") for at in range(4)))) == ["updated"]
    assert "managed" in world.section("Open")


def test_t14_t15_merged_with_edits_is_watched_and_says_so(world: World) -> None:
    branch = opened(world)
    freeze(world)
    world.hub.merge(1, "dev")
    world.run(world.failed("s1"))
    assert world.hub.head(branch) is None
    assert "It was merged with edits." in world.section("Merged and watched")


@pytest.mark.parametrize(("seen", "said"), [(19, "Not enough traffic"), (20, "Resolved: 20")])
def test_t16_resolved_needs_traffic(world: World, seen: int, said: str) -> None:
    opened(world)
    world.hub.merge(1, "dev")
    for day, at in enumerate(range(0, seen, 5)):
        world.hub.clock.advance(days=4)
        fine = [world.satisfied(f"d{day}-{n}") for n in range(min(5, seen - at))]
        for _ in range(2):
            world.run(*fine)
    assert said in world.section("Merged and watched")
    comments = [c.body for c in world.hub.repo().comments.values()]
    assert [c[:8] for c in comments] == (["Resolved"] if seen == 20 else [])


def test_t14_what_was_pushed_after_the_merge_is_not_deleted(world: World) -> None:
    branch = opened(world)
    world.hub.merge(1, "dev")
    head = world.push(branch, (world.hub.read_file(SKILL, branch) or "") + "More.\n")
    world.run(world.failed("s1"))
    assert world.hub.head(branch) == head


def test_t16_one_that_failed_again_is_told_and_nothing_is_resolved(world: World) -> None:
    """Too little to call the fault back, and too much to call it resolved."""
    opened(world)
    world.hub.merge(1, "dev")
    world.hub.clock.advance(days=15)
    again = Edit(SKILL, "UPDATE", "above $20,000 go", "above $25,000 go")
    fine = [world.satisfied(f"fine-{at}") for at in range(20)]
    world.run(*fine, world.failed("late", again, verified=False))
    watched = world.section("Merged and watched")
    assert "21 sessions with the merged text, 1 failed from it" in watched
    assert "Resolved" not in watched
    assert world.hub.repo().comments == {}


def test_t16_sessions_that_never_saw_the_file_do_not_count(world: World) -> None:
    opened(world)
    world.hub.merge(1, "dev")
    world.hub.clock.advance(days=15)
    others = [
        msgspec.structs.replace(world.satisfied(f"o{at}"), files=(HOURS.path,)) for at in range(30)
    ]
    world.run(*others)
    assert "Not enough traffic to tell: 0 sessions" in world.section("Merged and watched")


def test_t18_the_third_recurrence_is_for_people(world: World) -> None:
    old = "above $50,000 go"
    for generation in range(1, 4):
        edit = Edit(SKILL, "UPDATE", f"above ${generation},000 go", old)
        old = edit.new or ""
        publication = world.run(world.failed(f"g{generation}", edit))
        assert actions(publication) == ["opened"]
        world.hub.merge(publication.units[0].number or 0, "dev")
        world.hub.clock.advance(days=3)
    edit = Edit(SKILL, "UPDATE", "above $9,000 go", old)
    assert actions(world.run(world.failed("g4", edit))) == ["skipped"]
    assert len(world.hub.pulls()) == 3
    assert "merged 3 times and back again" in world.section("Back again")


@pytest.mark.parametrize("told", ["This reverts commit {sha}.", "Reverts acme/context#1"])
def test_t19_a_commit_that_says_it_reverts_is_believed(world: World, told: str) -> None:
    opened(world)
    world.hub.merge(1, "dev")
    sha = world.hub.pull(1).merge_sha
    text = (world.hub.read_file(SKILL) or "").replace("above $25,000 go", "of any sum go")
    message = f"Revert it\n\n{told.format(sha=sha)}\n"
    world.hub.push_commit("main", {SKILL: text}, message, "dev")
    world.hub.clock.advance(days=20)
    world.run()
    assert "merged, and reverted since" in world.section("Rejected and ignored")


def test_t19_a_commit_that_only_speaks_of_it_is_none(world: World) -> None:
    opened(world)
    world.hub.merge(1, "dev")
    text = (world.hub.read_file(SKILL) or "").replace("above $25,000 go", "of any sum go")
    message = "Talk\n\nNobody Reverts acme/context#1 or #12: Reverts acme/context#12\n"
    world.hub.push_commit("main", {SKILL: text}, message, "dev")
    world.run()
    assert "reverted" not in world.section("Rejected and ignored")


def test_t20_a_renamed_target_is_followed(world: World) -> None:
    branch = opened(world)
    text = world.hub.read_file(SKILL)
    moved = "skills/payments/SKILL.md"
    world.hub.push_commit("main", {SKILL: None, moved: text}, "Move", "dev")
    assert actions(world.run()) == ["updated"]
    assert "above $25,000 go" in (world.hub.read_file(moved, branch) or "")
    assert world.hub.read_file(SKILL, branch) is None
    assert world.hub.issue(1).state == "open"
    again = world.failed("s2", Edit(moved, "UPDATE", "above $25,000 go", "above $50,000 go"))
    assert actions(world.run(again)) == ["unchanged"]
    assert len(world.hub.pulls()) == 1


ALL = Reading("2026-01-01T00:00:00Z", "2026-01-09T00:00:00Z")


def spent(world: World) -> bool:
    label = "evidence-expired" in world.hub.issue(1).labels
    assert label is ("not found in the trace stores" in world.section("Open"))
    return label


def test_t21_without_its_sessions_it_stays_and_nothing_is_pushed(world: World) -> None:
    branch = opened(world)
    head = world.hub.head(branch)
    rewritten(world, "Travel is booked on Mondays.", "Travel is booked by the desk.")
    world.run(world.satisfied("other"), read=ALL)
    assert spent(world)
    assert world.hub.issue(1).state == "open"
    assert world.hub.head(branch) == head
    assert "> Status: the sessions that it rests on were not found" in world.body()
    written = world.writes()
    # The next run reads another time, and the label holds.
    later = Reading("2026-01-08T00:00:00Z", "2026-01-09T00:00:00Z")
    for read in (ALL, later, None):
        world.run(world.satisfied("other"), read=read)
    assert (world.writes(), world.hub.head(branch)) == (written, head)


def test_t21_new_evidence_takes_the_label_off_and_pushes_again(world: World) -> None:
    branch = opened(world)
    head = world.hub.head(branch)
    world.run(read=ALL)
    assert spent(world)
    rewritten(world, "above $50,000 go", CONFLICT)
    world.run(world.failed("s2", FRESH), read=ALL)
    assert not spent(world)
    assert world.hub.head(branch) != head
    assert "> Status" not in world.body()


def test_t21_a_session_that_is_seen_again_was_only_away(world: World) -> None:
    opened(world)
    world.run(read=ALL)
    assert spent(world)
    world.run(world.satisfied("s1"), read=ALL)
    assert not spent(world)


@pytest.mark.parametrize(
    ("read", "partial", "session"),
    [
        (None, False, "other"),
        (ALL, True, "other"),
        (Reading("2026-01-05T10:00:00Z", "2026-01-09T00:00:00Z"), False, "other"),
        (Reading("2025-12-01T00:00:00Z", "2026-01-02T00:00:00Z"), False, "other"),
        (Reading("2026-01-01T00:00:00Z", ""), False, "other"),
        (ALL, False, "s1"),
    ],
    ids=["files", "partial", "later", "earlier", "limit", "there"],
)
def test_t21_what_was_not_read_is_not_gone(
    world: World, read: Reading | None, partial: bool, session: str
) -> None:
    opened(world)
    world.hub.clock.advance(days=2)
    world.run(world.satisfied(session), read=read, partial=partial)
    assert not spent(world)


def test_t21_enough_sessions_are_enough(world: World) -> None:
    """Of four that a draft rests on, one or two may go: users' words need three."""
    rested = [world.failed(f"s{at}", verified=False) for at in range(4)]
    assert actions(world.run(*rested)) == ["opened"]
    world.run(*(world.satisfied(f"s{at}") for at in (0, 1, 2)), read=ALL)
    assert not spent(world)
    world.run(*(world.satisfied(f"s{at}") for at in (0, 1)), read=ALL)
    assert spent(world)


def test_t21_a_label_that_a_person_took_off_stays_off(world: World) -> None:
    branch = opened(world)
    head = world.hub.head(branch)
    world.run(read=ALL)
    world.hub.unlabel(1, "dev", "evidence-expired")
    rewritten(world, "Travel is booked on Mondays.", "Travel is booked by the desk.")
    world.run(read=ALL)
    assert not spent(world)
    assert world.hub.head(branch) != head


@pytest.mark.parametrize("touch", [hold, freeze, contest])
def test_t21_is_told_by_the_label_elsewhere(world: World, touch: object) -> None:
    opened(world)
    touch(world)  # type: ignore[operator]
    world.run(read=ALL)
    assert spent(world)


def test_t21_a_person_may_still_have_it_made_anew(world: World) -> None:
    branch = opened(world)
    head = world.hub.head(branch)
    world.run(read=ALL)
    rewritten(world, "Travel is booked on Mondays.", "Travel is booked by the desk.")
    world.hub.comment(1, "dev", "/trace-bot rebuild")
    world.run(read=ALL)
    assert world.hub.head(branch) != head


def test_t22_an_old_one_is_no_longer_kept_up(world: World) -> None:
    branch = opened(world)
    head = world.hub.head(branch)
    world.hub.clock.advance(days=31)
    world.hub.push_commit("main", {"README.md": "New."}, "Elsewhere", "dev")
    world.run(world.failed("s1"), keep_updated=True)
    assert world.hub.head(branch) == head
    assert "aging" in world.section("Open")


@pytest.mark.parametrize("touch", ["comment", "box"])
def test_t23_without_anybody_there_are_no_new_ones(world: World, touch: str) -> None:
    opened(world)
    world.hub.clock.advance(days=31)
    hours = world.failed("s2", HOURS, kind="KB_CONTENT_STALE")
    publication = world.run(world.failed("s1"), hours)
    assert sorted(actions(publication)) == ["queued", "unchanged"]
    assert "paused: nobody has touched" in world.section("Waiting")
    if touch == "comment":
        world.hub.comment(1, "dev", "I am looking.")
    else:
        world.tick("resume-all")
    assert sorted(actions(world.run(world.failed("s1"), hours))) == ["opened", "unchanged"]


def test_t24_a_closed_dashboard_stays_closed(world: World) -> None:
    opened(world)
    world.hub.close(world.board.number, "dev")
    before = world.dashboard
    publication = world.run(world.failed("s1"), world.failed("s2", HOURS))
    assert any("stays closed" in warning for warning in publication.warnings)
    assert (world.board.state, world.dashboard) == ("closed", before)
    assert len(world.hub.pulls()) == 2


def test_t26_a_narrower_configuration_ends_what_it_excludes(world: World) -> None:
    opened(world)
    assert actions(world.run(exclude=["skills/**"])) == ["closed"]
    (comment,) = world.hub.repo().comments.values()
    assert comment.body.startswith("trace-bot.yaml no longer allows changes of this file.")


@pytest.mark.parametrize(("method", "path"), [("GET", "info/refs"), ("POST", "receive-pack")])
def test_t27_the_loser_of_a_race_skips_the_unit(world: World, method: str, path: str) -> None:
    """The branch moves between the look and the push: nothing is lost, the next run decides."""
    branch = opened(world)
    world.hub.faults.append(Fault(method=method, path=path, act=lambda: freeze(world)))
    publication = world.run(world.failed("s1"), world.failed("s2", TRAVEL, anchor="travel"))
    assert actions(publication) == ["skipped"]
    assert "Mine." in (world.hub.read_file(SKILL, branch) or "")
    world.run(world.failed("s1"))
    assert "frozen" in world.section("Open")


def test_pushes_have_a_limit_of_their_own(world: World) -> None:
    hours = world.failed("s2", HOURS, kind="KB_CONTENT_STALE")
    tool = world.failed("s3", TOOL, kind="TOOL_PROMPT_ERROR")
    publication = world.run(world.failed("s1"), hours, tool, max_pushes_per_run=1)
    assert sorted(actions(publication)) == ["opened", "queued", "queued"]


GUARD = "The agent must not pay twice."


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (Edit(SKILL, "UPDATE", "booked on \u200bFridays", "booked on Mondays"), ""),
        (Edit(SKILL, "UPDATE", "", f"{GUARD}\n"), "waits for approval"),
    ],
)
def test_what_may_not_be_opened_may_not_join_either(world: World, edit: Edit, reason: str) -> None:
    text = world.hub.read_file(SKILL) or ""
    world.push("main", f"{text}{GUARD}\n")
    branch = opened(world)
    head = world.hub.head(branch)
    other = world.failed("s2", edit, anchor="travel")
    publication = world.run(world.failed("s1"), other)
    assert world.hub.head(branch) == head
    assert len(world.hub.pulls()) == 1
    assert any(reason in unit.reason for unit in publication.units)


def created(world: World, name: str, file: str) -> SessionResult:
    edit = Edit(f"knowledge_base/{file}.md", "CREATE", f"# {file}\n\nIt takes 3 days.\n")
    return world.failed(name, edit, kind="KB_CONTENT_GAP", operation="CREATE", anchor="file")


def test_a_new_file_by_another_name_is_the_same_finding(world: World) -> None:
    assert actions(world.run(created(world, "s1", "refunds"))) == ["opened"]
    assert actions(world.run(created(world, "s1", "refund-times"))) == ["unchanged"]
    both = [created(world, "s1", "how-long"), created(world, "s2", "how-long")]
    assert actions(world.run(*both)) == ["updated"]
    assert actions(world.run(created(world, "s9", "parcels"))) == ["opened"]
    assert len(world.hub.pulls()) == 2
