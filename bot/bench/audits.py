"""How many of the labelled faults `audit` finds by the context alone, and how much else.

`python -m bot.bench.audits fixtures/bench/*/` prints a line a suite and one for all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from bot.audit.finding import Finding
from bot.audit.table import audit
from bot.bench.score import is_labelled
from bot.bench.suite import Suite, load
from bot.context.read import read_repo
from bot.records.finding import RepoQuote


class Outcome(msgspec.Struct, frozen=True):
    """Of one suite: faults whose wrong text stands in a file, how many of them were found, and how
    many findings there are and are of a fault."""

    suite: str
    faults: int
    found: int
    findings: int
    right: int


class Fault(msgspec.Struct, frozen=True):
    """Wrong text in a file; None where the whole file should go."""

    path: str
    text: str | None


def outcome(suite: Suite) -> Outcome:
    """What `audit` finds in the context of a suite, beside what its labels blame."""
    faults = tuple(dict.fromkeys(_faults(suite)))
    findings = audit(read_repo(suite.context, history=suite.history))
    return Outcome(
        suite.name,
        len(faults),
        sum(any(_is_of(one, fault) for one in findings) for fault in faults),
        len(findings),
        sum(any(_is_of(one, fault) for fault in faults) for one in findings),
    )


def _faults(suite: Suite) -> Iterator[Fault]:
    for label in suite.labels.values():
        root, expected = label.root_cause, label.expected_recommendation
        if root is None or expected is None or not root.component_path or not root.faulty_content:
            continue
        if expected.operation in ("UPDATE", "DELETE"):
            whole = expected.operation == "DELETE"
            yield Fault(root.component_path, None if whole else root.faulty_content)


def _is_of(finding: Finding, fault: Fault) -> bool:
    quotes = (finding.here, finding.there)
    return any(quote is not None and _shows(quote, fault) for quote in quotes)


def _shows(quote: RepoQuote, fault: Fault) -> bool:
    if quote.path != fault.path:
        return False
    return fault.text is None or is_labelled(quote.quote, fault.text)


def table(outcomes: Sequence[Outcome]) -> str:
    """A line a suite and one for all."""
    every = (sum(getattr(o, n) for o in outcomes) for n in ("faults", "found", "findings", "right"))
    lines = [f"{'suite':24} {'faults':>8} {'found':>8} {'findings':>8} {'right':>8}"]
    lines += [
        f"{o.suite:24} {o.faults:>8} {o.found:>8} {o.findings:>8} {o.right:>8}"
        for o in (*outcomes, Outcome("all", *every))
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table([outcome(load(Path(root))) for root in sys.argv[1:]]))
