"""Everything that a run reads before it writes: pull requests, comments, the dashboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from bot.forges import board
from bot.forges.board import find_board
from bot.forges.client import ask
from bot.forges.closed import ancestry, light, over
from bot.forges.hub import Hub
from bot.forges.inbox import Inbox, collect
from bot.forges.inspect import opened
from bot.forges.pulls import Ours, our_pulls
from bot.lifecycle.commands import decided
from bot.lifecycle.dashboard import Memory, Tick, hidden_name, served
from bot.lifecycle.facts import Decided, Pull
from bot.lifecycle.history import Present
from bot.lifecycle.traffic import moment
from bot.records.plan import Plan
from bot.records.report import Proposal


class Snapshot(msgspec.Struct, frozen=True):
    """GitHub as one run finds it. `memory` is the dashboard's after the boxes in `acted` were
    heeded, `branches` maps our branches to their commits, `foreign` counts look-alikes."""

    ours: Mapping[int, Ours]
    present: Present
    inbox: Inbox
    board: board.Found
    memory: Memory
    acted: frozenset[Tick]
    branches: Mapping[str, str]
    foreign: int

    @property
    def is_preview(self) -> bool:
        """Whether a person wants this run to look only."""
        return any(tick.action == "run-preview" for tick in self.acted)


def snapshot(hub: Hub, plan: Plan) -> Snapshot:
    """Reads, and writes nothing."""
    publishing, lifecycle = hub.settings.publishing, hub.settings.lifecycle
    since = hub.now - timedelta(days=lifecycle.look_back_days)
    found = our_pulls(hub.repo, hub.logins, publishing.branch_prefix, since)
    dashboard = find_board(hub)
    memory, acted = served(dashboard.memory, dashboard.ticks, hub.now)
    inbox = collect(hub, found.ours, dashboard.number, since)
    people = _with_boxes(decided(inbox.words), memory, hub)
    branches = _branches(hub)
    looked = _looked_at(plan, found.ours, branches, memory)
    contains = ancestry(hub)

    def facts(one: Ours) -> Pull:
        if one.state == "open":
            return opened(hub, one, people, inbox.spoken.get(one.number))
        return over(hub, one, plan.observed, contains) if one.number in looked else light(hub, one)

    present = Present(
        pulls=tuple(map(facts, found.ours)),
        decided=people,
        observed={one.session: one for one in plan.observed},
        limits=hub.settings.limits,
        lifecycle=lifecycle,
        now=hub.now,
        partial=plan.partial,
        reading=None if plan.unlisted else plan.reading,
    )
    numbers = {one.number: one for one in found.ours}
    return Snapshot(numbers, present, inbox, dashboard, memory, acted, branches, found.foreign)


def proposals(plan: Plan) -> Sequence[Proposal]:
    """Every proposal and every part of one."""
    return [part for whole in plan.proposals for part in (whole, *whole.alone)]


def _with_boxes(people: Decided, memory: Memory, hub: Hub) -> Decided:
    """What commands say, with what boxes say: a box takes back what was ignored before it."""
    kept = {}
    for name, word in people.ignored.items():
        again = moment(memory.unignored.get(hidden_name(name)), hub.now)
        if again is None or again < word.when:
            kept[name] = word
    return replace(
        people,
        ignored=kept,
        approved=_times(memory.approved, hub),
        again=_times(memory.again, hub),
        resumed=moment(memory.resumed, hub.now),
    )


def _times(ticked: Mapping[str, str], hub: Hub) -> dict[str, datetime]:
    read = {name: moment(stamp, hub.now) for name, stamp in ticked.items()}
    return {name: at for name, at in read.items() if at is not None}


def _branches(hub: Hub) -> Mapping[str, str]:
    # The list comes whole, and has no pages to ask for.
    path = f"{hub.repo.url}/git/matching-refs/heads/{hub.settings.publishing.branch_prefix}/"
    _, refs = ask("list branches", lambda: hub.repo.requester.requestJsonAndCheck("GET", path))
    found = msgspec.convert(refs, list[_Ref])
    return {ref.ref.removeprefix("refs/heads/"): ref.object.sha for ref in found}


class _Object(msgspec.Struct, frozen=True):
    sha: str


class _Ref(msgspec.Struct, frozen=True):
    ref: str
    object: _Object


def _looked_at(
    plan: Plan,
    ours: Sequence[Ours],
    branches: Mapping[str, str],
    memory: Memory,
) -> frozenset[int]:
    """Those over ones whose patch matters: for the plan, for their watch, or for their branch."""
    parts = proposals(plan)
    units = {part.change_set.unit_id for part in parts}
    findings = {name for part in parts for name in part.change_set.finding_ids}
    creates = any(f.operation == "CREATE" for part in parts for f in part.change_set.files)
    settled = {watch.number for watch in memory.watch if watch.outcome}
    return frozenset(
        one.number
        for one in ours
        if one.handle.head.ref in branches
        or (one.state == "merged" and one.number not in settled)
        or (one.marker is not None and one.marker.unit in units)
        or findings & {*one.findings}
        or creates
    )
