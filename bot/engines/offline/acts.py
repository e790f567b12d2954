"""What a sentence does: finds nothing, admits a slip, reports an order of steps, withdraws a rule.

Acts are described by example sentences (a data file). With vectors an act's strength is how much
nearer a sentence is to its examples than to those of the other acts, so it carries over
languages; without, it is the share of an act's telling words.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

import msgspec

from bot.context.search import meanings
from bot.context.vectors import Encoder, Role


class Manner(msgspec.Struct, frozen=True):
    """Strength of every act in each sentence, and the highest of all sentences by act."""

    rows: tuple[dict[str, float], ...]
    highest: dict[str, float]


class Acts(msgspec.Struct, frozen=True):
    """The acts with their examples as vectors (or as stems where there is no encoder)."""

    names: tuple[str, ...]
    owners: tuple[int, ...]
    bags: tuple[frozenset[str], ...]
    encoder: Encoder | None
    matrix: object

    @classmethod
    def load(cls, encoder: Encoder | None) -> Acts:
        """Read the packaged examples."""
        text = files(__package__).joinpath("acts.json").read_text("utf-8")
        examples: dict[str, list[str]] = json.loads(text)
        sentences = [(i, s) for i, group in enumerate(examples.values()) for s in group]
        matrix = encoder.encode([s for _, s in sentences], "query") if encoder else None
        return cls(
            names=tuple(examples),
            owners=tuple(i for i, _ in sentences),
            bags=tuple(frozenset(meanings(s)) for _, s in sentences),
            encoder=encoder,
            matrix=matrix,
        )

    def measure(self, sentences: Sequence[str], role: Role) -> Manner:
        """Act strengths of each sentence, centred over the acts."""
        if self.encoder is not None and sentences:
            products = self.encoder.encode(sentences, role) @ self.matrix.T  # type: ignore[attr-defined]
            table = [self._by_act(row) for row in products.tolist()]
        else:
            table = [self._by_act(self._overlap(s)) for s in sentences]
        rows = tuple(dict(zip(self.names, row, strict=True)) for row in table)
        return Manner(rows, {n: max((r[n] for r in rows), default=0.0) for n in self.names})

    def _overlap(self, sentence: str) -> list[float]:
        bag = frozenset(meanings(sentence))
        return [len(bag & other) / (len(bag | other) or 1) for other in self.bags]

    def _by_act(self, row: Sequence[float]) -> list[float]:
        scale = 20.0 if self.encoder is not None else 4.0
        best = [-1.0] * len(self.names)
        for owner, value in zip(self.owners, row, strict=True):
            best[owner] = max(best[owner], value)
        mean = sum(best) / len(best)
        return [scale * (value - mean) for value in best]
