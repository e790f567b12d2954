"""The transitions of an open pull request as a literal table: the first row that fits decides.

A row's name stands again where what it asks for is done. L-14 heals a run that was cut off. What a
person changed needs no row, since it is never compared with what we wrote; closed ones are for
`bot.lifecycle.history`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import msgspec

from bot.lifecycle.facts import Pull
from bot.lifecycle.state import RULES, State

# `redraft` pushes the plan's proposal, `carry` the standing one on the base of now, `tell` writes
# the status line or the evidence, `close` ends a pointless one, `keep` does nothing.
Deed = Literal["redraft", "carry", "close", "tell", "keep"]


class Scene(msgspec.Struct, frozen=True):
    """An open pull request in one run.

    `fresh` says that the plan has a proposal that can replace it whole, `joined` counts findings
    that are new to it, `rose` that its evidence rose enough to be told. `asked` is a person's
    wish to rebuild it, `partial` that sessions are missing from this run, `spent` that too few
    are left of those that it rests on.
    """

    pull: Pull
    state: State
    fresh: bool = False
    joined: int = 0
    rose: bool = False
    asked: bool = False
    partial: bool = False
    keep_updated: bool = False
    stale: bool = False
    spent: bool = False


class Transition(msgspec.Struct, frozen=True):
    """One row: its number, the states it is for, when it fits, and what is done.

    `status` is a sentence for the pull request, `reason` tells the log why it was rewritten.
    """

    number: str
    states: frozenset[State]
    when: Callable[[Scene], bool]
    do: Deed
    status: str = ""
    reason: str = ""


ANY: Final = frozenset[State]({"managed", "held", "frozen", "contested"})
MANAGED: Final = frozenset[State]({"managed"})
FROZEN: Final = frozenset[State]({"frozen"})
TOLD: Final = frozenset(state for state in ANY if RULES[state].body == "island")

CONFLICT = "it conflicts with its base; `/trace-bot rebuild{flag}` replaces the branch."
WAITING = "{joined} more on the same files, which waits until this one is merged or closed."
THEIRS = "commit {head} is not trace-bot's, so the branch is left alone."
CUT_OFF = "an interrupted run is finished"
ASKED = "made anew, as a person asked"
JOINED = "another finding of the same file joined it"
KEPT = "kept up with its base"
EXPIRED = (
    "the sessions that it rests on were not found where all trace stores were read, so that "
    "nothing more is pushed; `/trace-bot rebuild` makes it anew."
)
POINTLESS = "{gone} It may be closed."


def _may_close(scene: Scene) -> bool:
    return bool(scene.pull.gone) and not scene.partial and not scene.pull.reopened


def _is_renamed(scene: Scene) -> bool:
    return scene.pull.renamed and bool(scene.pull.carried)


def _fits_beside(scene: Scene) -> bool:
    return scene.pull.conflicts and bool(scene.pull.carried)


def _is_fresh(scene: Scene) -> bool:
    return scene.pull.conflicts and scene.fresh


def _is_lost(scene: Scene) -> bool:
    """In conflict, and neither plain code nor the plan can mend it."""
    return scene.pull.conflicts and not scene.partial and not scene.pull.reopened


TRANSITIONS: Final[tuple[Transition, ...]] = (
    Transition("L-14", MANAGED, lambda s: s.pull.unrecorded and s.fresh, "redraft", reason=CUT_OFF),
    Transition("L-14", MANAGED, lambda s: s.pull.unrecorded, "carry", reason=CUT_OFF),
    Transition("R3", ANY, lambda s: s.asked and s.fresh, "redraft", reason=ASKED),
    Transition("R3", ANY, lambda s: s.asked and bool(s.pull.carried), "carry", reason=ASKED),
    Transition("T9", MANAGED, _may_close, "close"),
    Transition("T21", MANAGED, lambda s: s.spent, "tell", EXPIRED),
    Transition("T20", MANAGED, _is_renamed, "carry", reason="it follows its file to another name"),
    Transition("T22", MANAGED, lambda s: s.stale and s.pull.behind and not s.joined, "keep"),
    Transition(
        "T5", MANAGED, _fits_beside, "carry", reason="carried over to the base as it is now"
    ),
    Transition("T5", MANAGED, _is_fresh, "redraft", reason="made anew on the base as it is now"),
    Transition("T5", MANAGED, _is_lost, "close"),
    Transition("T2", MANAGED, lambda s: s.joined > 0 and s.fresh, "redraft", reason=JOINED),
    Transition("T4", MANAGED, lambda s: s.keep_updated and s.pull.behind, "carry", reason=KEPT),
    Transition("T9b", ANY, lambda s: bool(s.pull.gone) and not s.partial, "tell", POINTLESS),
    Transition("T5b", ANY, lambda s: s.pull.conflicts, "tell", CONFLICT),
    Transition("T7", FROZEN, lambda s: True, "tell", THEIRS),
    Transition("T2b", ANY, lambda s: s.joined > 0, "tell", WAITING),
    Transition("T1", TOLD, lambda s: s.rose, "tell"),
    Transition("T3", ANY, lambda s: True, "keep"),
)


def transition(scene: Scene) -> Transition:
    """The row for this scene. The last one fits every scene of an open pull request."""
    fitting = (row for row in TRANSITIONS if scene.state in row.states and row.when(scene))
    return next(fitting)


def status(row: Transition, scene: Scene) -> str:
    """What the pull request's status line says; nothing where there is nothing to say."""
    count = scene.joined
    return row.status.format(
        flag=" --discard-edits" if scene.state == "frozen" else "",
        joined=f"there {'is' if count == 1 else 'are'} {count} finding{'' if count == 1 else 's'}",
        head=scene.pull.head[:12],
        gone=scene.pull.gone,
    )
