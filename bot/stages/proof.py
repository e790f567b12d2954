"""Whether a recommendation is verified: a judgement that decides what one session may propose,
so no engine is believed about it."""

from __future__ import annotations

from bot.context.authority import prefers, standing
from bot.context.repo import ContextRepo
from bot.faults.catalog import catalog
from bot.provenance.value import same
from bot.provenance.values import values
from bot.provenance.words import stands_in_node
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case, RepoQuote


def verified(
    claim: Recommendation, attribution: Attribution, case: Case, repo: ContextRepo
) -> bool:
    """Whether the repository itself, a schema or a tool's own error proves the fault.

    `claim.evidence` holds only quotes that stand. Wrong text needs a source that outranks it; text
    that is missing needs a source in force that holds it. New values must come from the source.
    """
    authority, target = claim.authoritative_source, claim.target_path
    if claim.operation == "NO_ACTION" or target is None:
        return False
    if attribution.fault_category == "TOOL_PROMPT_ERROR" and _tool_said_so(attribution, case):
        return True
    if authority is None or authority == target:
        return False
    quotes = [quote for quote in claim.evidence if quote.path == authority]
    if not quotes or not _values_come_from(claim, quotes):
        return False
    component = repo.component(authority)
    if component is not None and component.type == "schema_hint":
        return True
    if component is not None and component.type == "tool_prompt":
        return False
    source = standing(repo, authority)
    side, _ = prefers(repo, source, standing(repo, target))
    if catalog()[attribution.fault_category].kind == "absence":
        return source.status in ("approved", "unknown")
    return side > 0


def _tool_said_so(attribution: Attribution, case: Case) -> bool:
    """Whether a failed call's own error is among the quotes."""
    failed = [n for n in case.trajectory.nodes if n.tool is not None and n.tool.status != "ok"]
    return any(
        quote.node_id == node.node_id
        and node.tool is not None
        and node.tool.error
        and stands_in_node(node, quote.quote)
        for quote in attribution.evidence
        for node in failed
    )


def _values_come_from(claim: Recommendation, quotes: list[RepoQuote]) -> bool:
    """Whether every value that the edits bring in stands in what the authority says."""
    old = [v for edit in claim.edits for v in values(edit.old or "")]
    new = [v for edit in claim.edits for v in values(edit.new or "")]
    brought = [v for v in new if not any(same(v, w) for w in old)]
    said = [v for quote in quotes for v in values(quote.quote)]
    hard = [v for v in brought if v.kind in ("money", "percent", "duration", "measure")]
    return all(any(same(v, w) for w in said) for v in hard)
