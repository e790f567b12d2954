"""A forge that only shows: the same bodies and patches as publishing, as files in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from bot import atomic, planfile
from bot.defang import cell, code, fence
from bot.forges.held import Held, held_back
from bot.identity.names import counted
from bot.records.change import ChangeSet
from bot.records.plan import Plan, Publication, Published
from bot.records.report import Proposal
from bot.reports.actions import MAX_SUMMARY
from bot.settings import Publishing, Settings

OURS = re.compile(r"[0-9a-f]{8}\.(patch|md)")


class DryRun:
    """Writes `<unit>.patch`, `<unit>.md`, `plan.json` and `summary.md`. No token, no network."""

    def __init__(self, out: Path, settings: Settings) -> None:
        self._out = out
        self._settings = settings

    def publish(self, plan: Plan) -> Publication:
        """What publishing would do, as far as that shows without GitHub."""
        self._out.mkdir(parents=True, exist_ok=True)
        for old in self._out.iterdir():
            if OURS.fullmatch(old.name):
                old.unlink()
        units = tuple(decisions(plan.proposals, self._settings))
        for proposal in plan.proposals:
            unit = proposal.change_set.unit_id
            _write(self._out / f"{unit}.patch", patch(proposal.change_set))
            _write(self._out / f"{unit}.md", proposal.pull_request.body)
        planfile.write(plan, self._out / "plan.json")
        _write(self._out / "summary.md", summary(plan, units))
        return Publication(units)


def patch(change_set: ChangeSet) -> str:
    """The whole change as one patch that `git apply` takes."""
    return "".join(file.diff for file in change_set.files)


def summary(plan: Plan, units: Sequence[Published]) -> str:
    """Counts, a ranked table, and each unit's diff, at most 900 KiB."""
    text = "\n".join(_head(plan, units))
    for proposal, unit in zip(plan.proposals, units, strict=True):
        section = "\n".join(_section(proposal, unit))
        if len((text + section).encode()) > MAX_SUMMARY:
            return text + "\n\nThe other changes stand in the patch files.\n"
        text += section
    return text + "\n"


def decisions(proposals: Sequence[Proposal], settings: Settings) -> Iterator[Published]:
    """What publishing would do with each proposal, as far as that shows without GitHub."""
    opened = 0
    for proposal in proposals:
        unit, pull = proposal.change_set, proposal.pull_request
        held = held_back(unit, settings) or _over(opened, settings.publishing)
        if held is None:
            opened += 1
            held = Held("would-open", "would open as a draft" if pull.draft else "would open")
        yield Published(unit.unit_id, held.action, pull.branch, reason=held.reason)


def would_propose(plan: Plan, settings: Settings) -> int:
    """How many pull requests `mode: propose` would open, as far as that shows here."""
    proposing = replace(settings, publishing=replace(settings.publishing, mode="propose"))
    return sum(unit.action == "would-open" for unit in decisions(plan.proposals, proposing))


def _over(opened: int, publishing: Publishing) -> Held | None:
    if opened >= publishing.max_open_prs:
        return Held("queued", f"queued: max_open_prs is {publishing.max_open_prs}")
    if opened >= publishing.max_new_prs_per_run:
        return Held("queued", f"queued: max_new_prs_per_run is {publishing.max_new_prs_per_run}")
    return None


def _head(plan: Plan, units: Sequence[Published]) -> Iterator[str]:
    yield "# trace-bot"
    yield ""
    yield f"{counted(len(units), 'change', 'changes')}, by the {cell(plan.engine)} engine."
    if not units:
        return
    yield ""
    yield "| Unit | Title | State | Sessions | Decision |"
    yield "| --- | --- | --- | --- | --- |"
    for proposal, unit in zip(plan.proposals, units, strict=True):
        change_set = proposal.change_set
        yield (
            f"| {unit.unit_id} | {cell(proposal.pull_request.title)} | {change_set.state} "
            f"| {len(change_set.sessions)} | {cell(unit.reason)} |"
        )


def _section(proposal: Proposal, unit: Published) -> Iterator[str]:
    yield ""
    yield ""
    yield f"## {unit.unit_id}: {cell(proposal.pull_request.title)}"
    yield ""
    yield f"Branch {code(unit.branch)}, patch {code(unit.unit_id + '.patch')}."
    for reason in proposal.change_set.reasons:
        yield f"- {cell(reason)}"
    yield ""
    yield fence(patch(proposal.change_set))


def _write(path: Path, text: str) -> None:
    atomic.write(path, text.encode())
