"""Edits of YAML files: ruamel.yaml locates and checks, the write is a splice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from bot.context.edits import yaml_source
from bot.context.edits.json_tree import Place, parts, replaced
from bot.context.edits.splice import Splice, newline_of
from bot.context.edits.yaml_tree import end_of, members, node_at, root_of, scalars, start_of
from bot.errors import EditRefused
from bot.records.change import Edit
from context_repo_schema.yaml_text import text_value, typed_value


def set_yaml_value(path: str, text: str, pointer: str, value: Any) -> Edit:
    """Puts a scalar in the place of the one at a JSON Pointer, in its style where that can be.

    A text given for a number or date stays unquoted. Raises `EditRefused`.
    """
    return value_splice(Place(path, text), pointer, value).edit(path, text)


def insert_yaml_member(path: str, text: str, pointer: str, key: str, value: Any) -> Edit:
    """Adds a member at the end of the mapping at a JSON Pointer. Raises `EditRefused`."""
    return member_splice(Place(path, text), pointer, key, value).edit(path, text)


def insert_yaml_item(path: str, text: str, pointer: str, value: Any) -> Edit:
    """Adds an item at the end of the sequence at a JSON Pointer. Raises `EditRefused`."""
    place = Place(path, text)
    root = root_of(place)
    node = node_at(place, root, pointer)
    if not isinstance(node, SequenceNode):
        raise place.refuse(start_of(node), f"{pointer!r} is no list; name a list to add to")
    if node.flow_style or not node.value:
        splice = _into_flow(text, node, node.value, yaml_source.flow(value))
    else:
        column = _column(text, start_of(node))
        gap = max(_column(text, start_of(node.value[-1])) - column, 2)
        lines = yaml_source.item_lines(value, column, gap, _dash(root))
        splice = _below(text, node, lines)
    items = [*text_value(node), yaml_source.as_text(value)]
    expected = replaced(text_value(root), parts(pointer), items)
    _prove(place, splice, expected, f"{pointer}/{len(node.value)}", value)
    return splice.edit(path, text)


def replace_yaml_span(path: str, text: str, start: int, end: int, new: str) -> Edit:
    """Replaces a span inside one string, given by its offsets in the file; `new` has no escapes.

    A plain string that `new` cannot stand in is quoted. Outside of strings `new` is written as it
    is. Raises `EditRefused` where the file would not read as asked.
    """
    place = Place(path, text)
    root = root_of(place)
    found = ((p, n) for p, n in scalars(root, "") if start_of(n) <= start and end <= end_of(n))
    pointer, node = next(found, ("", None))
    if node is None:
        splice = Splice(start, end, new)
        root_of(Place(path, splice.applied(text)))
        return splice.edit(path, text)
    splice = Splice(start, end, _escaped(new, node.style))
    if not _changes_only(place, splice, pointer, new):
        if node.style is not None:
            raise place.refuse(start, "the edit would not read back as asked; edit it by hand")
        whole = splice.shifted(-start_of(node)).applied(text[start_of(node) : end_of(node)])
        splice = value_splice(place, pointer, whole)
    return splice.edit(path, text)


def _changes_only(place: Place, splice: Splice, pointer: str, new: str) -> bool:
    """Whether after the splice the one value holds the new words and all else reads as before."""
    after = Place(place.path, splice.applied(place.text))
    try:
        root = root_of(after)
        value = str(node_at(after, root, pointer).value)
    except EditRefused:
        return False
    kept = replaced(text_value(root_of(place)), parts(pointer), value)
    return text_value(root) == kept and " ".join(new.split()) in " ".join(value.split())


def value_splice(place: Place, pointer: str, value: Any) -> Splice:
    """The splice that sets a scalar. Raises `EditRefused`."""
    root = root_of(place)
    node = node_at(place, root, pointer)
    if not isinstance(node, ScalarNode) or isinstance(value, (dict, list)):
        raise place.refuse(start_of(node), f"{pointer!r} is no single value; edit its parts")
    number = isinstance(value, str) and not yaml_source.is_string(node)
    expected = replaced(text_value(root), parts(pointer), yaml_source.as_text(value))
    for splice in _writings(place.text, root, node, value):
        try:
            _prove(place, splice, expected, pointer, None if number else value)
        except EditRefused:
            continue
        return splice
    raise place.refuse(start_of(node), "no style of the value reads back as asked; edit it by hand")


def member_splice(place: Place, pointer: str, key: str, value: Any) -> Splice:
    """The splice that adds a member. Raises `EditRefused`."""
    root, text = root_of(place), place.text
    node = node_at(place, root, pointer)
    if not isinstance(node, MappingNode):
        raise place.refuse(start_of(node), f"{pointer!r} is no mapping; name a mapping to add to")
    if any(str(k.value) == key for k, _ in node.value):
        raise place.refuse(start_of(node), f"the key {key!r} stands there already; set its value")
    if node.flow_style or not node.value:
        written = f"{yaml_source.scalar(key)}: {yaml_source.flow(value)}"
        splice = _into_flow(text, node, [v for _, v in node.value], written)
    else:
        column = _column(text, start_of(node.value[0][0]))
        lines = yaml_source.member_lines(key, value, column, _dash(root))
        splice = _below(text, node, lines)
    written_value = yaml_source.as_text(value)
    expected = replaced(text_value(root), (*parts(pointer), key), written_value)
    escaped = key.replace("~", "~0").replace("/", "~1")
    _prove(place, splice, expected, f"{pointer}/{escaped}", value)
    return splice


def _writings(text: str, root: Node, node: ScalarNode, value: Any) -> Iterator[Splice]:
    """The ways to write the new value in the place of the old, the likest first."""
    start, end = start_of(node), end_of(node)
    if start == end:  # an empty value: it begins behind its colon
        colon = _colon_before(text, root, node)
        yield from (Splice(colon, colon, " " + w) for w in yaml_source.styles(value, None))
        return
    if node.style in ("|", ">") and isinstance(value, str):
        raw = text[start:end]
        header, _, body = raw.partition("\n")
        indent = body[: len(body) - len(body.lstrip(" "))].replace("\n", "")
        lines = value.rstrip("\n").split("\n")
        between = newline_of(text) * (2 if node.style == ">" else 1)
        said = between.join(indent + line if line else "" for line in lines)
        yield Splice(start, start + len(raw.rstrip()), header + "\n" + said)
    yield from (Splice(start, end, written) for written in yaml_source.styles(value, node.style))


def _colon_before(text: str, root: Node, node: Node) -> int:
    for key, value in members(root):
        if value is node:
            match = re.compile(r"[ \t]*:").match(text, end_of(key))
            return match.end() if match else end_of(key)
    return start_of(node)


def _into_flow(text: str, node: Node, children: Sequence[Node], written: str) -> Splice:
    """The splice that adds to a `[ ]` or `{ }`, spaced as its neighbours are."""
    if not children:
        return Splice(start_of(node) + 1, start_of(node) + 1, written)
    at = end_of(children[-1])
    gap = ", "
    if len(children) > 1 and isinstance(node, SequenceNode):
        between = text[end_of(children[-2]) : start_of(children[-1])]
        gap = between if not between.replace(",", "", 1).strip() else gap
    return Splice(at, at, gap + written)


def _below(text: str, node: Node, lines: Sequence[str]) -> Splice:
    """The splice that puts lines behind the last line that the node says something on."""
    at = text.find("\n", _said_end(text, node))
    at = len(text) if at < 0 else at
    at -= text[:at].endswith("\r") and text[at : at + 1] == "\n"
    newline = newline_of(text)
    return Splice(at, at, newline + newline.join(lines))


def _said_end(text: str, node: Node) -> int:
    if not isinstance(node, CollectionNode) or node.flow_style or not node.value:
        return len(text[: end_of(node)].rstrip())
    last = node.value[-1]
    key, value = last if isinstance(last, tuple) else (None, last)
    empty = key is not None and start_of(value) == end_of(value)
    return end_of(key) if empty else _said_end(text, value)


def _dash(root: Node) -> int:
    """How far the file sets lists in below their key."""
    for key, value in members(root):
        if isinstance(value, SequenceNode) and not value.flow_style:
            return max(int(value.start_mark.column - key.start_mark.column), 0)
    return 2


def _escaped(part: str, style: str | None) -> str:
    if style == '"':
        return yaml_source.quoted(part)[1:-1]
    return part.replace("'", "''") if style == "'" else part


def _prove(place: Place, splice: Splice, expected: Any, pointer: str, value: Any) -> None:
    """Refuses an edit after which the file does not read as asked, with the value's type."""
    after = Place(place.path, splice.applied(place.text))
    wrong = place.refuse(splice.start, "the edit would not read back as asked; edit it by hand")
    try:
        root = root_of(after)
        node = node_at(after, root, pointer)
    except EditRefused:
        raise wrong from None
    block = isinstance(node, ScalarNode) and node.style in ("|", ">")
    if block and isinstance(value, str):  # a block ends with as many newlines as its mark says
        expected = replaced(expected, parts(pointer), node.value)
        value = value if node.value.rstrip("\n") != value.rstrip("\n") else node.value
    typed = value is None or yaml_source.as_text(typed_value(node)) == yaml_source.as_text(value)
    if isinstance(value, str):
        typed = node.value == value and yaml_source.is_string(node)
    if text_value(root) != expected or not typed:
        raise wrong


def _column(text: str, at: int) -> int:
    """The column of an offset; a byte order mark takes none."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return len(line.removeprefix("\ufeff"))
