"""Whether the truth outweighs the faulty file."""

from __future__ import annotations

from bot.context.authority import prefers
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.scene import Scene


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Standing of both files, and which of them is to be believed."""
    library, units = scene.library, scene.index.units
    truth = units[candidate.truth] if candidate.truth is not None else None
    target = units[candidate.faulty].path if candidate.faulty is not None else candidate.path
    if target is None or target not in library.standings:
        return {}
    theirs = library.standings[target]
    ends = library.ends.get(target, ())
    found = {
        "target_policy": float(theirs.rank == 0),
        "target_note": float(theirs.rank == 3),
        "target_draft": float(theirs.status == "draft"),
        "target_ended": max((e.names * e.telling for e in ends), default=0.0),
        "target_superseded": float(any(e.explicit for e in ends)),
    }
    if truth is not None and truth.path != target:
        found.update(_weighed(scene, truth.path, target))
    return found


def _weighed(scene: Scene, source: str, target: str) -> dict[str, float]:
    library, texts = scene.library, scene.index.repo.texts
    if (source, target) not in library.weighed:
        own, theirs = library.standings[source], library.standings[target]
        side, reason = prefers(scene.index.repo, own, theirs)
        library.weighed[source, target] = {
            f"wins_{reason}" if side > 0 else f"loses_{reason}": 1.0,
            "wins": float(side),
            "same_owner": float(bool(theirs.owner) and theirs.owner == own.owner),
            "target_cites_truth": float(_cites(texts[target], _stem(source))),
            "truth_cites_target": float(_cites(texts[source], _stem(target))),
        }
    return library.weighed[source, target]


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].split(".", maxsplit=1)[0]


def _cites(text: str, stem: str) -> bool:
    """Whether a text names a file, by its name or the numbered head of it (`POL-12`)."""
    head = "-".join(part for part in stem.split("-") if part.isupper() or part.isdigit())
    low = text.casefold()
    return stem.casefold() in low or (len(head) > 4 and head.casefold() in low)
