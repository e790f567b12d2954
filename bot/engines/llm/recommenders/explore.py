"""Explore: verify the attribution by reading the repository, then propose (TRACE, section 6)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bot.engines.llm.fence import fenced
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.proposal import FORM, Proposal, claim
from bot.engines.llm.recommenders.findings import findings
from bot.engines.llm.repo_tools import RepoTools
from bot.engines.llm.strategies.backward import leads
from bot.engines.llm.toolbox import Toolbox
from bot.prompts.template import prompt
from bot.records.change import Recommendation
from bot.records.finding import Attribution

MOST_FILES = 150


def explore(inquiry: Inquiry, attribution: Attribution) -> Recommendation:
    """Looks, as many as it takes up to the cap, and the claim that they bear out."""
    tools = RepoTools(inquiry).abilities()
    toolbox = Toolbox(tools, inquiry.options.max_explorations)
    asked = prompt(
        "explore",
        **findings(inquiry, attribution),
        files=fenced("files", _files(inquiry)),
        hints=leads(inquiry),
    )

    def conclude(answer: Proposal) -> Recommendation:
        return claim(answer, inquiry, attribution, "explore", tuple(toolbox.log))

    return inquiry.talk(asked.rules, toolbox).ask(asked.question, FORM, conclude)


def _files(inquiry: Inquiry) -> list[dict[str, Any]]:
    """Every context file where there are few; folders with their counts where there are many."""
    components = inquiry.repo.components
    if len(components) <= MOST_FILES:
        return [{"path": c.path, "type": c.type} for c in components]
    folders = Counter((c.path.rpartition("/")[0], c.type) for c in components)
    return [
        {"folder": folder, "type": kind, "files": count}
        for (folder, kind), count in folders.most_common(MOST_FILES)
    ]
