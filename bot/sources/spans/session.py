"""A session's spans as its trajectory: every trace an exchange, in the order of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.provenance.rules import Rules
from bot.records.report import Skipped
from bot.records.trajectory import Agent, Feedback, Node, Role, Trajectory, Turn
from bot.sources.spans.exchange import Exchange, exchange
from bot.sources.spans.rules import ruled
from bot.sources.spans.span import Session, Span, Vote
from bot.sources.spans.steps import Step
from bot.sources.spans.times import moment
from bot.sources.spans.vocabulary import field, text_field
from bot.sources.spans.votes import carried, feedback
from context_repo_schema.config import BadVote

MOST_SPANS = 20_000
LARGEST_SESSION = 32 * 1024 * 1024


def trajectory(
    session: Session,
    bad_votes: Mapping[str, BadVote] | None = None,
    rules: Rules | None = None,
) -> Trajectory | Skipped:
    """The session in the canonical form, its spans typed by these rules first, or why it is none.

    `metadata.reading` counts what was wrong with the spans or was left out of them.
    """
    notes: Counter[str] = Counter(missing_session_id=int(session.derived))
    typed = (ruled(span, rules or {}) for span in session.spans)
    exchanges = _joined(_exchanges(_distinct(typed, notes), notes))
    script = _Script(notes)
    for number, told in enumerate(exchanges):
        script.add(told, exchanges[number + 1] if number + 1 < len(exchanges) else None)
    if not script.turns:
        return Skipped(
            session.session_id, "its spans hold no word that was said; is the content kept?"
        )
    spans = [span for told in exchanges for span in told.spans]
    votes = [*session.votes, *carried(spans)]
    whole = _together(spans)
    return Trajectory(
        session.session_id,
        tuple(script.turns),
        nodes=tuple(script.nodes),
        feedback=tuple(_feedback(votes, script, bad_votes or {})),
        agent=_agent(whole),
        started_at=moment(exchanges[0].start),
        ended_at=moment(max(told.end for told in exchanges)),
        metadata=_metadata(whole, spans, notes),
    )


def _distinct(spans: Iterable[Span], notes: Counter[str]) -> list[Span]:
    """Each span once, the copy that tells most; exporters repeat spans or send them half done."""
    kept: dict[tuple[str, str], Span] = {}
    for span in spans:
        key = (span.trace_id, span.span_id)
        other = kept.get(key)
        if other is not None:
            notes["duplicate_span"] += 1
        elif len(kept) >= MOST_SPANS:
            notes["span_left_out"] += 1
            continue
        if other is None or _fullness(span) > _fullness(other):
            kept[key] = span
    notes.update(note for span in kept.values() for note in span.notes)
    return list(kept.values())


def _fullness(span: Span) -> tuple[bool, int, int]:
    return bool(span.end), len(span.attributes), len(span.events)


def _exchanges(spans: Sequence[Span], notes: Counter[str]) -> list[Exchange]:
    traces: dict[str, list[Span]] = {}
    for span in spans:
        traces.setdefault(span.trace_id, []).append(span)
    for trace in traces.values():
        known = {span.span_id for span in trace}
        notes["orphan_span"] += sum(
            s.parent_id not in known and s.parent_id is not None for s in trace
        )
    return sorted(map(exchange, traces.values()), key=lambda told: told.start)


def _joined(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """A trace in which nobody speaks belongs to the exchange that was under way, else to the one
    before it: some tracers put a turn's root and its children into two traces."""
    spoken = [told for told in exchanges if told.question or told.answer]
    for silent in (told for told in exchanges if not (told.question or told.answer)):
        before = [n for n, told in enumerate(spoken) if told.start <= silent.start] or [0]
        if spoken:
            host = spoken[before[-1]]
            merged = sorted((*host.steps, *silent.steps), key=lambda step: step.start)
            spoken[before[-1]] = replace(
                host, spans=(*host.spans, *silent.spans), steps=tuple(merged)
            )
    return spoken


class _Script:
    """Turns and nodes as they are added, and which turn each span and trace came to."""

    def __init__(self, notes: Counter[str]) -> None:
        self.turns: list[Turn] = []
        self.nodes: list[Node] = []
        self.turn_of: dict[str, int] = {}
        self._notes = notes
        self._systems: set[str] = set()
        self._size = 0

    def add(self, told: Exchange, following: Exchange | None) -> None:
        if not self.turns:
            for message in told.history:
                role: Role = "user" if message.speaker == "user" else "assistant"
                self.turns.append(Turn(len(self.turns) + 1, role, message.text))
        if told.question is not None:
            self.turns.append(Turn(len(self.turns) + 1, "user", told.question, moment(told.start)))
            query = {"raw_query": told.question}
            self._node("user_query_processing", len(self.turns), told.start, input=query)
        answer = told.answer or _recalled(told, following)
        turn_id = len(self.turns) + (answer is not None)
        if told.system and told.system not in self._systems:
            self._systems.add(told.system)
            self._node("system_prompt", turn_id, told.start, output={"content": told.system})
        for step in told.steps:
            self._step(step, turn_id)
        if answer is not None:
            self.turns.append(Turn(turn_id, "assistant", answer, moment(told.end)))
            self._node("response_generation", turn_id, told.end, output={"response": answer})
        for span in told.spans:
            self.turn_of[span.span_id] = self.turn_of[span.trace_id] = turn_id

    def _step(self, step: Step, turn_id: int) -> None:
        tool = step.tool
        if tool is not None:
            size = len(msgspec.json.encode((tool.input, tool.output, tool.error)))
            if self._size + size > LARGEST_SESSION:
                self._notes["output_left_out"] += 1
                tool = replace(tool, input=None, output="[left out: the session is too large]")
            else:
                self._size += size
        lasted = None if step.end is None else (step.end - step.start) / 1_000_000
        duration = lasted if lasted is not None and lasted >= 0 else None
        parts = {"reasoning": step.reasoning, "tool": tool, "duration_ms": duration}
        self._node(step.type, turn_id, step.start, **parts)

    def _node(self, kind: Any, turn_id: int, start: int, **parts: Any) -> None:
        name = f"node_{len(self.nodes) + 1}"
        self.nodes.append(Node(name, turn_id, kind, started_at=moment(start), **parts))


def _recalled(told: Exchange, following: Exchange | None) -> str | None:
    """An answer that was streamed past the tracer stands in what the next trace was given."""
    if following is None or not following.history or told.question is None:
        return None
    said = following.history
    asked = [n for n, m in enumerate(said) if m.speaker == "user" and m.text == told.question]
    after = said[asked[-1] + 1 :] if asked else ()
    return next((m.text for m in reversed(after) if m.speaker == "assistant"), None)


def _feedback(
    votes: Iterable[Vote], script: _Script, bad_votes: Mapping[str, BadVote]
) -> Iterable[Feedback]:
    for vote in votes:
        turn_id = script.turn_of.get(vote.span_id or "") or script.turn_of.get(vote.trace_id or "")
        given = feedback(vote, turn_id, bad_votes)
        if given is not None:
            yield given


def _together(spans: Iterable[Span]) -> Span:
    """One span with all attributes of all of them; of two values the earlier counts."""
    whole = Span("", "")
    for span in spans:
        attributes = {**span.attributes, **whole.attributes}
        whole = Span("", "", attributes=attributes, resource={**span.resource, **whole.resource})
    return whole


def _agent(whole: Span) -> Agent | None:
    keys = ("agent_name", "agent_version", "model", "context_commit")
    agent = Agent(*(text_field(whole, key) for key in keys))
    return None if agent == Agent() else agent


def _metadata(whole: Span, spans: Sequence[Span], notes: Counter[str]) -> dict[str, Any]:
    found = {
        "user_id": text_field(whole, "user"),
        "environment": text_field(whole, "environment"),
        "tags": sorted(tags([whole])),
        "trace_ids": list(dict.fromkeys(span.trace_id for span in spans)),
        "reading": {note: count for note, count in sorted(notes.items()) if count},
    }
    return {key: value for key, value in found.items() if value}


def tags(spans: Iterable[Span]) -> set[str]:
    """The tags that any of the spans carries."""
    told = (field(span, "tags") for span in spans)
    return {str(tag) for listed in told for tag in (listed if isinstance(listed, list) else [])}
