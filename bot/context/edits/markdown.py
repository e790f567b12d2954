"""Additions to Markdown at the place where a reader would look for them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt

from bot.context.edits.splice import Splice, newline_of, with_newlines
from bot.errors import EditRefused
from bot.records.change import Edit
from context_repo_schema.component import Section
from context_repo_schema.markdown import sections, without_frontmatter

# A rule or an anchor before a heading belongs to the heading.
_BELONGS_BELOW = re.compile(
    r"[ ]{0,3}(?:([-*_])[ \t]*(?:\1[ \t]*){2,}|<a\s[^>]*>(?:</a>)?|<!--.*-->)$"
)
_ITEM = re.compile(r"[ ]{0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+")
_ROW = re.compile(r"[ ]{0,3}\|")


def insert_into_section(path: str, text: str, section: str | Sequence[str], block: str) -> Edit:
    """Adds a block at the end of a section's own text, before its first subheading.

    `section` is a slug or a chain of headings. The block takes the file's newlines; a list item
    or table row joins the list or table that ends the section. Raises `EditRefused`.
    """
    found = find_section(path, text, section)
    lines = text.split("\n")
    last = _last_line(found, sections(text), lines)
    block = with_newlines(block.strip("\r\n"), newline_of(text))
    gap = _gap(lines, found, last, block)
    return _inserted(path, text, last, gap, block)


def find_section(path: str, text: str, section: str | Sequence[str]) -> Section:
    """The one section of that slug or heading chain. Raises `EditRefused` for none or several."""
    chain = None if isinstance(section, str) else tuple(section)
    known = sections(text)
    found = [s for s in known if (s.slug == section if chain is None else s.headings == chain)]
    if len(found) == 1:
        return found[0]
    name = section if chain is None else " / ".join(chain)
    cure = "name it by its slug" if found else "name one of: " + ", ".join(s.slug for s in known)
    raise EditRefused(f"{path}: {len(found)} sections are called {name!r}; {cure}.")


def own_lines(section: Section, known: Sequence[Section]) -> tuple[int, int]:
    """The 1-based first and last line of a section without its subsections."""
    below = [s.first_line - 1 for s in known if s.first_line > section.first_line]
    return section.first_line, min([section.last_line, *below])


def _last_line(section: Section, known: Sequence[Section], lines: Sequence[str]) -> int:
    first, last = own_lines(section, known)
    return _step_back(lines, last, first)


def _step_back(lines: Sequence[str], last: int, first: int) -> int:
    """The last line that says something, before rules and anchors that lead the next heading."""
    more = last < len(lines)
    while last > first:
        line = lines[last - 1].rstrip("\r")
        lead = more and _BELONGS_BELOW.match(line) and not lines[last - 2].strip()
        if line.strip() and not lead:
            break
        last -= 1
    return last


def _gap(lines: Sequence[str], section: Section, last: int, block: str) -> int:
    """How many newlines part the block from the line before it."""
    line = lines[last - 1]
    for same in (_ITEM, _ROW):
        if same.match(block) and same.match(line):
            loose = last > 2 and not lines[last - 2].strip() and same.match(lines[max(last - 3, 0)])
            return 2 if loose else 1
    if _ITEM.match(block) and line.startswith((" ", "\t")):
        return 1  # the last item runs over several lines
    if last == section.first_line:
        return 2 if _blank_after_headings(lines) else 1
    return 2


def _blank_after_headings(lines: Sequence[str]) -> bool:
    heads = [i for i, line in enumerate(lines[:-1]) if re.match(r"#{1,6} ", line)]
    blank = sum(not lines[i + 1].strip() for i in heads)
    return blank * 2 >= len(heads)


def _inserted(path: str, text: str, last: int, gap: int, block: str) -> Edit:
    """The edit that puts a block behind the 1-based line `last`, `gap` newlines below it."""
    lines, newline = text.split("\n"), newline_of(text)
    at = min(sum(len(line) + 1 for line in lines[:last]) - 1, len(text))
    at -= text[:at].endswith("\r") and text[at : at + 1] == "\n"
    new = newline * (gap if text[:at].strip("\ufeff \t\r\n") else 0) + block
    following = lines[last] if last < len(lines) else ""
    if following.strip() and (gap > 1 or not following.startswith("#")):
        new += newline
    splice = Splice(at, at, new)
    _prove(path, text, splice, block)
    return splice.edit(path, text)


def _prove(path: str, text: str, splice: Splice, block: str) -> None:
    """Refuses an insertion that changes the headings around it or falls into a code block."""
    after = splice.applied(text)
    line = after.count("\n", 0, after.find(block, splice.start))
    swallowed = any(
        token.type in ("fence", "code_block", "html_block")
        and token.map
        and token.map[0] < line < token.map[1]
        for token in MarkdownIt("commonmark").parse(without_frontmatter(after))
    )
    if swallowed or len(sections(after)) != len(sections(text)) + len(sections(block)):
        raise EditRefused(f"{path}: the place lies inside a code block; close that first.")
