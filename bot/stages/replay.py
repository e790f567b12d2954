"""Replay: what failed is tried again on the patched texts, without a model.

The search for the document, the wrong value elsewhere, the tool's text against the schema, and
the rule in the prompt (counterfactual check). A trial that fails makes a ready change a draft.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from bot.audit.claim import telling
from bot.audit.tools import refuted
from bot.context.repo import ContextRepo
from bot.gates.inputs import added
from bot.provenance.value import same
from bot.provenance.values import values
from bot.records.change import ChangeSet
from bot.records.finding import RepoQuote
from bot.records.plan import Planned, Trial
from bot.records.report import SessionResult
from bot.stages.remains import remains
from bot.stages.retrieval import Ground, Patched, found_at, patched

TOP = 5  # files that a search shows
RULE = 0.5  # share of a rule's telling words that the prompt has to hold

FINDS = "the search now finds the document"
GONE = "the wrong statement stands nowhere any more"
AGREES = "the tool's text agrees with the schema"
HOLDS = "the prompt holds the rule"


def replayed(planned: Planned, results: Sequence[SessionResult], ground: Ground) -> Planned:
    """The change set with what its trials gave; a draft where one failed that was ready."""
    unit = planned.change_set
    if unit.state == "candidate":
        return planned
    own = [result for result in results if result.session_id in {*unit.sessions}]
    trials = tuple(_trials(unit, own, ground))
    failed = tuple(f"replay: {trial.reason}" for trial in trials if trial.held is False)
    state = "draft" if failed else unit.state
    settled = replace(unit, state=state, reasons=(*unit.reasons, *failed))
    return replace(planned, change_set=settled, trials=trials)


def _trials(unit: ChangeSet, own: Sequence[SessionResult], ground: Ground) -> Iterator[Trial]:
    """Every trial in the order of the report, also those that do not apply."""
    after = patched(ground, unit.files)
    kinds = {r.attribution.fault_category for r in own if r.attribution is not None}
    if kinds & {"RETRIEVAL_FAILURE", "KB_CONTENT_GAP"}:
        yield _finds(unit, own, ground, after)
    if any(file.operation != "CREATE" for file in unit.files):
        yield remains(GONE, unit, ground, after)
    if "TOOL_PROMPT_ERROR" in kinds:
        yield _agrees(unit, ground, after)
    if "SYSTEM_PROMPT_GAP" in kinds:
        yield _holds(unit, own, ground.index.repo)


def _finds(unit: ChangeSet, own: Sequence[SessionResult], ground: Ground, after: Patched) -> Trial:
    """Whether a query of the sessions that failed leads to the document."""
    asked = tuple(dict.fromkeys(q for r in own for q in (*r.lookups, r.question) if q.strip()))
    wanted = _documents(unit, own)
    if not asked or not wanted:
        return Trial(FINDS, None, "no search of the sessions is known")
    if all(any(path in wanted for path in result.files) for result in own):
        return Trial(FINDS, None, f"the sessions had read {wanted[0]} without it")
    ranks = [rank for query in asked for rank in found_at(query, wanted, ground, after)]
    best = min(ranks, default=0)
    if not best:
        return Trial(FINDS, False, f"no search of the sessions leads to {wanted[0]}")
    told = f"{wanted[0]} comes at place {best}"
    return Trial(FINDS, best <= TOP, told)


def _documents(unit: ChangeSet, own: Sequence[SessionResult]) -> tuple[str, ...]:
    """What should have been found: the source that holds the answer, or the text that is added."""
    told = [r.recommendation for r in own if r.recommendation is not None]
    if any(r.attribution and r.attribution.fault_category == "RETRIEVAL_FAILURE" for r in own):
        sources = [claim.authoritative_source for claim in told if claim.authoritative_source]
        return tuple(dict.fromkeys(sources))
    return tuple(file.path for file in unit.files if added(file))


def _agrees(unit: ChangeSet, ground: Ground, after: Patched) -> Trial:
    """Whether no line that the change adds names what the schema does not have."""
    repo = ground.index.repo
    if not any(component.type == "schema_hint" for component in repo.components):
        return Trial(AGREES, None, "the repository has no schema")
    new = {line.strip() for file in unit.files for line in added(file)}
    texts = {**repo.texts, **after.texts}
    for finding in refuted(repo, texts, after.every(ground)):
        lines = texts[finding.here.path].splitlines()
        if lines[finding.here.line - 1].strip() in new:
            return Trial(AGREES, False, finding.message)
    return Trial(AGREES, True)


def _holds(unit: ChangeSet, own: Sequence[SessionResult], repo: ContextRepo) -> Trial:
    """Whether what the source says of the case stands in what the change adds to a prompt."""
    rules = [quote for result in own for quote in _rules(result)]
    if not rules:
        return Trial(HOLDS, None, "no file states the rule")
    prompts = {c.path for c in repo.components if c.type == "system_prompt"}
    text = "\n".join(file.new_text or "" for file in unit.files if file.path in prompts)
    if any(_stands(rule.quote, text) for rule in rules):
        return Trial(HOLDS, True)
    return Trial(HOLDS, False, f"the prompt does not hold what {rules[0].path} says")


def _rules(result: SessionResult) -> Iterator[RepoQuote]:
    claim = result.recommendation
    if claim is not None and claim.authoritative_source is not None:
        source = claim.authoritative_source
        yield from (quote for quote in claim.evidence if quote.path == source)


def _stands(rule: str, text: str) -> bool:
    """Whether a text has most telling words of a rule, and its values."""
    wanted, held = telling(rule), telling(text)
    stated = values(text)
    valued = all(any(same(v, w) for w in stated) for v in values(rule) if v.kind == "money")
    return valued and len(wanted & held) >= RULE * len(wanted)
