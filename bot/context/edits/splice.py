"""One replaced span of a text, and the newlines that its new part takes over."""

from __future__ import annotations

import re

import msgspec

from bot.context.edit import replace_span
from bot.records.change import Edit

_NEWLINE = re.compile(r"\r\n|\n|\r")


class Splice(msgspec.Struct, frozen=True):
    """`text[start:end]` becomes `new`; everything else stays."""

    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """The text with the span replaced."""
        return text[: self.start] + self.new + text[self.end :]

    def shifted(self, by: int) -> Splice:
        """The same splice in a text that has `by` more characters before it."""
        return Splice(self.start + by, self.end + by, self.new)

    def edit(self, path: str, text: str) -> Edit:
        """The splice as an edit, whose old text occurs once. Raises `EditRefused`."""
        return replace_span(path, text, self.start, self.end, self.new)


def newline_of(text: str) -> str:
    """The newline that most lines of the text end with."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def with_newlines(block: str, newline: str) -> str:
    """The block with every newline written as `newline`."""
    return _NEWLINE.sub(lambda _: newline, block)


def line_indent(text: str, at: int) -> str:
    """The blanks that the line of an offset begins with."""
    start = text.rfind("\n", 0, at) + 1
    return text[start : start + len(text[start:at]) - len(text[start:at].lstrip(" \t"))]
