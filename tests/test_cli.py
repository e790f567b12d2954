"""The program as a person or a workflow runs it: real processes, exit codes, streams, files."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bot.bench.checkout import checkout
from bot.commands.analysis import moment
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
    source.write_text(json.dumps(chat) + "\n{bad\n", "utf-8")
    args = ["convert", "--source", "openai-chat", str(source), "-o"]
    done = run(*args, str(target))
    assert done.returncode == 0, done.stderr
    assert "chats.jsonl:2" in done.stderr
    assert run(*args, "-").stdout.count("\n") == 1
    source.write_text("{bad\n", "utf-8")
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
        (["convert", "--source", "tau-bench", "half.jsonl", "-o", "x"], 6, "surrogate"),
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
    half = {"traj": [{"role": "user", "content": "\ud800"}]}
    (tmp_path / "odd.jsonl").write_text(json.dumps(odd), "utf-8")
    (tmp_path / "half.jsonl").write_text(json.dumps(half), "utf-8")
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
