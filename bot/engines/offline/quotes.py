"""Verbatim quotes of the session and of the repository for a hypothesis."""

from __future__ import annotations

from bot.context.unit import Unit
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.pull import Pull
from bot.engines.offline.scene import Scene
from bot.provenance.words import stands_in_node, stands_in_turn
from bot.records.finding import NodeQuote, RepoQuote

LONGEST = 280


def repo_quote(unit: Unit) -> RepoQuote:
    """A unit as a quote of its file."""
    return RepoQuote(unit.path, unit.line, unit.text)


def complaint_sentence(scene: Scene, unit: int | None) -> str:
    """The sentence of the complaint that speaks most of a unit; empty where there is none."""
    return _nearest(scene.talk.complaint, scene.complaint, unit)


def answer_sentence(scene: Scene, candidate: Candidate) -> str:
    """The sentence of the disputed answer that speaks most of the faulty unit."""
    view = scene.rounds[candidate.round]
    return _nearest(view.round.answer, view.answer, candidate.faulty)


def _nearest(sentences: tuple[str, ...], pull: Pull, unit: int | None) -> str:
    if not sentences:
        return ""
    if unit is None:
        return sentences[0]
    rows = zip(pull.near.lexical, pull.near.semantic, strict=True)
    scores = [lexical[unit] + semantic[unit] for lexical, semantic in rows]
    return sentences[scores.index(max(scores))]


def session_quotes(scene: Scene, candidate: Candidate) -> tuple[NodeQuote, ...]:
    """What the blamed node showed or said, and what the user said against it."""
    found: list[NodeQuote] = []
    nodes = scene.trajectory.nodes
    blamed = nodes[candidate.node]
    wanted: list[str] = []
    if candidate.faulty is not None:
        wanted.append(scene.index.units[candidate.faulty].said)
    wanted.append(answer_sentence(scene, candidate))
    view = scene.rounds[candidate.round]
    wanted.extend((*view.round.searches, *view.round.thoughts[-1:], *view.round.question[:1]))
    for text in wanted:
        if text and stands_in_node(blamed, text):
            found.append(NodeQuote(blamed.node_id, text))
            break
    answer = answer_sentence(scene, candidate)
    speaker = next((n for n in nodes if answer and stands_in_node(n, answer)), None)
    if speaker is not None:
        found.append(NodeQuote(speaker.node_id, answer))
    complaint = complaint_sentence(scene, candidate.truth)
    hearer = next((n for n in nodes if complaint and _heard(scene, n.turn_id, complaint)), None)
    if hearer is not None:
        found.append(NodeQuote(hearer.node_id, complaint))
    if not found:
        found.extend(_anything(scene))
    return tuple(dict.fromkeys(found))


def _heard(scene: Scene, turn_id: int, text: str) -> bool:
    return stands_in_turn(scene.trajectory, turn_id, text)


def _anything(scene: Scene) -> list[NodeQuote]:
    """The first words of any node that says something, so that a claim is never without one."""
    for view in scene.rounds:
        for text in (*view.round.answer, *view.round.question, *view.round.thoughts):
            for position in view.round.nodes:
                node = scene.trajectory.nodes[position]
                if stands_in_node(node, text) or _heard(scene, node.turn_id, text):
                    return [NodeQuote(node.node_id, text)]
    return []
