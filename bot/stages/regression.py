"""Regression: a case for the team's own evaluation, so that what was mended stays so.

The file is promptfoo's list of tests: the question that failed, and the values that a right
answer holds. It is a part of the change set and meets every gate as any other file does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from bot.context.diff import file_change, patch_digest
from bot.context.repo import ContextRepo
from bot.defang import visible
from bot.gates.inputs import Inputs, added, removed
from bot.gates.path import CASES
from bot.gates.table import check
from bot.gates.verbatim import LONGEST
from bot.provenance.values import values
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import Limits, Planned
from bot.records.report import SessionResult
from bot.redact import redact

Spans = Mapping[str, tuple[str, ...]]
# A bare small number stands in every other answer.
TELLING = frozenset(
    {"money", "percent", "date", "duration", "time", "version", "identifier", "measure", "url"}
)
STOPS = frozenset({"blocked", "dropped"})
MOST_FACTS = 5


def with_case(
    planned: Planned,
    results: Sequence[SessionResult],
    repo: ContextRepo,
    limits: Limits,
    spans: Spans,
) -> Planned:
    """The change set with a case beside it. Unchanged where no question or no value is at hand,
    where the case is there already, and where a gate would stop it."""
    unit = planned.change_set
    file = _case(unit, results)
    if unit.state == "candidate" or file is None or (repo.root / file.path).exists():
        return planned
    files = tuple(sorted((*unit.files, file), key=lambda f: f.path))
    made = replace(unit, files=files, patch_digest=patch_digest(files))
    said = tuple(span for name in unit.sessions for span in spans.get(name, ()))
    gates = check(made, Inputs(repo, limits, said))
    if any(result.outcome in STOPS for result in gates):
        return planned
    return replace(planned, change_set=made, gates=gates)


def _case(unit: ChangeSet, results: Sequence[SessionResult]) -> FileChange | None:
    own = sorted((r for r in results if r.session_id in {*unit.sessions}), key=_order)
    question = next((shown for r in own if (shown := _question(r))), None)
    facts = tuple(_facts(unit))
    if question is None or not facts:
        return None
    name = unit.finding_ids[0]
    rows = [
        f"# What failed and was mended must stay so ({', '.join(unit.finding_ids)}).",
        f"- description: {_quoted(f'{unit.kind} in {_target(unit)}')}",
        "  vars:",
        f"    question: {_quoted(question)}",
        "  assert:",
    ]
    for fact in facts:
        rows += ["    - type: icontains", f"      value: {_quoted(fact)}"]
    return file_change(f"{CASES}{name}.yaml", None, "\n".join(rows) + "\n")


def _question(result: SessionResult) -> str:
    """The question as far as the copy gate lets it stand, without secrets or personal data."""
    words = " ".join(visible(redact(result.question)).split())
    if len(words) <= LONGEST:
        return words
    return words[: LONGEST - 1].rpartition(" ")[0] + "…"


def _facts(unit: ChangeSet) -> Iterator[str]:
    """The values that the change brings, as they are written there."""
    gone = {
        value.canonical for file in unit.files for row in removed(file) for value in values(row)
    }
    brought = dict.fromkeys(
        value.text
        for file in unit.files
        for row in added(file)
        for value in values(row)
        if value.kind in TELLING and value.canonical not in gone
    )
    yield from list(brought)[:MOST_FACTS]


def _target(unit: ChangeSet) -> str:
    return min(file.path for file in unit.files)


def _order(result: SessionResult) -> tuple[str, str]:
    return result.started_at or "", result.session_id


def _quoted(text: str) -> str:
    """A YAML scalar in double quotes, which JSON's are too."""
    return msgspec.json.encode(text).decode()
