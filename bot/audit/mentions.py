"""Where the files of a repository name other files: links, and paths in code marks."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from urllib.parse import unquote

import msgspec

from bot.audit.material import Material
from bot.records.finding import RepoQuote
from context_repo_schema.checks.links import ELSEWHERE, links
from context_repo_schema.component import Component
from context_repo_schema.recognise import MARKDOWN_SUFFIXES

_CODE = re.compile(r"`([^`\n]{3,160})`")
_PATH = re.compile(r"(?:\.{1,2}/)*[\w.@-]+(?:/[\w.@-]+)+\.(?:md|mdx|json|ya?ml|sql|csv|txt)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Mention(msgspec.Struct, frozen=True):
    """A file named in another, as it is written there, with the whole line as a quote.

    `target` is the path in the repository that it means, None where there is no such file.
    """

    written: str
    target: str | None
    line: RepoQuote


def mentions(material: Material) -> Iterator[Mention]:
    """Every link, and every path in code marks that leads into a folder of the repository."""
    for component in material.repo.components:
        text = material.repo.texts[component.path]
        if component.path.endswith(MARKDOWN_SUFFIXES):
            yield from _linked(component, text, material)
        yield from _coded(component, text, material)


def tells_of_the_past(line: str) -> bool:
    """Whether a line says itself that something is out of force."""
    return any(word in _words("words") for word in _WORD.findall(line.casefold()))


def says_it_ended(sentence: str) -> bool:
    """Whether a sentence says of something that it is no more."""
    said = " ".join(sentence.casefold().split())
    ended = any(word in _words("ended") for word in _WORD.findall(said))
    return ended or any(phrase in said for phrase in _phrases())


def _linked(component: Component, text: str, material: Material) -> Iterator[Mention]:
    lines = text.splitlines()
    for number, target in links(text):
        if ELSEWHERE.match(target):
            continue
        # A link's token knows its block; the line is the first of the block that holds it.
        held = range(number - 1, min(number + 20, len(lines)))
        at = next((n for n in held if target in lines[n]), number - 1)
        bare = unquote(re.split(r"[#?]", target)[0])
        joined = posixpath.normpath(f"{PurePosixPath(component.path).parent}/{bare}")
        if joined.startswith(".."):
            continue  # outside the checkout: nothing that can be known here
        yield Mention(target, _file(joined, material), _quote(component, lines, at))


def _coded(component: Component, text: str, material: Material) -> Iterator[Mention]:
    folders = material.folders
    for number, line in enumerate(text.splitlines()):
        for match in _CODE.finditer(line):
            written = match[1].strip()
            if _PATH.fullmatch(written) and written.lstrip("./").split("/")[0] in folders:
                target = _near(component.path, written, material)
                yield Mention(written, target, _quote(component, text.splitlines(), number))


def _near(path: str, written: str, material: Material) -> str | None:
    """The file that a path in prose means: from the root, from the file's folder, or its end."""
    beside = posixpath.normpath(f"{PurePosixPath(path).parent}/{written}")
    return (
        _file(posixpath.normpath(written), material)
        or _file(beside, material)
        or material.repo.resolve(written)
    )


def _file(path: str, material: Material) -> str | None:
    """The path itself where something stands there; sites leave out `.md` or name a folder."""
    for known in (path, f"{path}.md", f"{path}.mdx"):
        if known in material.repo.texts:
            return known
    return path if (material.repo.root / path).exists() else None


def _quote(component: Component, lines: list[str], at: int) -> RepoQuote:
    return RepoQuote(component.path, at + 1, lines[at].strip() if at < len(lines) else "")


@cache
def _phrases() -> tuple[str, ...]:
    text = files(__package__).joinpath("gone.json").read_text("utf-8")
    lists: dict[str, list[str]] = json.loads(text)["phrases"]
    return tuple(phrase for line in lists.values() for phrase in line)


@cache
def _words(which: str) -> frozenset[str]:
    text = files(__package__).joinpath("gone.json").read_text("utf-8")
    lists: dict[str, str] = json.loads(text)[which]
    return frozenset(word for line in lists.values() for word in line.split())
