"""The offline engine: no model, no network, the same answer every time."""

from __future__ import annotations

import msgspec

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.context.vectors import Encoder
from bot.engines.offline import explain, pairs, rank, tone, trees
from bot.engines.offline.enumerate import candidates
from bot.engines.offline.features import measure
from bot.engines.offline.library import Library, library
from bot.engines.offline.repair import repair
from bot.engines.offline.scene import Scene, scene
from bot.engines.offline.settle import settled
from bot.engines.offline.tone import Tone
from bot.engines.offline.trees import Trees
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case, Segment, Signal
from bot.records.report import Usage
from bot.records.trajectory import Trajectory
from bot.signals.table import signals


class Parts(msgspec.Struct, frozen=True):
    """What an engine is made of: weights, trees that rank and that pair, the tone, and the encoder
    that all were learned with (None where words alone count). `off` names measures to leave out,
    for ablation."""

    weights: rank.Weights
    tone: Tone
    trees: Trees = Trees()
    pairs: Trees = Trees()
    encoder: Encoder | None = None
    off: frozenset[str] = frozenset()


def packaged() -> Parts:
    """Words alone: as good as vectors on domains that the weights never saw, and far faster."""
    return Parts(
        rank.load("lexical"),
        tone.load("lexical"),
        trees.load("trees", "lexical"),
        trees.load("pairs", "lexical"),
    )


class OfflineEngine:
    """Judges by enumerating explanations and ranking them.

    One repository is indexed once and kept until another one comes.
    """

    name = "offline"

    def __init__(self, parts: Parts | None = None) -> None:
        self._parts = parts or packaged()
        self._repo: ContextRepo | None = None
        self._library: Library | None = None
        self._scene: Scene | None = None

    def signals(self, trajectory: Trajectory, segment: Segment) -> tuple[Signal, ...]:
        """The signals of the table, as every engine finds them."""
        return signals(trajectory, segment)

    def attribute(self, case: Case, repo: ContextRepo) -> Attribution | None:
        """The best explanation with its rivals, or None where nothing can be blamed."""
        if not case.trajectory.nodes:
            return None
        view = self._viewed(case, repo)
        found = candidates(view)
        measured = measure(view, found, self._parts.off)
        weights = self._parts.weights
        line = rank.linear(weights, found, measured)
        ranked = rank.rank(self._parts.trees, found, measured, line)
        if not ranked:
            return None
        clues = rank.clues(ranked)
        ranked, sureness = pairs.paired(self._parts.pairs, ranked, found, measured, line)
        return explain.attribution(
            view,
            settled(view, ranked),
            margin=rank.chance(weights.calibration, clues),
            text_margin=rank.chance(weights.text_calibration, {**clues, **sureness}),
        )

    def recommend(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None:
        """The change that the attribution's first hypothesis asks for."""
        view = self._viewed(case, repo)
        return repair(view, attribution)

    def usage(self) -> Usage:
        """Nothing: no model is called."""
        return Usage()

    def _prepared(self, repo: ContextRepo) -> Library:
        if self._library is None or self._repo is not repo:
            self._repo, self._library = (
                repo,
                library(Index(repo, self._parts.encoder), self._parts.tone),
            )
        return self._library

    def _viewed(self, case: Case, repo: ContextRepo) -> Scene:
        prepared = self._prepared(repo)
        known = self._scene
        if known is None or known.case is not case or known.library is not prepared:
            self._scene = known = scene(case, prepared)
        return known
