"""A change of one file as gates see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bot.context.diff import file_change, patch_digest
from bot.context.repo import ContextRepo
from bot.gates.inputs import Inputs
from bot.records.change import ChangeSet
from bot.records.plan import GateResult, Limits
from tests.proposals import write_files

Texts = Mapping[str, str | None]
Gate = Callable[[ChangeSet, Inputs], GateResult]


@pytest.fixture
def repo(tmp_path: Path) -> ContextRepo:
    return write_files(tmp_path)


def change(repo: ContextRepo, texts: Texts) -> ChangeSet:
    """The change set that gives these files these texts."""
    files = tuple(file_change(p, repo.texts.get(p), text) for p, text in sorted(texts.items()))
    return ChangeSet(
        "00000000", ("tb-x",), "SKILL_FILE_STALE", "UPDATE", "SYSTEMIC", "ready", ("s",), 1, 0.9,
        files, patch_digest=patch_digest(files),
    )  # fmt: skip


def outcome(
    gate: Gate,
    repo: ContextRepo,
    texts: Texts,
    *spans: str,
    limits: Limits = Limits(),  # noqa: B008 - a frozen record
) -> str:
    """What the gate says of giving these files these texts."""
    result = gate(change(repo, texts), Inputs(repo, limits, spans))
    assert (result.reason == "") == (result.outcome == "passed")
    return result.outcome


def grown(repo: ContextRepo, path: str, line: str) -> Texts:
    """The file with one line more at its end."""
    return {path: repo.texts[path] + line + "\n"}
