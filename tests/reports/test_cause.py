"""What a pull request says of its proof is true, and said once."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.context.repo import ContextRepo
from bot.records.change import Edit
from bot.records.finding import FaultCategory, Operation
from bot.records.plan import RunInfo
from bot.records.report import SessionResult
from bot.reports.cause import outranks
from tests.proposals import POLICY, SKILL, THRESHOLD, TOOL, proposals, session, write_files

PROMPT = "prompts/system_prompt.md"
RULE = Edit(PROMPT, "UPDATE", "on payments. Ask procurement.", "on payments.")


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> ContextRepo:
    return write_files(tmp_path_factory.mktemp("repo"))


def claimed(
    edit: Edit,
    source: str | None,
    *,
    verified: bool,
    kind: FaultCategory = "SKILL_FILE_STALE",
    operation: Operation = "UPDATE",
) -> SessionResult:
    one = session("s1", edit, kind=kind, operation=operation, verified=verified)
    assert one.recommendation is not None
    claim = msgspec.structs.replace(one.recommendation, authoritative_source=source)
    return msgspec.structs.replace(one, recommendation=claim)


def body(repo: ContextRepo, result: SessionResult) -> str:
    (made,) = proposals([result], repo, run=RunInfo())
    return made.pull_request.body.partition("### How it was checked")[0]


def test_a_proved_fault_is_settled_and_by_what(repo: ContextRepo) -> None:
    text = body(repo, claimed(THRESHOLD, POLICY, verified=True))
    assert f"verified against `{POLICY}`" in text
    assert f"{POLICY.replace('_', chr(92) + '_')} settles it" in text
    assert f"`{POLICY}` says otherwise and outranks it: a policy over a skill." in text


def test_a_source_that_proves_nothing_settles_nothing(repo: ContextRepo) -> None:
    text = body(repo, claimed(THRESHOLD, POLICY, verified=False))
    assert f"not verified: `{POLICY}` says otherwise" in text
    assert f"`{POLICY}` says otherwise; it was not proved that it wins" in text
    assert "settles" not in text
    assert "outranks" not in text


@pytest.mark.parametrize("verified", [True, False])
def test_nobody_says_otherwise_than_a_file_that_is_silent(
    repo: ContextRepo, verified: bool
) -> None:
    absence = claimed(RULE, POLICY, verified=verified, kind="SYSTEM_PROMPT_GAP", operation="CREATE")
    text = body(repo, absence)
    assert f"`{POLICY}` holds the rule; `{PROMPT}` does not." in text
    assert "says otherwise" not in text
    assert "outranks" not in text
    assert ("settles it" in text) == verified


def test_only_users_say_so(repo: ContextRepo) -> None:
    text = body(repo, claimed(THRESHOLD, None, verified=False))
    assert "not verified: only the user says otherwise" in text
    assert "No file of the repository settles the matter" in text


def test_a_tool_s_own_error_is_a_proof(repo: ContextRepo) -> None:
    text = body(repo, claimed(TOOL, None, verified=True, kind="TOOL_PROMPT_ERROR"))
    assert "verified by a tool's own error" in text
    assert "A tool's own error proves that." in text


def test_scores_of_the_ranking_are_not_told(repo: ContextRepo) -> None:
    text = body(repo, claimed(THRESHOLD, POLICY, verified=True))
    assert "The best other explanation was knowledge that is missing" in text
    assert "against 0" not in text


@pytest.mark.parametrize(
    ("above", "below", "reason"),
    [
        ("supersedes: [docs/b.md]\n", "", ": it supersedes `docs/b.md`"),
        ("", "status: draft\n", ": `docs/b.md` is a draft"),
        ("", "status: withdrawn\n", ": `docs/b.md` is no longer in force"),
        ("authority: policy\n", "authority: note\n", ": a policy over a note"),
        ("updated: 2026-02-01\n", "updated: 2026-01-01\n", ": it is the newer one"),
        ("owner: desk\n", "", ": it has an owner, and `docs/b.md` has none"),
        ("", "", ""),
        ("authority: note\n", "authority: policy\n", ""),
    ],
)
def test_by_what_one_file_outranks_another(
    tmp_path: Path, above: str, below: str, reason: str
) -> None:
    files = {
        f"docs/{name}.md": f"---\ntitle: {name}\n{head}---\n# It\n"
        for name, head in (("a", above), ("b", below))
    }
    repo = write_files(tmp_path, files)
    assert outranks(repo, "docs/a.md", "docs/b.md") == reason


def test_a_skill_and_a_skill_are_told_by_their_rank(tmp_path: Path) -> None:
    files = {
        f"skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: It.\nauthority: {rank}\n---\n"
        for name, rank in (("a", "sop"), ("b", "note"))
    }
    repo = write_files(tmp_path, files)
    assert outranks(repo, "skills/a/SKILL.md", "skills/b/SKILL.md") == ": a procedure over a note"
    assert SKILL not in repo.texts


def test_a_configured_hierarchy_is_named_as_such(tmp_path: Path) -> None:
    files = {
        "trace-bot.yaml": "authority: {hierarchy: [docs/a.md, docs/**]}\n",
        "docs/a.md": "# A\n",
        "docs/b.md": "# B\n",
    }
    repo = write_files(tmp_path, files)
    assert outranks(repo, "docs/a.md", "docs/b.md") == ": trace-bot.yaml ranks it higher"
