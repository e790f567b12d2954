"""G2: the diff is exactly the step from the recorded base text to the new text."""

from __future__ import annotations

import hashlib

from bot.context.diff import unified_diff
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


def blob_sha(text: str | None) -> str | None:
    """The id that git gives a file of this content (SHA-1 repositories); None for no file."""
    if text is None:
        return None
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def _whole(file: FileChange, base: str | None) -> bool:
    agrees = {
        "CREATE": base is None and file.new_text is not None,
        "UPDATE": base is not None and file.new_text is not None,
        "DELETE": base is not None and file.new_text is None,
    }
    return agrees[file.operation] and file.diff == unified_diff(file.path, base, file.new_text)
