"""The sessions of a suite: every fault in turn, users in the wrong, and controls, mixed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bot.bench.session import Session as Checked
from bot.bench.simulate.facts import Fact
from bot.bench.simulate.fault import Fault, Kind
from bot.bench.simulate.label import label
from bot.bench.simulate.library import Library
from bot.bench.simulate.phrases import Talk
from bot.bench.simulate.plan import Quota, language, length
from bot.bench.simulate.scene import Play, Scene
from bot.bench.simulate.scripts import SCRIPTS, content, mistaken, slipped
from bot.bench.simulate.session import Marked, play
from bot.bench.simulate.step import VERSIONS
from bot.bench.suite import Label, Suite
from bot.bench.verify import CHECKS
from bot.context.repo import ContextRepo

SLIPS = 0.35
ATTEMPTS = 8
DECOYS = 6
# What the user must be able to say in a language, so that a session can be held in it.
ACTS = {
    "stale": "user.correct_value",
    "gap": "user.missing",
    "term": "user.elsewhere",
    "title": "user.elsewhere",
    "member": "user.tool_failed",
    "optional": "user.tool_failed",
    "format": "user.tool_failed",
    "unit": "user.tool_amount",
}


class Cast(msgspec.Struct, frozen=True):
    """What sessions are played from, once the faults are in: `sound` facts are untouched."""

    repo: ContextRepo
    library: Library
    talk: Talk
    sound: tuple[Fact, ...]
    home: str
    seed: str


class Session(msgspec.Struct, frozen=True):
    """A played session with its label."""

    played: Marked
    label: Label


class Order(msgspec.Struct, frozen=True):
    """One session to be played: its kind, its number among its kind, and its fault, if any."""

    kind: Kind
    number: int
    fault: Fault | None


def sessions(cast: Cast, faults: Sequence[Fault], planned: Sequence[Quota]) -> tuple[Session, ...]:
    """All of them, in random order. Raises `ValueError` where one does not pass its checks."""
    orders = [
        Order(quota.kind, number, own[number % len(own)] if own else None)
        for quota in planned
        for own in ([fault for fault in faults if fault.kind == quota.kind],)
        for number in range(quota.sessions)
    ]
    random.Random(f"{cast.seed}/order").shuffle(orders)
    return tuple(_session(cast, order, place) for place, order in enumerate(orders))


def _session(cast: Cast, order: Order, place: int) -> Session:
    wrong: list[str] = []
    for attempt in range(ATTEMPTS):
        seed = f"{cast.seed}/{order.kind}/{order.number}/{attempt}"
        found = _attempt(cast, order, place, seed)
        wrong = problems(cast, found) if found else ["no fact fits"]
        if found and not wrong:
            return found
    raise ValueError(f"{order.kind} {order.number}: {wrong[0]}")


def _attempt(cast: Cast, order: Order, place: int, seed: str) -> Session | None:
    draw = random.Random(f"{seed}/scene")
    act = ACTS[order.fault.flaw] if order.fault else "user.mistaken"
    scene = Scene(
        cast.library,
        cast.talk,
        draw.choice(VERSIONS),
        language(cast.home, act, draw),
        cast.home,
        seed,
    )
    part, home = _part(cast, order, scene)
    if part is None:
        return None
    some = draw.sample(cast.sound, min(10 * DECOYS, len(cast.sound)))
    decoys = [fact for fact in some if cast.library.near(fact.path, home)][:DECOYS]
    played = play(scene, part, decoys, length(draw), place)
    return Session(played, label(played, order.fault, content=order.kind == "CONTROL"))


def _part(cast: Cast, order: Order, scene: Scene) -> tuple[Play | None, str]:
    """The part that counts, and the file that it is about."""
    if order.fault is not None:
        return SCRIPTS[order.fault.flaw](scene, order.fault), order.fault.source or order.fault.path
    if order.kind == "CONTROL":
        fact = scene.draw.choice(cast.sound)
        return content(scene, fact), fact.path
    script = slipped if scene.draw.random() < SLIPS else mistaken
    valued = [fact for fact in cast.sound if fact.value]
    for fact in scene.draw.sample(valued, len(valued)):
        if (part := script(scene, fact)) is not None:
            return part, fact.path
    return None, ""


def problems(cast: Cast, session: Session) -> list[str]:
    """What the checks of a benchmark find wrong with a session."""
    trajectory = session.played.trajectory
    suite = Suite("", Path(), (trajectory,), {}, (), ())
    seen = Checked(trajectory, session.label, suite, cast.repo)
    return [problem for check in CHECKS.values() for problem in check(seen)]
