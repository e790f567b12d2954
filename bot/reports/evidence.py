"""What the sessions show: one row each, and spans that stand verbatim in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.records.finding import Attribution, Hypothesis, RepoQuote
from bot.records.plan import RunInfo
from bot.records.report import SessionResult
from bot.redact import Privacy, redact, redact_id
from bot.reports.body import Quote, Witness

MAX_QUOTE = 1_000
# Faults whose step is the one that read the faulty file.
READ = ("SKILL_FILE_STALE", "KB_CONTENT_STALE")
STAMP = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?")


def witness(result: SessionResult, run: RunInfo) -> Witness:
    """A session's row; what was said in it only where `run.quotes` allows that."""
    signals = result.detection.signals if result.detection else ()
    strongest = max(signals, key=lambda s: (s.explicit, s.confidence), default=None)
    attribution = result.attribution
    return Witness(
        session=redact_id(result.session_id, run.privacy),
        when=when(result),
        signal=strongest.signal_type.lower().replace("_", " ") if strongest else "",
        step=redact(_step(attribution, result.files), run.privacy) if attribution else "",
        what=redact(lost(attribution), run.privacy) if attribution and run.quotes else "",
    )


def lost(attribution: Attribution) -> str:
    """The loss as a sentence, without the word that marks it in a report."""
    return attribution.delta.loss_description.removeprefix("DELTA:").strip()


def _step(attribution: Attribution, files: Sequence[str]) -> str:
    """The step by its id, and the file where it is known to have shown that one."""
    path, node = attribution.component_path, attribution.root_cause_node
    read = path in files and attribution.fault_category in READ
    return f"{node}: read {path}" if read else node


def when(result: SessionResult) -> str:
    """Day and minute as the session recorded them, or nothing."""
    stamp = STAMP.match(result.started_at or "")
    return " ".join(filter(None, stamp.groups())) if stamp else ""


def quotes(sessions: Sequence[SessionResult], privacy: Privacy) -> Iterator[Quote]:
    """The words that speak for the finding, redacted: a signal and two quotes a session."""
    for result in sessions:
        for signal in (result.detection.signals if result.detection else ())[:1]:
            where = f"{result.session_id}, turn {signal.turn_id}"
            yield Quote(redact_id(where, privacy), redact(signal.evidence, privacy)[:MAX_QUOTE])
        for quote in (result.attribution.evidence if result.attribution else ())[:2]:
            where = f"{result.session_id}, {quote.node_id}"
            yield Quote(redact_id(where, privacy), redact(quote.quote, privacy)[:MAX_QUOTE])


def hypotheses(sessions: Sequence[SessionResult]) -> tuple[Hypothesis | None, Hypothesis | None]:
    """The best explanation of the first session that has any, and the next one."""
    ranked = (result.attribution.hypotheses for result in sessions if result.attribution)
    first = next(filter(None, ranked), ())
    return (first[0] if first else None, first[1] if len(first) > 1 else None)


def repo_quotes(sessions: Sequence[SessionResult], privacy: Privacy) -> Iterator[Quote]:
    """The faulty line of the repository and what settles the matter, at most four."""
    best, _ = hypotheses(sessions)
    spoken: list[RepoQuote] = [best.faulty] if best and best.faulty else []
    for result in sessions[:1]:
        spoken += result.recommendation.evidence if result.recommendation else ()
    for quote in dict.fromkeys(spoken[:4]):
        yield Quote(f"{quote.path}:{quote.line}", redact(quote.quote, privacy)[:MAX_QUOTE])
