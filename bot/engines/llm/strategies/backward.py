"""The backward pass: the trace in reverse order, walked once in one conversation.

Short traces stand in the prompt whole. Of a long one the causal slice does, and tools read the
rest on demand.
"""

from __future__ import annotations

import msgspec

from bot.engines.llm import blame, nodes
from bot.engines.llm.causal_slice import causal_order
from bot.engines.llm.conversation import complaint
from bot.engines.llm.dialogue import Dialogue
from bot.engines.llm.fence import fenced
from bot.engines.llm.hypotheses import entries
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.listing import LEADS, listing, rows
from bot.engines.llm.nodes import Ledger
from bot.engines.llm.strategies import delta
from bot.engines.llm.toolbox import Toolbox
from bot.prompts.template import part, prompt
from bot.records.finding import Attribution, Delta


class Pass(msgspec.Struct, frozen=True):
    """A conversation about one trace, the question that opens it, and what has been read."""

    inquiry: Inquiry
    loss: Delta
    dialogue: Dialogue
    question: str
    ledger: Ledger

    @property
    def inlined(self) -> bool:
        """Whether the prompt holds the whole trace."""
        return self.ledger.coverage >= 1.0

    def ask(self, question: str, strategy: str) -> Attribution:
        """The claim that the model makes when it is asked so."""

        def conclude(answer: blame.Blame) -> Attribution:
            read = self.ledger.coverage
            return blame.claim(answer, self.inquiry, self.loss, strategy, read)

        return self.dialogue.ask(question, blame.form(self.inquiry), conclude)


def backward(
    inquiry: Inquiry, loss: Delta, *, hints: bool, temperature: float = 0.0, sample: int = 0
) -> Pass:
    """A pass that is ready to be asked; nothing has been sent yet."""
    trajectory = inquiry.trajectory
    ledger = Ledger(trajectory)
    about = complaint(inquiry.case)
    order = causal_order(inquiry.case, about)
    told = nodes.listed(trajectory, order, inquiry.options.trace_tokens, about, ledger)
    inlined = ledger.coverage >= 1.0
    asked = prompt(
        "holistic",
        loss=fenced("loss", delta.row(loss)),
        trace=fenced("trace", told[::-1]),
        hints=leads(inquiry) if hints else "",
        reading="" if inlined else part("_reading"),
    )
    most = inquiry.options.max_explorations
    toolbox = None if inlined else Toolbox(nodes.abilities(trajectory, ledger), most)
    talk = inquiry.talk(asked.rules, toolbox, temperature=temperature, sample=sample)
    return Pass(inquiry, loss, talk, asked.question, ledger)


def leads(inquiry: Inquiry) -> str:
    """The offline explanations as hints; nothing where there are none."""
    if inquiry.offline is None or not inquiry.offline.hypotheses:
        return ""
    found = entries(inquiry.offline.hypotheses, inquiry.trajectory)
    settling = (e.hypothesis.authority for e in found if e.hypothesis.authority is not None)
    listed = listing(found, tuple(settling), inquiry.repo, LEADS)
    return part("_hints", leads=fenced("leads", rows(listed, inquiry.repo)))
