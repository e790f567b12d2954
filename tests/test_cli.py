"""The program as a person or a workflow runs it: real processes, exit codes, streams, files."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bot.bench.checkout import checkout
from bot.commands.moment import moment
from bot.context.history import read_history
from bot.errors import ConfigError
from bot.schemas import schemas
from tests.github_fake import GitHubFake
from tests.github_fake.gitstore import clean_env

ROOT = Path(__file__).parents[1]
SCENARIO = ROOT / "fixtures" / "scenarios" / "vendor-invoice"
SESSIONS = str(SCENARIO / "sessions.jsonl")


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("vendor") / "context"
    checkout(SCENARIO / "context", read_history(SCENARIO / "history.jsonl"), into)
    return into


def run(*args: str, cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    ours = ("GITHUB_", "GH_TOKEN", "TRACE_BOT_", "CI")
    plain = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    return subprocess.run(
        [sys.executable, "-m", "bot.cli", *args],
        cwd=cwd,
        env={**plain, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **env},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_quotes_that_are_off_are_off_in_every_file(context: Path, tmp_path: Path) -> None:
    config, report = tmp_path / "off.yaml", tmp_path / "report.json"
    config.write_text('evidence: {quotes: "off"}\n')
    done = run(
        *("dry-run", "--context", str(context), "--trajectories", SESSIONS),
        *("--config", str(config), "--json", str(report), "--out", str(tmp_path / "out")),
    )
    assert done.returncode == 0, done.stderr
    kept = "".join(path.read_text() for path in (tmp_path / "out").iterdir()) + report.read_text()
    assert "on my desk" in Path(SESSIONS).read_text()
    assert "on my desk" not in kept + done.stdout
    assert "[withheld]" in report.read_text()


def test_names_and_addresses_in_ids_reach_no_output(context: Path, tmp_path: Path) -> None:
    config, report, sessions = (tmp_path / name for name in ("c.yaml", "r.json", "s.jsonl"))
    config.write_text('evidence: {quotes: "on"}\nredact_names: [Larkfield Advisory]\n')
    first = json.loads(Path(SESSIONS).read_text().splitlines()[0])
    first["session_id"] = "jane.doe@corp.example/2024"
    sessions.write_text(json.dumps(first) + "\n")
    given = ("--context", str(context), "--trajectories", str(sessions), "--config", str(config))
    done = run("dry-run", *given, "--json", str(report), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    files = [report, *(tmp_path / "out").iterdir()]
    told = done.stdout + done.stderr + "".join(path.read_text() for path in files)
    assert "jane.doe" not in told
    assert "Larkfield" not in told
    assert "[redacted:EMAIL]/2024~" in told
    explained = run("explain", "jane.doe@corp.example/2024", *given)
    assert explained.returncode == 0, explained.stderr
    assert "Session [redacted:EMAIL]/2024~" in explained.stdout


def test_a_github_that_is_not_there_is_told_in_our_words(context: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    made = run(*("analyze", "--context", str(context), "--trajectories", SESSIONS, "-o", str(plan)))
    assert made.returncode == 0, made.stderr
    done = run(
        *("publish", str(plan), "--context", str(context), "--yes"),
        GITHUB_TOKEN="tok",
        GITHUB_REPOSITORY="acme/context",
        GITHUB_API_URL="http://127.0.0.1:9",
        GITHUB_SERVER_URL="http://127.0.0.1:9",
    )
    assert done.returncode == 5, done.stderr
    assert "GitHub did not answer" in done.stderr
    assert "Retry" not in done.stderr
    assert "urllib3" not in done.stderr


def test_a_dry_run_shows_the_cause_and_the_diff_and_leaves_its_files(
    context: Path, tmp_path: Path
) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    before = subprocess.check_output(["git", "status", "--porcelain"], cwd=context)
    done = run(
        *("dry-run", "--context", str(context), "--trajectories", SESSIONS),
        *("--json", str(report), "--out", str(out)),
    )
    assert done.returncode == 0, done.stderr
    assert "skills/vendor-payment/SKILL.md" in done.stdout
    assert "\n+" in done.stdout
    assert "\x1b[" not in done.stdout
    written = json.loads(report.read_text("utf-8"))
    jsonschema.validate(written, schemas()["report"])
    assert written["totals"] == {
        **{"sessions": 3, "dissatisfied": 1, "attributed": 1, "failed": 0},
        **{"llm_calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost_usd": 0.0},
    }
    (change_set,) = written["change_sets"]
    patch = out / f"{change_set['id']}.patch"
    assert patch.read_text("utf-8") == "".join(f["diff"] for f in change_set["files"])
    assert (out / f"{change_set['id']}.md").read_text("utf-8") == change_set["body"]
    subprocess.run(["git", "apply", "--check", patch], cwd=context, check=True)
    assert subprocess.check_output(["git", "status", "--porcelain"], cwd=context) == before


def test_the_report_can_go_to_stdout_alone(context: Path) -> None:
    done = run("dry-run", "--context", str(context), "--trajectories", SESSIONS, "--json", "-")
    assert json.loads(done.stdout)["schema"] == "trace-bot/report/v1"


@pytest.mark.parametrize("name", ["TRACE_BOT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"])
def test_what_reads_sessions_refuses_a_token_that_can_write(tmp_path: Path, name: str) -> None:
    plan = tmp_path / "plan.json"
    args = ["--context", str(tmp_path), "--trajectories", SESSIONS]
    refused = run("analyze", *args, "-o", str(plan), **{name: "t0ken"})
    assert (refused.returncode, name in refused.stderr) == (2, True)
    assert "t0ken" not in refused.stderr
    assert not plan.exists()
    assert name not in run("dry-run", *args, **{name: "t0ken"}).stderr


def test_run_can_give_stdout_to_the_report_alone(tmp_path: Path) -> None:
    satisfied = SCENARIO.parent / "satisfied"
    files = {
        str(p.relative_to(satisfied / "context")): p.read_text("utf-8")
        for p in (satisfied / "context").rglob("*")
        if p.is_file()
    }
    with GitHubFake(tmp_path / "hub") as hub:
        hub.create_repo("acme/context", files=files)
        clone = ["git", "clone", "-q", f"file://{hub.repo().git}", str(tmp_path / "checkout")]
        subprocess.run(clone, env=clean_env(), check=True)
        done = run(
            *("run", "--yes", "--json", "-", "--context", str(tmp_path / "checkout")),
            *("--trajectories", str(satisfied / "sessions.jsonl")),
            GITHUB_TOKEN="tok-bot",
            GITHUB_API_URL=hub.base_url,
            GITHUB_SERVER_URL=hub.base_url,
            GITHUB_REPOSITORY="acme/context",
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["schema"] == "trace-bot/report/v1"
    assert "nothing to publish" in done.stderr


def test_findings_can_fail_a_check(context: Path) -> None:
    args = ["dry-run", "--context", str(context), "--fail-on-findings", "--trajectories"]
    assert run(*args, SESSIONS).returncode == 10
    satisfied = str(SCENARIO.parent / "satisfied" / "sessions.jsonl")
    assert run(*args, satisfied).returncode == 0


def test_analyze_writes_a_plan_that_publish_checks(context: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    args = ["--context", str(context), "--trajectories", SESSIONS, "-o", str(plan)]
    assert run("analyze", *args).returncode == 0
    jsonschema.validate(json.loads(plan.read_text("utf-8")), schemas()["plan"])
    asked = run("publish", str(plan), "--context", str(context))
    assert (asked.returncode, "--yes" in asked.stderr) == (2, True)
    tokenless = run("publish", str(plan), "--context", str(context), CI="true")
    assert tokenless.returncode == 3
    assert "GITHUB_TOKEN" in tokenless.stderr
    altered = plan.read_text("utf-8").replace("25,000", "99,000")
    plan.write_text(altered, "utf-8")
    refused = run("publish", str(plan), "--context", str(context), CI="true", GITHUB_TOKEN="x")
    assert refused.returncode == 2
    assert "patch digest" in refused.stderr


def test_explain_tells_one_session_step_by_step(context: Path) -> None:
    args = ["--context", str(context), "--trajectories", SESSIONS]
    told = run("explain", "fin-2024-12-03-001", *args)
    assert told.returncode == 0, told.stderr
    assert "SKILL_FILE_STALE" in told.stdout
    missing = run("explain", "nobody", *args)
    assert (missing.returncode, "nobody" in missing.stderr) == (2, True)


def test_convert_writes_whole_files_or_none(tmp_path: Path) -> None:
    chat = {"id": "c", "messages": [{"role": "user", "content": "hi"}]}
    source, target = tmp_path / "chats.jsonl", tmp_path / "out.jsonl.gz"
    source.write_text("{bad\n" + f"{json.dumps(chat)}\n" * 4, "utf-8")
    args = ["convert", "--source", "openai-chat", str(source), "-o"]
    done = run(*args, str(target))
    assert done.returncode == 0, done.stderr
    assert "chats.jsonl:1" in done.stderr
    assert run(*args, "-").stdout.count("\n") == 4
    for text in ("{bad\n", "{bad\n" * 2 + f"{json.dumps(chat)}\n" * 4):
        source.write_text(text, "utf-8")
        assert run(*args, str(tmp_path / "none.jsonl")).returncode == 6
    assert sorted(p.name for p in tmp_path.iterdir()) == ["chats.jsonl", "out.jsonl.gz"]
    assert run("convert", "--source", "nowhere", str(source)).returncode == 2


def test_init_writes_what_is_missing_and_keeps_what_stands(tmp_path: Path) -> None:
    assert run("init", "--check", str(tmp_path)).returncode == 2
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "trace-bot.yaml").write_text("labels: [mine]\n", "utf-8")
    assert run("init", str(tmp_path)).returncode == 0
    assert (tmp_path / "trace-bot.yaml").read_text("utf-8") == "labels: [mine]\n"
    assert (tmp_path / ".github" / "workflows" / "trace-bot.yml").is_file()
    assert run("init", "--check", str(tmp_path)).returncode == 0


def test_the_starter_configuration_is_valid(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "system_prompt.md").write_text("# Assistant\n\nBe brief.\n", "utf-8")
    checked = run("validate", str(tmp_path))
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_validate_names_file_line_and_cure(tmp_path: Path, form: str) -> None:
    (tmp_path / "AGENTS.md").write_text("# Hi\n", "utf-8")
    (tmp_path / "trace-bot.yaml").write_text("labels: [x]\nlabls: [y]\n", "utf-8")
    checked = run("validate", str(tmp_path), "--format", form)
    assert checked.returncode == 2
    assert "trace-bot.yaml" in checked.stdout
    assert "labels" in checked.stdout
    if form == "json":
        json.loads(checked.stdout)


@pytest.mark.parametrize("name", ["config", "trajectory", "report", "plan"])
def test_schema_prints_a_valid_schema(name: str) -> None:
    printed = json.loads(run("schema", name).stdout)
    jsonschema.Draft202012Validator.check_schema(printed)


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["dry-run", "--trajectories", "missing.jsonl"], 6, "missing.jsonl"),
        (["dry-run", "--context", "nowhere", "--trajectories", SESSIONS], 2, "nowhere"),
        (["dry-run", "--since", "soon", "--trajectories", SESSIONS], 2, "soon"),
        (["dry-run", "--since", "999999999d", "--trajectories", SESSIONS], 2, "999999999d"),
        (["dry-run", "--since", f"{'9' * 5000}d", "--trajectories", SESSIONS], 2, "is no time"),
        (["dry-run", "--trajectories", SESSIONS, "--json", "AGENTS.md/r"], 2, "AGENTS.md/r: "),
        (["dry-run", "--trajectories", SESSIONS, "--json", "."], 2, ".: "),
        (["dry-run", "--trajectories", SESSIONS, "--out", "AGENTS.md"], 2, "--out AGENTS.md"),
        (["convert", "--source", "openai-chat", "odd.jsonl", "-o", "x"], 6, "odd.jsonl:1"),
        (["convert", "--source", "openai-chat", "bad.gz", "-o", "x"], 6, "bad.gz:1"),
        (["dry-run", "--trajectories", "", "--context", "."], 6, "empty"),
        (["dry-run", "--trajectories", "x", "--max-cost-usd", "nan"], 2, "nan"),
        (["dry-run", "--trajectories", "x", "--max-runtime-min", "-1"], 2, "-1"),
        (["validate", "nowhere"], 2, "nowhere"),
        (["bench", "run", "nowhere"], 2, "labels.jsonl"),
        (["publish", "nowhere.json", "--yes"], 2, "nowhere.json"),
        (["dry-run"], 2, "--trajectories"),
        (["frobnicate"], 2, "frobnicate"),
    ],
)
def test_bad_input_gets_a_sentence_and_its_exit_code(
    args: list[str], code: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / "AGENTS.md").write_text("# Hi\n", "utf-8")
    odd = {"messages": [{"role": "assistant", "tool_calls": ["x"]}]}
    (tmp_path / "odd.jsonl").write_text(json.dumps(odd), "utf-8")
    (tmp_path / "bad.gz").write_bytes(b"no gzip")
    done = run(*args, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_mostly_broken_input_is_a_fault_of_the_source(context: Path, tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text("{bad\n" * 3 + Path(SESSIONS).read_text("utf-8"), "utf-8")
    done = run("dry-run", "--context", str(context), "--trajectories", str(file))
    assert done.returncode == 6
    assert f"{file}:1" in done.stderr


def test_no_sessions_at_all_is_no_failure(context: Path, tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text("", "utf-8")
    done = run("dry-run", "--context", str(context), "--trajectories", str(file))
    assert done.returncode == 0
    assert "0 sessions" in done.stdout


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24h", "2026-03-01T12:00:00+00:00"),
        ("7d", "2026-02-23T12:00:00+00:00"),
        ("2026-01-31", "2026-01-31T00:00:00+00:00"),
        ("2026-01-31T10:00:00+02:00", "2026-01-31T10:00:00+02:00"),
    ],
)
def test_since_takes_spans_and_dates(text: str, expected: str) -> None:
    from datetime import UTC, datetime

    assert moment(text, datetime(2026, 3, 2, 12, tzinfo=UTC)).isoformat() == expected


def test_since_refuses_anything_else() -> None:
    from datetime import UTC, datetime

    with pytest.raises(ConfigError):
        moment("soon", datetime.now(UTC))


def flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def test_hostile_session_text_reaches_no_output_raw(context: Path, tmp_path: Path) -> None:
    secret, color = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2, "\x1b[31mred"
    sessions = [json.loads(line) for line in Path(SESSIONS).read_text("utf-8").splitlines()]
    for session in sessions:
        for turn in session["turns"]:
            if turn["role"] == "user":
                turn["content"] += f" My token is {secret}. {color}\n::error::x @team"
    file, report, out = tmp_path / "s.jsonl", tmp_path / "r.json", tmp_path / "out"
    file.write_text("\n".join(map(flat, sessions)) + "\n", "utf-8")
    done = run(
        *("dry-run", "--context", str(context), "--trajectories", str(file)),
        *("--json", str(report), "--out", str(out)),
    )
    assert done.returncode == 0, done.stderr
    everything = done.stdout + done.stderr + report.read_text("utf-8")
    everything += "".join(p.read_text("utf-8") for p in out.iterdir())
    assert secret not in everything
    assert "\x1b[31m" not in done.stdout + done.stderr
    assert "\n::error" not in done.stdout + done.stderr


def test_a_workflow_learns_of_a_failure_and_hides_the_tokens_forms(tmp_path: Path) -> None:
    outputs = tmp_path / "outputs"
    done = run(
        *("publish", "nowhere.json", "--context", str(tmp_path)),
        **{"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_OUTPUT": str(outputs)},
        GITHUB_TOKEN="t0ken-of-the-job",
    )
    assert done.returncode == 2
    assert "failed" in outputs.read_text("utf-8")
    assert done.stderr.count("::add-mask::") >= 3
    assert "t0ken" not in done.stdout + done.stderr.replace("::add-mask::t0ken-of-the-job", "")


def test_the_words_of_an_error_do_nothing_in_a_log(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    done = run("convert", "--source", f"x\n::error::{secret}\x1b[31m", "nowhere", cwd=tmp_path)
    assert done.returncode == 2
    assert secret not in done.stderr
    assert "\x1b" not in done.stderr
    directory = run("validate", f"no\n::error::{secret}", cwd=tmp_path)
    assert directory.returncode == 2
    assert "::error" not in [row.lstrip()[:7] for row in directory.stderr.splitlines()]
    assert secret not in directory.stderr


@pytest.mark.parametrize(("raised", "code"), [("KeyboardInterrupt", 130), ("ValueError('x')", 70)])
def test_a_workflow_learns_of_an_interrupt_and_of_a_bug(
    tmp_path: Path, raised: str, code: int
) -> None:
    """The command's module itself fails, as a broken installation would."""
    outputs = tmp_path / "outputs"
    broken = (
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, *rest):\n"
        f"        if name == 'bot.commands.schema': raise {raised}\n"
        "sys.meta_path.insert(0, Broken())\n"
        "from bot.cli import main\n"
        "sys.exit(main(['schema', 'plan']))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "GITHUB_OUTPUT": str(outputs)}
    done = subprocess.run(
        [sys.executable, "-c", broken], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert "failed" in outputs.read_text("utf-8")
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_changes_no_exit_code(context: Path, tmp_path: Path) -> None:
    many = tmp_path / "chats.jsonl"
    chat = {"messages": [{"role": "user", "content": "x" * 5000}]}
    many.write_text(f"{json.dumps(chat)}\n" * 200, "utf-8")
    found = ["dry-run", "--fail-on-findings", "--context", str(context), "--trajectories", SESSIONS]
    for args, code in (
        (found, 10),
        (["convert", "--source", "openai-chat", str(many)], 0),
    ):
        reader, writer = os.pipe()
        os.close(reader)
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        program = [sys.executable, "-m", "bot.cli", *args]
        done = subprocess.run(
            program, env=env, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
        os.close(writer)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr


def test_progress_leaves_no_trace_in_a_terminal(context: Path) -> None:
    """As a terminal shows it: the cleared line, then what comes next."""
    terminal, end = pty.openpty()
    args = [
        "dry-run",
        "--context",
        str(context),
        "--trajectories",
        SESSIONS,
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    program = [sys.executable, "-m", "bot.cli", *args]
    subprocess.run(program, env=env, stdout=subprocess.DEVNULL, stderr=end, check=True)
    os.close(end)
    told = os.read(terminal, 65536).decode()
    os.close(terminal)
    assert "1 session read" in told
    assert told.endswith("\r\x1b[K")


def test_a_public_log_tells_nothing_that_was_said(context: Path, tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    args = ["--context", str(context), "--trajectories", SESSIONS]
    opened = run("dry-run", *args).stdout
    closed = run("dry-run", *args, "--json", str(report), GITHUB_ACTIONS="true").stdout
    assert "expected" in opened
    assert "expected" not in closed
    told = run("explain", "fin-2024-12-03-001", *args, GITHUB_ACTIONS="true").stdout
    assert "[withheld]" in told
    turns = json.loads(Path(SESSIONS).read_text("utf-8").splitlines()[0])["turns"]
    for turn in turns:
        if turn["role"] == "user":
            for place in (closed, told, report.read_text("utf-8")):
                assert turn["content"] not in place


@pytest.mark.parametrize("stream", [">/dev/full", ">&-"])
@pytest.mark.parametrize(
    "args",
    [
        ["schema", "plan"],
        ["validate", "{context}"],
        ["dry-run", "--context", "{context}", "--trajectories", SESSIONS],
        ["dry-run", "--context", "{context}", "--trajectories", SESSIONS, "--json", "-"],
        ["convert", "--source", "canonical", SESSIONS],
    ],
    ids=lambda args: " ".join(args[:1]),
)
def test_output_that_nobody_can_take_is_told(context: Path, args: list[str], stream: str) -> None:
    named = [arg.format(context=context) for arg in args]
    done = in_shell(f'"$@" {stream}', *named)
    assert done.returncode == 2
    assert "standard output" in done.stderr
    assert "bug" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_closed_streams_are_told_where_they_are_needed(context: Path) -> None:
    args = ["dry-run", "--context", str(context), "--trajectories"]
    assert in_shell('"$@" 2>&- >/dev/null', *args, SESSIONS).returncode == 0
    done = in_shell('"$@" <&-', *args, "-")
    assert (done.returncode, "standard input is closed" in done.stderr) == (6, True)


def in_shell(line: str, *args: str) -> subprocess.CompletedProcess[str]:
    """The program with its arguments as `$@` of a line of shell, which may close its streams."""
    program = ["sh", "-c", line, "sh", sys.executable, "-m", "bot.cli", *args]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(program, env=env, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"])
@pytest.mark.parametrize("place", ["/dev/full", "/nowhere/file"])
def test_a_file_of_the_runner_that_refuses_is_named(context: Path, name: str, place: str) -> None:
    args = ["dry-run", "--context", str(context), "--trajectories", SESSIONS]
    done = run(*args, **{name: place})
    assert done.returncode == 2
    assert f"{name} names {place}" in done.stderr


def test_sessions_beyond_the_limit_are_queued_and_said(context: Path, tmp_path: Path) -> None:
    config, report = tmp_path / "trace-bot.yaml", tmp_path / "r.json"
    config.write_text("max_trajectories_per_run: 2\n")
    args = ["--context", str(context), "--trajectories", SESSIONS, "--config", str(config)]
    plan = tmp_path / "plan.json"
    done = run("analyze", *args, "--json", str(report), "-o", str(plan))
    assert done.returncode == 0, done.stderr
    assert "queued: limit max_trajectories_per_run (2)" in done.stdout
    told = json.loads(report.read_text("utf-8"))
    last = json.loads(Path(SESSIONS).read_text("utf-8").splitlines()[-1])["session_id"]
    assert len(told["sessions"]) == 2
    assert [item["where"] for item in told["skipped"]] == [last]
    assert json.loads(plan.read_text("utf-8"))["partial"] is True
    exact = run("analyze", *args, "--limit", "3", "-o", str(plan))
    assert "queued" not in exact.stdout


def test_a_session_that_comes_twice_is_named_with_both_places(
    context: Path, tmp_path: Path
) -> None:
    again, report = tmp_path / "again.jsonl", tmp_path / "r.json"
    again.write_bytes(Path(SESSIONS).read_bytes())
    args = ["--context", str(context), "--trajectories", SESSIONS, "--trajectories", str(again)]
    assert run("dry-run", *args, "--json", str(report)).returncode == 0
    told = json.loads(report.read_text("utf-8"))["skipped"]
    assert [item["where"] for item in told] == [f"{again}:{n}" for n in (1, 2, 3)]
    assert f"{SESSIONS}:1" in told[0]["reason"]


def test_texts_that_are_not_as_committed_are_told(context: Path, tmp_path: Path) -> None:
    copy, report = tmp_path / "copy", tmp_path / "r.json"
    shutil.copytree(context, copy)
    args = ["dry-run", "--context", str(copy), "--trajectories", SESSIONS, "--json", str(report)]
    assert run(*args).returncode == 0
    assert json.loads(report.read_text("utf-8"))["skipped"] == []
    (copy / "CODEOWNERS").write_text("# nobody\n")
    done = run(*args)
    assert "working tree" in done.stdout
    (told,) = json.loads(report.read_text("utf-8"))["skipped"]
    assert "CODEOWNERS" in told["reason"]


@pytest.mark.parametrize("kind", ["folder", "loop", "pipe", "outside"])
def test_a_configuration_that_is_no_file_of_the_checkout_is_refused(
    context: Path, tmp_path: Path, kind: str
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(context, copy)
    place = copy / "trace-bot.yaml"
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        (tmp_path / "theirs.yaml").write_text("mode: propose\n")
        place.symlink_to(place if kind == "loop" else tmp_path / "theirs.yaml")
    done = run("dry-run", "--context", str(copy), "--trajectories", SESSIONS)
    assert done.returncode == 2, done.stderr
    assert "trace-bot.yaml:1: " in done.stderr
    assert "trace-bot.yaml" in run("validate", str(copy)).stdout


def test_a_link_to_a_configuration_inside_the_checkout_is_followed(
    context: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(context, copy)
    (copy / "ours.yaml").write_text("no_such_key: 1\n")
    (copy / "trace-bot.yaml").symlink_to("ours.yaml")
    done = run("dry-run", "--context", str(copy), "--trajectories", SESSIONS)
    assert (done.returncode, "no_such_key" in done.stderr) == (2, True)


def test_an_interrupt_at_the_start_is_told_like_any_other(tmp_path: Path) -> None:
    """The arguments' own module is interrupted, as when Ctrl-C comes at once."""
    early = (
        "import sys\n"
        "class Early:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name in ('bot.arguments', 'bot.redact'):\n"
        "            sys.meta_path.remove(self)\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Early())\n"
        "from bot.cli import main\n"
        "sys.exit(main(['schema', 'plan']))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", early], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
