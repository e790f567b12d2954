"""Whether the truth is what its file says of the matter of the faulty unit, and the faulty unit
what its own file says of the truth's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.scene import Scene

NEAREST = 4  # units of the truth's file that may say what the faulty one says


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Counterparts of a pair in two files, and whether the two say the same; only the latter of a
    pair in one file, nothing where one is missing."""
    faulty, truth, index = candidate.faulty, candidate.truth, scene.index
    if faulty is None or truth is None:
        return {}
    found = {"align_echo": scene.library.accords.of(faulty, truth).echo}
    own, other = index.units[faulty].path, index.units[truth].path
    if own == other:
        return found
    ours, theirs = index.by_path[own], index.by_path[other]
    forth, back = _alike(scene, faulty, theirs), _alike(scene, truth, ours)
    return found | {
        "align_forth": -math.log1p(sum(forth[n] > forth[truth] for n in theirs)),
        "align_back": -math.log1p(sum(back[n] > back[faulty] for n in ours)),
        **_kept(scene, faulty, truth, theirs, forth),
        **_rows(scene, faulty, truth, theirs),
    }


def _alike(scene: Scene, number: int, others: Sequence[int]) -> dict[int, float]:
    """How near one unit is to some others, by all three measures."""
    words, sense, bare = scene.near(number)
    return {n: words[n] + 0.5 * (sense[n] + bare[n]) for n in others}


def _kept(
    scene: Scene, faulty: int, truth: int, theirs: Sequence[int], forth: Mapping[int, float]
) -> dict[str, float]:
    """Whether the truth's own file says what is blamed, or has the value that would have to go:
    then the two speak of different things."""
    accords = scene.library.accords
    lone = {slot.first.start for slot in accords.slots(faulty, truth)}
    others = [n for n in theirs if n != truth]
    stated = (
        size for n in others for start, size in accords.common(faulty, n).items() if start in lone
    )
    nearest = sorted(others, key=lambda n: -forth[n])[:NEAREST]
    return {
        "source_keeps": max(stated, default=0.0),
        "source_echo": max((accords.of(faulty, n).echo for n in nearest), default=0.0),
    }


def _rows(scene: Scene, faulty: int, truth: int, theirs: Sequence[int]) -> dict[str, float]:
    """Rows of two tables: of the same thing, of another one, of one that the own file lacks."""
    index = scene.index
    own, other = index.keys[faulty], index.keys[truth]
    if not own or not other:
        return {}
    held = index.file_words(index.units[faulty].path)
    return {
        "rows_other": float(not own & other),
        "rows_elsewhere": float(any(index.keys[n] == own for n in theirs if n != truth)),
        "rows_lacking": float(not other <= held),
    }
