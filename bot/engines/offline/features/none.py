"""Whether the context was right: what the agent said stands in what it read."""

from __future__ import annotations

from bot.engines.offline.claims import Claims, held, without
from bot.engines.offline.scene import Scene


def sound(scene: Scene, number: int) -> dict[str, float]:
    """Where the user's and the agent's values stand: read, elsewhere, only in drafts, nowhere."""
    view = scene.rounds[number]
    limit = max(view.round.nodes, default=0)
    units, library = scene.index.units, scene.library
    shown = [n for n, ps in scene.seen.units.items() if min(ps) <= limit]
    wanted = without(scene.wanted, Claims((*view.said.values, *view.asked.values)))
    read = Claims(tuple(v for n in shown for v in library.claims[n].values))
    firm_units = [
        n
        for n, u in enumerate(units)
        if library.standings[u.path].status in ("approved", "unknown")
    ]
    near = sorted(firm_units, key=lambda n: -view.question.of(n))[:40]
    firm = Claims(tuple(v for n in near for v in library.claims[n].values))
    return {
        "wanted_any": float(bool(wanted.values)),
        "wanted_read": _share(wanted, read),
        "wanted_near": _share(wanted, firm),
        "said_read": _share(view.said, read),
        "said_any": float(bool(view.said.values)),
        "admitted_read": _share(without(scene.admitted, view.said), read),
    }


def _share(first: Claims, second: Claims) -> float:
    return len(held(first, second)) / len(first.values) if first.values else 0.0
