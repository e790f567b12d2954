"""A model says the users' turns anew; plain code keeps what the labels rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from bot.bench.simulate.sessions import Cast, Session, problems
from bot.bench.suite import LabelSignal
from bot.engines.llm.client import client
from bot.engines.llm.conversation import rows
from bot.engines.llm.dialogue import Dialogue, Style
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.messages import CallFailed
from bot.engines.llm.options import ModelOptions
from bot.errors import ModelError, Rejected
from bot.prompts.template import part
from bot.provenance.value import Value, same
from bot.provenance.values import values
from bot.records.trajectory import Node, Trajectory, Turn

# What the model says instead, by turn; turns that are left out stay as they are.
Reword = Callable[[Trajectory], Mapping[int, str]]


class Said(msgspec.Struct, frozen=True):
    """One turn as the model says it."""

    turn_id: int
    content: str


class Talk(msgspec.Struct, frozen=True):
    """The model's answer."""

    turns: tuple[Said, ...]


def by_model(options: ModelOptions) -> Reword:
    """Asks a model, one call a session; an answer that is of no use changes nothing.

    Raises `ConfigError` where no model is named, and `ModelError` where no answer can be had.
    """
    asked = client(options)
    style = Style(options.model, options.max_tokens)

    def reword(trajectory: Trajectory) -> Mapping[int, str]:
        talk = part("_reword_talk", conversation=fenced("conversation", rows(trajectory.turns)))
        dialogue = Dialogue(asked.complete, style, part("_reword"))
        try:
            found = dialogue.ask(talk, Form(Talk), lambda answer: answer)
        except Rejected:
            return {}
        except CallFailed as failure:
            if failure.trouble in ("too_long", "refused"):
                return {}
            raise ModelError(f"{failure}; no suite was written") from failure
        return {said.turn_id: said.content.strip() for said in found.turns}

    return reword


def reworded(cast: Cast, session: Session, reword: Reword) -> Session:
    """The session in the model's words where they keep every value and every term that was
    searched for, and where the session still passes its checks; else as it was."""
    told = session.played.trajectory
    offered = reword(told)
    said = {
        turn.turn_id: offered[turn.turn_id]
        for turn in told.turns
        if turn.role == "user" and keeps(told, turn.content, offered.get(turn.turn_id, ""))
    }
    if not said:
        return session
    turns = tuple(_turn(turn, said) for turn in told.turns)
    old = {turn.content: said[turn.turn_id] for turn in told.turns if turn.turn_id in said}
    nodes = tuple(_node(node, old) for node in told.nodes)
    trajectory = msgspec.structs.replace(told, turns=turns, nodes=nodes)
    signals = tuple(_signal(signal, said) for signal in session.label.signals)
    changed = Session(
        msgspec.structs.replace(session.played, trajectory=trajectory),
        msgspec.structs.replace(session.label, signals=signals),
    )
    return session if problems(cast, changed) else changed


def keeps(told: Trajectory, old: str, new: str) -> bool:
    """Whether the new words hold the same values, and the terms that the agent searched for."""
    if not new:
        return False
    had, has = values(old), values(new)
    searched = (_query(node) for node in told.nodes)
    terms = (term for term in searched if term and term in old.casefold())
    return (
        all(_held(value, has) for value in had)
        and all(_held(value, had) for value in has)
        and all(term in new.casefold() for term in terms)
    )


def _held(value: Value, among: tuple[Value, ...]) -> bool:
    return any(same(value, other) for other in among)


def _query(node: Node) -> str:
    asked: Any = node.tool.input if node.tool is not None else None
    query = asked.get("query") if isinstance(asked, dict) else None
    return query.casefold() if isinstance(query, str) else ""


def _turn(turn: Turn, said: Mapping[int, str]) -> Turn:
    return msgspec.structs.replace(turn, content=said.get(turn.turn_id, turn.content))


def _node(node: Node, said: Mapping[str, str]) -> Node:
    """A node that holds the query as it was said holds it as it is said now."""
    asked = node.input.get("raw_query") if isinstance(node.input, dict) else None
    if not isinstance(asked, str) or asked not in said:
        return node
    return msgspec.structs.replace(node, input={**node.input, "raw_query": said[asked]})


def _signal(signal: LabelSignal, said: Mapping[int, str]) -> LabelSignal:
    """Where the words are new, the whole turn is the evidence."""
    evidence = said.get(signal.turn_id, signal.evidence)
    return msgspec.structs.replace(signal, evidence=evidence)
