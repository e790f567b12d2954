"""Which of two places that disagree is to be believed."""

from __future__ import annotations

from bot.audit.finding import PERSON, Finding
from bot.audit.material import Material, quoted
from bot.context.authority import Reason, prefers
from bot.context.unit import Unit

Side = tuple[Unit, str]

WHY: dict[Reason, str] = {
    "supersession": "it supersedes the other",
    "status": "the other is not approved",
    "hierarchy": "it stands higher",
    "recency": "it is newer",
    "ownership": "its owner owns the matter",
}


def weighed(material: Material, check: str, one: Side, other: Side) -> Finding:
    """Two units that state different values, the weaker one first.

    Each side is a unit with the value as it stands there. Two places of one file, and files that
    nothing ranks, are left to a person.
    """
    side: int = 0
    reason: Reason = "equal"
    if one[0].path != other[0].path:
        first, second = (material.standings[unit.path] for unit, _ in (one, other))
        side, reason = prefers(material.repo, first, second)
    weak, strong = (other, one) if side > 0 else (one, other)
    place = f"{strong[0].path}:{strong[0].line}"
    return Finding(
        check=check,
        message=f"{weak[1]!r} here, {strong[1]!r} in {place}",
        cure=f"take over what {strong[0].path} says" if side else PERSON,
        here=quoted(weak[0]),
        there=quoted(strong[0]),
        outweighs=strong[0].path if side else None,
        why=WHY.get(reason, ""),
    )
