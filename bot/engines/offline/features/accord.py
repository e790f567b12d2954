"""Whether the pair differs in one matter or says the same, and what else in the repository
confirms or refutes the text that is blamed."""

from __future__ import annotations

from heapq import nlargest

from bot.context.authority import prefers
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.library import Rebuttal
from bot.engines.offline.scene import Scene
from bot.provenance.polarity import opposed
from bot.provenance.value import same

NEAREST, SEEN = 8, 6  # units that are compared: of the whole repository, of what was seen


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Accord of the pair; rebuttal of what is blamed; for an absence, whether it is one."""
    faulty, truth = candidate.faulty, candidate.truth
    if faulty is None:
        return {} if truth is None else _absent(scene, candidate, truth)
    found = _rebutted(scene, faulty, truth)
    if truth is not None:
        found.update(_pair(scene, faulty, truth))
    return found


def _pair(scene: Scene, faulty: int, truth: int) -> dict[str, float]:
    accord = scene.library.accords.of(faulty, truth)
    wanted = [s for s in accord.slots if any(same(s.second, v) for v in scene.wanted.values)]
    return {
        "accord_holds": accord.holds,
        "accord_held": accord.held,
        "accord_clash": accord.clash,
        "accord_wanted": max((slot.size for slot in wanted), default=0.0),
    }


def _rebutted(scene: Scene, faulty: int, truth: int | None) -> dict[str, float]:
    found = rebuttal(scene, faulty)
    return {
        "accord_confirmed": found.confirmed,
        "accord_refuted": found.refuted,
        "accord_opposed": found.opposed,
        "accord_by_pair": float(found.by is not None and found.by == truth),
    }


def rebuttal(scene: Scene, unit: int) -> Rebuttal:
    """What the nearest units of other files that count as much say of a unit."""
    known = scene.library.rebuttals
    if unit not in known:
        known[unit] = _rebuttal(scene, unit)
    return known[unit]


def _rebuttal(scene: Scene, faulty: int) -> Rebuttal:
    units, library = scene.index.units, scene.library
    row, own = scene.index.bare(faulty), units[faulty].path
    able = (n for n in library.stated if row[n] > 0 and units[n].path != own)
    confirmed = refuted = against = 0.0
    by: int | None = None
    for number in nlargest(NEAREST, able, key=lambda n: row[n]):
        theirs = library.standings[units[number].path]
        side, _ = prefers(scene.index.repo, theirs, library.standings[own])
        if side < 0 or theirs.status in ("draft", "dead"):
            continue
        accord = library.accords.of(faulty, number)
        if opposed(scene.marks(faulty), scene.marks(number)):
            against = max(against, accord.holds)
        else:
            confirmed = max(confirmed, accord.echo)
        if accord.clash > refuted:
            refuted, by = accord.clash, number
    return Rebuttal(confirmed, refuted, against, by)


def _absent(scene: Scene, candidate: Candidate, truth: int) -> dict[str, float]:
    """Whether what the agent saw, or the file to change, says already what is to be added."""
    row, accords = scene.near(truth)[2], scene.library.accords
    known = scene.rounds[candidate.round].sight.knowledge
    numbers = {"seen": list(known), "target": scene.index.by_path.get(candidate.path or "", [])}
    found: dict[str, float] = {}
    for name, group in numbers.items():
        nearest = sorted((n for n in group if n != truth), key=lambda n: -row[n])[:SEEN]
        found[f"{name}_echo"] = max((accords.of(truth, n).echo for n in nearest), default=0.0)
    target = (n for n in numbers["target"] if n != truth)
    sides = scene.marks(truth)
    clash = against = 0.0
    for number in sorted(target, key=lambda n: -row[n])[:SEEN]:
        accord = accords.of(number, truth)
        clash = max(clash, accord.clash)
        if opposed(scene.marks(number), sides):
            against = max(against, accord.holds)
    return found | {"target_clash": clash, "target_opposed": against}
