"""A dry run shows, byte for byte, what publishing sends."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec

from bot import planfile
from bot.forges.dry_run import DryRun, decisions, would_propose
from bot.forges.github import GitHubForge
from bot.forges.site import Site
from bot.forges.table import FORGES
from bot.records.change import Edit
from bot.records.plan import Limits, Plan
from bot.settings import settings_of
from context_repo_schema.config import Config
from tests.github_fake import GitHubFake
from tests.hostile import HOSTILE
from tests.proposals import HOURS, THRESHOLD, TOOL, plan_of, session, write_files


def test_bytes_equal_what_is_published(hub: GitHubFake, site: Site, tmp_path: Path) -> None:
    hostile = session("s1", THRESHOLD, words=" ".join(HOSTILE[:40]))
    plan = plan_of([hostile, session("s2", HOURS, kind="KB_CONTENT_STALE")], site.repo)
    DryRun(tmp_path / "out", site.settings).publish(plan)
    sent = planfile.read(tmp_path / "out" / "plan.json")
    for unit in GitHubForge(site).publish(sent).units:
        assert unit.number is not None
        shown = (tmp_path / "out" / f"{unit.unit_id}.md").read_bytes().decode()
        assert hub.issue(unit.number).body == shown
        patch = tmp_path / "out" / f"{unit.unit_id}.patch"
        subprocess.run(["git", "-C", site.repo.root, "apply", str(patch)], check=True)
    for file in (THRESHOLD.path, HOURS.path):
        pulls = [pull for pull in hub.pulls() if pull.pull]
        texts = {hub.read_file(file, pull.pull.head) for pull in pulls if pull.pull}
        assert (site.repo.root / file).read_text() in texts


def test_needs_no_network_and_no_token(tmp_path: Path) -> None:
    repo = write_files(tmp_path / "repo")
    site = Site(repo, settings_of(Config()), {}, tmp_path / "out")
    publication = FORGES["dry-run"](site).publish(plan_of([session("s1", THRESHOLD)], repo))
    assert publication.units[0].reason == "would open"
    unit = publication.units[0].unit_id
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {f"{unit}.md", f"{unit}.patch", "plan.json", "summary.md"}


def test_decisions(tmp_path: Path) -> None:
    repo = write_files(tmp_path / "repo")
    gone = Edit("knowledge_base/hours.md", "DELETE")
    results = [
        session("a", THRESHOLD),
        session("b", TOOL, confidence=0.5),
        session("c", gone, operation="DELETE"),
        session("d", gone, operation="DELETE"),
        session("e", Edit("knowledge_base/new.md", "CREATE", "# New\n")),
        session("f", Edit("knowledge_base/unsure.md", "CREATE", "# New\n"), verified=False),
    ]
    plan = plan_of(results, repo)
    publication = DryRun(tmp_path / "out", settings_of(Config(max_new_prs_per_run=2))).publish(plan)
    told = {
        proposal.change_set.files[0].path: (unit.action, unit.reason)
        for proposal, unit in zip(plan.proposals, publication.units, strict=True)
    }
    assert told[THRESHOLD.path] == ("would-open", "would open")
    assert told[gone.path][0] == "blocked"
    assert "allow_file_delete" in told[gone.path][1]
    assert told["knowledge_base/unsure.md"][0] == "skipped"
    assert "not proved by the repository" in told["knowledge_base/unsure.md"][1]
    assert [action for action, _ in told.values()].count("queued") == 1
    summary = (tmp_path / "out" / "summary.md").read_text()
    for unit in publication.units:
        assert f"| {unit.unit_id} |" in summary
        assert f"## {unit.unit_id}" in summary


def acted(plan: Plan, **config: object) -> list[str]:
    settings = settings_of(msgspec.convert(config, Config))
    units = list(decisions(plan.proposals, settings))
    return [unit.action for unit in units]


def test_limits_and_mode_are_told(tmp_path: Path) -> None:
    repo = write_files(tmp_path)
    plan = plan_of([session("a", THRESHOLD), session("b", HOURS), session("c", TOOL)], repo)
    assert acted(plan) == ["would-open", "would-open", "queued"]
    assert acted(plan, max_open_prs=1) == ["would-open", "queued", "queued"]
    assert acted(plan, mode="preview") == ["skipped"] * 3
    for mode in ("preview", "propose"):
        settings = settings_of(msgspec.convert({"mode": mode, "max_open_prs": 1}, Config))
        assert would_propose(plan, settings) == 1


def test_what_a_gate_stops_is_blocked_with_its_reason(tmp_path: Path) -> None:
    repo = write_files(tmp_path)
    hidden = msgspec.structs.replace(THRESHOLD, new="above \u200b$25,000 go")
    weak = session("b", HOURS, verified=False)
    plan = plan_of([session("a", hidden), weak], repo)
    told = {unit.action: unit.reason for unit in decisions(plan.proposals, settings_of(Config()))}
    assert told.keys() == {"blocked", "skipped"}
    assert told["blocked"].startswith("G4: ")
    assert "not proved by the repository" in told["skipped"]


def test_what_a_size_cap_leaves_over_is_queued(tmp_path: Path) -> None:
    repo = write_files(tmp_path)
    travel = Edit(THRESHOLD.path, "UPDATE", "booked on Fridays", "booked on Mondays")
    results = [session("a", THRESHOLD), session("b", THRESHOLD), session("c", travel)]
    plan = plan_of(results, repo, Limits(max_changed_lines_per_pr=2))
    assert acted(plan) == ["would-open", "queued"]


def test_files_of_an_earlier_run_go_and_others_stay(tmp_path: Path) -> None:
    repo = write_files(tmp_path / "repo")
    (tmp_path / "0123abcd.patch").write_text("old")
    (tmp_path / "notes.md").write_text("mine")
    plan = msgspec.structs.replace(plan_of([], repo), proposals=())
    assert DryRun(tmp_path, settings_of(Config())).publish(plan).units == ()
    assert not (tmp_path / "0123abcd.patch").exists()
    assert (tmp_path / "notes.md").read_text() == "mine"
    assert "0 changes" in (tmp_path / "summary.md").read_text()
