"""What methods reach and what they cost, a row a method: the paper's ablation (TRACE, table 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.bench.compare import compare
from bot.bench.metrics import estimate
from bot.bench.result import Result
from bot.bench.score import Row
from bot.bench.table import NOTHING, Table, cell
from bot.errors import ConfigError

SHOWN = {"fix": "fix effectiveness", "node": "node Acc@1", "category": "category"}


def methods(results: Sequence[Result]) -> Table:
    """The methods beside one another, over the sessions that all of them scored.

    Results of one method, each of other suites, are one row. Raises `ConfigError` where the
    methods have no session in common.
    """
    found: dict[str, dict[tuple[str, str], Row]] = {}
    for result in results:
        scored = {(row.suite, row.session_id): row for row in result.rows}
        found.setdefault(result.made.what, {}).update(scored)
    common = set.intersection(*map(set, found.values()))
    if not common:
        raise ConfigError("the results have no session in common; give runs over the same suites")
    kept = {
        what: [rows[key] for key in sorted(rows) if key in common] for what, rows in found.items()
    }
    first = next(iter(kept.values()))
    body = tuple((what, *_cells(rows, first)) for what, rows in kept.items())
    head = ("", *SHOWN, "fix, against the first", "calls", "tokens", "US dollars")
    return Table("Methods", head, body, _note(first))


def _cells(rows: Sequence[Row], first: Sequence[Row]) -> tuple[str, ...]:
    against = NOTHING
    if rows is not first and (found := compare(first, rows, [SHOWN["fix"]])):
        one = found[0]
        against = f"{one.b - one.a:+.2f} [{one.low:+.2f}, {one.high:+.2f}]"
    costs: tuple[tuple[str, Callable[[Row], float]], ...] = (
        (".1f", lambda row: row.calls),
        (".0f", lambda row: row.tokens),
        (".4f", lambda row: row.cost_usd),
    )
    judged = [row for row in rows if row.found_dsat]
    spent = (format(sum(map(cost, judged)) / (len(judged) or 1), form) for form, cost in costs)
    return (*(cell(estimate(name, rows)) for name in SHOWN.values()), against, *spent)


def _note(rows: Sequence[Row]) -> str:
    real = sum(row.expected_dsat for row in rows)
    return (
        f"{len(rows)} sessions, {real} of them dissatisfied, the same in every row; 95 % bootstrap "
        "intervals over sessions, paired where a row is set against the first. Calls and tokens "
        "are those of a session that was taken for dissatisfied."
    )
