"""Whether the truth stands in a file and a section of the matter that the faulty file is about."""

from __future__ import annotations

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.scene import Scene


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Kinship of the two files and of the two sections, from 0 to 1; nothing where one of them is
    missing or both are one file."""
    index, faulty, truth = scene.index, candidate.faulty, candidate.truth
    target = index.units[faulty].path if faulty is not None else candidate.path
    if truth is None or target is None or index.units[truth].path == target:
        return {}
    found = dict(_files(scene, target, index.units[truth].path))
    if faulty is not None:
        found["kin_section"] = index.kin(index.peers(faulty), index.peers(truth))
    return found


def _files(scene: Scene, target: str, source: str) -> dict[str, float]:
    """A page, a procedure and the rule behind both have their matter in common."""
    known = scene.library.kin
    if (target, source) not in known:
        index = scene.index
        own, named = index.file_words(target), index.title_words(source)
        known[target, source] = {
            "kin_files": index.kin(index.by_path[target], index.by_path[source]),
            "kin_words": index.coverage(own, index.file_words(source)),
            "kin_title": index.coverage(index.title_words(target), named),
            "kin_named": index.coverage(named, own),
        }
    return known[target, source]
