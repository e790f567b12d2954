"""Baselines that spend more calls without more evidence: asking again, and asking several times."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.strategies.backward import backward
from bot.engines.llm.strategies.delta import delta
from bot.errors import Rejected
from bot.prompts.template import part
from bot.records.finding import Attribution, NodeScore

AGAIN = 3
WARM = 0.7


def passive(inquiry: Inquiry) -> Attribution:
    """Passive continuation: the same pass, asked three times to reconsider; the last answer."""
    walk = backward(inquiry, delta(inquiry), hints=inquiry.options.hints)
    answer = walk.ask(walk.question, "passive")
    for _ in range(AGAIN):
        try:
            answer = walk.ask(part("_reconsider"), "passive")
        except Rejected:
            break
    return answer


def self_consistency(inquiry: Inquiry) -> Attribution:
    """The node that most independent passes blame, and the first pass that blames it.

    Passes run side by side; a pass without a usable answer does not vote. Raises `Rejected`
    where none has one.
    """
    loss = delta(inquiry)

    def vote(sample: int) -> Attribution | None:
        hints = inquiry.options.hints
        walk = backward(inquiry, loss, hints=hints, temperature=WARM, sample=sample)
        try:
            return walk.ask(walk.question, "self-consistency")
        except Rejected:
            return None

    with ThreadPoolExecutor(max(1, inquiry.options.concurrency)) as pool:
        drawn = list(pool.map(vote, range(1, inquiry.options.samples + 1)))
    votes = [answer for answer in drawn if answer is not None]
    if not votes:
        raise Rejected("no pass of the vote had a usable answer")
    counts = Counter(answer.root_cause_node for answer in votes)
    root, most = counts.most_common(1)[0]
    first = next(answer for answer in votes if answer.root_cause_node == root)
    shares = tuple(NodeScore(n, c / len(votes), f"{c} votes") for n, c in counts.items())
    return replace(first, scores=shares, margin=most / len(votes))
