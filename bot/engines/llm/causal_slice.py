"""Which nodes of a long session can have caused the disputed answer, nearest first.

A node depends on an earlier one whose output first brought in a word that it uses; what cannot
be reached backward from the answer comes last (STRACE, causal context distillation).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from bot.engines.llm.nodes import text
from bot.records.finding import Case
from bot.records.trajectory import Node

# Words of every third node tell nothing about who used what.
COMMON = 0.34
_WORD = re.compile(r"[^\W_][\w.,:/-]{3,}[^\W_]|\b\d{2,}\b", re.UNICODE)


def causal_order(case: Case, complaint: str) -> tuple[str, ...]:
    """All node ids: the causal slice by distance from the answer, then the rest, latest first."""
    nodes = case.trajectory.nodes
    words = [_words(text(node)) for node in nodes]
    counts = Counter(word for found in words for word in found)
    most = max(2, int(len(nodes) * COMMON))
    words = [{w for w in found if counts[w] <= most} for found in words]
    origin = {word: n for n, found in reversed(list(enumerate(words))) for word in found}
    distance = _distances(_starts(case, nodes), words, origin)
    wanted = _words(complaint)
    far = len(nodes) + 1
    order = sorted(
        range(len(nodes)),
        key=lambda n: (distance.get(n, far), -len(wanted & words[n]), -n),
    )
    return tuple(nodes[n].node_id for n in order)


def _starts(case: Case, nodes: tuple[Node, ...]) -> list[int]:
    """The answers before the complaint, the last of them first: where the loss is seen."""
    trigger = case.detection.trigger_turn_id or 0
    answers = [
        n
        for n, node in enumerate(nodes)
        if node.type == "response_generation" and (not trigger or node.turn_id <= trigger)
    ]
    return answers[-1:] or [len(nodes) - 1]


def _distances(
    starts: list[int], words: list[set[str]], origin: Mapping[str, int]
) -> dict[int, int]:
    distance = dict.fromkeys(starts, 0)
    reached = list(starts)
    for node in reached:
        for source in {origin[word] for word in words[node]} - {node}:
            if source < node and source not in distance:
                distance[source] = distance[node] + 1
                reached.append(source)
    return distance


def _words(found: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(found)}
