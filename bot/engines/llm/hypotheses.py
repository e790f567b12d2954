"""The offline engine's explanations in plain words, one entry a fix, each with an id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from bot.context.repo import ContextRepo
from bot.engines.llm.sources import place, shown
from bot.prompts.template import FOLDER
from bot.provenance.words import stands_in_node
from bot.records.finding import Hypothesis, RepoQuote
from bot.records.trajectory import Trajectory

MOST = 12
MOST_NODES = 4


class Entry(msgspec.Struct, frozen=True):
    """One explanation with its id, and the nodes at which the fault may have entered."""

    id: str
    hypothesis: Hypothesis
    nodes: tuple[str, ...]


def entries(hypotheses: Sequence[Hypothesis], trajectory: Trajectory) -> tuple[Entry, ...]:
    """At most twelve entries, best first; explanations that differ only in the node are one."""
    grouped: dict[tuple[object, ...], list[Hypothesis]] = {}
    for one in hypotheses:
        key = (one.category, one.operation, one.component_path, one.faulty, one.authority)
        grouped.setdefault(key, []).append(one)
    return tuple(
        Entry(f"H{number}", group[0], _nodes(group, trajectory))
        for number, group in enumerate(list(grouped.values())[:MOST], 1)
    )


def row(
    entry: Entry,
    trajectory: Trajectory,
    repo: ContextRepo,
    texts: Mapping[str, RepoQuote] | None = None,
) -> dict[str, Any]:
    """An entry as data for a prompt; what there is no evidence for is left out.

    A text that settles it is named by its id where `texts` holds it, else written out.
    """
    one = entry.hypothesis
    faulty = one.faulty.quote if one.faulty is not None else ""
    # What stands in the conversation or as the text at fault need not be shown again.
    known = (faulty, *(turn.content for turn in trajectory.turns))
    quotes = [
        shown(q.quote) for q in one.session_quotes[:2] if not any(q.quote in text for text in known)
    ]
    told = {
        "id": entry.id,
        "fault": phrases()[f"{one.category} {one.operation}"],
        "file": one.component_path,
        "wrong": shown(faulty) or None,
        "right": _right(one.authority, repo, texts or {}),
        "nodes": [step(trajectory, node_id) for node_id in entry.nodes],
        "agent": quotes or None,
    }
    return {key: value for key, value in told.items() if value is not None}


def step(trajectory: Trajectory, node_id: str) -> str:
    """A node with what it did, in a few words."""
    node = trajectory.node(node_id)
    if node is None:
        return node_id
    tool = f" {node.tool.name}" if node.tool is not None and node.tool.name else ""
    return f"{node_id}: {node.type}{tool}"


@cache
def phrases() -> dict[str, str]:
    """What each category with its operation means, in a sentence."""
    raw = (FOLDER / "phrases.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, str])


def _nodes(group: Sequence[Hypothesis], trajectory: Trajectory) -> tuple[str, ...]:
    """The nodes that the explanations name, then others that show the text at fault."""
    named = dict.fromkeys(one.node_id for one in group)
    faulty = group[0].faulty
    if faulty is not None:
        showing = (n.node_id for n in trajectory.nodes if stands_in_node(n, faulty.quote))
        named |= dict.fromkeys(showing)
    return tuple(named)[:MOST_NODES]


def _right(
    quote: RepoQuote | None, repo: ContextRepo, texts: Mapping[str, RepoQuote]
) -> str | None:
    if quote is None:
        return None
    known = next((name for name, text in texts.items() if text == quote), None)
    return known or f"{place(quote, repo)}: {shown(quote.quote)}"
