"""Whether the truth outweighs the faulty file."""

from __future__ import annotations

from bot.context.authority import prefers
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.scene import Scene


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Standing of both files, and which of them is to be believed."""
    found: dict[str, float] = {}
    library = scene.library
    units = scene.index.units
    truth = units[candidate.truth] if candidate.truth is not None else None
    if truth is not None:
        own = library.standings[truth.path]
        found["truth_policy"] = float(own.rank == 0)
        found["truth_note"] = float(own.rank == 3)
        found["truth_draft"] = float(own.status == "draft")
        found["truth_dead"] = float(own.status == "dead")
    target = units[candidate.faulty].path if candidate.faulty is not None else candidate.path
    if target is None or target not in library.standings:
        return found
    theirs = library.standings[target]
    found["target_policy"] = float(theirs.rank == 0)
    found["target_note"] = float(theirs.rank == 3)
    found["target_draft"] = float(theirs.status == "draft")
    found["target_ended"] = float(bool(library.ends.get(target)))
    if truth is not None and truth.path != target:
        side, reason = prefers(scene.index.repo, library.standings[truth.path], theirs)
        found[f"wins_{reason}" if side > 0 else f"loses_{reason}"] = 1.0
        found["wins"] = float(side)
        found["same_owner"] = float(
            bool(theirs.owner) and theirs.owner == library.standings[truth.path].owner
        )
        stem = truth.path.rsplit("/", 1)[-1].split(".")[0]
        found["target_cites_truth"] = float(_cites(scene.index.repo.texts[target], stem))
        found["truth_cites_target"] = float(
            _cites(scene.index.repo.texts[truth.path], target.rsplit("/", 1)[-1].split(".")[0])
        )
    return found


def _cites(text: str, stem: str) -> bool:
    """Whether a text names a file, by its name or the numbered head of it (`FIN-2026-011`)."""
    head = "-".join(part for part in stem.split("-") if part.isupper() or part.isdigit())
    low = text.casefold()
    return stem.casefold() in low or (len(head) > 4 and head.casefold() in low)
