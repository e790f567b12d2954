"""Of explanations that blame one text nearly as surely, the one that an authority settles."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.context.authority import prefers
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.rank import Ranked
from bot.engines.offline.scene import Scene

NEAR = 0.7  # of the score: on held-out suites more gave no better sources
NAMED = 0.5  # of a file's name, from which a sentence that ends something ends that file


def settled(scene: Scene, ranked: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """The ranking with an explanation in front whose source outweighs the text that it blames,
    where one of the same text and node comes near the first; of sources that end a file the one
    of the higher rank."""
    first = ranked[0]
    rivals = [r for r in ranked if _alike(r, first) and r.score >= first.score - NEAR]
    match first.candidate.shape:
        case "delete":
            same = (
                [r for r in ranked if _alike(r, first)] if _ends(scene, first.candidate) else rivals
            )
            ending = [r for r in same if _ends(scene, r.candidate)]
            better = min(ending, key=lambda r: _rank(scene, r.candidate), default=first)
        case "stale" | "tool":
            weighty = [r for r in rivals if _outweighs(scene, r.candidate)]
            better = weighty[0] if weighty else first
        case _:
            better = first
    return _exchanged(ranked, better)


def _exchanged(ranked: Sequence[Ranked], better: Ranked) -> tuple[Ranked, ...]:
    """The ranking with one explanation in the place of the first and the first in its place: they
    ask for the same fix, so what the places are worth stays."""
    rows = list(ranked)
    at = next(n for n, row in enumerate(rows) if row is better)
    rows[0] = replace(rows[0], candidate=better.candidate)
    rows[at] = replace(rows[at], candidate=ranked[0].candidate)
    return tuple(rows)


def _alike(one: Ranked, other: Ranked) -> bool:
    a, b = one.candidate, other.candidate
    return (a.shape, a.path, a.node) == (b.shape, b.path, b.node)


def _ends(scene: Scene, candidate: Candidate) -> bool:
    """Whether the source says of the file that its time is over."""
    found = scene.library.ends.get(candidate.path or "", ())
    return any(e.unit == candidate.truth and (e.explicit or e.names >= NAMED) for e in found)


def _rank(scene: Scene, candidate: Candidate) -> int:
    truth = candidate.truth
    return scene.library.standings[scene.index.units[truth].path].rank if truth is not None else 9


def _outweighs(scene: Scene, candidate: Candidate) -> bool:
    """Whether the source is a schema, or in force and to be believed before the file."""
    if candidate.truth is None or candidate.path is None:
        return False
    truth = scene.index.units[candidate.truth]
    if candidate.shape == "tool":
        return truth.type == "schema_hint"
    source, target = (scene.library.standings[p] for p in (truth.path, candidate.path))
    side, _ = prefers(scene.index.repo, source, target)
    return side > 0 and source.status in ("approved", "unknown")
