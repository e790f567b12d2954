"""Whether something is missing: from a search, from a document, from the standing instructions."""

from __future__ import annotations

import math

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features.scale import squash
from bot.engines.offline.scene import RoundView, Scene


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """What the agent saw and did not see of the matter."""
    found: dict[str, float] = {}
    view = scene.rounds[candidate.round]
    if candidate.truth is not None:
        found.update(_ends(scene, candidate, candidate.truth))
    if candidate.shape == "retrieval":
        found.update(_misrouted(scene, candidate, candidate.truth))
        component = scene.index.repo.component(candidate.path or "")
        is_map = component is not None and component.type == "synonym_map"
        found["target_map"] = float(is_map)
    if candidate.shape in ("gap", "prompt") and candidate.path is not None:
        found.update(_target(scene, view, candidate, candidate.path))
    return found


def sight(scene: Scene, number: int) -> dict[str, float]:
    """Where the best units for question, complaint and answer are: seen, unseen, in a schema."""
    view = scene.rounds[number]
    units = scene.index.units
    every = [n for n, u in enumerate(units) if u.type in ("kb_entry", "skill")]
    schema = [n for n, u in enumerate(units) if u.type == "schema_hint"]
    known = view.sight.knowledge
    unseen = [n for n in every if n not in known]

    def top(score: list[float], numbers: list[int]) -> float:
        return squash(max((score[n] for n in numbers), default=0.0))

    seen_list = sorted(known)
    found = {"seen_nothing": float(not known)}
    for name, voice in (("question", view.question), ("complaint", scene.complaint)):
        both = [voice.of(n) for n in range(len(units))]
        own = top(both, seen_list)
        found[f"seen_{name}"] = own
        found[f"unseen_{name}"] = top(both, unseen) - own
        found[f"schema_{name}"] = top(both, schema) - own
    answer = [view.answer.of(n) for n in range(len(units))]
    found["backed"] = top(answer, seen_list)
    found["backed_tools"] = top(answer, sorted(view.sight.tools)) - found["backed"]
    asked = view.asked_stems
    strange = view.sight.strange
    found["strange_known"] = scene.index.mass(strange & asked)
    found["strange_unknown"] = float(
        sum(s not in scene.index.rarity for s in strange & asked) / (len(asked) or 1)
    )
    return found


def _ends(scene: Scene, candidate: Candidate, truth: int) -> dict[str, float]:
    for ending in scene.library.ends.get(candidate.path or "", ()):
        if ending.unit == truth:
            return {
                "ends_names": ending.names,
                "ends_telling": ending.names * ending.telling,
                "ends_removed": float(ending.removed),
                "ends_near": squash(ending.near),
                "ends_explicit": float(ending.explicit),
            }
    return {}


def best(row: list[float], numbers: list[int]) -> float:
    """The mean of the two highest."""
    top = sorted((row[n] for n in numbers), reverse=True)[:2]
    return squash(sum(top) / len(top)) if top else 0.0


def _misrouted(scene: Scene, candidate: Candidate, truth: int | None) -> dict[str, float]:
    """Whether the synonym map leads the query away from the document that answers."""
    view = scene.rounds[candidate.round]
    asked = view.asked_stems
    shown = view.sight.stems - asked
    wanted = frozenset(scene.index.bags[truth]) - asked if truth is not None else frozenset()
    away = toward = 0.0
    for groups in scene.index.terms.values():
        if not any(group <= asked for group in groups):
            continue
        others = {s for group in groups if not group <= asked for s in group}
        away = max(away, scene.index.coverage(others, shown))
        toward = max(toward, scene.index.coverage(others, wanted))
    held = scene.index.file_words(scene.index.units[truth].path) if truth is not None else asked
    led = [e for e in scene.mapped(candidate.round) if e.leads_away(held)]
    return {
        "map_away": away,
        "map_toward": toward,
        "map_astray": max((e.held(view.sight.stems) for e in led), default=0.0),
        "map_led": float(bool(led)),
    }


def _target(scene: Scene, view: RoundView, candidate: Candidate, path: str) -> dict[str, float]:
    """Whether the document is where a reader would look for what is missing."""
    numbers = scene.index.by_path.get(path, [])
    held = scene.index.file_words(path)
    found = {
        "target_question": best(view.question.semantic, numbers),
        "target_question_words": best(view.question.lexical, numbers),
        "target_complaint": best(scene.complaint.semantic, numbers),
        "target_answer": best(view.answer.semantic, numbers),
        "target_covers": scene.index.coverage(view.asked_stems, held),
        "target_reads": math.log1p(
            sum(path in scene.seen.reads.get(p, ()) for p in view.round.nodes)
        ),
    }
    if candidate.truth is not None:
        words, sense, _ = scene.near(candidate.truth)
        found["target_near_truth"] = squash(max((sense[n] for n in numbers), default=0.0))
        found["target_near_truth_words"] = squash(max((words[n] for n in numbers), default=0.0))
        key = scene.index.keys[candidate.truth]
        found["target_lacks_key"] = float(bool(key) and not key <= held)
    return found
