"""Steps of an agent before they have ids, and the exchanges they belong to."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from bot.bench.simulate.document import Document, Passage
from bot.records.trajectory import NodeType, ToolCall

Mark = Literal["", "root", "accept", "cascade"]


class Step(msgspec.Struct, frozen=True):
    """One node to be. `mark` says what it has to do with the fault."""

    type: NodeType
    reasoning: str | None = None
    input: Any = None
    output: Any = None
    tool: ToolCall | None = None
    mark: Mark = ""


class Exchange(msgspec.Struct, frozen=True):
    """What the user says, what the agent does about it, and its answer (None: it gives none)."""

    said: str
    steps: tuple[Step, ...] = ()
    answer: str | None = None


class Names(msgspec.Struct, frozen=True):
    """How one version of an agent calls its tools and numbers its steps."""

    version: str
    search: str
    read: str
    skill: str
    step: str


VERSIONS = (
    Names("3.1.0", "search_kb", "read_kb_entry", "read_skill", "node_{n}"),
    Names("3.2.4", "kb.search", "fs.read", "fs.read", "n{n:02}"),
    Names("4.0.0", "retrieve", "open_doc", "read_sop", "step-{n}"),
    Names("4.1.2", "KB_search", "Read", "Read", "s{n}"),
)


def hear(text: str, intent: str, mark: Mark = "") -> Step:
    """The query is parsed."""
    return Step(
        "user_query_processing", input={"raw_query": text}, output={"intent": intent}, mark=mark
    )


def respond(text: str, mark: Mark = "", thought: str = "") -> Step:
    """The answer is given."""
    return Step("response_generation", thought or None, output={"response": text}, mark=mark)


def think(text: str) -> Step:
    """A thought with no tool."""
    return Step("reasoning", text)


def prompt(document: Document, mark: Mark = "") -> Step:
    """The prompt in force is recorded."""
    return Step(
        "system_prompt", output={"path": document.path, "content": document.text}, mark=mark
    )


def search(
    names: Names, query: str, found: tuple[Passage, ...], mark: Mark = "", thought: str = ""
) -> Step:
    """A search of the knowledge base, best result first."""
    results = [
        {
            "path": passage.path,
            "score": round(0.86 - 0.05 * rank, 2),
            **({"section": passage.section} if passage.section else {}),
            "content": passage.content,
        }
        for rank, passage in enumerate(found)
    ]
    tool = ToolCall(names.search, {"query": query}, {"results": results})
    return Step("kb_search", thought or None, tool=tool, mark=mark)


def read(
    names: Names, document: Document, passage: Passage, mark: Mark = "", thought: str = ""
) -> Step:
    """A skill or article is read, all of it or one section."""
    skill = document.type == "skill"
    asked = {"path": passage.path, **({"section": passage.section} if passage.section else {})}
    output = {"path": passage.path, "content": passage.content}
    tool = ToolCall(names.skill if skill else names.read, asked, output)
    return Step("skill_lookup" if skill else "kb_read", thought or None, tool=tool, mark=mark)


def call(name: str, given: dict[str, Any], output: Any, mark: Mark = "", thought: str = "") -> Step:
    """A tool is called and answers."""
    return Step("tool_call", thought or None, tool=ToolCall(name, given, output), mark=mark)


def failed_call(
    name: str, given: dict[str, Any], error: str, mark: Mark = "", thought: str = ""
) -> Step:
    """A tool is called and refuses, or does not answer in time."""
    status: Literal["timeout", "error"] = "timeout" if "timed out" in error else "error"
    tool = ToolCall(name, given, None, status, error)
    return Step("tool_call", thought or None, tool=tool, mark=mark)
