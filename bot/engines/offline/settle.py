"""Of sources that end a file, the one of the highest rank."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.rank import Ranked, led_by
from bot.engines.offline.scene import Scene

NAMED = 0.5  # of a file's name, from which a sentence that ends something ends that file


def settled(scene: Scene, ranked: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """The ranking; where its first explanation ends a file by a source that says so, with the
    weightiest source that does in front. The fix and the node stay."""
    first = ranked[0].candidate
    if not _ends(scene, first):
        return tuple(ranked)
    fix = (first.shape, first.path, first.node)
    same = [r.candidate for r in ranked]
    ending = [c for c in same if (c.shape, c.path, c.node) == fix and _ends(scene, c)]
    better = min(ending, key=lambda c: _rank(scene, c))
    return led_by(ranked, better)


def _ends(scene: Scene, candidate: Candidate) -> bool:
    """Whether the source says of the file that its time is over."""
    if candidate.shape != "delete":
        return False
    found = scene.library.ends.get(candidate.path or "", ())
    return any(e.unit == candidate.truth and (e.explicit or e.names >= NAMED) for e in found)


def _rank(scene: Scene, candidate: Candidate) -> int:
    truth = candidate.truth
    return scene.library.standings[scene.index.units[truth].path].rank if truth is not None else 9
