"""Words of the user that search does not lead to the document, added to the synonym map."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

from bot.context.cut.tree import Tree, json_tree, yaml_tree
from bot.context.edit import replace_span
from bot.context.edits.json_splice import append_json_item, insert_json_member
from bot.context.edits.synonyms import add_synonyms
from bot.context.edits.yaml_splice import insert_yaml_item, insert_yaml_member
from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.scene import Scene
from bot.records.change import Edit
from bot.records.finding import Hypothesis

_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def route(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """The user's rare words as synonyms of what the document calls the matter."""
    path = chosen.component_path or ""
    text = scene.index.repo.texts.get(path, "")
    if truth is None:
        return ()
    title = scene.index.titles[truth.path].casefold()
    words = _asked(scene, truth)
    component = scene.index.repo.component(path)
    if component is not None and component.type != "synonym_map":
        return (_alias(path, text, title, words),)
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in (".json", ".jsonc"):
        return (_json(path, text, title, words),)
    if suffix in (".yml", ".yaml"):
        return (_yaml(path, text, title, words),)
    return (add_synonyms(path, text, title, words),)


def _asked(scene: Scene, truth: Unit) -> list[str]:
    """Up to four words of the searches and the question that the document does not have, the
    ones that were said most often first."""
    held = {s for n in scene.index.by_path[truth.path] for s in scene.index.bags[n]}
    counts: dict[str, int] = {}
    for view in scene.rounds:
        for text in (*view.round.searches, *view.round.searches, *view.round.question):
            for match in _WORD.finditer(text):
                word = match[0].casefold()
                own = stems(word)
                known = max((scene.index.rarity.get(s, 9.0) for s in own), default=0.0)
                if own and not set(own) & held and len(word) > 3 and known > 3.5:
                    counts[word] = counts.get(word, 0) + 1
    best = sorted(counts, key=lambda w: -counts[w])[:4]
    return best or list(scene.rounds[scene.talk.main].round.searches[:1])


def _json(path: str, text: str, title: str, words: list[str]) -> Edit:
    tree = json_tree(text)
    lists = [(k, c) for k, c in tree.members if c.kind == "list"] if tree is not None else []
    if tree is not None and tree.kind == "map":
        group = next((k for k, c in lists if c.members and c.members[0][1].kind == "list"), None)
        if group is not None:
            return append_json_item(path, text, f"/{group}", [*words, title])
        if all(c.kind == "list" for _, c in tree.members):
            return insert_json_member(path, text, "", _free(title, tree), words)
        holder = next((k for k, c in tree.members if c.kind == "map"), None)
        if holder is not None:
            return insert_json_member(path, text, f"/{holder}", title, words)
    if tree is not None and tree.kind == "list":
        return append_json_item(path, text, "", _like(tree.members[-1][1].kind, title, words))
    return replace_span(path, text, len(text), len(text), json.dumps({title: words}) + "\n")


def _yaml(path: str, text: str, title: str, words: list[str]) -> Edit:
    tree = yaml_tree(text)
    if tree is None:
        return replace_span(path, text, len(text), len(text), f"\n# {title}: {', '.join(words)}\n")
    if tree.kind == "list":
        keys = [k for k, _ in tree.members[-1][1].members]
        entry = {keys[0]: title, keys[1]: words} if len(keys) > 1 else [title, *words]
        return insert_yaml_item(path, text, "", entry)
    inner = next(((k, c) for k, c in tree.members if c.kind == "list" and c.members
                  and c.members[0][1].kind != "scalar"), None)  # fmt: skip
    if inner is not None:
        keys = [k for k, _ in inner[1].members[-1][1].members if k]
        entry = {keys[0]: title, keys[1]: words} if len(keys) > 1 else [title, *words]
        return insert_yaml_item(path, text, f"/{inner[0]}", entry)
    holder = next((k for k, c in tree.members if c.kind == "map"), None)
    pointer = f"/{holder}" if holder is not None else ""
    return insert_yaml_member(path, text, pointer, title, words)


def _like(kind: str, title: str, words: list[str]) -> object:
    return {"term": title, "synonyms": words} if kind == "map" else [*words, title]


def _free(title: str, tree: Tree) -> str:
    return title if tree.get(title) is None else f"{title} (2)"


def _alias(path: str, text: str, title: str, words: list[str]) -> Edit:
    """Where a repository has no map: the words beside the document's title."""
    lines = text.splitlines(keepends=True)
    at = 0
    for line in lines:
        at += len(line)
        if line.startswith("# "):
            break
    return replace_span(path, text, at, at, f"\nAlso called: {', '.join(words)}.\n")
