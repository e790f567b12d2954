"""Claims of many sessions become few: the same edit once, and of rival edits the best proved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from bot.context.edit import apply_all
from bot.errors import EditRefused
from bot.identity.ids import finding_id
from bot.identity.names import counted
from bot.records.change import LEAST_CONFIDENCE, Edit, Recommendation
from bot.records.finding import Classification, Operation
from bot.records.report import SessionResult

# Members that several sessions add to one list belong together; sentences are rivals.
DATA = (".json", ".yaml", ".yml")
DOUBTFUL: tuple[Classification, ...] = ("AMBIGUOUS", "INCIDENTAL", "SYSTEMIC")


class Claim(msgspec.Struct, frozen=True):
    """One finding with one set of exact edits, and the sessions that ask for just that."""

    finding: str
    kind: str
    edits: tuple[Edit, ...]
    results: tuple[SessionResult, ...]

    @property
    def recommendations(self) -> tuple[Recommendation, ...]:
        """What the sessions recommend: the same edits, each with its own evidence."""
        return tuple(r.recommendation for r in self.results if r.recommendation is not None)

    @property
    def operation(self) -> Operation:
        """What the best proved session calls the edits."""
        return self.best.operation

    @property
    def best(self) -> Recommendation:
        """The recommendation that speaks for the claim: verified first, then the surest."""
        return max(self.recommendations, key=lambda r: (r.verified, r.confidence))

    @property
    def verified(self) -> bool:
        """Whether a source of the repository, a schema or a tool's error proves the fault."""
        return self.best.verified

    @property
    def confidence(self) -> float:
        """The confidence of the recommendation that speaks for the claim."""
        return self.best.confidence

    @property
    def classification(self) -> Classification:
        """AMBIGUOUS as soon as one session says so."""
        return gravest(r.classification for r in self.recommendations)

    @property
    def principals(self) -> tuple[str, ...]:
        """Who spoke, once for each session."""
        return tuple(result.principal for result in self.results)

    @property
    def paths(self) -> frozenset[str]:
        """The files that the edits touch."""
        return frozenset(edit.path for edit in self.edits)

    @property
    def strength(self) -> tuple[bool, int, int, float, str, str]:
        """Orders claims by their evidence; the finding and its edits decide a draw."""
        people = len(set(self.principals))
        evidence = (self.verified, len(self.results), people, self.confidence)
        return (*evidence, self.finding, repr(self.edits))


class Composition(msgspec.Struct, frozen=True):
    """Claims that fit together, the texts that their edits make, and why others were left out.

    `texts` holds the touched files only; None is a file that goes. `draw` says that a claim was
    left out which is proved as well as the one it lost to: a person should decide.
    """

    claims: tuple[Claim, ...]
    texts: dict[str, str | None]
    dropped: tuple[str, ...]
    draw: bool = False


def claims(results: Sequence[SessionResult]) -> tuple[Claim, ...]:
    """The claims of all sessions, the best proved first."""
    found: dict[tuple[str, str, tuple[Edit, ...]], list[SessionResult]] = {}
    for result in results:
        recommendation, attribution = result.recommendation, result.attribution
        if recommendation is None or attribution is None or recommendation.target_path is None:
            continue
        if recommendation.operation == "NO_ACTION" or not recommendation.edits:
            continue
        kind = attribution.fault_category
        finding = finding_id(kind, recommendation.target_path, recommendation.anchor)
        found.setdefault((finding, kind, recommendation.edits), []).append(result)
    merged = (
        Claim(finding, kind, edits, tuple(sorted(_carrying(group), key=lambda r: r.session_id)))
        for (finding, kind, edits), group in found.items()
    )
    return tuple(sorted(merged, key=lambda claim: claim.strength, reverse=True))


def _carrying(group: Sequence[SessionResult]) -> list[SessionResult]:
    """The sessions that carry a claim: beside surer ones, one that would propose nothing by itself
    is no evidence."""
    sure = [
        r for r in group if r.recommendation and r.recommendation.confidence >= LEAST_CONFIDENCE
    ]
    return sure or list(group)


def gravest(said: Iterable[Classification]) -> Classification:
    """The most doubtful of several classifications."""
    return min(said, key=DOUBTFUL.index)


def fits(claim: Claim, texts: Mapping[str, str]) -> bool:
    """Whether the claim's edits apply to the texts by themselves."""
    try:
        apply_all(claim.edits, texts)
    except EditRefused:
        return False
    return True


def units(found: Sequence[Claim]) -> tuple[tuple[Claim, ...], ...]:
    """Claims whose sets of files intersect, together (union-find); the order is kept."""
    parent = list(range(len(found)))

    def root(at: int) -> int:
        while parent[at] != at:
            at = parent[at]
        return at

    holder: dict[str, int] = {}
    for at, claim in enumerate(found):
        for path in sorted(claim.paths):
            first, second = sorted((root(at), root(holder.setdefault(path, at))))
            parent[second] = first
    groups: dict[int, list[Claim]] = {}
    for at, claim in enumerate(found):
        groups.setdefault(root(at), []).append(claim)
    return tuple(tuple(group) for group in groups.values())


def compose(found: Iterable[Claim], texts: Mapping[str, str]) -> Composition:
    """The claims that can stand in one proposal, taken from the strongest down.

    A claim that no longer applies after stronger ones, or that fills the same gap with other
    words, is left out with a sentence.
    """
    kept: list[Claim] = []
    edits: tuple[Edit, ...] = ()
    made: dict[str, str | None] = {}
    dropped: list[str] = []
    draw = False
    for claim in found:
        # Two findings may share an edit; it is made once.
        wanted = edits + tuple(edit for edit in claim.edits if edit not in edits)
        try:
            if any(_rivals(claim, other) for other in kept):
                raise EditRefused(f"{claim.finding} is worded otherwise by others")
            made = dict(apply_all(wanted, texts))
        except EditRefused:
            dropped.append(_loss(claim, kept))
            draw = draw or any(_as_strong(claim, other) for other in kept)
            continue
        kept.append(claim)
        edits = wanted
    return Composition(tuple(kept), made, tuple(dropped), draw)


def _rivals(claim: Claim, other: Claim) -> bool:
    """Whether both fill the same gap of prose: added at the same place for the same finding."""
    return claim.finding == other.finding and any(
        mine.path == theirs.path and mine.old == theirs.old and not mine.path.endswith(DATA)
        for mine in claim.edits
        for theirs in other.edits
    )


def _as_strong(claim: Claim, other: Claim) -> bool:
    return bool(claim.paths & other.paths) and claim.strength[:2] == other.strength[:2]


def _loss(claim: Claim, kept: Sequence[Claim]) -> str:
    against = sum(len(other.results) for other in kept if other.paths & claim.paths)
    asking = counted(len(claim.results), "session asks", "sessions ask")
    return (
        f"{asking} for another edit of the same place in {', '.join(sorted(claim.paths))}; "
        f"the one kept has more evidence ({counted(against, 'session', 'sessions')})"
    )
