"""The sections of a Markdown text, with their line ranges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt

from context_repo_schema.component import Section
from context_repo_schema.frontmatter import block_end

NEWLINE = re.compile(r"\r\n?|\n")
LONGEST_HEADING = 500
NOT_IN_SLUG = re.compile(r"[^\w\- ]")


def sections(text: str) -> tuple[Section, ...]:
    """Every heading that is one by CommonMark, in order; none inside fences, lists or quotes.

    A line ends at `\\n`, as git counts lines. The lines of a section stop before the next heading
    of the same or a higher level, so that sections nest. Frontmatter is no part of the Markdown.
    """
    tokens = _blocks().parse(without_frontmatter(text))
    starts = _line_starts(text)
    total = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
    heads = [
        (starts[token.map[0]], int(token.tag[1:]), plain_text(tokens[index + 1].content))
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    return _nested(heads, max(total, 1))


def plain_text(heading: str) -> str:
    """A heading's words without their Markdown: code ticks, emphasis, link targets, images."""
    inline = _inline().parseInline(heading[:LONGEST_HEADING])[0].children or []
    words = "".join(
        " " if token.type == "softbreak" else token.content
        for token in inline
        if token.type != "html_inline"
    )
    return " ".join(words.split())


def slug(heading: str) -> str:
    """The anchor of a heading: lower case, punctuation dropped, blanks to hyphens."""
    return NOT_IN_SLUG.sub("", heading.casefold()).strip().replace(" ", "-") or "section"


@cache
def _blocks() -> MarkdownIt:
    return MarkdownIt("commonmark").disable("inline")


@cache
def _inline() -> MarkdownIt:
    return MarkdownIt("commonmark")


def innermost(found: Sequence[Section], line: int) -> Section | None:
    """The deepest section that holds the 1-based line, or None above the first heading."""
    holding = [section for section in found if section.first_line <= line <= section.last_line]
    return max(holding, key=lambda section: (section.level, section.first_line), default=None)


def without_frontmatter(text: str) -> str:
    """The same text with the block blanked out, so that every line keeps its number."""
    end = block_end(text)
    if end is None:
        return text.removeprefix("\ufeff")
    return "".join(NEWLINE.findall(text[:end])) + text[end:]


def _line_starts(text: str) -> list[int]:
    """For each line as CommonMark counts them (also at a lone CR) its line as git counts."""
    lines, at = [1], 1
    for match in NEWLINE.finditer(text):
        at += match[0] != "\r"
        lines.append(at)
    return lines


def _nested(heads: list[tuple[int, int, str]], total: int) -> tuple[Section, ...]:
    ends = _last_lines(heads, total)
    found: list[Section] = []
    chain: list[Section] = []  # the sections that are open at this heading
    used: dict[str, int] = {}
    for (line, level, heading), end in zip(heads, ends, strict=True):
        while chain and chain[-1].level >= level:
            chain.pop()
        parent = f"{chain[-1].slug}/" if chain else ""
        above = chain[-1].headings if chain else ()
        name = _unused(parent + slug(heading), used)
        section = Section(name, (*above, heading), level, line, max(line, end))
        found.append(section)
        chain.append(section)
    return tuple(found)


def _last_lines(heads: list[tuple[int, int, str]], total: int) -> list[int]:
    ends = [total] * len(heads)
    waiting: list[int] = []
    for index, (line, level, _) in enumerate(heads):
        while waiting and heads[waiting[-1]][1] >= level:
            ends[waiting.pop()] = line - 1
        waiting.append(index)
    return ends


def _unused(wanted: str, used: dict[str, int]) -> str:
    name = wanted
    while name in used:
        used[wanted] += 1
        name = f"{wanted}-{used[wanted]}"
    used[name] = 1
    return name
