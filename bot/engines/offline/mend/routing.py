"""A user's words that search does not lead to the document, added to the synonym map.

A map is a list of groups that are all alike, or entries with a head. In some maps the head is
the documents' word and the rest are users', in others it is the other way round: what the heads
of the map are is seen from which side the titles of the documents know better.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from bot.context.cut.tree import Tree, json_tree, yaml_tree
from bot.context.edit import replace_span
from bot.context.edits.json_splice import append_json_item, insert_json_member
from bot.context.edits.splice import newline_of
from bot.context.edits.synonyms import add_synonyms
from bot.context.edits.yaml_splice import insert_yaml_item, insert_yaml_member
from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.mend.terms import asked, name_of
from bot.engines.offline.scene import Scene
from bot.records.change import Edit
from bot.records.finding import Hypothesis

_JSON, _YAML = (".json", ".jsonc"), (".yml", ".yaml")


def route(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """The user's terms led to what the document calls the matter; nothing where there are none."""
    path = chosen.component_path or ""
    text = scene.index.repo.texts.get(path, "")
    terms = asked(scene, truth, chosen.node_id) if truth is not None else []
    if truth is None or not terms:
        return ()
    component = scene.index.repo.component(path)
    if component is not None and component.type != "synonym_map":
        return (_alias(path, text, terms),)
    name = name_of(scene, truth)
    suffix = PurePosixPath(path).suffix.lower()
    if suffix == ".csv":
        return (
            _row_led(path, text, terms, name) or _csv(path, text, _pair(scene, path, terms, name)),
        )
    tree = json_tree(text) if suffix in _JSON else yaml_tree(text) if suffix in _YAML else None
    if tree is None:
        return (_rule_led(path, text, terms, name) or add_synonyms(path, text, name, terms),)
    return (_entered(scene, path, text, tree, terms, name),)


def _entered(
    scene: Scene, path: str, text: str, tree: Tree, terms: Sequence[str], name: str
) -> Edit:
    """The words in the entry that holds them already, else in a new entry of the same form."""
    pointer, holder = _holder(tree)
    entries = [
        (
            f"{pointer}/{_escaped(key) if holder.kind == 'map' else number}",
            *_words(key, entry),
            entry,
        )
        for number, (key, entry) in enumerate(holder.members)
    ]
    # An entry that a user's word leads already is where searches for that word look.
    for place, listed, words, entry in entries:
        led = [t for t in terms if words[:1] == [t.casefold()]]
        if led and listed is not None and name not in words and _headed(holder, entry):
            return _append(path, text, place + listed, [name])
    head, rest = _pair(scene, path, terms, name)
    for place, listed, words, entry in entries:
        if holder.kind == "list" and entry.kind == "list":
            if name in words:
                return _append(path, text, place, [t for t in terms if t not in words])
        elif listed is not None and words[:1] == [head]:
            return _append(path, text, place + listed, [w for w in rest if w not in words])
    if holder.kind == "map":
        insert = insert_json_member if _is_json(path) else insert_yaml_member
        return insert(path, text, pointer, head, rest)
    item = insert_yaml_item if not _is_json(path) else append_json_item
    last = holder.members[-1][1] if holder.members else None
    keys = [key for key, _ in last.members] if last is not None and last.kind == "map" else []
    entry_ = {keys[0]: head, keys[1]: rest} if len(keys) > 1 else [*terms, name]
    return item(path, text, pointer, entry_)


def _headed(holder: Tree, entry: Tree) -> bool:
    """Whether an entry has a head, and is not a group of equals."""
    return holder.kind == "map" or entry.kind == "map"


def _holder(tree: Tree) -> tuple[str, Tree]:
    """Where the entries are: at the top, or in the first member that holds lists or maps."""
    values = [child for _, child in tree.members]
    if tree.kind == "map" and not (values and all(v.kind == "list" and _flat(v) for v in values)):
        for key, child in tree.members:
            if child.kind == "map" or (child.kind == "list" and child.members and not _flat(child)):
                return f"/{_escaped(key)}", child
    return "", tree


def _flat(entry: Tree) -> bool:
    return all(child.kind == "scalar" for _, child in entry.members)


def _words(key: str, entry: Tree) -> tuple[str | None, list[str]]:
    """Where in an entry its list is, and its words without case, the head first."""
    if entry.kind == "list":
        said = [child.value.casefold() for _, child in entry.members]
        return "", [key.casefold(), *said] if key else said
    lists = [(k, c) for k, c in entry.members if c.kind == "list"]
    heads = [c.value.casefold() for _, c in entry.members if c.kind == "scalar"]
    if not lists:
        return None, heads
    name, inner = lists[0]
    said = [child.value.casefold() for _, child in inner.members]
    return f"/{_escaped(name)}", [*heads[:1], *said]


def _pair(scene: Scene, path: str, terms: Sequence[str], name: str) -> tuple[str, list[str]]:
    """Head and words of an entry, in the direction that the map has."""
    if _led_by_users(scene, path):
        return terms[0], [name]
    return name, list(terms)


def _led_by_users(scene: Scene, path: str) -> bool:
    """Whether the documents' titles know the words behind the heads better than the heads."""
    index = scene.index
    numbers = {n for n, unit in enumerate(index.units) if unit.type != "synonym_map"}
    known = frozenset(s for n in numbers for s in index.heads[n])
    known |= frozenset(s for p in index.titles for s in stems(index.titles[p]))
    heads = rest = 0
    for number in index.by_path.get(path, ()):
        terms = [set(stems(term)) for term in index.units[number].terms]
        if len(terms) > 1:
            heads += terms[0] <= known
            rest += terms[1] <= known
    return rest > heads


def _append(path: str, text: str, pointer: str, words: Sequence[str]) -> Edit:
    """The first new word at the end of a list: one edit touches one place."""
    insert = append_json_item if _is_json(path) else insert_yaml_item
    return insert(path, text, pointer, words[0] if words else "")


def _is_json(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in _JSON


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _csv(path: str, text: str, entry: tuple[str, list[str]]) -> Edit:
    """A row of the form of the last one: words behind the head joined as they are there."""
    head, words = entry
    rows = list(csv.reader(io.StringIO(text)))
    width = len(rows[-1]) if rows else 2
    mark = "|" if rows and any("|" in cell for cell in rows[-1]) else ";"
    cells = [head, mark.join(words), *[""] * (width - 2)] if width < 3 else [head, *words]
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow(cells)
    end = len(text.rstrip("\r\n"))
    return replace_span(path, text, end, end, newline_of(text) + written.getvalue())


def _row_led(path: str, text: str, terms: Sequence[str], name: str) -> Edit | None:
    """The name at the end of the row that one of the words heads; None where none does."""
    at = 0
    for line in text.splitlines(keepends=True):
        row = line.rstrip("\r\n")
        cells = next(csv.reader([row]), []) if at else []
        words = {w.strip().casefold() for cell in cells for w in re.split(r"[|;]", cell)}
        plain = len(cells) > 1 and not row.endswith('"') and bool(cells[-1].strip())
        if plain and _one_of(cells[0], terms) and name not in words:
            end = at + len(row)
            mark = "|" if "|" in text else ";"
            written = io.StringIO()
            csv.writer(written, lineterminator="").writerow([f"{cells[-1]}{mark}{name}"])
            return replace_span(path, text, end - len(cells[-1]), end, written.getvalue())
        at += len(line)
    return None


def _rule_led(path: str, text: str, terms: Sequence[str], name: str) -> Edit | None:
    """The name on the right side of the one-way rule that one of the words is led by; None where
    no rule leads one."""
    at = 0
    for line in text.splitlines(keepends=True):
        rule = line.rstrip()
        left, arrow, right = rule.partition("=>")
        led = any(_one_of(word, terms) for word in left.split(","))
        known = {word.strip().casefold() for word in right.split(",")}
        if arrow and led and name not in known and not rule.startswith("#") and "," not in name:
            end = at + len(rule)
            return replace_span(path, text, end, end, f", {name}")
        at += len(line)
    return None


def _one_of(word: str, terms: Sequence[str]) -> bool:
    return word.strip().casefold() in {term.casefold() for term in terms}


def _alias(path: str, text: str, terms: Sequence[str]) -> Edit:
    """Where a repository has no map: the words beside the document's title."""
    at = 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        if line.startswith("# "):
            break
    line_end = newline_of(text)
    return replace_span(path, text, at, at, f"{line_end}Also called: {', '.join(terms)}.{line_end}")
