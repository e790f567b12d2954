"""G7: a change that widens what an agent may do, or weakens a guard, waits for a person."""

from __future__ import annotations

import re
from collections import Counter

from bot.gates.inputs import Inputs, added, frontmatter, removed
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import GateResult

# Frontmatter keys that give an agent tools, rights, a network or another model.
POWERS = re.compile(
    r"^[ \t\"']*(?P<key>(?:allowed|disallowed|mcp)?[-_ ]?(?:tools?|servers?)|permissions?"
    r"|permission[-_]?mode|network|model|hooks?|sandbox|env|command|approval[-_]?policy)"
    r"[\"']?[ \t]*:",
    re.I | re.M,
)
FETCH_AND_RUN = re.compile(
    r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|;&]{0,200}[|;&]{1,2}\s*(?:sudo\s+)?"
    r"(?:ba|z|da|k)?sh\b|\b(?:ba|z)?sh\s+(?:-c\s+[\"']?)?[<$]\(\s*(?:curl|wget)"
    r"|\biex\s*\(|\beval\s+[\"']?\$\(|\bpowershell\b[^\n]{0,80}-e(?:nc)?\b|\b(?:python3?|node)\s+<\(",
    re.I,
)
HOST = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://(?:[^\s/@]{0,200}@)?([\w.-]+)", re.I)


def authority(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Draft, with the label `safety-sensitive`, where an agent's powers or guards change."""
    for file in change_set.files:
        for reason in (
            _gained_power(file, inputs.repo.texts.get(file.path)),
            _fetches_and_runs(file),
            _new_host(file, inputs),
            _weakened(file, inputs.limits.protected_patterns),
        ):
            if reason:
                return GateResult("G7", "draft", f"{file.path} {reason}")
    return GateResult("G7", "passed")


def _gained_power(file: FileChange, old: str | None) -> str:
    before, after = (_powers(frontmatter(text or "")) for text in (old, file.new_text))
    gained = after - before
    if gained:
        return f"would give the agent another `{sorted(gained)[0][0]}` in its frontmatter"
    return ""


def _powers(head: str | None) -> set[tuple[str, str]]:
    """Each power with the lines that grant it, up to the next key of the same level."""
    if head is None:
        return set()
    found = set()
    for match in POWERS.finditer(head):
        granted = re.split(r"\n(?=[^\s#-])", head[match.end() :], maxsplit=1)[0]
        found.add((match["key"].lower(), " ".join(granted.split())))
    return found


def _fetches_and_runs(file: FileChange) -> str:
    if FETCH_AND_RUN.search("\n".join(added(file))) and not FETCH_AND_RUN.search(
        "\n".join(removed(file))
    ):
        return "would tell the agent to fetch a program and run it"
    return ""


def _new_host(file: FileChange, inputs: Inputs) -> str:
    hosts = {host.lower() for host in HOST.findall("\n".join(added(file)))}
    unknown = {
        host
        for host in hosts
        if not any(host in text.lower() for text in inputs.repo.texts.values())
    }
    return "would name a host that no file of the repository names" if unknown else ""


def _weakened(file: FileChange, patterns: tuple[str, ...]) -> str:
    """A protected phrase that is taken away and does not come back in the added lines."""
    old, new = (" ".join(" ".join(lines).lower().split()) for lines in (removed(file), added(file)))
    before, after = (Counter({p: text.count(p.lower()) for p in patterns}) for text in (old, new))
    lost = before - after
    return f"would remove a guard (`{sorted(lost)[0]}`)" if lost else ""
