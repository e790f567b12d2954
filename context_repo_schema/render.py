"""What was recognised, and problems as text, as JSON, and as annotations of a workflow run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from context_repo_schema.component import Component, ComponentType
from context_repo_schema.problem import Problem, Severity

NOUNS: Mapping[ComponentType, tuple[str, str]] = {
    "system_prompt": ("system prompt", "system prompts"),
    "skill": ("skill", "skills"),
    "kb_entry": ("page", "pages"),
    "tool_prompt": ("tool list", "tool lists"),
    "synonym_map": ("synonym map", "synonym maps"),
    "schema_hint": ("schema", "schemas"),
}
MOST_NAMED = 5
MOST_ANNOTATIONS = 10  # of each severity; GitHub shows no more of one step


def text(problems: Sequence[Problem]) -> str:
    """One line a problem, `file:line: severity: message; cure`, and a line that counts them."""
    lines = [f"{p.file}:{p.line}: {p.severity}: {p.message}; {p.cure} [{p.code}]" for p in problems]
    return "".join(f"{printable(line)}\n" for line in (*lines, _total(problems)))


def json(problems: Sequence[Problem]) -> str:
    """An object with the `problems` and the number of `errors` and `warnings`."""
    counts = {f"{name}s": _count(problems, name) for name in ("error", "warning")}
    answer = msgspec.json.encode({"problems": problems, **counts})
    return msgspec.json.format(answer, indent=2).decode() + "\n"


def github(problems: Sequence[Problem], command: str = "validate") -> str:
    """Workflow commands that mark the lines in a pull request, errors first, at most ten each.

    `command` is the one whose log has the others.
    """
    lines = []
    for severity in ("error", "warning"):
        chosen = [problem for problem in problems if problem.severity == severity]
        lines += [_annotation(problem) for problem in chosen[:MOST_ANNOTATIONS]]
        if len(chosen) > MOST_ANNOTATIONS:
            more = len(chosen) - MOST_ANNOTATIONS
            lines.append(f"{more} more {severity}s are in the log of `trace-bot {command}`")
    return "".join(f"{line}\n" for line in (*lines, _total(problems)))


def recognised(components: Sequence[Component], others: Sequence[str]) -> str:
    """One line that counts the components by type and names some files that are none."""
    kinds = Counter(component.type for component in components)
    counted = [
        f"{kinds[kind]} {one if kinds[kind] == 1 else many}"
        for kind, (one, many) in NOUNS.items()
        if kinds[kind]
    ]
    line = ", ".join(counted) or "no context file"
    if others:
        more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        line += f"; no context: {', '.join(others[:MOST_NAMED])}{more}"
    return f"{printable(line)}\n"


def printable(line: str) -> str:
    """The text in one line without control characters, and not to be taken for a command."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    return f" {shown}" if shown.startswith(("::", "##[")) else shown


def _annotation(problem: Problem) -> str:
    fields = f"file={_field(problem.file)},line={problem.line},title={_field(problem.code)}"
    return f"::{problem.severity} {fields}::{_data(f'{problem.message}; {problem.cure}')}"


def _data(value: str) -> str:
    escaped = value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(escaped)


def _field(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _total(problems: Sequence[Problem]) -> str:
    errors, warnings = _count(problems, "error"), _count(problems, "warning")
    return f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"


def _count(problems: Sequence[Problem], severity: Severity | str) -> int:
    return sum(problem.severity == severity for problem in problems)
