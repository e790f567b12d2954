"""What a context repository is made of: components, their sections, their metadata."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

ComponentType = Literal[
    "system_prompt", "skill", "kb_entry", "tool_prompt", "synonym_map", "schema_hint"
]


class Section(msgspec.Struct, frozen=True):
    """A heading and what stands below it, up to the next heading of the same or a higher level.

    Lines are 1-based and inclusive; `headings` is the chain from the top, `slug` the same as
    an anchor (`payment/approval-limits`, with `-2` for a repeated one).
    """

    slug: str
    headings: tuple[str, ...]
    level: int
    first_line: int
    last_line: int


class Component(msgspec.Struct, frozen=True):
    """One context file. `meta` is its frontmatter (or the head of its data), read, never trusted.

    `read_only` holds the reason why the file must not be edited, or None.
    """

    type: ComponentType
    path: str
    sections: tuple[Section, ...] = ()
    meta: dict[str, Any] = {}
    read_only: str | None = None
