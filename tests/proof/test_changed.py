"""A file that changed after it was read is not mended a second time."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.proof.changed import changed_since
from bot.records.finding import Case, Detection
from bot.records.report import Skipped
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

PAGE = "kb/returns.md"
RULE = "A customer has 30 days to send a device back.\n"
READ = f"# Returns\n\n{RULE}The parcel needs a label from us.\n"


def told(now: dict[str, str], shown: str = READ, skipped: tuple[Skipped, ...] = ()) -> str | None:
    texts = {"kb/other.md": "# Other\n", **now}
    components = tuple(Component("kb_entry", path) for path in texts)
    repo = ContextRepo(Path(), None, components, texts, {}, skipped)
    call = ToolCall("read", {"path": PAGE}, {"path": PAGE, "content": shown})
    turns = (
        Turn(1, "user", "How long do I have?"),
        Turn(2, "assistant", "You have 30 days."),
        Turn(3, "user", "The shop says it is fourteen."),
    )
    session = Trajectory("s", turns, nodes=(Node("n1", 2, "kb_read", tool=call),))
    return changed_since(Case(session, (), Detection(True, 1.0)), repo)


@pytest.mark.parametrize(
    "shown",
    [
        READ,
        READ.replace("\n", "\r\n"),
        "1→# Returns\n2→\n3→A customer has 30 days to send a device back.\n",
        "mer has 30 days to send a dev",
        "",
    ],
)
def test_what_still_stands_is_no_change(shown: str) -> None:
    assert told({PAGE: READ}, shown) is None


def test_a_value_that_the_answer_rests_on_is_gone() -> None:
    found = told({PAGE: READ.replace("30 days", "14 days")})
    assert found is not None
    assert found.startswith(f"{PAGE} has changed since the session read it")


def test_a_change_that_no_answer_rests_on_does_not_matter() -> None:
    assert told({PAGE: READ.replace("a label from us", "a label of the carrier")}) is None


def test_a_file_that_is_gone_or_left_out_cannot_be_checked() -> None:
    assert told({}) == f"{PAGE} can no longer be read: what the answer rests on cannot be checked"
    assert told({}, skipped=(Skipped(PAGE, "not UTF-8"),)) is not None
