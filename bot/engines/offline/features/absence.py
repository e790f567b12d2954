"""Whether something is missing: from a search, from a document, from the standing instructions."""

from __future__ import annotations

import math

from bot.context.words import stems
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features.scale import squash
from bot.engines.offline.scene import Scene


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """What the agent saw and did not see of the matter."""
    found: dict[str, float] = {}
    if candidate.truth is not None:
        found.update(_truth(scene, candidate, candidate.truth))
    if candidate.shape == "retrieval":
        found.update(_misrouted(scene, candidate))
    if candidate.shape in ("gap", "prompt") and candidate.path is not None:
        found.update(_target(scene, candidate, candidate.path))
    return found


def sight(scene: Scene, number: int) -> dict[str, float]:
    """How well the best unit seen by the end of a round answers, against the best of all."""
    view = scene.rounds[number]
    limit = max(view.round.nodes, default=0)
    units = scene.index.units
    shown = [
        n for n, ps in scene.seen.units.items()
        if min(ps) <= limit and units[n].type in ("kb_entry", "skill")
    ]  # fmt: skip
    every = [n for n, u in enumerate(units) if u.type in ("kb_entry", "skill")]

    def edge(score: list[float], scored: list[float]) -> float:
        return max(score, default=0.0) - max(scored, default=0.0)

    q, c = view.question, scene.complaint
    return {
        "unseen_question": edge([q.of(n) for n in every], [q.of(n) for n in shown]),
        "unseen_complaint": edge([c.of(n) for n in every], [c.of(n) for n in shown]),
        "seen_question": squash(max((q.of(n) for n in shown), default=0.0)),
        "seen_nothing": float(not shown),
    }


def _truth(scene: Scene, candidate: Candidate, truth: int) -> dict[str, float]:
    view = scene.rounds[candidate.round]
    limit = max(view.round.nodes, default=0)
    path = scene.index.units[truth].path
    before = any(p <= limit for p in scene.seen.units.get(truth, ()))
    later = any(p > limit for p in scene.seen.units.get(truth, ()))
    opened = any(path in f for p, f in scene.seen.reads.items() if p <= limit)
    peers = [n for n in scene.index.by_path[path] if _together(scene, n, truth)]
    manner = scene.library.manner.rows
    return {
        "truth_seen": float(before),
        "truth_seen_later": float(later and not before),
        "truth_file_seen": float(opened),
        "truth_assistants": max(manner[n]["assistants"] for n in peers),
        "truth_conduct": max(manner[n]["conduct"] for n in peers),
        "truth_supersedes": manner[truth]["supersedes"],
        "truth_withdrawn": manner[truth]["withdrawn"],
        "truth_ends_target": float(truth in scene.library.ends.get(candidate.path or "", ())),
        "truth_section": _best(scene.complaint.semantic, peers),
        "truth_section_question": _best(view.question.semantic, peers),
    }


def _together(scene: Scene, one: int, other: int) -> bool:
    return scene.index.units[one].headings == scene.index.units[other].headings


def _best(row: list[float], numbers: list[int]) -> float:
    """The mean of the two highest."""
    top = sorted((row[n] for n in numbers), reverse=True)[:2]
    return squash(sum(top) / len(top)) if top else 0.0


def _misrouted(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Whether the synonym map leads the query away from the document that answers."""
    view = scene.rounds[candidate.round]
    asked = {s for text in (*view.round.searches, *view.round.question) for s in stems(text)}
    results = {
        scene.index.units[n].path
        for n, ps in scene.seen.units.items()
        if any(scene.trajectory.nodes[p].type == "kb_search" for p in ps)
    }
    shown = {s for path in results for n in scene.index.by_path[path] for s in scene.index.bags[n]}
    away = toward = 0.0
    truth = candidate.truth
    wanted = set(scene.index.bags[truth]) if truth is not None else set()
    for unit in scene.index.units:
        if unit.kind != "term":
            continue
        groups = [set(stems(term)) for term in unit.terms]
        if not any(group and group <= asked for group in groups):
            continue
        others = {s for group in groups if not group <= asked for s in group}
        away = max(away, scene.index.coverage(others, shown - asked))
        toward = max(toward, scene.index.coverage(others, wanted - asked))
    return {"map_away": away, "map_toward": toward}


def _target(scene: Scene, candidate: Candidate, path: str) -> dict[str, float]:
    """Whether the document is where a reader would look for what is missing."""
    view = scene.rounds[candidate.round]
    numbers = scene.index.by_path.get(path, [])
    held = {s for n in numbers for s in scene.index.bags[n]}
    question = {s for text in view.round.question for s in stems(text)}
    found = {
        "target_question": _best(view.question.semantic, numbers),
        "target_question_words": _best(view.question.lexical, numbers),
        "target_complaint": _best(scene.complaint.semantic, numbers),
        "target_answer": _best(view.answer.semantic, numbers),
        "target_covers": scene.index.coverage(question, held),
        "target_reads": math.log1p(
            sum(path in scene.seen.reads.get(p, ()) for p in view.round.nodes)
        ),
    }
    if candidate.truth is not None:
        near = scene.near(candidate.truth)
        found["target_near_truth"] = squash(max((near[1][n] for n in numbers), default=0.0))
        found["target_near_truth_words"] = squash(max((near[0][n] for n in numbers), default=0.0))
    return found
