"""The checks in the order in which their findings are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from bot.audit import ended, identity, measures, references, rows, superseded, tools, values
from bot.audit.finding import Finding
from bot.audit.material import Material, material
from bot.context.repo import ContextRepo

Check = Callable[[Material], Iterator[Finding]]

CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    ("values", values.check),
    ("rows", rows.check),
    ("tools", tools.check),
    ("measures", measures.check),
    ("superseded", superseded.check),
    ("ended", ended.check),
    ("references", references.check),
    ("identity", identity.check),
)


def audit(repo: ContextRepo) -> tuple[Finding, ...]:
    """What every check finds, each finding once, by check and then by place."""
    read = material(repo)
    found: list[Finding] = []
    for _, check in CHECKS:
        own = {(f.here.path, f.here.line, f.message): f for f in check(read)}
        found += (own[place] for place in sorted(own))
    return tuple(found)
