"""The plan on disk: the only thing that goes from `analyze` to `publish`, so it is not trusted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec
from msgspec.structs import replace

from bot import atomic
from bot.context.diff import patch_digest
from bot.errors import ConfigError
from bot.identity.ids import evidence_digest
from bot.identity.marker import Marker, parse
from bot.identity.names import TITLE_LENGTH, branch_pattern
from bot.records.plan import SCHEMA, Observed, Plan
from bot.records.report import Proposal

MAX_BYTES = 2 * 1024 * 1024


def write(plan: Plan, path: Path) -> int:
    """Writes the plan as JSON of at most 2 MB. Returns how many proposals had to stay out: first
    candidates, which nobody publishes, then the last by rank, which the next run has again."""
    kept = _fitting(plan.observed)
    plan = replace(plan, observed=kept, unlisted=len(plan.observed) - len(kept))
    proposals = sorted(plan.proposals, key=lambda p: p.change_set.state == "candidate")
    while len(data := encode(replace(plan, proposals=tuple(proposals)))) > MAX_BYTES:
        proposals.pop()
    atomic.write(path, data)
    return len(plan.proposals) - len(proposals)


def _fitting(observed: tuple[Observed, ...]) -> tuple[Observed, ...]:
    """The sessions as far as half of the room goes, those that failed first."""
    kept = tuple(sorted(observed, key=lambda one: not one.findings))
    while len(msgspec.json.encode(kept)) > MAX_BYTES // 4:
        kept = kept[: len(kept) // 2]
    return observed if len(kept) == len(observed) else kept


def encode(plan: Plan) -> bytes:
    """The plan's bytes, indented, with a newline at the end; each file stands in it once."""
    lean = tuple(map(_lean, plan.proposals))
    return msgspec.json.format(msgspec.json.encode(replace(plan, proposals=lean)), indent=1) + b"\n"


def read(path: Path) -> Plan:
    """The plan at a path, with every digest computed again.

    Raises `ConfigError` where it is too large, no plan of this version, or not what it says.
    """
    try:
        with path.open("rb") as file:
            # No more than that is ever held, whatever the file says of its size.
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: no plan can be read here; write one with `analyze`") from error
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: a plan has at most 2 MB, this file has more")
    try:
        plan = msgspec.json.decode(data, type=Plan)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a plan of this version; run `analyze` again") from error
    if plan.schema != SCHEMA:
        raise ConfigError(f"{path}: the plan is not `{SCHEMA}`; run `analyze` of this release")
    for proposal in plan.proposals:
        for part in (proposal, *proposal.alone):
            for fault in _faults(part):
                unit = part.change_set.unit_id
                raise ConfigError(f"{path}: unit {unit!r}: {fault}; run `analyze` again")
    return replace(plan, proposals=tuple(map(_whole, plan.proposals)))


def _lean(proposal: Proposal) -> Proposal:
    pull = replace(proposal.pull_request, files=())
    return replace(proposal, pull_request=pull, alone=tuple(map(_lean, proposal.alone)))


def _whole(proposal: Proposal) -> Proposal:
    pull = replace(proposal.pull_request, files=proposal.change_set.files)
    return replace(proposal, pull_request=pull, alone=tuple(map(_whole, proposal.alone)))


def _faults(proposal: Proposal) -> Iterator[str]:
    change_set, pull = proposal.change_set, proposal.pull_request
    if not change_set.files:
        yield "it changes nothing"
    if any(len(part.change_set.finding_ids) != 1 or part.alone for part in proposal.alone):
        yield "a part of it is more than one finding"
    if patch_digest(change_set.files) != change_set.patch_digest:
        yield "the patch digest does not fit the files"
    if evidence_digest(change_set.sessions) != change_set.evidence_digest:
        yield "the evidence digest does not fit the sessions"
    if pull.files or pull.unit_id != change_set.unit_id:
        yield "the pull request belongs to another change set"
    if pull.draft != (change_set.state != "ready"):
        yield "the pull request and the change set disagree on the draft state"
    prefix = str(PurePosixPath(pull.branch).parent.parent)
    matched = branch_pattern(prefix).fullmatch(pull.branch)
    if matched is None or matched["unit"] != change_set.unit_id:
        yield "the branch has no name of ours"
    if len(pull.title) > TITLE_LENGTH or "\n" in pull.title:
        yield "the title is too long"
    marker = parse(pull.body)
    if not isinstance(marker, Marker) or _told(marker) != _meant(proposal):
        yield "the body's marker says something else"


def _told(marker: Marker) -> tuple[str, tuple[str, ...], str, str]:
    return (marker.unit, marker.findings, marker.patch, marker.evidence)


def _meant(proposal: Proposal) -> tuple[str, tuple[str, ...], str, str]:
    unit = proposal.change_set
    return (unit.unit_id, unit.finding_ids, unit.patch_digest, unit.evidence_digest)
