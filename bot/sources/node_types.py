"""Which kind of step a tool call is, read from the tool's name; the first rule that fits wins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.records.trajectory import NodeType

PATTERNS: Sequence[tuple[str, NodeType]] = (
    (r"^(think|thought|reason|scratchpad)\w*$", "reasoning"),
    (r"skill|sop\b|playbook|runbook", "skill_lookup"),
    (r"sql|query_(db|database|table|warehouse)|(db|database|warehouse)_query", "sql_query"),
    (
        r"(search|retriev|query|lookup|find)\w*[._\-]?(kb|knowledge|docs?|documents?|wiki"
        r"|articles?|handbook)|(kb|knowledge\w*|docs?|documents?|wiki|articles?)"
        r"[._\-]?(search|retriev|query|lookup|find)|^retriev|semantic_search|vector_search",
        "kb_search",
    ),
    (
        r"(read|open|get|fetch|load)[._\-]?(kb|knowledge|docs?|documents?|wiki|article|page"
        r"|policy|entry)|(kb|docs?|fs|file)[._\-](read|open|get)",
        "kb_read",
    ),
)
RULES = tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in PATTERNS)


def node_type(tool_name: str) -> NodeType:
    """The node type of a call of that tool; `tool_call` where no rule fits."""
    return next((kind for rule, kind in RULES if rule.search(tool_name)), "tool_call")
