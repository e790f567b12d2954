"""Files that cannot be read, and names that clash."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from context_repo_schema.checkout import Kind, Unread
from context_repo_schema.checks.checkout import Checkout
from context_repo_schema.classify import component_type
from context_repo_schema.problem import Problem, Severity

# A picture or a link inside the checkout is nothing to mend.
SEVERITIES: Mapping[Kind, Severity] = {
    "encoding": "warning",
    "size": "warning",
    "outside": "error",
    "submodule": "warning",
    "pointer": "warning",
    "missing": "warning",
    "name": "warning",
}
CURES: Mapping[Kind, str] = {
    "encoding": "convert the file to UTF-8",
    "size": "split the file, or raise max_file_bytes",
    "outside": "put the file itself into the repository",
    "submodule": "list it under `exclude`, or keep its files here",
    "pointer": "keep context as plain text, not in LFS",
    "missing": "restore the file, or remove the link",
    "name": "use letters, digits, `-`, `_` and `.`",
}


def check(checkout: Checkout) -> Iterator[Problem]:
    """Unread files, an error where a component would stand there; and case clashes."""
    for file in checkout.tree.unread:
        severity = SEVERITIES.get(file.kind)
        if severity:
            yield _unread(file, severity, checkout)
    yield from _clashes(checkout)


def _unread(file: Unread, severity: Severity, checkout: Checkout) -> Problem:
    wanted = component_type(file.path, "", checkout.config) is not None
    raised: Severity = "error" if wanted and file.kind != "name" else severity
    code = f"unreadable-{file.kind}"
    return Problem(file.path, 1, raised, code, file.reason, CURES[file.kind])


def _clashes(checkout: Checkout) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for path in (*checkout.tree.texts, *(file.path for file in checkout.tree.unread)):
        folded = unicodedata.normalize("NFC", path).casefold()
        other = first.setdefault(folded, path)
        if other != path:
            message = f"its name differs from {other!r} by letter case or accents only"
            cure = "rename one; on Windows and macOS they are the same file"
            yield Problem(path, 1, "error", "case-clash", message, cure)
