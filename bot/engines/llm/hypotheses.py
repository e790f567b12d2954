"""The offline engine's explanations, one entry a fix, each with an id."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from bot.prompts.template import FOLDER
from bot.provenance.words import stands_in_node
from bot.records.finding import Hypothesis
from bot.records.trajectory import Trajectory

MOST = 12
MOST_NODES = 4


class Entry(msgspec.Struct, frozen=True):
    """One explanation with its id, and the nodes at which the fault may have entered, in the order
    of time."""

    id: str
    hypothesis: Hypothesis
    nodes: tuple[str, ...]


def entries(hypotheses: Sequence[Hypothesis], trajectory: Trajectory) -> tuple[Entry, ...]:
    """At most twelve entries, best first; explanations that differ only in the node, or in the
    text that settles them, are one."""
    grouped: dict[tuple[object, ...], list[Hypothesis]] = {}
    for one in hypotheses:
        # Where the whole file goes, its lines are all the same.
        line = None if one.operation == "DELETE" else one.faulty
        key = (one.category, one.operation, one.component_path, line)
        grouped.setdefault(key, []).append(one)
    return tuple(
        Entry(f"H{number}", group[0], _nodes(group, trajectory))
        for number, group in enumerate(list(grouped.values())[:MOST], 1)
    )


@cache
def phrases() -> dict[str, str]:
    """What each category with its operation means, in a sentence."""
    return _words("phrases")


@cache
def acts() -> dict[str, str]:
    """What each category with its operation has one do, in a word that the prompts explain."""
    return _words("acts")


def _words(name: str) -> dict[str, str]:
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=dict[str, str])


def _nodes(group: Sequence[Hypothesis], trajectory: Trajectory) -> tuple[str, ...]:
    """The nodes that the explanations name, and others that show the text at fault."""
    named = dict.fromkeys(one.node_id for one in group)
    faulty = group[0].faulty
    if faulty is not None:
        showing = (n.node_id for n in trajectory.nodes if stands_in_node(n, faulty.quote))
        named |= dict.fromkeys(showing)
    order = {node.node_id: at for at, node in enumerate(trajectory.nodes)}
    return tuple(sorted(tuple(named)[:MOST_NODES], key=lambda name: order.get(name, len(order))))
