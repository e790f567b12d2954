"""Continual Search: the same pass, then up to three turns that open what has not been read.

What a further turn asks comes from a small fixed tree over how the evidence is stored and how
much of it has been read; there is always one answer, never a set. A trace that stood whole in the
prompt gets no further turn, since asking again without new evidence only makes a judge waver
(Raj et al., Root-Cause Attribution Is a Search Problem, sections 3.1 and 4.3).
"""

from __future__ import annotations

from bot.engines.llm.fence import fenced
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.strategies.backward import Pass, backward
from bot.engines.llm.strategies.delta import delta
from bot.errors import Rejected
from bot.prompts.template import part
from bot.records.finding import Attribution

FURTHER = ("_open_unread", "_sweep_least_read", "_test_candidates")
NAMED = 12


def continual(inquiry: Inquiry) -> Attribution:
    """The last answer that moved, by proof, to an earlier cause."""
    walk = backward(inquiry, delta(inquiry), hints=inquiry.options.hints)
    answer = walk.ask(walk.question, "continual")
    for number in range(len(FURTHER)):
        question = further(walk, number)
        if question is None:
            break
        try:
            answer = moved(inquiry, answer, walk.ask(question, "continual"))
        except Rejected:
            # The turn brought nothing that holds; what held before still does.
            break
    return answer


def further(walk: Pass, number: int) -> str | None:
    """The question of a further turn, or None where there is nothing left to read."""
    if walk.ledger.coverage >= 1.0:
        return None
    unread = walk.ledger.unread()
    if not unread:
        return part("_test_candidates", unread="")
    return part(FURTHER[number], unread=fenced("unread", list(unread[:NAMED])))


def moved(inquiry: Inquiry, before: Attribution, after: Attribution) -> Attribution:
    """The later answer only if its root is earlier in time and quoted there, word for word."""
    order = {node.node_id: n for n, node in enumerate(inquiry.trajectory.nodes)}
    earlier = order[after.root_cause_node] < order[before.root_cause_node]
    proved = any(quote.node_id == after.root_cause_node for quote in after.evidence)
    if after.root_cause_node == before.root_cause_node or (earlier and proved):
        return after
    return before
