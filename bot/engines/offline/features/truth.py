"""What the unit that may be right is, and whether the agent had seen it."""

from __future__ import annotations

import math

from bot.engines.offline.features.absence import best
from bot.engines.offline.scene import Scene


def measure(scene: Scene, number: int, role: str, unit: int) -> dict[str, float]:
    """Sight, standing and section of the truth; nothing for the faulty unit."""
    if role != "truth":
        return {}
    view = scene.rounds[number]
    limit = view.sight.limit
    path = scene.index.units[unit].path
    shown = scene.seen.units.get(unit, ())
    peers = scene.index.peers(unit)
    manner, binding = scene.library.manner.rows, scene.library.binding
    held = frozenset(scene.index.bags[unit])
    own = scene.library.standings[path]
    share = scene.index.coverage
    talk = scene.complaint_stems | view.stems
    return {
        # A pull is standardised over the repository: in a small one something always stands out.
        "truth_share_complaint": share(held, scene.complaint_stems),
        "truth_share_talk": share(held, talk),
        "truth_share_fresh": share(held, scene.complaint_stems - view.stems),
        "truth_seen": float(any(p <= limit for p in shown)),
        "truth_seen_later": float(bool(shown) and all(p > limit for p in shown)),
        "truth_file_seen": float(path in view.sight.files),
        "truth_strange": scene.index.mass(view.sight.strange & held),
        "truth_binds": float(unit in binding) + 0.5 * float(any(n in binding for n in peers)),
        "truth_file_binds": math.log1p(sum(n in binding for n in scene.index.by_path[path])),
        "truth_assistants": max(manner[n]["assistants"] for n in peers),
        "truth_supersedes": manner[unit]["supersedes"],
        "truth_section": best(scene.complaint.semantic, peers),
        "truth_section_question": best(view.question.semantic, peers),
        "truth_policy": float(own.rank == 0),
        "truth_note": float(own.rank == 3),
        "truth_draft": float(own.status == "draft"),
        "truth_dead": float(own.status == "dead"),
    }
