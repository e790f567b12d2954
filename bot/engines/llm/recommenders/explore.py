"""Explore: verify the attribution by reading the repository, then propose (TRACE, section 6)."""

from __future__ import annotations

from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.proposal import FORM, Proposal, claim
from bot.engines.llm.recommenders.findings import findings
from bot.engines.llm.repo_tools import RepoTools
from bot.engines.llm.strategies.backward import leads
from bot.engines.llm.toolbox import Toolbox
from bot.prompts.template import prompt
from bot.records.change import Recommendation
from bot.records.finding import Attribution


def explore(inquiry: Inquiry, attribution: Attribution) -> Recommendation:
    """Looks, as many as it takes up to the cap, and the claim that they bear out."""
    toolbox = Toolbox(RepoTools(inquiry).abilities(), inquiry.options.max_explorations)
    asked = prompt("explore", **findings(inquiry, attribution), hints=leads(inquiry))

    def conclude(answer: Proposal) -> Recommendation:
        return claim(answer, inquiry, attribution, "explore", tuple(toolbox.log))

    return inquiry.talk(asked.rules, toolbox).ask(asked.question, FORM, conclude)
