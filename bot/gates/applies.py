"""G2: the diff is exactly the step from the recorded base text to the new text."""

from __future__ import annotations

from bot.context.diff import blob_sha, unified_diff
from bot.gates.inputs import Inputs
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import GateResult


def applies(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Dropped where the base has another content by now, or the diff says something else."""
    for file in change_set.files:
        base = inputs.repo.texts.get(file.path)
        if blob_sha(base) != file.base_sha:
            return GateResult("G2", "dropped", f"{file.path} has changed since the analysis")
        if not _whole(file, base):
            return GateResult("G2", "dropped", f"the diff of {file.path} does not apply exactly")
    return GateResult("G2", "passed")


def _whole(file: FileChange, base: str | None) -> bool:
    agrees = {
        "CREATE": base is None and file.new_text is not None,
        "UPDATE": base is not None and file.new_text is not None,
        "DELETE": base is not None and file.new_text is None,
    }
    return agrees[file.operation] and file.diff == unified_diff(file.path, base, file.new_text)
