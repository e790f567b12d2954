"""Which kind of step a tool call is, read from the tool's name; the first rule that fits wins.

A general tool that opened a file is told by the file's path: where skills and documents stand
by default. Against the context repository itself it is told in `bot.stages.retype`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.provenance.reads import read_path, runs_sql
from bot.records.trajectory import NodeType
from context_repo_schema.classify import component_type
from context_repo_schema.config import Config

PATTERNS: Sequence[tuple[str, NodeType]] = (
    (r"^(think|thought|reason|scratchpad)\w*$", "reasoning"),
    (r"skill|sop\b|playbook|runbook", "skill_lookup"),
    (r"sql|query_(db|database|table|warehouse)|(db|database|warehouse)_query", "sql_query"),
    (
        r"(search|retriev|query|lookup|find)\w*[._\-]?(kb|knowledge|docs?|documents?|wiki"
        r"|articles?|handbook)|(kb|knowledge\w*|docs?|documents?|wiki|articles?)"
        r"[._\-]?(search|retriev|query|lookup|find)|^retriev|semantic_search|vector_search"
        r"|^file_search$",
        "kb_search",
    ),
    (
        r"(read|open|get|fetch|load)[._\-]?(kb|knowledge|docs?|documents?|wiki|article|page"
        r"|policy|entry)|(kb|docs?|fs|file)[._\-](read|open|get)",
        "kb_read",
    ),
)
RULES = tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in PATTERNS)
LONGEST_PATH = 1000


def node_type(tool_name: str, asked: Any = None) -> NodeType:
    """The node type of a call of that tool with these arguments; `tool_call` where no rule fits."""
    named = next((kind for rule, kind in RULES if rule.search(tool_name)), None)
    if named not in (None, "kb_read"):
        return named
    path = read_path(tool_name, asked)
    opened = _opened(path) if path and len(path) <= LONGEST_PATH else None
    return opened or named or ("sql_query" if runs_sql(asked) else "tool_call")


def _opened(path: str) -> NodeType | None:
    # Only the folders at the end tell: what stands before them is one machine's.
    match component_type(path.replace("\\", "/").lstrip("/"), "", Config()):
        case "skill":
            return "skill_lookup"
        case "kb_entry":
            return "kb_read"
        case _:
            return None
