"""The table of transitions: every row is reached, and no state is let do what it may not."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from bot.identity.marker import Marker
from bot.lifecycle.facts import Pull
from bot.lifecycle.state import RULES, State, state_of
from bot.lifecycle.table import ANY, TRANSITIONS, Scene, Transition, status, transition

NOW = datetime(2026, 1, 5, tzinfo=UTC)
MARKER = Marker("u", 1, ("tb-a",), (), "digest", "", 1, "", "", "", (), "managed")
PULL = Pull(
    number=1,
    url="",
    state="open",
    branch="b",
    head="0123456789abcdef",
    marker=MARKER,
    generation=1,
    opened_at=NOW,
    touched_at=NOW,
    digest="digest",
)
FLAGS = ("fresh", "rose", "asked", "partial", "keep_updated", "stale", "spent")
FACTS = ("conflicts", "behind", "renamed", "reopened", "unrecorded")

scenes = st.builds(
    lambda state, flags, joined, facts, gone, carried: Scene(
        pull=msgspec.structs.replace(
            PULL, **facts, gone="Gone." if gone else "", carried={"a": "x"} if carried else {}
        ),
        state=state,
        joined=joined,
        **flags,
    ),
    st.sampled_from(sorted(ANY)),
    st.fixed_dictionaries({name: st.booleans() for name in FLAGS}),
    st.integers(0, 3),
    st.fixed_dictionaries({name: st.booleans() for name in FACTS}),
    st.booleans(),
    st.booleans(),
)


def is_allowed(row: Transition, scene: Scene) -> bool:
    """Whether the state lets us do that, and nothing ends for want of sessions or against a person.

    A person's wish is above the state; without its sessions one only ends or is finished.
    """
    may = RULES[scene.state]
    if row.do == "close":
        return may.close and not scene.partial and not scene.pull.reopened
    if row.do in ("redraft", "carry") and row.number != "R3":
        return may.push and (not scene.spent or row.number == "L-14")
    return True


@given(scene=scenes)
def test_no_state_does_what_it_may_not(scene: Scene) -> None:
    row = transition(scene)
    assert is_allowed(row, scene)
    assert status(row, scene).count("{") == 0


def test_every_row_is_reached() -> None:
    reached = set()
    for state, *flags in product(sorted(ANY), *[(False, True)] * len(FLAGS)):
        given_flags = dict(zip(FLAGS, flags, strict=True))
        for facts in product((False, True), repeat=len(FACTS)):
            for gone, carried, joined in product(("", "Gone."), ({}, {"a": "x"}), (0, 1)):
                named = dict(zip(FACTS, facts, strict=True))
                pull = msgspec.structs.replace(PULL, **named, gone=gone, carried=carried)
                scene = Scene(pull, state, joined=joined, **given_flags)
                row = transition(scene)
                assert is_allowed(row, scene), scene
                reached.add(id(row))
    assert reached == {id(row) for row in TRANSITIONS}


def test_states_follow_from_facts() -> None:
    told: list[tuple[dict[str, object], State]] = [
        ({}, "managed"),
        ({"held": True}, "held"),
        ({"contested": True}, "contested"),
        ({"digest": "other", "held": True}, "frozen"),
        ({"digest": None}, "frozen"),
        ({"state": "closed"}, "rejected"),
        ({"state": "closed", "closer": "bot"}, "expired"),
        ({"state": "closed", "closer": "us"}, "obsolete"),
        ({"state": "merged"}, "merged"),
        ({"state": "merged", "reverted": True}, "reverted"),
    ]
    assert [state_of(msgspec.structs.replace(PULL, **facts)) for facts, _ in told] == [
        state for _, state in told
    ]
    assert {state for _, state in told} == set(RULES)
