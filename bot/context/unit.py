"""The smallest piece of a context file that can be right or wrong by itself."""

from __future__ import annotations

from typing import Literal

import msgspec

from context_repo_schema.component import ComponentType

Kind = Literal["sentence", "row", "code", "term", "tool", "column", "meta"]


class Unit(msgspec.Struct, frozen=True):
    """A sentence, table row, tool parameter, synonym entry, column definition or metadata line.

    `text` stands verbatim in the file at offset `start` (0-based, in characters) and at the
    1-based `line`. `headings` is the chain of titles above it, `key` what the unit is about by
    its form (the first cell of a row, a column, a term). `cells` and `header` are set for rows,
    `tool` and `parameter` for the definition of a tool, `terms` for a synonym entry. `decoded` is
    what the text says where it stands with escapes, inside a JSON string; else empty.
    """

    path: str
    type: ComponentType
    kind: Kind
    text: str
    start: int
    line: int
    headings: tuple[str, ...] = ()
    key: str = ""
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    tool: str = ""
    parameter: str = ""
    terms: tuple[str, ...] = ()
    decoded: str = ""

    @property
    def end(self) -> int:
        """The offset behind the last character of `text`."""
        return self.start + len(self.text)

    @property
    def said(self) -> str:
        """The text as a program that reads the file hands it on."""
        return self.decoded or self.text

    @property
    def reading(self) -> str:
        """The unit as a reader takes it: white space folded, cells named by their header."""
        if self.cells:
            named = zip(self.header, self.cells, strict=False)
            return "; ".join(f"{head}: {cell}" if head else cell for head, cell in named if cell)
        return " ".join(self.said.split())
