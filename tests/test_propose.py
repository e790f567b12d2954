"""What breaks in one unit is told without its words, and every other unit is proposed."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bot.bench.checkout import checkout
from bot.cli import main
from bot.commands.analysis import exit_code
from bot.compose import Analysis, _is_partial
from bot.context.history import read_history
from bot.context.repo import ContextRepo
from bot.engines.llm.scripted_server import ScriptedServer, Step
from bot.errors import SourceError
from bot.propose import Proposed, propose
from bot.records.change import Edit
from bot.records.plan import RunInfo
from bot.records.report import RunResult, SessionResult, Skipped
from bot.run import Diagnosed
from bot.settings import settings_of
from context_repo_schema.config import Config
from tests.proposals import HOURS, SKILL, THRESHOLD, TOOL, plan_of, session, write_files

SCENARIO = Path(__file__).parents[1] / "fixtures" / "scenarios" / "vendor-invoice"
SECRET = "ghp_abcdefghijklmnopqrstuvwxyz012345"
PAGE = Edit("knowledge_base/late.md", "CREATE", "# Late fees\n\nA late fee is $40.\n")


class Torn(str):
    """A text that breaks whatever ranks claims by it, with a secret in its words."""

    error: type[Exception] = RuntimeError

    def __repr__(self) -> str:
        raise self.error(f"the key is {SECRET}")


class Lost(Torn):
    error = SourceError


@pytest.fixture
def repo(tmp_path: Path) -> ContextRepo:
    return write_files(tmp_path)


def proposed(repo: ContextRepo, sessions: Sequence[SessionResult]) -> Proposed:
    spans = {one.session_id: () for one in sessions}
    found = Diagnosed(tuple(sessions), (), spans)
    return propose(found, repo, settings_of(Config()), RunInfo())


def three() -> list[SessionResult]:
    return [
        session("s1", THRESHOLD),
        session("s2", HOURS, kind="KB_CONTENT_STALE"),
        session("s3", TOOL, kind="TOOL_PROMPT_ERROR"),
    ]


def files(made: Proposed) -> list[str]:
    return [file.path for one in made.proposals for file in one.change_set.files]


def broken(made: Proposed) -> dict[str, str]:
    return {one.session_id: one.error for one in made.sessions if one.error is not None}


def torn(edit: Edit, text: str = Torn("at eight")) -> Edit:
    return replace(edit, new=text)


def breaks_in_planning(found: list[SessionResult]) -> None:
    found[1] = session("s2", torn(HOURS), kind="KB_CONTENT_STALE")


def breaks_in_replay(found: list[SessionResult]) -> None:
    claim = session("s2", PAGE, kind="KB_CONTENT_GAP", operation="CREATE", anchor="file")
    # A reader of sessions went wrong: a query that is no text.
    found[1] = replace(claim, lookups=(7,))  # type: ignore[arg-type]


def breaks_in_describe(found: list[SessionResult]) -> None:
    found[1] = replace(found[1], started_at=b"2026")  # type: ignore[arg-type]


BREAKS = [breaks_in_planning, breaks_in_replay, breaks_in_describe]


@pytest.mark.parametrize("tear", BREAKS)
def test_a_unit_that_breaks_leaves_the_others(
    repo: ContextRepo, caplog: pytest.LogCaptureFixture, tear: Any
) -> None:
    found = three()
    tear(found)
    with caplog.at_level(logging.WARNING, "trace-bot"):
        made = proposed(repo, found)
    assert sorted(files(made)) == [SKILL, TOOL.path]
    assert all(one.change_set.state == "ready" for one in made.proposals)
    assert list(broken(made)) == ["s2"]
    assert broken(made)["s2"].startswith("its proposal broke: ")
    assert SECRET not in caplog.text + str(broken(made))
    assert "broke: " in caplog.text


def test_units_that_nothing_breaks_are_what_they_were(repo: ContextRepo) -> None:
    """The bodies too: what is broken elsewhere changes no byte of a proposal."""
    whole = {p.change_set.unit_id: p.pull_request for p in proposed(repo, three()).proposals}
    found = three()
    breaks_in_planning(found)
    left = {p.change_set.unit_id: p.pull_request for p in proposed(repo, found).proposals}
    assert len(left) == 2
    assert left == {unit: whole[unit] for unit in left}


def test_sessions_of_one_file_stand_and_fall_together(repo: ContextRepo) -> None:
    """A set of files that two share ties them, whoever comes in between."""
    both = session("s4", torn(HOURS), THRESHOLD, kind="KB_CONTENT_STALE", anchor="both")
    other = Edit(SKILL, "UPDATE", "booked on Fridays", "booked on Mondays")
    found = [session("s5", other, anchor="travel"), *three()[1:], both]
    made = proposed(repo, found)
    assert files(made) == [TOOL.path]
    assert sorted(broken(made)) == ["s2", "s4", "s5"]


def test_what_every_unit_would_meet_ends_the_run(repo: ContextRepo) -> None:
    lost = session("s2", torn(HOURS, Lost("at eight")), kind="KB_CONTENT_STALE")
    with pytest.raises(SourceError):
        proposed(repo, [*three(), lost])


def run_of(made: Proposed, *skipped: Skipped) -> RunResult:
    return RunResult("offline", None, "", "", made.sessions, made.proposals, skipped)


def test_a_broken_unit_ends_with_exit_code_8_and_concludes_nothing(repo: ContextRepo) -> None:
    found = three()
    breaks_in_describe(found)
    made = proposed(repo, found)
    result = run_of(made)
    assert _is_partial(result)
    assert exit_code(Analysis(result, plan_of([], repo), repo, settings_of(Config()))) == 8
    whole = run_of(proposed(repo, three()))
    assert not _is_partial(whole)
    assert exit_code(Analysis(whole, plan_of([], repo), repo, settings_of(Config()))) == 0


def test_a_bad_record_is_left_out_and_what_broke_off_makes_a_run_partial(
    repo: ContextRepo,
) -> None:
    made = proposed(repo, three())
    assert not _is_partial(run_of(made, Skipped("s.jsonl:3", "no JSON")))
    assert _is_partial(run_of(made, Skipped("s.jsonl:3", "read no further", rest=True)))
    assert msgspec.json.encode(Skipped("a", "b")) == b'{"where":"a","reason":"b"}'


@pytest.mark.skipif(find_spec("litellm") is None, reason="needs the llm extra")
@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("Above $25,000 Procurement reviews it before payment.", "- the failed answer was drafted"),
        ("Professional services above $50,000 go to Procurement.", "| draft: the new answer still"),
    ],
)
def test_a_run_with_a_model_has_the_failed_answer_drafted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, shown: str
) -> None:
    """The rules judge here, so that the one call is that of the draft; it is counted and paid."""
    for name, value in {"TRACE_BOT_LLM_HOSTS": "127.0.0.1", "OPENAI_API_KEY": "unused"}.items():
        monkeypatch.setenv(name, value)
    root, report = tmp_path / "context", tmp_path / "report.json"
    checkout(SCENARIO / "context", read_history(SCENARIO / "history.jsonl"), root)
    with ScriptedServer([Step(content=json.dumps({"answer": answer}))]) as server:
        args = ["dry-run", "--context", str(root), "--json", str(report)]
        args += ["--trajectories", str(SCENARIO / "sessions.jsonl"), "--engine", "llm"]
        args += ["--model", "openai/scripted", "--api-base", server.url]
        args += ["--strategy", "offline", "--recommender", "offline", "--detector", "offline"]
        assert main(args) == 0
    (prompt,) = server.prompts()
    assert "Can you check INV-8847 before I submit it?" in prompt
    told = json.loads(report.read_bytes())
    assert shown in told["change_sets"][0]["body"]
    assert told["change_sets"][0]["state"] == ("ready" if shown[0] == "-" else "draft")
    assert told["totals"]["llm_calls"] == 1
    assert told["totals"]["prompt_tokens"] > 0
