"""What is wrong with a file, where, and how to mend it."""

from __future__ import annotations

from typing import Literal

import msgspec

Severity = Literal["error", "warning"]


class Problem(msgspec.Struct, frozen=True):
    """One problem. With an error the bot cannot work safely; a warning is a matter of quality.

    `file` is a POSIX path in the checkout, `line` 1-based (1 where the whole file is meant),
    `code` a stable name such as `config-unknown-key`.
    """

    file: str
    line: int
    severity: Severity
    code: str
    message: str
    cure: str


class Malformed(Exception):
    """A text that is not what its format demands: the 1-based line, and the problem."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem
