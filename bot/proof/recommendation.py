"""The checks of a recommendation: files that may be edited, edits that fit, quotes that stand."""

from __future__ import annotations

from msgspec.structs import replace

from bot.context.edit import apply_all
from bot.context.repo import ContextRepo
from bot.errors import Rejected
from bot.proof.changed import changed_since
from bot.proof.quotes import stands_in_repo
from bot.proof.verified import verified
from bot.records.change import Edit, Recommendation
from bot.records.finding import Attribution, Case


def proved(
    claim: Recommendation, case: Case, attribution: Attribution, repo: ContextRepo
) -> Recommendation:
    """The claim with unproved quotes dropped, its edits tried, and whether it is verified.

    Raises `Rejected` where the target is no component, the edits touch a file that may not be
    edited, or miss their target (TRACE, exploratory recommendation). `EditRefused` comes through
    from an edit that does not fit its file.
    """
    evidence = tuple(quote for quote in claim.evidence if stands_in_repo(repo, quote))
    authority = claim.authoritative_source
    if not any(quote.path == authority for quote in evidence):
        authority = None
    claim = replace(claim, evidence=evidence, authoritative_source=authority)
    if claim.operation == "NO_ACTION":
        return replace(claim, edits=(), verified=False)
    if (changed := changed_since(case, repo)) is not None:
        raise Rejected(changed)
    if not claim.edits:
        # What to change is known, but not into which words: a person has to read it.
        return replace(claim, verified=False)
    if claim.target_path not in {edit.path for edit in claim.edits}:
        raise Rejected("the edits do not touch the target of the recommendation")
    for edit in claim.edits:
        _may_edit(edit, repo)
    apply_all(claim.edits, repo.texts)
    return replace(claim, verified=verified(claim, attribution, case, repo))


def _may_edit(edit: Edit, repo: ContextRepo) -> None:
    component = repo.component(edit.path)
    if component is None:
        if edit.operation == "CREATE" and edit.path not in repo.texts:
            return
        raise Rejected(f"{edit.path} is not a component of the context repository")
    if component.type == "schema_hint":
        raise Rejected(f"{edit.path} is evidence only and is never edited")
    if component.read_only is not None:
        raise Rejected(f"{edit.path} may not be edited: {component.read_only}")
