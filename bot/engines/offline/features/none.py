"""Whether the context was right: what the agent said stands in what it read."""

from __future__ import annotations

import math
import re

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.claims import Claims, held, without
from bot.engines.offline.cues import holds
from bot.engines.offline.scene import Scene

_SERVER = re.compile(r"\b50[0-4]\b")


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
    drafts = Claims(
        tuple(
            v
            for n, u in enumerate(units)
            if library.standings[u.path].status in ("draft", "dead")
            for v in library.claims[n].values
        )
    )
    return {
        **_failed(scene, number),
        "wanted_draft": _share(without(wanted, firm), drafts),
        "wanted_any": float(bool(wanted.values)),
        "wanted_read": _share(wanted, read),
        "wanted_near": _share(wanted, firm),
        "said_read": _share(view.said, read),
        "said_any": float(bool(view.said.values)),
        "admitted_read": _share(without(scene.admitted, view.said), read),
    }


def outage(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """For the explanation that the context was right: whether a service was down, and whether
    nothing was read besides, so that there was nothing to be misled by."""
    if candidate.shape != "sound":
        return {}
    down = _failed(scene, candidate.round)["round_down"]
    read = scene.rounds[candidate.round].sight.knowledge
    return {"outage_alone": down * float(not read), "outage": down}


def _failed(scene: Scene, number: int) -> dict[str, float]:
    """How the round's calls ended: how many failed, and whether the last word of a tool that
    failed was that the service was down, or that it did not take the call."""
    nodes = scene.trajectory.nodes
    calls = [t for p in scene.rounds[number].round.nodes if (t := nodes[p].tool) is not None]
    last = {tool.name: tool for tool in calls}
    open_ = [tool for tool in last.values() if tool.status != "ok"]
    down = [t for t in open_ if t.status == "timeout" or _down(scene, t.error or "")]
    return {
        "round_failed": math.log1p(sum(tool.status != "ok" for tool in calls)),
        "round_down": float(bool(down)),
        "round_refused": float(len(open_) > len(down)),
    }


def _down(scene: Scene, error: str) -> bool:
    return holds(error, scene.library.outage) or bool(_SERVER.search(error))


def _share(first: Claims, second: Claims) -> float:
    return len(held(first, second)) / len(first.values) if first.values else 0.0
