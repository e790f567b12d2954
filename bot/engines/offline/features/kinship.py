"""Whether the truth stands in a file and a section of the matter that the faulty file is about."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features.scale import squash
from bot.engines.offline.scene import Scene


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Kinship of the two files and of the two sections; nothing where one of them is missing or
    both are one file."""
    units, faulty, truth = scene.index.units, candidate.faulty, candidate.truth
    target = units[faulty].path if faulty is not None else candidate.path
    if truth is None or target is None or units[truth].path == target:
        return {}
    found = dict(_files(scene, target, units[truth].path))
    if faulty is not None:
        found["kin_section"] = _mean_best(
            scene, scene.index.peers(faulty), scene.index.peers(truth)
        )
    return found


def _files(scene: Scene, target: str, source: str) -> dict[str, float]:
    """A page, a procedure and the rule behind both repeat one another in many places."""
    known = scene.library.kin
    if (target, source) not in known:
        index = scene.index
        own, theirs = index.file_words(target), index.file_words(source)
        named = index.title_words(source)
        known[target, source] = {
            "kin_files": _mean_best(scene, index.by_path[target], index.by_path[source]),
            "kin_words": index.coverage(own, theirs),
            "kin_title": index.coverage(index.title_words(target), named),
            "kin_named": index.coverage(named, own),
        }
    return known[target, source]


def _mean_best(scene: Scene, ours: Sequence[int], theirs: Sequence[int]) -> float:
    """How near the units of one part come to the nearest of another, on the average."""
    best = (max((scene.near(n)[2][m] for m in theirs if m != n), default=0.0) for n in ours)
    return fmean([squash(b) for b in best] or [0.0])
