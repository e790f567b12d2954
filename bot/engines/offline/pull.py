"""How strongly groups of sentences pull on every unit of the repository."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.context.search import Index, Near, Row


class Pull(msgspec.Struct, frozen=True):
    """For every unit the strongest pull of any sentence of a group, by words and by meaning.

    `rank` is the place of every unit in the order of both together (0 for the strongest);
    `near` keeps the rows of the single sentences. All zero for an empty group.
    """

    lexical: Row
    semantic: Row
    bare: Row
    rank: list[int]
    near: Near

    def of(self, unit: int) -> float:
        """All measures together, words and meaning alike."""
        return self.lexical[unit] + 0.5 * (self.semantic[unit] + self.bare[unit])


def pull(index: Index, sentences: Sequence[str]) -> Pull:
    """The pull of a group of sentences."""
    near = index.near(sentences)
    size = len(index.units)
    lexical, semantic = _highest(near.lexical, size), _highest(near.semantic, size)
    bare = _highest(near.bare, size)
    both = [a + 0.5 * (b + c) for a, b, c in zip(lexical, semantic, bare, strict=True)]
    rank = [0] * size
    for place, unit in enumerate(sorted(range(size), key=lambda n: -both[n])):
        rank[unit] = place if sentences else 0
    return Pull(lexical, semantic, bare, rank, near)


def _highest(rows: Sequence[Row], size: int) -> Row:
    return [max(column) for column in zip(*rows, strict=True)] if rows else [0.0] * size
