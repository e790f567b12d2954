"""Plays a session: the faulty exchange among others, up to its length, then ids and times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from bot.bench.simulate.facts import Fact
from bot.bench.simulate.scene import Correction, Play, Scene
from bot.bench.simulate.scripts import answered
from bot.bench.simulate.step import (
    Exchange,
    Mark,
    Step,
    call,
    failed_call,
    hear,
    prompt,
    respond,
    think,
)
from bot.records.trajectory import Agent, Node, Trajectory, Turn
from bot.utc import stamp

START = datetime(2026, 2, 2, 8, tzinfo=UTC)
APART = timedelta(minutes=53)
ERRORS = ("upstream timed out after 20 s", "temporarily unavailable, code 503", "connection reset")


class Marked(msgspec.Struct, frozen=True):
    """A finished session: which node has to do with the fault how, and where the user objects."""

    trajectory: Trajectory
    marks: dict[str, Mark]
    correction: Correction
    objection: int


class Outline:
    """A session while it grows: exchanges before and after the one that counts, and the end."""

    def __init__(self, scene: Scene, part: Play, decoys: Sequence[Fact]) -> None:
        self.scene, self.part = scene, part
        self.decoys = iter(decoys)
        self.before: list[Exchange] = []
        self.main = part.exchange
        self.after: list[Exchange] = []
        self.heard = self.closed = self.prompted = self.failed = False

    def grow(self, nodes: int) -> None:
        """Adds steps and exchanges until there are that many nodes, or nothing more fits."""
        left = nodes - len(self.main.steps)
        if left > 0:
            self.main = _with(self.main, 0, hear(self.main.said, "question"))
            left -= 1
        options = list(PADS)
        while left > 0 and options:
            name = self.scene.draw.choice(options)
            used = PADS[name](self, left)
            if not used:
                options.remove(name)
            left -= used

    def decoy(self, left: int) -> int:
        """Another question, answered rightly."""
        fact = next(self.decoys, None) if left >= 3 else None
        if fact is None:
            return 0
        exchange = answered(self.scene, fact)
        whole = _with(exchange, 0, hear(exchange.said, "question"))
        later = not self.after and self.scene.draw.random() < 0.2
        (self.after if later else self.before).append(whole)
        return len(whole.steps)

    def recovered_error(self, left: int) -> int:
        """A call that fails and is repeated with success."""
        if left < 2 or self.failed:
            return 0
        self.failed = True
        wrong = next((step.tool for step in self.main.steps if step.tool), None)
        name, given = self.scene.library.tool(
            self._path(), self.scene.draw, wrong.name if wrong else ""
        )
        error = self.scene.draw.choice(ERRORS)
        again = call(name, given, {"status": "ok"}, thought=self.scene.thought("retry"))
        at = len(self.main.steps) - 1 if self.scene.draw.random() < 0.5 else 1
        at = min(at, len(self.main.steps) - 1)
        self.main = _with(_with(self.main, at, again), at, failed_call(name, given, error))
        return 2

    def shown_prompt(self, left: int) -> int:
        """The prompt in force, at the start."""
        shown = any(step.type == "system_prompt" for step in self.main.steps)
        found = self.scene.library.prompt(self._path(), self.scene.draw)
        if found is None or shown or len(found.text) > 20_000:
            return 0
        heard = int(self.main.steps[0].type == "user_query_processing")
        self.main = _with(self.main, heard, prompt(found))
        return 1

    def thought(self, left: int) -> int:
        """A step that only thinks."""
        if self.scene.draw.random() < 0.5 and left < 3:
            return 0
        text = self.scene.thought("plain")
        self.main = _with(self.main, len(self.main.steps) - 1, think(text))
        return 1

    def heard_objection(self, left: int) -> int:
        """The objection is parsed as a query of its own."""
        if self.heard or not self.part.correction.text:
            return 0
        self.heard = True
        return 1

    def closing(self, left: int) -> int:
        """The agent has the last word."""
        if self.closed or not self.part.closing or not self.part.correction.text:
            return 0
        self.closed = True
        return 1

    def exchanges(self) -> Iterator[Exchange]:
        """The session in order, each question led in by what went before."""
        for number, exchange in enumerate([*self.before, self.main, *self.after]):
            yield _led(
                exchange,
                self.scene.user("follow_on") if number else self.scene.user("hello"),
            )
        if self.part.correction.text:
            yield self._end()

    @property
    def correction(self) -> Correction:
        """The objection; it names its topic where something else was talked of since."""
        correction = self.part.correction
        # A content user does not come back to a topic.
        led = self.after and self.part.closing
        return msgspec.structs.replace(correction, lead=self._lead()) if led else correction

    def _lead(self) -> str:
        said = self.part.exchange.said
        return f"({said[:60].rstrip(' .?!')}...) "

    def _end(self) -> Exchange:
        text = self.correction.text
        steps = [hear(text, "follow_up")] if self.heard else []
        if self.closed:
            steps.append(respond(self.part.closing))
        return Exchange(text, tuple(steps), self.part.closing if self.closed else None)

    def _path(self) -> str:
        for step in self.main.steps:
            value = step.tool.input.get("path") if step.tool else None
            if isinstance(value, str):
                return value
            if step.tool and isinstance(step.tool.output, dict) and step.tool.output.get("results"):
                return str(step.tool.output["results"][0]["path"])
        return ""


Pad = Callable[[Outline, int], int]

PADS: Mapping[str, Pad] = {
    "decoy": Outline.decoy,
    "recovered error": Outline.recovered_error,
    "prompt": Outline.shown_prompt,
    "thought": Outline.thought,
    "heard": Outline.heard_objection,
    "closing": Outline.closing,
}


def _with(exchange: Exchange, at: int, step: Step) -> Exchange:
    steps = (*exchange.steps[:at], step, *exchange.steps[at:])
    return msgspec.structs.replace(exchange, steps=steps)


def _led(exchange: Exchange, lead: str) -> Exchange:
    """The exchange with its question opened; a parsed query is the question as it was said."""
    said = f"{lead}{exchange.said}"
    steps = tuple(
        hear(said, step.output["intent"]) if step.type == "user_query_processing" else step
        for step in exchange.steps
    )
    return msgspec.structs.replace(exchange, said=said, steps=steps)


def play(scene: Scene, part: Play, decoys: Sequence[Fact], nodes: int, number: int) -> Marked:
    """The session, with as many nodes as asked where that can be had."""
    outline = Outline(scene, part, decoys)
    outline.grow(nodes)
    return _numbered(scene, outline, number)


def _numbered(scene: Scene, outline: Outline, number: int) -> Marked:
    clock = START + APART * number
    turns: list[Turn] = []
    nodes: list[Node] = []
    marks: dict[str, Mark] = {}
    exchanges = list(outline.exchanges())
    for exchange in exchanges:
        clock += timedelta(seconds=20 + scene.draw.randrange(90))
        turns.append(Turn(len(turns) + 1, "user", exchange.said, stamp(clock)))
        for step in exchange.steps:
            clock += timedelta(seconds=1 + scene.draw.randrange(6))
            own = step.type == "user_query_processing"
            node_id = scene.names.step.format(n=len(nodes) + 1)
            nodes.append(
                Node(
                    node_id,
                    len(turns) + (0 if own or exchange.answer is None else 1),
                    step.type,
                    step.reasoning,
                    step.input,
                    step.output,
                    step.tool,
                    stamp(clock),
                    float(80 + scene.draw.randrange(1800)),
                )
            )
            if step.mark:
                marks[node_id] = step.mark
        if exchange.answer is not None:
            clock += timedelta(seconds=2)
            turns.append(Turn(len(turns) + 1, "assistant", exchange.answer, stamp(clock)))
    ended = 1 if outline.closed else 0
    trajectory = Trajectory(
        f"sim-{scene.draw.getrandbits(40):010x}",
        tuple(turns),
        nodes=tuple(nodes),
        agent=Agent("desk", scene.names.version),
        started_at=turns[0].timestamp,
        ended_at=stamp(clock),
        metadata={"user_id": f"u-{scene.draw.randrange(16**4):04x}"},
    )
    return Marked(trajectory, marks, outline.correction, len(turns) - ended)
