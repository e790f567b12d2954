"""A run as a person reads it in a terminal: what went wrong, why, and the exact change."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bot.defang import inert, short, visible
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Classification
from bot.records.plan import Action, Published
from bot.records.report import Proposal, RunResult, SessionResult, Skipped
from bot.reports.cause import LABELS
from bot.reports.withhold import public

Clean = Callable[[str], str]

LONGEST = 220
SHOWN_SKIPPED = 5
DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}
STATES = {
    "ready": ("would open", "green"),
    "draft": ("would open as a draft", "yellow"),
    "candidate": ("candidate, below the evidence bar", "yellow"),
}
# What becomes of a proposal that would not simply be opened.
OTHERWISE: Mapping[Action, tuple[str, str]] = {
    "opened": ("opened", "green"),
    "updated": ("updated", "green"),
    "unchanged": ("stands as it was", "green"),
    "closed": ("closed", "yellow"),
    "skipped": ("not opened", "yellow"),
    "queued": ("queued", "yellow"),
    "blocked": ("blocked", "red"),
    "failed": ("failed", "red"),
}
REACH: Mapping[Classification, str] = {
    "SYSTEMIC": "others will meet it too",
    "INCIDENTAL": "this once only",
    "AMBIGUOUS": "the sources do not settle it",
}
# What a source does that proves nothing: it contradicts wrong text, or holds what is missing.
UNPROVED = ("says otherwise", "held by")


def render(
    run: RunResult,
    clean: Clean,
    units: Sequence[Published] = (),
    *,
    width: int = 100,
    color: bool = False,
) -> str:
    """The whole run as text, without what was said in its sessions unless `run.quotes`.

    `units` say what becomes of the proposals, which else are told by their state alone.
    Whatever came from outside passes through `clean` first, and no line is a workflow command.
    """
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        no_color=not color,
        color_system="standard" if color else None,
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )
    for part in _parts(run, clean, {unit.unit_id: unit for unit in units}):
        console.print(part)
    return inert("\n".join(line.rstrip() for line in out.getvalue().split("\n")))


def _parts(
    run: RunResult, clean: Clean, units: Mapping[str, Published]
) -> Iterator[RenderableType]:
    run = public(run)
    yield _headline(run)
    for result in run.sessions:
        if result.error is not None:
            yield Text("\n").append_text(
                _cut(clean(f"✗ {result.session_id}: {result.error}"), "red")
            )
        elif result.detection is not None and result.detection.is_dsat:
            yield Text()
            yield _session(result, clean, run.quotes)
    for proposal in run.proposals:
        yield Text()
        yield from _proposal(proposal, clean, units.get(proposal.change_set.unit_id))
    yield from _skipped(run.skipped, clean)


def _headline(run: RunResult) -> Text:
    dissatisfied = sum(bool(s.detection and s.detection.is_dsat) for s in run.sessions)
    commit = f" at {run.context_commit[:10]}" if run.context_commit else ""
    counts = (
        f"{_count(len(run.sessions), 'session')}, {dissatisfied} dissatisfied, "
        f"{_count(len(run.proposals), 'proposal')}"
    )
    return Text.assemble(("trace-bot", "bold"), f" · {run.engine} engine{commit} · {counts}")


def _session(result: SessionResult, clean: Clean, quotes: bool) -> RenderableType:
    detection, attribution = result.detection, result.attribution
    signals = sorted({s.signal_type for s in detection.signals}) if detection else []
    confidence = f"{detection.confidence:.2f}" if detection else ""
    head = Text.assemble(
        ("● ", "red"),
        _cut(clean(result.session_id), "bold"),
        f"  dissatisfied {confidence}  {', '.join(signals)}",
    )
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column(overflow="fold")
    if attribution is not None:
        if quotes:
            _said_rows(rows, attribution, clean)
        _attribution_rows(rows, attribution, clean)
        for quote in attribution.evidence[:2] if quotes else ():
            rows.add_row("", _cut(clean(f"{quote.node_id}: “{quote.quote}”"), "italic"))
    else:
        rows.add_row("cause", Text("none that the evidence supports; nothing is proposed"))
    if result.recommendation is not None:
        _recommendation_rows(rows, result.recommendation, clean)
    for note in result.notes:
        rows.add_row("note", _cut(clean(note)))
    return Group(head, Padding(rows, (0, 0, 0, 2)))


def _said_rows(rows: Table, attribution: Attribution, clean: Clean) -> None:
    rows.add_row("expected", _cut(clean(attribution.delta.expected_outcome)))
    rows.add_row("got", _cut(clean(attribution.delta.actual_outcome)))


def _attribution_rows(rows: Table, attribution: Attribution, clean: Clean) -> None:
    root = next((s for s in attribution.scores if s.node_id == attribution.root_cause_node), None)
    share = f" carries {root.score:.0%}" if root else ""
    where = f" · {attribution.component_path}" if attribution.component_path else ""
    rows.add_row("cause", _cut(clean(f"{attribution.root_cause_node}{share}{where}")))
    fault = LABELS[attribution.fault_category]
    code = f"{attribution.fault_category}, certainty {attribution.margin:.2f}"
    rows.add_row("fault", Text(f"{fault} ({code})"))


def _recommendation_rows(rows: Table, claim: Recommendation, clean: Clean) -> None:
    rows.add_row("fix", _cut(clean(f"{claim.operation}: {claim.recommended_change}"), "bold"))
    settled = "settled by" if claim.verified else UNPROVED[claim.operation == "CREATE"]
    for quote in claim.evidence[:2]:
        place = Text.assemble(_cut(clean(f"{quote.path}:{quote.line}"), "cyan"), " ")
        label = settled if quote.path == claim.authoritative_source else "it says"
        rows.add_row(label, place.append_text(_cut(f"“{clean(quote.quote)}”", "italic")))


def _proposal(proposal: Proposal, clean: Clean, unit: Published | None) -> Iterator[RenderableType]:
    changes, pull_request = proposal.change_set, proposal.pull_request
    label, style = STATES[changes.state]
    reasons = changes.reasons
    if unit is not None and changes.state != "candidate" and unit.action in OTHERWISE:
        label, style = OTHERWISE[unit.action]
        reasons = (*filter(None, [unit.reason]), *reasons)
    yield Rule(Text(label, style), align="left", style=style)
    yield _cut(clean(pull_request.title), "bold")
    sessions = _count(len(changes.sessions), "session")
    reach = f"{changes.classification}: {REACH[changes.classification]}"
    yield Text(f"branch {pull_request.branch} · {sessions} · {reach}", "dim")
    for reason in reasons:
        yield _cut(clean(f"· {reason}"), "yellow")
    for file in changes.files:
        yield Text()
        yield _diff(file.diff)


def _diff(diff: str) -> Text:
    text = Text()
    # A carriage return inside a line would start another one, which nobody wrote.
    lines = diff.replace("\r\n", "\n").replace("\r", "␍").rstrip("\n").split("\n")
    for shown in map(visible, lines):
        meta = shown.startswith(("+++", "---", "diff ", "index "))
        text.append(shown + "\n", "bold" if meta else DIFF_STYLES.get(shown[:1], ""))
    text.rstrip()
    return text


def _skipped(skipped: tuple[Skipped, ...], clean: Clean) -> Iterator[RenderableType]:
    if skipped:
        yield Text(f"\n{_count(len(skipped), 'record')} or files were left out:", "yellow")
    for item in skipped[:SHOWN_SKIPPED]:
        yield Text("  ").append_text(_cut(clean(f"{item.where}: {item.reason}")))
    if len(skipped) > SHOWN_SKIPPED:
        yield Text(f"  … and {len(skipped) - SHOWN_SKIPPED} more; the report names them all")


def _cut(text: str, style: str = "") -> Text:
    return Text(short(text, LONGEST), style)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
