"""What a session's tool calls read of the context repository, whatever tool they used.

An ordinary coding agent opens a skill with `Read` or `cat`. Where the path or the text is a
component's, the call is a `skill_lookup` or a `kb_read`, and the node says which file it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from bot.context.shown import Found, Shelf, listed, named_skill, shown
from bot.provenance.reads import read_path, searched, unnumbered
from bot.provenance.rules import Rules, matching, read_by
from bot.records.trajectory import Node, NodeType, ToolCall, Trajectory
from context_repo_schema.component import ComponentType

# What a general tool may turn out to be a read of; searches and queries stay what they are.
OPEN = frozenset({"tool_call", "other", "kb_read", "skill_lookup"})
GENERAL = frozenset({"tool_call", "other"})
READ_AS: Mapping[ComponentType, NodeType] = {"skill": "skill_lookup", "kb_entry": "kb_read"}
TEXT_KEYS = ("content", "text")


def retype(trajectory: Trajectory, shelf: Shelf, rules: Rules) -> Trajectory:
    """The session with its tool calls typed: by the user's rules, then by what they read.

    A call that read a component has its path and text in `tool.output` (`path`, `content`),
    without the line numbers that a reading tool added; one that failed has it in `tool.input`.
    A search of files that found components has them in `tool.output.results`.
    """
    nodes = tuple(_node(node, shelf, rules) for node in trajectory.nodes)
    return replace(trajectory, nodes=nodes)


def _node(node: Node, shelf: Shelf, rules: Rules) -> Node:
    if node.tool is None:
        return node
    ruled = matching(node.tool, rules)
    kind: NodeType = ruled[0] if ruled else node.type
    if kind not in OPEN:
        return replace(node, type=kind)
    said = read_by(ruled[1], node.tool) if ruled else None
    path = said or read_path(node.tool.name, node.tool.input)
    if not ruled and kind in GENERAL and (search := _search(node.tool, shelf)) is not None:
        return replace(node, type="kb_search", tool=search)
    found = _component(node.tool, path, kind, shelf)
    if found is None:
        return replace(node, type=kind, tool=_placed(node.tool, said, ""))
    # A schema or a prompt may be any tool's answer; it was read where a path was asked for.
    if not ruled and (found.type in READ_AS or (kind in GENERAL and path)):
        kind = READ_AS.get(found.type, "kb_read")
    file = shelf.repo.texts[found.path] if found.path else ""
    return replace(node, type=kind, tool=_placed(node.tool, found.path, file))


def _search(tool: ToolCall, shelf: Shelf) -> ToolCall | None:
    """The call as a search of the knowledge base, where it searched files and found components."""
    query, text = searched(tool.name, tool.input), _text(tool.output)
    hits = listed(shelf, text) if query is not None and text is not None else {}
    if not hits:
        return None
    results = [{"path": path, "content": "\n".join(lines)} for path, lines in hits.items()]
    return replace(tool, input={"query": query, **tool.input}, output={"results": results})


def _component(tool: ToolCall, path: str | None, kind: NodeType, shelf: Shelf) -> Found | None:
    """The component that a call read: by path, by text, or a skill by its name."""
    text = _text(tool.output)
    plain = unnumbered(text) if text is not None else None
    found = shown(shelf, path, plain)
    if found is None and plain != text:
        found = shown(shelf, path, text)
    if found is None and kind == "skill_lookup":
        return named_skill(shelf.repo, tool.input)
    return found


def _placed(tool: ToolCall, path: str | None, file: str) -> ToolCall:
    """The call with what it read in its canonical place; nothing is said of an unknown path."""
    if path is None:
        return tool
    text = _text(tool.output)
    if text is None:
        asked = tool.input if isinstance(tool.input, dict) else {"input": tool.input}
        return replace(tool, input={"path": path, **asked})
    # A file may hold numbered lines itself.
    own = all(line in file for line in text.splitlines())
    plain = text if own else unnumbered(text)
    if not isinstance(tool.output, dict):
        return replace(tool, output={"path": path, "content": plain})
    return replace(tool, output={**tool.output, "path": path, _text_key(tool.output): plain})


def _text(output: Any) -> str | None:
    """The text of an output: itself, its content, or the parts of a list."""
    if isinstance(output, str):
        return output
    if isinstance(output, Mapping) and (key := _text_key(output)):
        return str(output[key])
    parts = output if isinstance(output, list) else []
    texts = [part["text"] for part in parts if isinstance(part, dict) and "text" in part]
    whole = bool(texts) and all(isinstance(text, str) for text in texts)
    return "\n".join(texts) if whole and len(texts) == len(parts) else None


def _text_key(output: Mapping[str, Any]) -> str:
    return next((key for key in TEXT_KEYS if isinstance(output.get(key), str)), "")
