"""Where in the session: which round, which node, how it was called."""

from __future__ import annotations

import math

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.scene import RoundView, Scene


def place(scene: Scene, number: int) -> dict[str, float]:
    """How well a round fits the complaint, and how both were said."""
    views = scene.rounds
    view = views[number]
    nodes = scene.trajectory.nodes
    served = view.round.nodes
    kinds = [nodes[p].type for p in served]
    found = {
        "round_last": float(number == scene.talk.main),
        "round_relevance": view.relevance - max(v.relevance for v in views),
        "round_back": -math.log1p(max(scene.talk.main - number, 0)),
        "round_after": float(number > scene.talk.main),
        "round_acts": float("tool_call" in kinds or "sql_query" in kinds),
        "round_reads": math.log1p(kinds.count("kb_read") + kinds.count("skill_lookup")),
        "round_searches": math.log1p(kinds.count("kb_search")),
        "round_skill": float("skill_lookup" in kinds),
        "complaint_none": float(not scene.talk.complaint),
        "complaint_long": math.log1p(len(scene.talk.complaint)),
        "then_any": float(bool(scene.talk.admission)),
    }
    for act in (
        "stubborn",
        "colleague",
        "order",
        "conduct",
        "exists",
        "new",
        "withdrawn",
        "effect",
    ):
        found[f"said_{act}"] = scene.manner.highest[act]
    for act in ("absence", "insist"):
        found[f"answer_{act}"] = view.manner.highest[act]
    for act in ("slip", "apology", "absence", "insist"):
        found[f"then_{act}"] = scene.admission_manner.highest[act] if scene.talk.admission else 0.0
    found.update(_afterwards(scene, view))
    return found


def _afterwards(scene: Scene, view: RoundView) -> dict[str, float]:
    """What the agent read when it was told: something new, the same again, or nothing."""
    files = {f for p in scene.talk.after for f in scene.seen.reads.get(p, ())}
    return {
        "then_new": float(bool(files - view.sight.files)),
        "then_same": float(bool(files) and files <= view.sight.files),
        "then_nothing": float(bool(scene.talk.admission) and not files),
    }


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """What kind of node is blamed, and how it stands in its round."""
    nodes = scene.trajectory.nodes
    if not 0 <= candidate.node < len(nodes):
        return {}
    node = nodes[candidate.node]
    served = scene.rounds[candidate.round].round.nodes
    unit = candidate.faulty
    again = len(scene.seen.units.get(unit, ())) if unit is not None else 0
    return {
        f"node_{node.type}": 1.0,
        "node_in_round": float(candidate.node in served),
        "node_first_search": float(
            candidate.node == next((p for p in served if nodes[p].type == "kb_search"), -1)
        ),
        "node_error": float(node.tool is not None and node.tool.status != "ok"),
        "node_late": candidate.node / max(len(nodes), 1),
        "seen_again": math.log1p(again),
    }
