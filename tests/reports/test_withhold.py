"""Where quotes are off, nothing that was said in a session is in the report or the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.commands.analysis import clean
from bot.defang import marked
from bot.records.change import Check, Diagnosis, Exploration
from bot.records.finding import NodeScore, RepoQuote
from bot.records.report import Proposal, RunResult, SessionResult, Skipped
from bot.redact import redact
from bot.reports.report import encode, report
from bot.reports.terminal import render
from bot.reports.withhold import WITHHELD, public
from bot.schemas import schemas
from tests.hostile import HOSTILE as EVERYTHING
from tests.proposals import SKILL, THRESHOLD, proposals, session, write_files

SAID = "the-words-of-a-user"
SECRET = "ghp_" + "a1B2" * 9


def spoken(words: str) -> SessionResult:
    """A session whose every free text is these words."""
    found = session("s-1", THRESHOLD, words=words)
    detection, claim, change = found.detection, found.attribution, found.recommendation
    assert detection
    assert claim
    assert change
    check = Check(True, words)
    return replace(
        found,
        # The stage's own sentence, which never quotes.
        detection=replace(detection, summary="Turn 3 shows a correction."),
        attribution=replace(claim, scores=(NodeScore("node_2", 1.0, words),)),
        recommendation=replace(
            change,
            diagnosis=Diagnosis(check, check, check, check),
            exploration_log=(Exploration("read", {"path": words}, words),),
            evidence=(RepoQuote(SKILL, 9, "above $50,000 go"),),
        ),
    )


def run(result: SessionResult, quotes: bool, *made: Proposal) -> RunResult:
    return RunResult("offline", "0" * 40, "t", "t", (result,), made, quotes=quotes)


def shapes(value: Any) -> Any:
    """The value with every text blanked: what must not change."""
    if isinstance(value, dict):
        return {key: shapes(inner) for key, inner in value.items()}
    return [shapes(inner) for inner in value] if isinstance(value, list) else type(value)


def written(result: RunResult) -> Any:
    return json.loads(encode(report(result, redact)))


def test_the_report_holds_its_shape_and_none_of_the_words() -> None:
    open_, closed = (written(run(spoken(SAID), quotes)) for quotes in (True, False))
    jsonschema.validate(closed, schemas()["report"])
    assert SAID in str(open_)
    assert SAID not in str(closed)
    assert WITHHELD in str(closed)
    assert shapes(closed) == shapes(open_)
    assert closed["totals"] == open_["totals"]
    (there,), (here,) = open_["sessions"], closed["sessions"]
    assert there["attribution"]["root_cause_node"] == here["attribution"]["root_cause_node"]
    assert there["recommendation"]["evidence"] == here["recommendation"]["evidence"]


def test_the_terminal_leaves_the_rows_out() -> None:
    shown, kept = (render(run(spoken(SAID), quotes), str) for quotes in (True, False))
    assert SAID in shown
    assert SAID not in kept
    assert "expected" in shown
    assert "expected" not in kept
    assert "cause" in kept


def test_a_run_that_may_quote_is_left_as_it_is() -> None:
    result = run(spoken(SAID), True)
    assert public(result) is result


def test_every_text_of_the_report_is_redacted_and_ids_are_not() -> None:
    result = replace(
        spoken(SECRET), session_id="s-jane@example.com", notes=(SECRET,), error=f"x {SECRET}"
    )
    whole = replace(run(result, True), skipped=(Skipped("f:1", SECRET),))
    told = written(whole)
    assert SECRET not in str(told)
    assert told["sessions"][0]["session_id"] == "s-jane@example.com"


def test_the_report_marks_what_nobody_sees_and_keeps_the_rest() -> None:
    told = written(run(spoken("می\u200cخواهم \x1b[31mred\x1b[0m a\u202eb\tc"), True))
    (signal,) = told["sessions"][0]["detection"]["signals"]
    gap = "[redacted:HIDDEN]"
    assert signal["evidence"] == f"می\u200cخواهم {gap}red{gap} a{gap}b\tc"


@given(words=st.sampled_from(EVERYTHING) | st.text(max_size=80), quotes=st.booleans())
def test_no_text_of_a_session_brings_hidden_signs_into_a_report(words: str, quotes: bool) -> None:
    told = replace(run(spoken(words), quotes), skipped=(Skipped(words, words),))
    for text in texts(written(told)):
        assert marked(text) == text


@given(words=st.sampled_from(EVERYTHING) | st.text(max_size=80))
def test_a_secret_among_any_text_reaches_no_report_and_no_terminal(words: str) -> None:
    result = run(spoken(f"{words} {SECRET} {words}"), True)
    assert SECRET not in encode(report(result, redact)).decode()
    assert SECRET not in render(result, clean)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        yield from (text for inner in value.values() for text in texts(inner))
    elif isinstance(value, list):
        yield from (text for inner in value for text in texts(inner))
    elif isinstance(value, str):
        yield value


HOSTILE = "\x1b[31mx\x1b[0m\r::error::y\n::warning::z ##[error] \u202e"


@pytest.mark.parametrize("color", [False, True])
@pytest.mark.parametrize("width", [60, 120])
def test_no_text_of_a_session_moves_the_cursor_or_speaks_to_the_runner(
    width: int, color: bool, tmp_path: Path
) -> None:
    result, made = hostile(tmp_path)
    shown = render(replace(run(result, True, made), skipped=(Skipped("a", HOSTILE),)), clean)
    assert "\x1b" not in shown
    assert "\r" not in shown
    assert "\u202e" not in shown
    for row in render(run(result, True, made), clean, width=width, color=color).split("\n"):
        assert not row.lstrip().startswith("::"), row
        assert "##[" not in row


def hostile(root: Path) -> tuple[SessionResult, Proposal]:
    long = ("word " * 9 + "::error::w ") * 9 + HOSTILE
    result = replace(spoken(long), session_id=HOSTILE, notes=(HOSTILE,))
    claim = result.attribution
    assert claim
    result = replace(
        result, attribution=replace(claim, root_cause_node=HOSTILE, component_path=HOSTILE)
    )
    (made,) = proposals([session("s-1", THRESHOLD)], write_files(root))
    files = tuple(replace(f, diff=f"{f.diff}+{HOSTILE}\n+{long}\n") for f in made.change_set.files)
    changes = replace(made.change_set, files=files, reasons=(HOSTILE,))
    return result, Proposal(changes, replace(made.pull_request, title=HOSTILE))
