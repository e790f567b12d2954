"""Relative links that lead nowhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from context_repo_schema.checks.checkout import Checkout
from context_repo_schema.markdown import without_frontmatter
from context_repo_schema.problem import Problem
from context_repo_schema.recognise import MARKDOWN_SUFFIXES

ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|/|#|$|.*(?:\{|\$|<)")  # also templates


def check(checkout: Checkout) -> Iterator[Problem]:
    """Each link or image of a Markdown component whose file is not in the checkout."""
    for component in checkout.components:
        if not component.path.endswith(MARKDOWN_SUFFIXES):
            continue
        for line, target in links(checkout.text(component)):
            if not ELSEWHERE.match(target) and not _stands(checkout.root, component.path, target):
                message = f"the link to {target[:120]!r} leads nowhere"
                cure = "correct the path, or remove the link"
                yield Problem(component.path, line, "warning", "link-broken", message, cure)


def links(text: str) -> Iterator[tuple[int, str]]:
    """The line at which its block starts, and the target, of each link and image."""
    for token in MarkdownIt("commonmark").parse(without_frontmatter(text)):
        line = token.map[0] + 1 if token.map else 1
        for child in token.children or ():
            target = _target(child)
            if target:
                yield line, target


def _target(token: Token) -> str | None:
    name = {"link_open": "href", "image": "src"}.get(token.type)
    value = token.attrGet(name) if name else None
    return value if isinstance(value, str) else None


def _stands(root: Path, path: str, target: str) -> bool:
    """Whether the file is there; sites also leave out `.md` or name a folder by its index."""
    bare = unquote(re.split(r"[#?]", target)[0])
    joined = os.path.normpath(PurePosixPath(path).parent / bare)
    if joined.startswith(".."):
        return True  # outside the checkout: nothing that can be known here
    place = root / joined
    try:
        return place.exists() or Path(f"{place}.md").exists() or Path(f"{place}.mdx").exists()
    except (OSError, ValueError):
        return False  # a name longer than the file system takes, or with a NUL
