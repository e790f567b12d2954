"""The checks of an attribution: quotes that stand, a node and a file that are there."""

from __future__ import annotations

from msgspec.structs import replace

from bot.context.repo import ContextRepo
from bot.errors import Rejected
from bot.faults.catalog import catalog
from bot.proof.quotes import stands, stands_in_repo
from bot.records.finding import Attribution, Case, Hypothesis, NodeQuote, NodeScore
from bot.records.trajectory import Trajectory


def proved(claim: Attribution, case: Case, repo: ContextRepo) -> Attribution:
    """The claim with every unproved quote dropped.

    Raises `Rejected` for an unknown node, a path that is not in the repository, or a claim that
    is left without a single quote (TRACE, root-cause attribution).
    """
    trajectory = case.trajectory
    if trajectory.node(claim.root_cause_node) is None:
        raise Rejected("the attribution names a node that the session does not have")
    if claim.component_path is not None and claim.component_path not in repo.texts:
        raise Rejected("the attribution names a file that the repository does not have")
    if claim.component_type not in (*catalog()[claim.fault_category].repairs, "none"):
        raise Rejected(f"a {claim.component_type} cannot repair a {claim.fault_category}")
    evidence = _standing(claim.evidence, trajectory)
    if not evidence:
        raise Rejected("no quote of the attribution stands in the session")
    return replace(
        claim,
        scores=_normalised(claim.scores, claim.root_cause_node, trajectory),
        evidence=evidence,
        hypotheses=tuple(_checked(h, trajectory, repo) for h in claim.hypotheses),
    )


def _standing(quotes: tuple[NodeQuote, ...], trajectory: Trajectory) -> tuple[NodeQuote, ...]:
    return tuple(quote for quote in quotes if stands(trajectory, quote))


def _checked(hypothesis: Hypothesis, trajectory: Trajectory, repo: ContextRepo) -> Hypothesis:
    faulty, authority = hypothesis.faulty, hypothesis.authority
    return replace(
        hypothesis,
        faulty=faulty if faulty is not None and stands_in_repo(repo, faulty) else None,
        authority=authority if authority is not None and stands_in_repo(repo, authority) else None,
        session_quotes=_standing(hypothesis.session_quotes, trajectory),
        repo_quotes=tuple(q for q in hypothesis.repo_quotes if stands_in_repo(repo, q)),
    )


def _normalised(
    scores: tuple[NodeScore, ...], root: str, trajectory: Trajectory
) -> tuple[NodeScore, ...]:
    """Scores of known nodes, at least 0, summing to 1, with the root on top."""
    known = {node.node_id for node in trajectory.nodes}
    kept = {s.node_id: replace(s, score=max(0.0, s.score)) for s in scores if s.node_id in known}
    best = max((s.score for s in kept.values() if s.node_id != root), default=0.0)
    lead = kept.get(root, NodeScore(root, 0.0))
    if lead.score <= best:
        kept[root] = replace(lead, score=max(best * 1.01, 1e-6))
    total = sum(s.score for s in kept.values())
    return tuple(replace(s, score=s.score / total) for s in kept.values())
