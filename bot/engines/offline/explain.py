"""The best hypothesis as an attribution: delta, scores, gradient, evidence."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context.authority import prefers
from bot.context.everyday import everyday
from bot.context.words import stems
from bot.defang import short
from bot.engines.offline.candidate import CATEGORY, OPERATION, Candidate
from bot.engines.offline.claims import weight
from bot.engines.offline.quotes import (
    answer_sentence,
    complaint_sentence,
    repo_quote,
    session_quotes,
)
from bot.engines.offline.rank import Ranked, fix_of
from bot.engines.offline.scene import Scene
from bot.provenance.values import values
from bot.records.finding import (
    Attribution,
    Classification,
    ComponentType,
    Delta,
    FaultCategory,
    Hypothesis,
    NodeScore,
)
from bot.redact import redact

LISTED = 12
_SHOWN = 220
_FEW_WORDS = 3
_REASONS = {
    "stale": "showed the text that the answer rests on",
    "delete": "showed the document that should not stand any more",
    "tool": "called the tool as its description says",
    "retrieval": "searched and did not get the document that answers",
    "gap": "showed the document that lacks the answer",
    "prompt": "worked under instructions that lack the rule",
    "sound": "answered with the right context before it",
}


def attribution(
    scene: Scene, ranked: Sequence[Ranked], margin: float, text_margin: float
) -> Attribution:
    """What the ranking says, in the records' terms."""
    listed = _listed(ranked)
    hypotheses = tuple(hypothesis(scene, row) for row in listed)
    first, best = hypotheses[0], listed[0].candidate
    return Attribution(
        delta=delta(scene, best),
        root_cause_node=first.node_id,
        scores=_scores(scene, ranked),
        fault_category=first.category,
        component_type=first.component_type,
        component_path=first.component_path,
        gradient_description=gradient(scene, best),
        evidence=first.session_quotes,
        hypotheses=hypotheses,
        margin=round(margin, 4),
        text_margin=round(text_margin, 4),
    )


def _listed(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The best of every fix and node first, then what remains, up to the length of the list."""
    seen: set[object] = set()
    fresh: list[Ranked] = []
    for row in ranked:
        key = (*fix_of(row.candidate), row.candidate.node)
        if key not in seen:
            seen.add(key)
            fresh.append(row)
    return fresh[:LISTED]


def category(scene: Scene, candidate: Candidate) -> FaultCategory:
    """The fault category; stale and obsolete text is named by the file that holds it."""
    known = CATEGORY.get(candidate.shape)
    if known is not None:
        return known
    component = scene.index.repo.component(candidate.path or "")
    is_skill = component is not None and component.type == "skill"
    return "SKILL_FILE_STALE" if is_skill else "KB_CONTENT_STALE"


def hypothesis(scene: Scene, row: Ranked) -> Hypothesis:
    """A candidate written out with its quotes."""
    candidate = row.candidate
    component = scene.index.repo.component(candidate.path) if candidate.path else None
    kind: ComponentType = component.type if component is not None else "none"
    units = scene.index.units
    faulty = units[candidate.faulty] if candidate.faulty is not None else None
    truth = units[candidate.truth] if candidate.truth is not None else None
    authority = repo_quote(truth) if truth is not None else None
    wrong = repo_quote(faulty) if faulty is not None else None
    return Hypothesis(
        category=category(scene, candidate),
        operation=OPERATION[candidate.shape],
        component_type=kind,
        component_path=candidate.path,
        node_id=scene.trajectory.nodes[candidate.node].node_id,
        score=round(row.score, 4),
        reason=_REASONS[candidate.shape],
        faulty=wrong,
        authority=authority,
        session_quotes=session_quotes(scene, candidate),
        repo_quotes=tuple(quote for quote in (wrong, authority) if quote is not None),
        classification=classification(scene, candidate),
    )


def classification(scene: Scene, candidate: Candidate) -> Classification:
    """AMBIGUOUS where equals disagree or only the user's word speaks."""
    if OPERATION[candidate.shape] == "NO_ACTION":
        return "INCIDENTAL"
    if candidate.truth is None:
        return "AMBIGUOUS"
    if candidate.shape != "stale" or candidate.path is None:
        return "SYSTEMIC"
    truth = scene.index.units[candidate.truth]
    standings = scene.library.standings
    if truth.type == "schema_hint" or truth.path == candidate.path:
        return "SYSTEMIC"
    side, _ = prefers(scene.index.repo, standings[truth.path], standings[candidate.path])
    return "SYSTEMIC" if side > 0 else "AMBIGUOUS"


def delta(scene: Scene, candidate: Candidate) -> Delta:
    """Expected against got, in the words of the session."""
    near = complaint_sentence(scene, candidate.truth)
    expected = _shown(telling(near, scene.talk.complaint))
    if not expected:
        expected = _shown(" ".join(scene.rounds[candidate.round].round.question))
    actual = _shown(answer_sentence(scene, candidate)) or "no answer"
    return Delta(f"DELTA: Expected “{expected}” but got “{actual}”.", expected, actual)


def _shown(text: str) -> str:
    """A short text without secrets, which go first: no rule knows half of one."""
    return short(redact(text), _SHOWN)


def telling(near: str, sentences: Sequence[str]) -> str:
    """The sentence of a complaint that says what is right, rather than that something is wrong.

    A value tells most, then a few words that are not everyday ones; of sentences that have as
    much, the one nearest to the truth is taken.
    """

    def substance(sentence: str) -> tuple[float, int, bool, int]:
        value = max((weight(v) for v in values(sentence)), default=0.0)
        words = len({stem for stem in stems(sentence) if not everyday(stem)})
        return value, min(words, _FEW_WORDS), sentence == near, words

    return max((near, *sentences), key=substance)


def gradient(scene: Scene, candidate: Candidate) -> str:
    """What should change and why, in one or two sentences."""
    units = scene.index.units
    path = candidate.path or "the context"
    truth = units[candidate.truth] if candidate.truth is not None else None
    source = f"{truth.path}, line {truth.line}" if truth is not None else "the user's word alone"
    asks = {
        "stale": f"{path} should say what {source} says.",
        "delete": f"{path} should be removed: {source} ends it.",
        "tool": f"The description in {path} should agree with {source}.",
        "retrieval": f"{path} should lead the words of this question to {source}.",
        "gap": f"{path} should also hold what {source} says.",
        "prompt": f"{path} should hold the rule of {source}.",
        "sound": "Nothing should change: the context is right.",
    }
    return asks[candidate.shape]


def _scores(scene: Scene, ranked: Sequence[Ranked]) -> tuple[NodeScore, ...]:
    """Each node's share of the belief, a part of the root's passed on to what it misled."""
    nodes = scene.trajectory.nodes
    belief = [0.0] * len(nodes)
    reasons = [""] * len(nodes)
    for row in ranked:
        belief[row.candidate.node] += row.share
        reasons[row.candidate.node] = reasons[row.candidate.node] or _REASONS[row.candidate.shape]
    best = ranked[0].candidate
    passed = _misled(scene, best)
    for position in passed:
        belief[position] += 0.25 / len(passed)
        reasons[position] = reasons[position] or "carried it on"
    others = max((b for p, b in enumerate(belief) if p != best.node), default=0.0)
    belief[best.node] = max(belief[best.node], others + 0.1)
    total = sum(belief)
    return tuple(
        NodeScore(node.node_id, round(b / total, 6), reason)
        for node, b, reason in zip(nodes, belief, reasons, strict=True)
    )


def _misled(scene: Scene, best: Candidate) -> tuple[int, ...]:
    """The nodes after the root that its round still ran: they only propagated."""
    served = scene.rounds[best.round].round.nodes
    kinds = ("reasoning", "response_generation", "tool_call")
    return tuple(p for p in served if p > best.node and scene.trajectory.nodes[p].type in kinds)
