"""A fault as it was injected, and what a maintainer would do about it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from bot.provenance.values import Value
from bot.records.finding import Classification, ComponentType, FaultCategory, Operation

Kind = Literal[
    "SKILL_FILE_STALE",
    "KB_CONTENT_STALE",
    "KB_CONTENT_GAP",
    "TOOL_PROMPT_ERROR",
    "SYSTEM_PROMPT_GAP",
    "RETRIEVAL_FAILURE",
    "DELETE",
    "NO_ACTION",
    "CONTROL",
]
Flaw = Literal["stale", "gap", "member", "optional", "format", "unit", "term", "title"]


class Fault(msgspec.Struct, frozen=True):
    """One fault in the copy. `quote` is its faulty text (None for an absence), verbatim.

    `right` is what should stand there: a sentence, or what a parameter takes. `value` and `wrong`
    are set where a value was changed. `section` names the passage that shows the fault, `source`
    the document that holds the truth of a retrieval fault. `call` is a right call of `tool`.
    """

    fault_id: str
    kind: Kind
    flaw: Flaw
    category: FaultCategory
    operation: Operation
    component_type: ComponentType
    path: str
    topic: str
    subject: str
    right: str
    quote: str | None = None
    value: Value | None = None
    wrong: str | None = None
    section: str | None = None
    authority: str | None = None
    authority_quote: str | None = None
    classification: Classification = "SYSTEMIC"
    source: str | None = None
    term: str = ""
    tool: str = ""
    parameter: str = ""
    call: dict[str, Any] = {}
