"""Redraft: a model answers the failed question again, from the patched files alone, and plain code
compares what it says with the delta (counterfactual check). One that fails makes a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Protocol, runtime_checkable

from msgspec.structs import replace

from bot.audit.claim import telling
from bot.context.repo import ContextRepo
from bot.errors import Rejected, TraceBotError
from bot.provenance.value import Value, same
from bot.provenance.values import values
from bot.records.finding import Delta
from bot.records.plan import Planned, Trial
from bot.records.report import SessionResult
from bot.reports.sections import REDRAFTED
from bot.stages.remains import TELLING

MOST_FILES = 4
WORDS = 0.6  # share of the words that only the expected outcome has


@runtime_checkable
class Drafter(Protocol):
    """An engine that can answer a user's question from files, given by path, and nothing else.
    Raises `Rejected` or a `TraceBotError` where it has no answer."""

    def draft(self, question: str, texts: Mapping[str, str]) -> str: ...


def drafting(engine: object) -> Drafter | None:
    """The engine, where it can draft answers."""
    return engine if isinstance(engine, Drafter) else None


def redrafted(
    planned: Planned, results: Sequence[SessionResult], repo: ContextRepo, drafter: Drafter
) -> Planned:
    """The change set with the trial of one of its sessions; unchanged where there is no question,
    no text, or no answer, which a pull request states as not run."""
    unit = planned.change_set
    session = witness(planned, results)
    texts = _texts(planned, results, repo)
    if unit.state == "candidate" or session is None or session.attribution is None or not texts:
        return planned
    try:
        answer = drafter.draft(session.question, texts)
    except (Rejected, TraceBotError):
        # A check that cannot be made is no reason to lose what was found.
        return planned
    trial = compared(answer, session.attribution.delta)
    state, reasons = unit.state, unit.reasons
    if trial.held is False:
        state, reasons = "draft", (*reasons, f"replay: {trial.reason}")
    settled = replace(unit, state=state, reasons=reasons)
    return replace(planned, change_set=settled, trials=(*planned.trials, trial))


def witness(planned: Planned, results: Sequence[SessionResult]) -> SessionResult | None:
    """The first session of the change set whose question is known."""
    own = [r for r in results if r.session_id in {*planned.change_set.sessions} and r.attribution]
    asked = [result for result in own if result.question.strip()]
    return min(asked, key=lambda r: (r.started_at or "", r.session_id), default=None)


def compared(answer: str, delta: Delta) -> Trial:
    """Whether an answer says what was expected, by its values, or else by its words."""
    right, wrong = _apart(delta.expected_outcome, delta.actual_outcome)
    said = values(answer)
    if any(_is_said(value, said) for value in wrong) and not _all_said(right, said):
        return Trial(REDRAFTED, False, "the new answer still says what was wrong")
    if right:
        held = any(_is_said(value, said) for value in right)
        reason = "" if held else "the new answer does not say what was expected"
        return Trial(REDRAFTED, held, reason)
    if wrong:
        return Trial(REDRAFTED, True)
    expected, actual = telling(delta.expected_outcome), telling(delta.actual_outcome)
    only = expected - actual
    if only and len(only & telling(answer)) >= WORDS * len(only):
        return Trial(REDRAFTED, True)
    return Trial(REDRAFTED, None, "no value tells the new answer from the failed one")


def _apart(expected: str, actual: str) -> tuple[list[Value], list[Value]]:
    """The values that only the expected outcome has, and those that only the actual one has."""
    right, wrong = ([v for v in values(text) if v.kind in TELLING] for text in (expected, actual))
    return (
        [value for value in right if not _is_said(value, wrong)],
        [value for value in wrong if not _is_said(value, right)],
    )


def _is_said(value: Value, said: Sequence[Value]) -> bool:
    return any(same(value, other) for other in said)


def _all_said(wanted: Sequence[Value], said: Sequence[Value]) -> bool:
    """Whether an answer has everything that was expected, so that it may tell of the old, too."""
    return bool(wanted) and all(_is_said(value, said) for value in wanted)


def _texts(planned: Planned, results: Sequence[SessionResult], repo: ContextRepo) -> dict[str, str]:
    """The changed files as they will be, and the sources that settle the matter."""
    unit = planned.change_set
    own = [r.recommendation for r in results if r.session_id in {*unit.sessions}]
    sources = (claim.authoritative_source for claim in own if claim is not None)
    changed = {file.path: file.new_text for file in unit.files}
    named = dict.fromkeys((*changed, *(path for path in sources if path)))
    found = ((path, changed.get(path, repo.texts.get(path))) for path in named)
    standing = ((path, text) for path, text in found if text is not None)
    return dict(islice(standing, MOST_FILES))
