"""JSON and YAML into units: tool definitions, synonym entries, and any other leaf."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from bot.context.cut import embedded
from bot.context.cut.sentences import sentences
from bot.context.cut.tree import Tree, json_tree, yaml_tree
from bot.context.unit import Kind, Unit
from context_repo_schema.component import Component

_TOOL_MARKS = frozenset(
    ("input_schema", "inputSchema", "parameters", "operationId", "function", "schema_hints", "args")
)
_SHORT = 240


def cut_json(component: Component, text: str) -> Iterator[Unit]:
    """The units of a JSON text; nothing where it cannot be read."""
    tree = json_tree(text)
    return iter(()) if tree is None else _cut(component, text, tree)


def cut_yaml(component: Component, text: str) -> Iterator[Unit]:
    """The units of a YAML text; nothing where it cannot be read."""
    tree = yaml_tree(text)
    return iter(()) if tree is None else _cut(component, text, tree)


def _cut(component: Component, text: str, tree: Tree) -> Iterator[Unit]:
    if component.type == "synonym_map":
        return _terms(component, text, tree, ())
    return _values(component, text, tree, ("", "", ()))


def _place(component: Component, text: str, start: int, end: int, kind: Kind) -> Unit:
    line = text.count("\n", 0, start) + 1
    return Unit(component.path, component.type, kind, text[start:end], start, line)


def _terms(component: Component, text: str, tree: Tree, path: tuple[str, ...]) -> Iterator[Unit]:
    """One unit a synonym entry: a list of terms, with the key or the siblings that head it."""
    for key, child in tree.members:
        leaves = [leaf.value for _, leaf in child.members if leaf.kind == "scalar"]
        if child.kind == "list" and leaves:
            heads = [v.value for k, v in tree.members if v.kind == "scalar" and v.value]
            named = [key] if key and not heads else heads
            unit = _place(component, text, child.start, child.end, "term")
            yield msgspec.structs.replace(unit, key=" ".join(named), terms=(*named, *leaves))
        elif child.kind != "scalar":
            yield from _terms(component, text, child, (*path, key))


_Owner = tuple[str, str, tuple[str, ...]]  # tool, parameter, keys from the root


def _values(component: Component, text: str, tree: Tree, owner: _Owner) -> Iterator[Unit]:
    owner = _claimed(tree, owner)
    tool, _, keys = owner
    for key, child in tree.members:
        step = key or _name(child)
        below = (tool, _parameter(tree, key, child, owner), (*keys, step) if step else keys)
        scalars = all(leaf.kind == "scalar" for _, leaf in child.members)
        if child.kind == "list" and child.members and scalars and key:
            yield from _listed(component, text, child, below)
        elif child.kind == "scalar" and _escapes(text, child):
            yield from _embedded(component, text, child, (below, _title(tree, child)))
        elif child.kind == "scalar":
            yield from _leaf(component, text, child, below)
        else:
            yield from _values(component, text, child, below)


def _claimed(tree: Tree, owner: _Owner) -> _Owner:
    """The same owner, or a new tool where this mapping defines one."""
    names = {key for key, _ in tree.members}
    named = tree.get("operationId") or tree.get("name")
    is_tool = names & _TOOL_MARKS and ("description" in names or "summary" in names)
    if tree.kind == "map" and named is not None and is_tool and not owner[0]:
        return named.value, "", owner[2]
    if tree.kind == "map" and owner[0] and named is not None and "in" in names:
        return owner[0], named.value, owner[2]
    return owner


def _name(tree: Tree) -> str:
    """What a member of a list calls itself."""
    named = tree.get("name") or tree.get("id") or tree.get("term")
    return named.value if named is not None and named.kind == "scalar" else ""


def _parameter(parent: Tree, key: str, child: Tree, owner: _Owner) -> str:
    """The parameter that a member belongs to: one below `properties` or `schema_hints`."""
    holder = owner[2][-1] if owner[2] else ""
    if holder in ("properties", "schema_hints", "args") and key and parent.kind == "map":
        return key if not owner[1] else f"{owner[1]}.{key}"
    return owner[1]


def _listed(component: Component, text: str, child: Tree, owner: _Owner) -> Iterator[Unit]:
    """A list of scalars is one unit; each commented member of a YAML list is one of its own."""
    unit = _place(component, text, child.start, child.end, "tool")
    if len(unit.text) <= 4 * _SHORT:
        yield _owned(_trimmed(unit), owner)
    for _, leaf in child.members:
        stop = text.find("\n", leaf.end)
        tail = text[leaf.end : stop if stop >= 0 else len(text)]
        if tail.strip().startswith("#"):
            end = leaf.end + len(tail.rstrip())
            yield _owned(_place(component, text, leaf.start, end, "tool"), owner)


def _leaf(component: Component, text: str, child: Tree, owner: _Owner) -> Iterator[Unit]:
    """The sentences of a text; numbers, flags and single words carry no claim alone."""
    if " " not in child.value.strip() and len(child.value) < 60:
        return
    quoted = text[child.start : child.start + 1] in ("'", '"')
    inset = 1 if quoted else 0
    for begin, end in sentences(text, child.start + inset, child.end - inset):
        yield _owned(_place(component, text, begin, end, "tool"), owner)


def _escapes(text: str, child: Tree) -> bool:
    """Whether a value is a string with the escapes of JSON."""
    raw = text[child.start : child.end]
    if raw[:1] != '"' or "\\" not in raw:
        return False
    try:
        return bool(json.loads(raw, strict=False) == child.value)
    except ValueError:
        return False


def _title(parent: Tree, child: Tree) -> str:
    """What the mapping calls itself that holds an article's text."""
    titled = parent.get("title")
    return titled.value if titled is not None and titled is not child else ""


def _embedded(
    component: Component, text: str, child: Tree, above: tuple[_Owner, str]
) -> Iterator[Unit]:
    """The units of a text with escapes: those of a tool are the tool's, others have headings."""
    owner, title = above
    for unit in embedded.cut(component, text, child.start + 1, child.end - 1):
        if owner[0]:
            yield _owned(msgspec.structs.replace(unit, kind="tool"), owner)
        else:
            headings = (title, *unit.headings) if title else unit.headings
            yield msgspec.structs.replace(unit, headings=headings)


def _owned(unit: Unit, owner: _Owner) -> Unit:
    tool, parameter, keys = owner
    headings = (tool,) if tool else tuple(keys[:-1])
    key = parameter or (keys[-1] if keys else "")
    return msgspec.structs.replace(unit, headings=headings, key=key, tool=tool, parameter=parameter)


def _trimmed(unit: Unit) -> Unit:
    return msgspec.structs.replace(unit, text=unit.text.rstrip())
