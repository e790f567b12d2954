"""Whether the sessions that a proposal rests on are still where sessions are read (T21). Pure.

A run that read all stores to their end tells of it: a session of the evidence that began in the
time that was read, and was not there, has expired, was deleted, came from a file, or is left out by
filters that are newer. One whose words alone were taken out looks like one that went well, and no
source says which of the two it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.defang import cell
from bot.identity.names import UNVERIFIED
from bot.lifecycle.facts import Pull
from bot.lifecycle.history import Present
from bot.lifecycle.traffic import moment
from bot.records.plan import Limits
from bot.reports.body import RUN_LENGTH


def is_spent(pull: Pull, present: Present) -> bool:
    """Whether fewer of its sessions are left than it would need to be opened.

    The label says so from then on, since the next run reads another time; it holds until enough
    of the sessions are seen again. A person who takes it off has decided.
    """
    if pull.marker is None or pull.spent == "waived" or present.partial:
        return pull.spent == "told"
    needed = _needed(pull, present.limits)
    seen = _seen(present)
    if sum(name in seen for name in pull.witnesses) >= needed:
        return False
    lost = len(list(_lost(pull, present, seen)))
    return pull.spent == "told" or (lost > 0 and pull.marker.count - lost < needed)


def _lost(pull: Pull, present: Present, seen: frozenset[str]) -> Iterator[str]:
    """The sessions in its evidence that a whole reading of their time did not show."""
    if present.reading is None or not present.reading.until:
        return
    since = moment(present.reading.since or "0001-01-01", present.now)
    until = moment(present.reading.until, present.now)
    if since is None or until is None:
        return
    for name, when in pull.witnesses.items():
        began = moment(when, present.now)
        if name not in seen and began is not None and since <= began <= until:
            yield name


def _seen(present: Present) -> frozenset[str]:
    """The sessions of this run as an evidence table shows them."""
    return frozenset(cell(name, RUN_LENGTH) for name in present.observed)


def _needed(pull: Pull, limits: Limits) -> int:
    """The evidence bar that it met: that of users' words where it had so many sessions."""
    marker = pull.marker
    if marker and UNVERIFIED in marker.labels and marker.count >= limits.min_trajectories:
        return limits.min_trajectories
    return limits.min_trajectories_verified
