"""Two units that say the same, differ in one value, or speak of other things."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.offline.accord import Accord, Accords
from bot.engines.offline.claims import claims
from context_repo_schema.component import Component

LINES = (
    "The notice period is 30 days.",
    "Die Kündigungsfrist beträgt 14 Tage.",
    "The notice period is 30 days for all contracts.",
    "Parcels are kept at the depot for 7 days.",
)


def accord(first: int, second: int) -> Accord:
    texts = {f"kb/{n}.md": f"# Page {n}\n\n{line}\n" for n, line in enumerate(LINES)}
    parts = tuple(Component("kb_entry", path) for path in texts)
    index = Index(ContextRepo(Path(), None, parts, texts, {}))
    number = {u.path: n for n, u in enumerate(index.units) if u.kind == "sentence"}
    asked = (number[f"kb/{first}.md"], number[f"kb/{second}.md"])
    return Accords(index, [claims((unit.reading,)) for unit in index.units]).of(*asked)


def test_the_same_thing_with_another_value_clashes_across_languages() -> None:
    assert accord(0, 1).clash > accord(0, 3).clash


def test_what_says_the_same_echoes() -> None:
    found = accord(0, 2)
    assert (found.slots, found.shares, found.holds) == ((), True, 1.0)
    assert found.echo > found.held


@pytest.mark.parametrize("other", [1, 3])
def test_rivals_echo_nothing(other: int) -> None:
    assert accord(0, other).echo == 0.0
