"""Which node showed which unit of which file: provenance by verbatim containment.

Tool outputs are exact copies of context text, so a unit was seen where it stands word for word
(STRACE calls the result a data edge from the source to the node).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from bot.context.search import Index
from bot.provenance.words import strings
from bot.records.trajectory import Node, Trajectory

_TAIL = re.compile(r"[.:/]|__")


class Seen(msgspec.Struct, frozen=True):
    """For each unit number the positions of the nodes that showed it, earliest first.

    `reads` maps a node's position to the files it showed, `calls` to the tool (as the repository
    defines it) that the node called.
    """

    units: dict[int, tuple[int, ...]]
    reads: dict[int, tuple[str, ...]]
    calls: dict[int, str]


def seen(trajectory: Trajectory, index: Index) -> Seen:
    """What the agent had before its eyes, node by node."""
    shown: dict[int, list[int]] = {}
    reads: dict[int, tuple[str, ...]] = {}
    calls: dict[int, str] = {}
    for position, node in enumerate(trajectory.nodes):
        files: dict[str, None] = {}
        for path, content in passages(node):
            resolved = index.repo.resolve(path) if path else None
            for number in _contained(index, resolved, content):
                shown.setdefault(number, []).append(position)
                files[index.units[number].path] = None
        reads[position] = tuple(files)
        tool = tool_of(node, index)
        if tool:
            calls[position] = tool
    for tool in dict.fromkeys(calls.values()):
        positions = [p for p, called in calls.items() if called == tool]
        asked = {p: asked_of(trajectory.nodes[p]) for p in positions}
        for number in index.by_tool[tool]:
            name = index.units[number].parameter.split(".")[0]
            # A hint on a table matters to the queries that name it; an optional parameter
            # that no call set matters to the first call.
            using = [p for p in positions if name and names_word(asked[p], name)]
            shown.setdefault(number, []).extend(using or positions)
    return Seen({n: tuple(dict.fromkeys(p)) for n, p in shown.items()}, reads, calls)


def passages(node: Node) -> Iterator[tuple[str, str]]:
    """The (path, content) pairs that a node showed; the path is empty where none was given."""
    outputs = [node.output] if node.type == "system_prompt" else []
    if node.tool is not None:
        outputs.append(node.tool.output)
    asked = _path(node.tool.input) if node.tool is not None else ""
    for output in outputs:
        yield from _texts(output, asked)


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if len(value) > 12:
            yield path, value
    elif isinstance(value, dict):
        own = _path(value) or path
        for inner in value.values():
            yield from _texts(inner, own)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, path)


def _path(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    for key in ("path", "file", "file_path", "filename", "source", "uri", "document"):
        if isinstance(value.get(key), str):
            return str(value[key])
    return ""


def _contained(index: Index, path: str | None, content: str) -> Iterator[int]:
    """Units that stand in the content. Without a known file only long ones count: a short row
    could come from anywhere."""
    if path is not None:
        candidates = index.by_path.get(path, [])
        yield from (n for n in candidates if index.units[n].said in content)
        return
    if len(content) > 60:
        for number, unit in enumerate(index.units):
            if len(unit.said) > 40 and unit.said in content:
                yield number


def tool_of(node: Node, index: Index) -> str:
    """The tool definition that a node's call means: by name, by the last part of the name, else
    by the arguments, since a gateway may rename tools."""
    if node.tool is None or not node.tool.name:
        return ""
    if node.tool.name in index.by_tool:
        return node.tool.name
    tail = _TAIL.split(node.tool.name)[-1].casefold()
    same = [name for name in index.by_tool if _TAIL.split(name)[-1].casefold() == tail]
    if same or node.type not in ("sql_query", "tool_call"):
        return same[0] if same else ""
    fits = {name: _fit(node, index, name) for name in index.by_tool}
    best = max(fits, key=lambda name: fits[name], default="")
    return best if best and fits[best] >= 1 else ""


def _fit(node: Node, index: Index, tool: str) -> float:
    """How well a call's arguments fit a definition: its parameters and the names in its hints."""
    keys = set(node.tool.input) if node.tool and isinstance(node.tool.input, dict) else set()
    names = {index.units[n].parameter.split(".")[0] for n in index.by_tool[tool]} - {""}
    if not keys:
        return 0.0
    asked = asked_of(node)
    hinted = sum(names_word(asked, name) for name in names - keys)
    return len(keys & names) / len(keys) + 2 * min(hinted, 3)


def names_word(text: str, name: str) -> bool:
    """Whether a text holds a name as a whole word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.I) is not None


def asked_of(node: Node) -> str:
    """What a tool was asked, names and values, as one text."""
    if node.tool is None:
        return ""
    names = node.tool.input if isinstance(node.tool.input, dict) else {}
    return " ".join([*map(str, names), *map(str, names.values()), *strings(node.tool.input)])
