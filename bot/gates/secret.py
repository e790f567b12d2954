"""G5 and G12: no secret and no personal data goes into the repository by our hand."""

from __future__ import annotations

import re

from bot import redact
from bot.gates.inputs import Inputs, all_added, removed
from bot.records.change import ChangeSet
from bot.records.plan import GateResult

REDACTED = re.compile(r"\[redacted:[A-Z_]+\]")


def secret(change_set: ChangeSet, _: Inputs) -> GateResult:
    """Blocked where added lines hold a token, a key or a random-looking string of a kind that
    the lines they replace did not hold."""
    before = redact.secrets("\n".join(line for f in change_set.files for line in removed(f)))
    kinds = [kind for kind in redact.secrets(all_added(change_set)) if kind not in before]
    if kinds:
        return GateResult("G5", "blocked", f"the change would add a secret ({', '.join(kinds)})")
    return GateResult("G5", "passed")


def personal(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Blocked where added lines hold personal data, or a name of the list, that no file of the
    repository has yet, or what stands for it in a text that was redacted."""
    added = all_added(change_set)
    found = (*redact.personal(added, inputs.limits.redact_names), *REDACTED.findall(added))
    new = [value for value in found if not _stands(value, inputs)]
    if new:
        return GateResult(
            "G12", "blocked", f"the change would add personal data ({len(new)} places)"
        )
    return GateResult("G12", "passed")


def _stands(value: str, inputs: Inputs) -> bool:
    return any(value in text for text in inputs.repo.texts.values())
