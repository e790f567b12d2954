"""G9: a change stays small enough to be read, and a whole file is not removed by default."""

from __future__ import annotations

from collections.abc import Mapping

from bot.gates.inputs import Inputs, added, removed
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import GateResult, Limits


def size(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Blocked over the caps on files, lines and growth."""
    limits, files = inputs.limits, change_set.files
    if len(files) > limits.max_files_per_pr:
        return _over(f"{len(files)} files; max_files_per_pr is {limits.max_files_per_pr}")
    lines = sum(len(added(file)) + len(removed(file)) for file in files)
    if lines > limits.max_changed_lines_per_pr:
        most = limits.max_changed_lines_per_pr
        return _over(f"{lines} changed lines; max_changed_lines_per_pr is {most}")
    for file in files:
        growth = len(added(file)) - len(removed(file))
        if file.operation == "UPDATE" and growth > _room(file, inputs.repo.texts, limits):
            return _over(f"{file.path} would grow by {growth} lines; see max_growth_per_file")
    return GateResult("G9", "passed")


def deletion(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Draft where a whole file goes and the configuration does not allow that."""
    gone = [file.path for file in change_set.files if file.operation == "DELETE"]
    if gone and not inputs.limits.allow_file_delete:
        reason = f"{', '.join(gone)} would be removed as a whole; allow_file_delete is false"
        return GateResult("DELETE", "draft", reason)
    return GateResult("DELETE", "passed")


def removes_a_file(change_set: ChangeSet) -> bool:
    """Whether a whole file goes."""
    return any(file.operation == "DELETE" for file in change_set.files)


def _room(file: FileChange, texts: Mapping[str, str], limits: Limits) -> int:
    lines = texts.get(file.path, "").count("\n")
    growth = limits.max_growth_per_file
    return max(growth.lines, lines * growth.percent // 100)


def _over(reason: str) -> GateResult:
    return GateResult("G9", "blocked", reason)
