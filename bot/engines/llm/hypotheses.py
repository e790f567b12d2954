"""The offline engine's explanations in plain words, one entry a fix, each with an id."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from bot.context.authority import standing
from bot.context.repo import ContextRepo
from bot.engines.llm.clip import clip
from bot.prompts.template import FOLDER
from bot.provenance.words import stands_in_node
from bot.records.finding import Hypothesis, RepoQuote
from bot.records.trajectory import Trajectory

MOST = 12
MOST_NODES = 4
QUOTE_LENGTH = 220


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


def row(entry: Entry, trajectory: Trajectory, repo: ContextRepo) -> dict[str, Any]:
    """An entry as data for a prompt; what there is no evidence for is left out."""
    one = entry.hypothesis
    faulty = one.faulty.quote if one.faulty is not None else ""
    # What stands in the conversation or as the text at fault need not be shown again.
    known = (faulty, *(turn.content for turn in trajectory.turns))
    quotes = [
        _shown(q.quote)
        for q in one.session_quotes[:2]
        if not any(q.quote in text for text in known)
    ]
    told = {
        "id": entry.id,
        "fault": phrases()[f"{one.category} {one.operation}"],
        "file": one.component_path,
        "wrong": _shown(faulty) or None,
        "right": _placed(one.authority, one.component_path, repo),
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


def _placed(quote: RepoQuote | None, path: str | None, repo: ContextRepo) -> str | None:
    if quote is None:
        return None
    status = {"draft": " (a draft)", "dead": " (superseded)"}.get(standing(repo, quote.path).status)
    where = "the same file" if quote.path == path else quote.path
    return f"{where}{status or ''}, line {quote.line}: {_shown(quote.quote)}"


def _shown(text: str) -> str:
    return clip(" ".join(text.split()), QUOTE_LENGTH)
