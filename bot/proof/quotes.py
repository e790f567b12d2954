"""Whether a quote stands where it is said to stand."""

from __future__ import annotations

from bot.context.repo import ContextRepo
from bot.provenance.words import stands_in_node, stands_in_turn
from bot.records.finding import NodeQuote, RepoQuote
from bot.records.trajectory import Trajectory


def stands(trajectory: Trajectory, quote: NodeQuote) -> bool:
    """Whether the quote stands in the node, or in the turn that the node belongs to."""
    node = trajectory.node(quote.node_id)
    return node is not None and (
        stands_in_node(node, quote.quote) or stands_in_turn(trajectory, node.turn_id, quote.quote)
    )


def stands_in_repo(repo: ContextRepo, quote: RepoQuote) -> bool:
    """Whether the quote starts at that line of that file, verbatim."""
    text = repo.texts.get(quote.path)
    if text is None or not quote.quote.strip() or quote.line < 1:
        return False
    start = 0
    for _ in range(quote.line - 1):
        start = text.find("\n", start) + 1
        if start == 0:
            return False
    end_of_line = text.find("\n", start)
    found = text.find(quote.quote, start)
    return found >= 0 and (end_of_line < 0 or found <= end_of_line)
