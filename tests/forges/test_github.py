"""Publishing against a GitHub on loopback: REST by PyGithub, pushes by git."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import git
import msgspec
import pytest

from bot.commands.publish import publication_code
from bot.errors import (
    AccessError,
    CannotOpenPullRequest,
    ConfigError,
    GitHubError,
    TraceBotError,
    TryLater,
)
from bot.forges.github import GitHubForge
from bot.forges.site import Site
from bot.identity.marker import Marker, parse
from bot.records.change import Edit
from bot.records.plan import Plan, Publication
from bot.settings import settings_of
from context_repo_schema.config import Config
from tests.forges.conftest import Publish, checked_out, environment, fill
from tests.github_fake import Fault, GitHubFake
from tests.proposals import FILES, HOURS, SKILL, THRESHOLD, TOOL, plan_of, session

BOT = "trace-bot[bot]"


def one(site: Site, count: int = 1) -> Plan:
    """A plan with one unit that so many sessions ask for."""
    return plan_of([session(f"s{at}", THRESHOLD) for at in range(count)], site.repo)


def three(site: Site) -> Plan:
    """A plan with three units."""
    return plan_of(
        [
            session("s1", THRESHOLD),
            session("s2", HOURS, kind="KB_CONTENT_STALE"),
            session("s3", TOOL, kind="TOOL_PROMPT_ERROR"),
        ],
        site.repo,
    )


def actions(publication: Publication) -> list[str]:
    return [unit.action for unit in publication.units]


def state(hub: GitHubFake) -> object:
    """All of GitHub that publishing may change, without times and event order."""
    pulls = [
        (i.title, i.body, i.state, sorted(i.labels), i.pull.head, i.pull.draft, i.pull.reviewers)
        for i in hub.pulls()
        if i.pull
    ]
    return sorted(pulls), hub.branches()


# --- once and only once


def test_opens_what_is_described(hub: GitHubFake, site: Site, publish: Publish) -> None:
    plan = one(site)
    publication = publish(plan)
    assert actions(publication) == ["opened"]
    assert publication.warnings == ()
    unit, planned = publication.units[0], plan.proposals[0].pull_request
    assert unit.number is not None
    issue, pull = hub.issue(unit.number), hub.pull(unit.number)
    assert (issue.title, issue.body) == (planned.title, planned.body)
    assert (pull.draft, issue.labels, pull.reviewers) == (False, ["trace-bot"], ["dev"])
    text = hub.read_file(SKILL, planned.branch)
    assert text == planned.files[0].new_text
    assert "$25,000" in (text or "")


def test_the_commit_reads_back_as_one_change_on_the_base(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    planned = publish(plan := one(site)) and plan.proposals[0].pull_request
    commit = git.Repo(hub.repo().git).commit(planned.branch)
    (parent,) = commit.parents
    assert parent.hexsha == site.repo.commit
    assert [d.b_path for d in parent.diff(commit)] == [SKILL]
    assert commit.message.splitlines()[0] == planned.title
    assert commit.author.name == BOT


def test_preview_opens_nothing(hub: GitHubFake, site: Site, publish: Publish) -> None:
    before = state(hub)
    (unit,) = publish(one(site), mode="preview").units
    assert (unit.action, "preview" in unit.reason) == ("skipped", True)
    assert (hub.writes, state(hub)) == ([], before)


def test_second_run_writes_nothing(hub: GitHubFake, site: Site, publish: Publish) -> None:
    publish(three(site), max_new_prs_per_run=3)
    asked = len(hub.log)
    assert actions(publish(three(site))) == ["unchanged"] * 3
    # Not even an attempt: every later call only reads.
    assert {method for method, path in hub.log[asked:] if "graphql" not in path} == {"GET"}


def test_model_that_words_the_edit_otherwise_changes_nothing(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    other = msgspec.structs.replace(THRESHOLD, new="above $25,000 (see PAY-1) go")
    before = len(hub.writes)
    assert actions(publish(plan_of([session("s9", other)], site.repo))) == ["unchanged"]
    assert hub.writes[before:] == []


def test_model_that_names_the_fault_otherwise_opens_no_second_one(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    before = len(hub.writes)
    for kind, anchor in (("SYSTEM_PROMPT_GAP", "limits"), ("SKILL_FILE_STALE", "elsewhere")):
        renamed = session("s1", THRESHOLD, kind=kind, anchor=anchor)  # type: ignore[arg-type]
        assert actions(publish(plan_of([renamed], site.repo))) == ["unchanged"]
    hub.close(1, "dev")
    assert actions(publish(plan_of([renamed], site.repo))) == ["skipped"]
    assert {method for method, _ in hub.writes[before:]} == {"DELETE"}


def test_draft_opens_as_draft_and_asks_nobody(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    results = [session(f"s{at}", THRESHOLD, verified=False) for at in range(3)]
    publication = publish(plan_of(results, site.repo))
    number = publication.units[0].number
    assert number is not None
    assert hub.pull(number).draft
    assert hub.pull(number).reviewers == []
    assert hub.issue(number).labels == ["needs-verification", "trace-bot"]


# --- interrupted, doubled, raced


def cut_off(root: Path, after: int | None) -> tuple[object, int]:
    """GitHub after a run that was cut off after so many calls, and a whole one; and its calls."""
    with GitHubFake(root / "hub") as fake:
        fill(fake)
        site = checked_out(fake, root / "checkout")
        forge, plan = GitHubForge(site), one(site)
        fake.stop_after = after
        # A cut before the decoration is complete is a warning only.
        with contextlib.suppress(TraceBotError):
            forge.publish(plan)
        calls, fake.stop_after = len(fake.log), None
        forge.publish(plan)
        return state(fake), calls


def test_run_cut_off_after_any_call_is_healed(tmp_path: Path) -> None:
    unbroken, calls = cut_off(tmp_path / "whole", None)
    assert calls > 10
    for after in range(calls):
        assert cut_off(tmp_path / str(after), after)[0] == unbroken, f"cut off after {after} calls"


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("path", ["/pulls$", "/git-receive-pack$", "/labels$", "/requested_rev"])
def test_502_at_a_write_makes_nothing_twice(
    hub: GitHubFake, site: Site, publish: Publish, path: str, after: bool
) -> None:
    """Whether or not the write was done when the answer was lost."""
    hub.faults.append(Fault(status=502, method="POST", path=path, after=after))
    with contextlib.suppress(GitHubError):
        publish(one(site))
    publish(one(site))
    assert hub.faults == []
    with GitHubFake(site.repo.root.parent / "other") as other:
        fill(other)
        GitHubForge(checked_out(other, site.repo.root.parent / "second")).publish(one(site))
        assert state(hub) == state(other)


def test_two_publishers_at_once_open_one(hub: GitHubFake, site: Site) -> None:
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(GitHubForge(site).publish, one(site)) for _ in range(2)]
        assert {actions(run.result())[0] for run in runs} <= {"opened", "unchanged", "skipped"}
    assert len(hub.pulls()) == 1


def test_branch_of_an_interrupted_run_with_another_wording_is_replaced(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    hub.faults.append(Fault(status=500, method="POST", path="/pulls$"))
    with pytest.raises(GitHubError):
        publish(one(site))
    other = msgspec.structs.replace(THRESHOLD, new="above $25,000 (see PAY-1) go")
    plan = plan_of([session("s1", other)], site.repo)
    assert actions(publish(plan)) == ["opened"]
    assert "(see PAY-1)" in (hub.read_file(SKILL, plan.proposals[0].pull_request.branch) or "")


def test_somebody_elses_branch_of_that_name_is_left_alone(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    branch = one(site).proposals[0].pull_request.branch
    head = hub.push_commit(branch, {"x.md": "mine"}, "Mine", "dev")
    publication = publish(one(site))
    assert actions(publication) == ["skipped"]
    assert "not trace-bot's" in publication.units[0].reason
    assert hub.head(branch) == head


# --- what people decided


def test_closed_never_comes_again(hub: GitHubFake, site: Site, publish: Publish) -> None:
    publish(one(site))
    hub.close(1, "dev")
    before = len(hub.writes)
    for _ in range(2):
        assert actions(publish(one(site, 9))) == ["skipped"]
    assert [method for method, _ in hub.writes[before:]] == ["DELETE"]
    assert list(hub.branches()) == ["main"]


def test_deleted_branch_is_a_rejection(hub: GitHubFake, site: Site, publish: Publish) -> None:
    branch = publish(one(site)).units[0].branch
    hub.delete_branch(branch, "dev")
    assert actions(publish(one(site))) == ["skipped"]
    assert hub.head(branch) is None


def test_reopened_is_kept(hub: GitHubFake, site: Site, publish: Publish) -> None:
    publish(one(site))
    hub.close(1, "dev")
    hub.reopen(1, "dev")
    assert actions(publish(one(site))) == ["unchanged"]


def test_merged_is_not_proposed_again(
    hub: GitHubFake, site: Site, publish: Publish, tmp_path: Path
) -> None:
    publish(one(site))
    hub.merge(1, "dev")
    assert actions(publish(one(site))) == ["skipped"]
    # A later analysis of the merged text proposes nothing here; another edit still waits.
    later = checked_out(hub, tmp_path / "later")
    edit = msgspec.structs.replace(THRESHOLD, old="above $25,000 go", new="above $20,000 go")
    publication = GitHubForge(later).publish(plan_of([session("s5", edit)], later.repo))
    assert actions(publication) == ["skipped"]
    assert "was merged" in publication.units[0].reason


@pytest.mark.parametrize("amend", [False, True])
def test_commit_of_a_person_freezes_the_branch(
    hub: GitHubFake, site: Site, publish: Publish, amend: bool
) -> None:
    branch = publish(one(site)).units[0].branch
    text = (hub.read_file(SKILL, branch) or "") + "Mine.\n"
    head = hub.push_commit(branch, {SKILL: text}, "Mine", "dev", amend=amend)
    body = hub.issue(1).body or ""
    publication = publish(one(site, 9))
    assert "frozen" in publication.units[0].reason
    told = f"> Status: commit {head[:12]} is not trace-bot's, so the branch is left alone.\n"
    assert (hub.issue(1).body or "").replace(f"\n{told}", "", 1) == body
    writes = len(hub.writes)
    assert actions(publish(one(site, 9))) == ["unchanged"]
    assert (hub.head(branch), len(hub.writes)) == (head, writes)


def test_update_branch_is_no_commit_of_a_person(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    hub.push_commit("main", {"README.md": "New."}, "Elsewhere", "dev")
    hub.update_branch(1, "dev")
    publication = publish(one(site))
    assert actions(publication) == ["unchanged"]
    assert publication.units[0].reason == ""


def test_removed_decoration_does_not_come_back(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    hub.unlabel(1, "dev", "trace-bot")
    hub.pull(1).reviewers.clear()
    assert actions(publish(one(site))) == ["unchanged"]
    assert (hub.issue(1).labels, hub.pull(1).reviewers) == ([], [])


def test_edited_title_stays(hub: GitHubFake, site: Site, publish: Publish) -> None:
    publish(one(site))
    hub.edit(1, "dev", title="Our own title")
    publish(one(site, 9))
    assert hub.issue(1).title == "Our own title"


# --- more evidence


@pytest.mark.parametrize(
    ("before", "after", "told"), [(1, 2, True), (10, 11, False), (10, 12, True), (20, 23, True)]
)
def test_evidence_is_told_when_it_rose_enough(
    hub: GitHubFake, site: Site, publish: Publish, before: int, after: int, told: bool
) -> None:
    publish(one(site, before))
    head = hub.head(publish(one(site, before)).units[0].branch)
    assert actions(publish(one(site, after))) == ["updated" if told else "unchanged"]
    shown = f"{after if told else before} failed run"
    assert shown in (hub.issue(1).body or "")
    assert hub.head(publish(one(site, after)).units[0].branch) == head
    writes = len(hub.writes)
    publish(one(site, after))
    assert len(hub.writes) == writes


def test_words_of_people_around_the_island_stay(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    hub.edit(1, "dev", body=f"Above.\n\n{hub.issue(1).body}\n\nBelow.")
    for count in (4, 8, 16):
        assert actions(publish(one(site, count))) == ["updated"]
        body = hub.issue(1).body or ""
        assert body.startswith("Above.\n\n<!-- trace-bot:begin -->")
        assert body.endswith("<!-- trace-bot:end -->\n\nBelow.")
        marker = parse(body)
        assert isinstance(marker, Marker)
        assert marker.count == count


def test_removed_island_is_theirs(hub: GitHubFake, site: Site, publish: Publish) -> None:
    publish(one(site))
    hub.edit(1, "dev", body="Only mine.")
    assert actions(publish(one(site, 9))) == ["unchanged"]
    assert hub.issue(1).body == "Only mine."


def test_words_written_while_we_run_stay(hub: GitHubFake, site: Site, publish: Publish) -> None:
    publish(one(site))

    def meanwhile() -> None:
        hub.edit(1, "dev", body=f"Of this minute.\n\n{hub.issue(1).body}")

    hub.faults.append(Fault(method="GET", path=r"/compare/", act=meanwhile))
    assert actions(publish(one(site, 9))) == ["updated"]
    assert (hub.issue(1).body or "").startswith("Of this minute.\n\n")


def test_update_cut_off_after_any_call_is_healed(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    body = hub.issue(1).body
    start = len(hub.log)
    publish(one(site, 9))
    calls, told = len(hub.log) - start, hub.issue(1).body
    assert told != body
    for after in range(calls):
        hub.edit(1, BOT, body=body)
        hub.stop_after = len(hub.log) + after
        with contextlib.suppress(TraceBotError):
            publish(one(site, 9))
        hub.stop_after = None
        publish(one(site, 9))
        assert hub.issue(1).body == told, f"cut off after {after} calls"


# --- whose pull request it is


def test_forged_markers_are_ignored_and_counted(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    planned = one(site).proposals[0].pull_request
    fork = hub.fork("eve")
    hub.push_commit(planned.branch, {SKILL: "evil"}, "Evil", "eve", repo=fork.full_name)
    hub.open_pull("eve", f"eve:{planned.branch}", "Evil", planned.body)
    hub.push_commit("dev-1", {"x.md": "x"}, "Fine", "dev")
    hub.open_pull("dev", "dev-1", "Mine", planned.body)
    publication = publish(one(site))
    assert actions(publication) == ["opened"]
    assert "2 pull requests look like ours" in publication.warnings[0]


def test_marker_of_a_later_release_is_left_alone(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    body = (hub.issue(1).body or "").replace("trace-bot:v1", "trace-bot:v2")
    hub.edit(1, BOT, body=body)
    assert actions(publish(one(site, 9))) == ["skipped"]
    assert hub.issue(1).body == body


def test_removed_marker_is_rebuilt_from_the_commit(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    hub.edit(1, "dev", body="Only mine.")
    hub.close(1, "dev")
    publication = publish(one(site))
    assert actions(publication) == ["skipped"]
    assert "no.1 of the same finding was closed" in publication.units[0].reason


def test_former_login_counts_as_ours(hub: GitHubFake, site: Site) -> None:
    GitHubForge(site).publish(one(site))
    hub.tokens["tok-new"] = "new-app[bot]"
    moved = msgspec.structs.replace(
        site,
        environment=environment(hub, "tok-new"),
        settings=settings_of(Config(bot_logins=("Trace-Bot[bot]",), dashboard=False)),
    )
    assert actions(GitHubForge(moved).publish(one(site))) == ["unchanged"]
    assert len(hub.pulls()) == 1


# --- limits


def test_limits_queue_the_rest(hub: GitHubFake, site: Site, publish: Publish) -> None:
    plan = three(site)
    publication = publish(plan)
    assert actions(publication) == ["opened", "opened", "queued"]
    assert "max_new_prs_per_run" in publication.units[2].reason
    assert actions(publish(plan, max_open_prs=2)) == ["unchanged", "unchanged", "queued"]
    assert actions(publish(plan)) == ["unchanged", "unchanged", "opened"]


def test_a_unit_waits_for_the_open_one_that_shares_a_file(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(plan_of([session("s1", THRESHOLD, HOURS)], site.repo))
    travel = Edit(SKILL, "UPDATE", "booked on Fridays", "booked on Mondays")
    publication = publish(plan_of([session("s2", travel, anchor="travel")], site.repo))
    assert publication.units[0].action == "queued"
    assert "waits for no.1" in publication.units[0].reason
    assert len(hub.pulls()) == 1
    assert "there is 1 finding more on the same files" in (hub.issue(1).body or "")


def test_a_new_finding_of_the_same_file_joins_the_open_one(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    travel = Edit(SKILL, "UPDATE", "booked on Fridays", "booked on Mondays")
    both = [session("s1", THRESHOLD), session("s2", travel, anchor="travel")]
    publication = publish(plan_of(both, site.repo))
    assert actions(publication) == ["updated"]
    assert len(hub.pulls()) == 1
    assert hub.issue(1).title.endswith(": 2 findings")
    text = hub.read_file(SKILL, publication.units[0].branch) or ""
    assert "$25,000" in text
    assert "booked on Fridays" in text


# --- the base


def test_moved_base_that_touches_nothing_is_fine(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    hub.push_commit("main", {"README.md": "New."}, "Elsewhere", "dev")
    assert actions(publish(one(site))) == ["opened"]


def test_moved_base_that_touches_the_file_waits_for_an_analysis(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    hub.push_commit("main", {SKILL: "# Other\n"}, "Rewrite", "dev")
    publication = publish(one(site))
    assert actions(publication) == ["skipped"]
    assert "has changed on main" in publication.units[0].reason
    assert list(hub.branches()) == ["main"]


def test_shallow_checkout_is_enough(hub: GitHubFake, tmp_path: Path) -> None:
    hub.push_commit("main", {"README.md": "Two."}, "Second", "dev")
    shallow = checked_out(hub, tmp_path / "shallow", "--depth=1")
    assert actions(GitHubForge(shallow).publish(one(shallow))) == ["opened"]


# --- what cannot be done


def test_read_only_token_is_told_in_a_sentence(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    hub.read_only("tok-bot")
    with pytest.raises(AccessError, match="contents: write"):
        publish(one(site))
    assert hub.writes == []


@pytest.mark.parametrize("name", ["acme/signature", "acme/code-401", "acme/gh013-mirror"])
def test_reason_is_not_read_from_an_address(tmp_path: Path, name: str) -> None:
    with GitHubFake(tmp_path / "hub") as hub:
        hub.create_repo(name, files=FILES)
        named = checked_out(hub, tmp_path / "checkout")
        named = msgspec.structs.replace(
            named, environment={**named.environment, "GITHUB_REPOSITORY": name}
        )
        hub.read_only("tok-bot")
        with pytest.raises(AccessError, match="contents: write"):
            GitHubForge(named).publish(msgspec.structs.replace(one(named), repository=name))


def test_token_without_pull_requests_is_told_what_is_missing(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    hub.grants["tok-bot"] = {"contents": "write", "metadata": "read", "pull_requests": "read"}
    with pytest.raises(AccessError, match="pull-requests: write"):
        publish(one(site))


def test_bad_token(hub: GitHubFake, site: Site) -> None:
    bad = msgspec.structs.replace(site, environment=environment(hub, "tok-expired"))
    with pytest.raises(AccessError, match=r"wrong or expired.*GITHUB_TOKEN") as caught:
        GitHubForge(bad).publish(one(site))
    assert "tok-expired" not in str(caught.value)


def test_creation_forbidden_keeps_the_branch(hub: GitHubFake, site: Site, publish: Publish) -> None:
    hub.repo().actions_may_open_pulls = False
    hub.tokens["tok-bot"] = "github-actions[bot]"
    branch = one(site).proposals[0].pull_request.branch
    for _ in range(2):
        with pytest.raises(CannotOpenPullRequest, match=f"compare/main...{branch}"):
            publish(one(site))
    assert hub.read_file(SKILL, branch) == one(site).proposals[0].pull_request.files[0].new_text
    assert len(hub.writes) == 1
    hub.repo().actions_may_open_pulls = True
    assert actions(publish(one(site))) == ["opened"]


def test_without_drafts_only_what_is_ready_opens(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    told = {"message": "Draft pull requests are not supported in this repository."}
    hub.faults.append(Fault(status=422, body=told, method="POST", path="/pulls$"))
    plan = plan_of([session("s1", THRESHOLD, confidence=0.5), session("s2", HOURS)], site.repo)
    publication = publish(plan)
    assert sorted(actions(publication)) == ["opened", "skipped"]


REFUSALS = [
    (404, "POST", "/pulls$"),
    (409, "GET", "/git/ref"),
    (410, "GET", "/git/ref"),
    (422, "POST", "/pulls$"),
]


@pytest.mark.parametrize(("status", "method", "path"), REFUSALS)
def test_a_refusal_of_one_unit_is_its_outcome_and_the_others_go_on(
    hub: GitHubFake, site: Site, publish: Publish, status: int, method: str, path: str
) -> None:
    told = {"message": "Validation Failed", "errors": [{"message": "not like this"}]}
    hub.faults.append(Fault(status=status, body=told, method=method, path=path))
    publication = publish(three(site), max_new_prs_per_run=3)
    assert actions(publication) == ["failed", "opened", "opened"]
    assert f"({status}): Validation Failed not like this" in publication.units[0].reason
    assert publication_code(publication) == 8
    assert actions(publish(three(site))) == ["opened", "unchanged", "unchanged"]


def test_refused_update_is_that_units_outcome(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    publish(one(site))
    hub.faults.append(Fault(status=422, body={"message": "No."}, method="PATCH", path="/pulls/1$"))
    assert actions(publish(one(site, 9))) == ["failed"]
    assert actions(publish(one(site, 9))) == ["updated"]


@pytest.mark.parametrize("path", ["/repos/acme/context$", "/pulls$"])
def test_a_refusal_before_the_first_unit_ends_the_run(
    hub: GitHubFake, site: Site, publish: Publish, path: str
) -> None:
    hub.faults.append(Fault(status=410, body={"message": "Gone."}, method="GET", path=path))
    with pytest.raises(GitHubError, match=r"\(410\): Gone") as caught:
        publish(one(site))
    assert caught.value.exit_code == 5
    assert hub.writes == []


def test_events_that_cannot_be_read_are_a_warning(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    hub.faults.append(Fault(status=410, body={"message": "Gone."}, method="GET", path="/events"))
    publication = publish(one(site))
    assert actions(publication) == ["opened"]
    assert "read events" in publication.warnings[0]
    assert publication_code(publication) == 0


def test_archived_repository(hub: GitHubFake, site: Site, publish: Publish) -> None:
    hub.repo().archived = True
    with pytest.raises(AccessError, match="archived"):
        publish(one(site))


def test_moved_repository(hub: GitHubFake, site: Site, publish: Publish) -> None:
    hub.rename_repo("acme/context", "acme/renamed")
    with pytest.raises(AccessError, match="moved to acme/renamed"):
        publish(one(site))


def test_branch_in_the_way_of_the_prefix(hub: GitHubFake, site: Site, publish: Publish) -> None:
    hub.push_commit("trace-bot", {"x.md": "x"}, "In the way", "dev")
    with pytest.raises(ConfigError, match=r"E-PREFIX.*branch_prefix"):
        publish(one(site))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("GH013: Repository rule violations found for refs/heads/x", "E-RULESET"),
        ("GH006: Protected branch update failed. Commits must have verified signatures.", "E-UNSI"),
    ],
)
def test_rule_of_the_repository(
    hub: GitHubFake, site: Site, publish: Publish, said: str, told: str
) -> None:
    hook = hub.repo().git / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(AccessError, match=told):
        publish(one(site))


def test_long_rate_limit_is_for_later(hub: GitHubFake, site: Site, publish: Publish) -> None:
    limit = {"message": "You have exceeded a secondary rate limit."}
    hub.faults.append(
        Fault(status=403, headers={"Retry-After": "900"}, body=limit, method="POST", path="/pulls$")
    )
    with pytest.raises(TryLater):
        publish(one(site))
    assert actions(publish(one(site))) == ["opened"]
    assert len(hub.pulls()) == 1


def test_limit_in_the_middle_is_finished_by_the_next_run(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    plan = three(site)
    limit = {"message": "You have exceeded a secondary rate limit."}
    wait = {"Retry-After": "900"}
    hub.faults.append(
        Fault(status=403, headers=wait, body=limit, method="POST", path="/issues/2/labels$")
    )
    with pytest.raises(TryLater):
        publish(plan, max_new_prs_per_run=3)
    written = len(hub.writes)
    publish(plan, max_new_prs_per_run=3)
    assert len(hub.pulls()) == 3
    assert all(issue.labels for issue in hub.pulls())
    assert ("POST", "/repos/acme/context/issues/2/labels") in hub.writes[written:]


def test_short_rate_limit_is_waited_for(hub: GitHubFake, site: Site, publish: Publish) -> None:
    limit = {"message": "You have exceeded a secondary rate limit."}
    hub.faults.append(
        Fault(status=429, headers={"Retry-After": "0"}, body=limit, method="POST", path="/pulls$")
    )
    assert actions(publish(one(site))) == ["opened"]


def test_reads_are_repeated(hub: GitHubFake, site: Site, publish: Publish) -> None:
    hub.faults.append(Fault(status=502, method="GET", path="/pulls$"))
    assert actions(publish(one(site))) == ["opened"]


def test_refused_reviewer_is_a_warning(hub: GitHubFake, site: Site, publish: Publish) -> None:
    hub.repo().permissions.pop("dev")
    publication = publish(one(site))
    assert actions(publication) == ["opened"]
    assert "reviewers of no.1" in publication.warnings[0]
    assert actions(publish(one(site))) == ["unchanged"]


def test_a_milestone_is_set_once_and_an_unknown_one_is_a_warning(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    warned = publish(one(site), milestone="Soon").warnings
    assert "no open milestone" in warned[0]
    hub.repo().milestones += ["Later", "Soon"]
    other = plan_of([session("s2", Edit("knowledge_base/new.md", "CREATE", "# New\n"))], site.repo)
    assert publish(other, milestone="Soon").warnings == ()
    assert [issue.milestone for issue in hub.repo().issues.values() if issue.pull] == [None, "Soon"]


def test_teams_are_asked_only_where_the_configuration_says_so(
    hub: GitHubFake, site: Site, publish: Publish
) -> None:
    first = plan_of([session("s1", HOURS)], site.repo)
    assert first.proposals[0].pull_request.reviewers == ("@acme/everyone",)
    assert publish(first).warnings == ()
    other = Edit("knowledge_base/new.md", "CREATE", "# New\n")
    second = plan_of([session("s2", other)], site.repo)
    assert "team reviewers" in publish(second, reviewers=["@acme/everyone"]).warnings[0]
