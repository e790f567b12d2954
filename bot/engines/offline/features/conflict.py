"""Whether truth and faulty unit speak of one thing and say different things of it."""

from __future__ import annotations

import math
from bisect import bisect_right

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.claims import clash, without
from bot.engines.offline.features.scale import squash
from bot.engines.offline.pull import Pull
from bot.engines.offline.scene import RoundView, Scene
from bot.provenance.polarity import opposed


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Subject, contrast and values of the pair; nothing where one of the two is missing."""
    faulty, truth = candidate.faulty, candidate.truth
    if faulty is None or truth is None:
        return {}
    view = scene.rounds[candidate.round]
    units = scene.index.units
    near = scene.near(faulty)
    return {
        "pair_words": squash(near[0][truth]),
        "pair_sense": squash(near[1][truth]),
        "pair_bare": squash(near[2][truth]),
        "pair_rank": -math.log1p(_nearer(scene, faulty, truth)),
        "pair_same_file": float(units[faulty].path == units[truth].path),
        "pair_same_key": float(_key(scene, faulty, truth)),
        "pair_heading": _heading(scene, faulty, truth),
        **_direction(scene, view, faulty, truth),
        **_contrast(scene, view, faulty, truth),
        **_values(scene, view, faulty, truth),
        **_sides(scene, faulty, truth),
    }


def _nearer(scene: Scene, faulty: int, truth: int) -> int:
    """How many units are nearer to the faulty one than the truth is."""
    known, row = scene.ordered, scene.near(faulty)[2]
    if faulty not in known:
        known[faulty] = sorted(row)
    return len(row) - bisect_right(known[faulty], row[truth])


def _key(scene: Scene, faulty: int, truth: int) -> bool:
    """Whether the truth names what the faulty row, parameter or column is about."""
    return bool(scene.index.keys[faulty]) and scene.index.keys[faulty] <= scene.index.words[truth]


def _heading(scene: Scene, faulty: int, truth: int) -> float:
    first, second = scene.index.heads[faulty], scene.index.heads[truth]
    return scene.index.coverage(first, second) if first and second else 0.0


def _direction(scene: Scene, view: RoundView, faulty: int, truth: int) -> dict[str, float]:
    """Whether the step from faulty to truth goes the way from the answer to the complaint.

    The similarity of two differences is four similarities: what language and wording both have
    in common cancels out.
    """
    answer = view.answer

    def best(voice: Pull, to: int, away: int, words: bool) -> float:
        rows = voice.near.lexical if words else voice.near.bare
        return max((row[to] - row[away] for row in rows), default=0.0)

    return {
        "turn_words": best(scene.complaint, truth, faulty, True),
        "turn_sense": best(scene.complaint, truth, faulty, False),
        "turn_answer_words": best(answer, faulty, truth, True),
        "turn_answer_sense": best(answer, faulty, truth, False),
        "turn_admission_sense": best(scene.admission, truth, faulty, False),
    }


def _contrast(scene: Scene, view: RoundView, faulty: int, truth: int) -> dict[str, float]:
    """Where the rare words that only one of the two has are said."""
    bags = scene.index.bags
    first, second = bags[faulty], bags[truth]
    said = view.stems
    complaint = scene.complaint_stems
    only_truth = {s: w for s, w in second.items() if s not in first}
    only_faulty = {s: w for s, w in first.items() if s not in second}
    fresh, old = complaint - said, said - complaint
    return {
        "contrast_truth_complaint": sum(w for s, w in only_truth.items() if s in complaint),
        "contrast_truth_fresh": sum(w for s, w in only_truth.items() if s in fresh),
        "contrast_faulty_answer": sum(w for s, w in only_faulty.items() if s in said),
        "contrast_faulty_old": sum(w for s, w in only_faulty.items() if s in old),
        "contrast_faulty_complaint": sum(w for s, w in only_faulty.items() if s in fresh),
        "contrast_shared": sum(w * first[s] for s, w in second.items() if s in first),
    }


def _values(scene: Scene, view: RoundView, faulty: int, truth: int) -> dict[str, float]:
    library = scene.library
    old, new = library.claims[faulty], library.claims[truth]
    between = clash(old, new)
    wanted = library.common.shared(scene.wanted, without(new, old))
    said = library.common.shared(view.said, without(old, new))
    return {
        "values_apart": min(between.apart, 2.0),
        "values_strong": min(between.strong, 2.0),
        "values_alike": min(between.alike, 2.0),
        "values_wanted": wanted,
        "values_said": said,
        "values_both": min(wanted, said),
        "values_wanted_apart": min(wanted, between.apart),
        "values_said_apart": min(said, between.apart),
    }


def _sides(scene: Scene, faulty: int, truth: int) -> dict[str, float]:
    """Opposite sides taken: must against may, before against after, with and without not."""
    first, second = scene.marks(faulty), scene.marks(truth)
    between = opposed(first, second)
    complaint = opposed(first, scene.sides)
    return {
        "opposed": float(len([axis for axis in between if axis != "negation"])),
        "opposed_negation": float("negation" in between),
        "opposed_complaint": float(len([axis for axis in complaint if axis != "negation"])),
    }
