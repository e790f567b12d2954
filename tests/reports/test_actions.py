"""What the run tells GitHub Actions cannot be bent by the text that it carries."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.records.plan import Publication, Published
from bot.records.report import RunResult, SessionResult, Usage
from bot.reports.actions import (
    CUT,
    MAX_SUMMARY,
    analysis_outputs,
    append_summary,
    combined,
    mask,
    publication_outputs,
    publication_summary,
    write_outputs,
)


def parse(text: str) -> dict[str, str]:
    """As the runner reads the file: `name<<delimiter`, lines, the delimiter alone."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if line:
            name, _, delimiter = line.partition("<<")
            assert delimiter
            value = []
            while (inner := next(lines)) != delimiter:
                value.append(inner)
            found[name] = "\n".join(value)
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")))
def test_a_value_never_becomes_another_output(tmp_path: Path, value: str) -> None:
    place = tmp_path / "output"
    place.write_bytes(b"")
    write_outputs({"GITHUB_OUTPUT": str(place)}, {"status": value, "findings": "1"})
    assert parse(place.read_bytes().decode()) == {"status": value, "findings": "1"}


def test_outputs_are_appended_each_with_its_own_delimiter(tmp_path: Path) -> None:
    place = tmp_path / "output"
    place.write_text("before=1\n")
    forged = "x\ntrace-bot-0\nstatus=forged"
    write_outputs({"GITHUB_OUTPUT": str(place)}, {"a": forged, "b": "2"})
    first, *rest = place.read_text().split("\n")
    assert first == "before=1"
    delimiters = [line.partition("<<")[2] for line in rest if "<<" in line]
    assert len(set(delimiters)) == 2
    assert parse("\n".join(rest)) == {"a": forged, "b": "2"}


def test_outside_of_a_workflow_nothing_is_written() -> None:
    write_outputs({}, {"status": "ok"})
    append_summary({"GITHUB_STEP_SUMMARY": ""}, "# text")


def test_summary_is_appended(tmp_path: Path) -> None:
    place = tmp_path / "summary"
    append_summary({"GITHUB_STEP_SUMMARY": str(place)}, "# one")
    append_summary({"GITHUB_STEP_SUMMARY": str(place)}, "# zwei ä\n\n")
    assert place.read_text("utf-8") == "# one\n# zwei ä\n"


def test_summary_stays_below_the_limit_and_closes_its_fence(tmp_path: Path) -> None:
    place = tmp_path / "summary"
    environment = {"GITHUB_STEP_SUMMARY": str(place)}
    append_summary(environment, "# head\n~~~~text\n" + "- ~~~ läng\n" * 100_000 + "~~~~\n")
    text = place.read_bytes().decode()
    assert MAX_SUMMARY - 100 < place.stat().st_size <= MAX_SUMMARY
    assert text.endswith(f"\n~~~~{CUT}")
    append_summary(environment, "# more")
    assert place.stat().st_size <= MAX_SUMMARY
    assert place.read_bytes().decode() == text


def test_outputs_of_an_analysis() -> None:
    sessions = (
        SessionResult("s1", "p", usage=Usage(cost_usd=0.12)),
        SessionResult("s2", "p", usage=Usage(cost_usd=0.005), error="broken"),
    )
    result = RunResult("offline", None, "", "", sessions, ())
    units = (Published("aaaaaaaa", "queued", "b"), Published("bbbbbbbb", "blocked", "c"))
    assert analysis_outputs(result, units, Path("out/plan.json")) == {
        "status": "partial",
        "findings": "0",
        "queued": "1",
        "blocked": "1",
        "cost-usd": "0.1250",
        "plan-path": str(Path("out/plan.json")),
    }


def test_outputs_of_a_publication() -> None:
    opened = Published("aaaaaaaa", "opened", "trace-bot/kb/x-aaaaaaaa", 7, "https://h/o/r/pull/7")
    queued = Published("bbbbbbbb", "queued", "trace-bot/kb/y-bbbbbbbb", reason="limit")
    outputs = publication_outputs(Publication((opened, queued)))
    assert json.loads(outputs.pop("prs-json")) == [
        {
            "unit": "aaaaaaaa",
            "action": "opened",
            "branch": "trace-bot/kb/x-aaaaaaaa",
            "number": 7,
            "url": "https://h/o/r/pull/7",
        }
    ]
    assert outputs == {
        "status": "ok",
        "prs-opened": "1",
        "prs-updated": "0",
        "prs-closed": "0",
        "queued": "1",
        "blocked": "0",
    }


def test_a_refused_pull_request_makes_the_step_partial() -> None:
    failed = Published("aaaaaaaa", "failed", "trace-bot/kb/x-aaaaaaaa", reason="GitHub would not")
    assert publication_outputs(Publication((failed,)))["status"] == "partial"


def test_outputs_of_both_are_partial_where_one_is() -> None:
    analysis = {"status": "partial", "findings": "2", "queued": "2"}
    publication = {"status": "ok", "prs-opened": "1", "queued": "1"}
    assert combined(analysis, publication) == {
        "status": "partial",
        "findings": "2",
        "queued": "1",
        "prs-opened": "1",
    }


def test_summary_of_a_publication_links_the_pull_requests() -> None:
    opened = Published("aaaaaaaa", "opened", "trace-bot/kb/x-aaaaaaaa", 7, "https://h/o/r/pull/7")
    queued = Published("bbbbbbbb", "queued", "trace-bot/kb/y-bbbbbbbb", reason="a | b @team")
    text = publication_summary(Publication((opened, queued), ("label <x> is missing",)))
    rows = text.splitlines()
    assert rows[4].startswith("| opened |")
    assert "[7](https://h/o/r/pull/7)" in rows[4]
    assert "@team" not in rows[5]
    assert [row.count("|") - row.count(r"\|") for row in rows[2:6]] == [5, 5, 5, 5]
    assert rows[-1] == "- label &lt;x&gt; is missing"
    assert "nothing to publish" in publication_summary(Publication(()))


def test_every_form_of_a_secret_is_masked() -> None:
    secret = "ghs_0123456789%abc"
    basic = base64.b64encode(f"x-access-token:{secret}".encode()).decode()
    assert mask(f"{secret}\n").splitlines() == [
        "::add-mask::ghs_0123456789%25abc",
        f"::add-mask::{base64.b64encode(secret.encode()).decode()}",
        f"::add-mask::{basic}",
    ]


def test_each_line_of_a_private_key_is_masked() -> None:
    key = "-----BEGIN KEY-----\nQUJDREVGR0g=\n\n-----END KEY-----\n"
    masked = mask(key).splitlines()
    assert "::add-mask::QUJDREVGR0g=" in masked
    assert all(line.startswith("::add-mask::") for line in masked)


def test_what_is_no_secret_is_not_masked() -> None:
    assert mask("") == mask(" \n") == mask("true") == ""
