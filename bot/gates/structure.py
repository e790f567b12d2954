"""G8: frontmatter, JSON and YAML stay readable, comments stay, and links lead somewhere."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from bot.gates.inputs import Inputs, added, frontmatter, removed, suffix
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import GateResult

LINK = re.compile(r"!?\[[^\]\n]*\]\(\s*<?(?P<target>[^)\s>]+)>?(?:\s+[\"'(][^\n)]*)?\)")
ABSOLUTE = re.compile(r"(?i)^([a-z][a-z0-9+.-]*:|//|#|/)")
COMMENT = re.compile(r"^\s*#.*$")
MARKDOWN = frozenset({".md", ".mdx", ".mdc", ".markdown"})
JSON, YAML = frozenset({".json"}), frozenset({".yaml", ".yml"})


def structure(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Blocked where a file that could be read cannot be read after the change, or a link breaks.

    Draft where other files still point to a file that goes.
    """
    gone = {file.path for file in change_set.files if file.operation == "DELETE"}
    standing = (inputs.repo.texts.keys() | {f.path for f in change_set.files}) - gone
    for file in change_set.files:
        for reason in _faults(file, inputs, standing):
            return GateResult("G8", "blocked", f"{file.path} {reason}")
    after = {**inputs.repo.texts, **{f.path: f.new_text or "" for f in change_set.files}}
    pointing = sorted(set(_pointing(gone, after)))
    if pointing:
        return GateResult("G8", "draft", f"{', '.join(pointing)} would link to a file that is gone")
    return GateResult("G8", "passed")


def _faults(file: FileChange, inputs: Inputs, standing: set[str]) -> Iterator[str]:
    old, new = inputs.repo.texts.get(file.path), file.new_text
    if new is None:
        return
    if not _readable(file.path, new) and (old is None or _readable(file.path, old)):
        yield "could not be read after the change"
    if _lost_comment(file):
        yield "would lose a comment"
    if suffix(file.path) in MARKDOWN:
        for target in _links("\n".join(added(file))):
            if not _leads_somewhere(file.path, target, standing, inputs):
                yield "would gain a link that leads nowhere"


def _readable(path: str, text: str) -> bool:
    kind = suffix(path)
    if kind in JSON:
        return _is_json(text)
    if kind in YAML:
        return _is_yaml(text)
    head = frontmatter(text)
    if head is None:
        return not re.match(r"\ufeff?---[ \t]*\r?\n[\w-]+:", text)
    return _is_yaml(head)


def _is_json(text: str) -> bool:
    try:
        json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return True


def _is_yaml(text: str) -> bool:
    from ruamel.yaml import YAML as Reader
    from ruamel.yaml.error import YAMLError

    try:
        for _ in Reader(typ="rt").load_all(text):
            pass
    except (YAMLError, ValueError, RecursionError):
        return False
    return True


def _lost_comment(file: FileChange) -> bool:
    """A YAML comment line that is removed and does not come back."""
    if suffix(file.path) not in YAML:
        return False
    kept = {line.strip() for line in added(file)}
    return any(COMMENT.match(line) and line.strip() not in kept for line in removed(file))


def _links(text: str) -> Iterator[str]:
    for match in LINK.finditer(text):
        if not ABSOLUTE.match(match["target"]):
            yield unquote(match["target"].split("#")[0].split("?")[0])


def _leads_somewhere(path: str, target: str, standing: set[str], inputs: Inputs) -> bool:
    if not target:
        return True
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if place in standing or any(other.startswith(f"{place}/") for other in standing):
        return True
    # Files that are no text (pictures) stand in the checkout only.
    return not place.startswith("..") and (inputs.repo.root / place).is_file()


def _pointing(gone: set[str], texts: Mapping[str, str]) -> Iterator[str]:
    """The Markdown files that link to a file that goes."""
    for path, text in texts.items() if gone else ():
        if suffix(path) not in MARKDOWN:
            continue
        folder = posixpath.dirname(path)
        targets = (posixpath.normpath(posixpath.join(folder, link)) for link in _links(text))
        if not gone.isdisjoint(targets):
            yield path
