"""What a tool gave back, out of the wrappers of frameworks and in its canonical place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from bot.records.trajectory import NodeType
from bot.sources.spans.values import loaded
from bot.sources.spans.vocabulary import vocabulary

DEEPEST = 4


class Answer(msgspec.Struct, frozen=True):
    """A tool's answer, or what it said when it failed."""

    value: Any = None
    error: str | None = None


def unwrapped(value: Any, depth: int = 0) -> Answer:
    """The answer inside a LangChain ToolMessage, an MCP result, or `{"output": …}`."""
    value = loaded(value)
    if not isinstance(value, dict) or depth > DEEPEST:
        return Answer(value)
    if isinstance(value.get("kwargs"), dict) and ("lc" in value or "id" in value):
        return unwrapped(value["kwargs"], depth + 1)
    if "content" in value and (value.get("type") == "tool" or "tool_call_id" in value):
        return _content(value["content"], value.get("status") == "error", depth)
    if isinstance(value.get("content"), list) and value.keys() <= {
        *("content", "isError", "is_error", "structuredContent", "_meta", "meta"),
    }:
        return _content(value["content"], bool(value.get("isError", value.get("is_error"))), depth)
    if len(value) == 1 and "output" in value:
        return unwrapped(value["output"], depth + 1)
    return Answer(value)


def _content(content: Any, failed: bool, depth: int) -> Answer:
    if isinstance(content, list) and all(isinstance(p, dict) and "text" in p for p in content):
        content = "\n".join(str(part["text"]) for part in content)
    if failed:
        return Answer(error=content if isinstance(content, str) else str(content))
    return unwrapped(content, depth + 1)


def shaped(kind: NodeType, output: Any) -> Any:
    """The output where the canonical form has it for that type of node."""
    if kind == "kb_search":
        found = documents(output)
        return {"results": found} if found else output
    if kind in ("kb_read", "skill_lookup") and isinstance(output, str):
        return {"content": output}
    if kind == "sql_query" and isinstance(output, list):
        return {"rows": output}
    return output


def documents(value: Any) -> list[Any]:
    """Search results with `path`, `score`, `section` and `content` where they are known.

    An id that is all a store tells of a document stands for its path.
    """
    value = unwrapped(value).value
    if isinstance(value, dict):
        lists = (value.get(key) for key in ("documents", "results", "matches", "hits", "output"))
        value = next((found for found in lists if isinstance(found, list)), None)
    return [_document(item) for item in value] if isinstance(value, list) else []


def _document(item: Any) -> Any:
    if isinstance(item, dict) and isinstance(item.get("document"), dict):
        item = item["document"]
    if not isinstance(item, dict):
        return item
    metadata = loaded(item.get("metadata"))
    metadata = metadata if isinstance(metadata, dict) else {}
    table: Mapping[str, list[str]] = vocabulary()["document"]
    found: dict[str, Any] = {}
    for key, known in table.items():
        for holder in (item, metadata):
            value = next((holder[name] for name in known if holder.get(name) is not None), None)
            if value is not None:
                found.setdefault(key, value)
    if "path" not in found and "id" in found:
        found["path"] = found["id"]
    taken = {name for known in table.values() for name in known} | {"metadata"}
    rest = {key: v for key, v in {**metadata, **item}.items() if key not in taken}
    return {**rest, **found} if found else item
