"""What GitHub says of our pull requests, as plain facts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

import msgspec

from bot.identity.marker import Marker
from bot.lifecycle.hunks import Hunk

Closer = Literal["person", "bot", "us"]


class Pull(msgspec.Struct, frozen=True):
    """One pull request of ours. `marker` is None where a later release wrote it.

    `digest` is that of what the branch holds now (of a merged one: what was merged), None where
    that cannot be ours; `hunks` are its changed places. `touched_at` is when a person last did
    anything there; `witnesses` maps the sessions that its body shows to when they began, as it
    says that.
    """

    number: int
    url: str
    state: Literal["open", "closed", "merged"]
    branch: str
    head: str
    marker: Marker | None
    generation: int
    opened_at: datetime
    touched_at: datetime
    digest: str | None = None
    paths: frozenset[str] = frozenset()
    hunks: tuple[Hunk, ...] = ()
    witnesses: Mapping[str, str] = {}

    # Only of open ones. `gone` says in a sentence why it has become pointless, `renamed` that a
    # file of it has another name in the base by now, `reopened` that a person opened
    # it again, so that it is not ours to close, `unrecorded` that a run of ours pushed and was
    # cut off before it wrote that into the body; `spent` that its label calls the evidence
    # expired, or that a person took that label off; `carried` are its files' texts (None: no
    # file) with the proposal applied to the base of now, empty where that cannot be done exactly.
    held: bool = False
    contested: bool = False
    conflicts: bool = False
    behind: bool = False
    gone: str = ""
    renamed: bool = False
    reopened: bool = False
    unrecorded: bool = False
    spent: Literal["", "told", "waived"] = ""
    carried: dict[str, str | None] = {}

    # Only of closed and merged ones. `fresh` are the sessions of this run that ran with what was
    # merged.
    closer: Closer = "person"
    closed_by: str = ""
    closed_at: datetime | None = None
    reverted: bool = False
    fresh: frozenset[str] = frozenset()

    @property
    def findings(self) -> frozenset[str]:
        """What it is about, under present and earlier ids."""
        return (
            frozenset((*self.marker.findings, *self.marker.aliases)) if self.marker else frozenset()
        )

    @property
    def is_ours_alone(self) -> bool:
        """Whether its branch holds exactly what we proposed."""
        return self.marker is not None and self.digest == self.marker.patch


class Decided(msgspec.Struct, frozen=True):
    """What people told us by commands and on the dashboard, about findings, files and kinds.

    `ignored` maps a finding, a path or a kind to who said so, when and why; `snoozed` maps
    findings to the day on which they may come again. `rebuild` are pull requests that a person
    wants made anew, with leave to drop others' commits or without; `holds` those to be left alone
    from this run on, or no longer. `approved` and `again` map findings that a person wants
    opened to when that was said, `resumed` is when a person last asked to go on after a pause.
    """

    ignored: dict[str, Word] = {}
    snoozed: dict[str, datetime] = {}
    rebuild: dict[int, bool] = {}
    holds: dict[int, bool] = {}
    approved: dict[str, datetime] = {}
    again: dict[str, datetime] = {}
    resumed: datetime | None = None


class Word(msgspec.Struct, frozen=True):
    """Who decided, when, why in their words (made harmless where they are shown), until when."""

    who: str
    when: datetime
    why: str = ""
    until: datetime | None = None
