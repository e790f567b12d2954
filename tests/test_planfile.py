"""A plan is read only if it is small, of this version and what it says it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot import planfile
from bot.errors import ConfigError
from bot.records.change import Edit
from bot.records.plan import Observed, Plan
from tests.proposals import HOURS, THRESHOLD, plan_of, session, write_files


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    repo = write_files(tmp_path_factory.mktemp("repo"))
    return plan_of([session("s1", THRESHOLD), session("s2", HOURS)], repo)


def test_read_as_written(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    planfile.write(plan, path)
    assert planfile.read(path) == plan
    assert json.loads(path.read_text())["schema"] == "trace-bot/plan/v1"


def altered(plan: Plan, tmp_path: Path, change: Callable[[Any], None]) -> Path:
    path = tmp_path / "plan.json"
    planfile.write(plan, path)
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    return path


def unit(data: Any) -> Any:
    return data["proposals"][0]["change_set"]


def pull(data: Any) -> Any:
    return data["proposals"][0]["pull_request"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d.update(schema="trace-bot/plan/v2"), "not `trace-bot/plan/v1`"),
        (lambda d: d.pop("base_branch"), "not a plan"),
        (lambda d: unit(d).update(state="sure"), "not a plan"),
        (lambda d: unit(d).update(patch_digest="0" * 64), "patch digest"),
        (lambda d: unit(d)["files"][0].update(diff="--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"), "patch"),
        (lambda d: unit(d)["sessions"].append("s9"), "evidence digest"),
        (lambda d: pull(d)["files"].extend(unit(d)["files"]), "another change set"),
        (lambda d: pull(d).update(unit_id="00000000"), "another change set"),
        (lambda d: unit(d)["files"].clear(), "changes nothing"),
        (lambda d: pull(d).update(draft=True), "draft state"),
        (lambda d: pull(d).update(branch="main"), "branch"),
        (lambda d: pull(d).update(branch="trace-bot/kb/x-00000000"), "branch"),
        (lambda d: pull(d).update(title="x" * 73), "title"),
        (lambda d: pull(d).update(body="no marker"), "marker"),
        (lambda d: unit(d)["finding_ids"].append("tb-0000000000"), "marker"),
    ],
)
def test_altered_plans_are_refused(
    plan: Plan, tmp_path: Path, change: Callable[[Any], None], reason: str
) -> None:
    path = altered(plan, tmp_path, change)
    with pytest.raises(ConfigError, match=reason) as caught:
        planfile.read(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff\xfe", b"{" * 100_000, b'{"schema": 1}'])
def test_anything_else_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(data)
    with pytest.raises(ConfigError):
        planfile.read(path)


def test_missing_and_huge_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    with pytest.raises(ConfigError, match="no plan can be read"):
        planfile.read(path)
    with pytest.raises(ConfigError, match="no plan can be read"):
        planfile.read(tmp_path)
    path.write_bytes(b" " * (planfile.MAX_BYTES + 1))
    with pytest.raises(ConfigError, match="at most 2 MB"):
        planfile.read(path)


def test_sessions_that_were_fine_give_way_to_the_limit(plan: Plan, tmp_path: Path) -> None:
    fine = [
        Observed(f"fine-{at}" * 9, "p", files=("knowledge_base/hours.md",)) for at in range(9_000)
    ]
    failed = Observed("bad", "p", findings=("tb-abcdefghij",))
    path = tmp_path / "plan.json"
    assert planfile.write(msgspec.structs.replace(plan, observed=(*fine, failed)), path) == 0
    read = planfile.read(path)
    assert read.proposals == plan.proposals
    assert read.observed[0] == failed
    assert 100 < len(read.observed) < 9_000


def test_the_last_by_rank_give_way_to_the_limit(tmp_path: Path) -> None:
    long = "# Long\n\n" + ("Pay " * 25 + "\n") * 9_000 + "A.\n"
    paths = [f"knowledge_base/{name}.md" for name in "abc"]
    repo = write_files(tmp_path / "repo", dict.fromkeys(paths, long))
    edits = [Edit(path, "UPDATE", "\nB.\n", "\nA.\n") for path in paths]
    doubt = session("s0", edits[0], verified=False)
    plan = plan_of([doubt, session("s1", edits[1]), session("s2", edits[2])], repo)
    path = tmp_path / "plan.json"
    assert planfile.write(plan, path) == 1
    assert path.stat().st_size <= planfile.MAX_BYTES
    assert [p.change_set.state for p in planfile.read(path).proposals] == ["ready", "ready"]
