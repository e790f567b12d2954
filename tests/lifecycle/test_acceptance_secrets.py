"""Acceptance 21: what a session gives away reaches no model, log, plan, report or pull request."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bot.bench.checkout import checkout
from bot.cli import main
from bot.context.history import read_history
from bot.engines.llm.scripted_server import ScriptedServer, Step
from tests.forges.conftest import environment
from tests.github_fake import GitHubFake
from tests.github_fake.gitstore import clean_env

ROOT = Path(__file__).parents[2]
SCENARIO = ROOT / "fixtures" / "scenarios" / "vendor-invoice"
# Of each kind one, as it stands in a session; none may be found anywhere afterwards.
SECRETS = (
    "ghp_abcdefghijklmnopqrstuvwxyz012345",
    "AKIAIOSFODNN7EXAMPLQ",
    "jane.doe@corp.example",
    "+49 171 5550132",
    "4111 1111 1111 1111",
    "DE89 3704 0044 0532 0130 00",
    "Larkfield Advisory",
)
PARTS = (*SECRETS, "ghp_abcdef", "jane.doe", "5550132", "0532 0130")
# What names a step, a file or a kind is no free text.
NAMES = frozenset({"path", "type", "role", "name", "schema", "node_id", "context_commit", "repo"})
CONFIG = 'evidence: {quotes: "on"}\nredact_names: [Larkfield Advisory]\nregression_cases: true\n'


def planted(value: Any, key: str = "") -> Any:
    """The same with every secret behind each text in it but what a file of the repository says."""
    if isinstance(value, dict):
        file = "content" if "path" in value else ""
        return {n: inner if n == file else planted(inner, n) for n, inner in value.items()}
    if isinstance(value, list):
        return [planted(inner, key) for inner in value]
    if isinstance(value, str) and key not in NAMES and not key.endswith("_at") and " " in value:
        return f"{value}\n{' / '.join(SECRETS)}"
    return value


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    place = tmp_path / "sessions.jsonl"
    lines = (SCENARIO / "sessions.jsonl").read_text("utf-8").splitlines()
    made = [planted(json.loads(line)) for line in lines]
    for at, one in enumerate(made):
        one["session_id"] = f"jane.doe@corp.example/{at}"
        one.setdefault("metadata", {})["user_id"] = "jane.doe@corp.example"
    place.write_text("".join(f"{json.dumps(one)}\n" for one in made), "utf-8")
    assert all(secret in place.read_text("utf-8") for secret in SECRETS)
    return place


@pytest.fixture
def context(tmp_path: Path) -> Path:
    root = tmp_path / "context"
    checkout(SCENARIO / "context", read_history(SCENARIO / "history.jsonl"), root)
    return root


def leaks(texts: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, part) for name, text in texts.items() for part in PARTS if part in text]


def files(root: Path) -> dict[str, str]:
    found = (p for p in root.rglob("*") if p.is_file() and ".git" not in p.parts)
    return {str(p.relative_to(root)): p.read_text("utf-8") for p in found}


def on_github(hub: GitHubFake) -> Iterator[tuple[str, str]]:
    for issue in hub.repo().issues.values():
        yield f"title {issue.number}", issue.title
        yield f"body {issue.number}", issue.body or ""
        if issue.pull:
            git = ("git", "-C", str(hub.repo().git), "log", "-p", "-1", issue.pull.head_sha)
            done = subprocess.run(git, env=clean_env(), capture_output=True, text=True, check=True)
            yield f"commit {issue.number}", done.stdout
    for comment in hub.repo().comments.values():
        yield f"comment {comment.id}", comment.body


def test_a21_nothing_that_a_run_leaves_or_says_holds_a_secret(
    tmp_path: Path, sessions: Path, context: Path
) -> None:
    """One job in a real process, with quotes on: streams, report, plan, patches, summary, outputs,
    pull request, commit, regression case and dashboard."""
    held = files(context)
    with GitHubFake(tmp_path / "hub") as hub:
        hub.create_repo("acme/context", files={**held, "trace-bot.yaml": CONFIG})
        clone = ["git", "clone", "-q", str(hub.repo().git), str(tmp_path / "checkout")]
        subprocess.run(clone, env=clean_env(), check=True)
        out = tmp_path / "out"
        (tmp_path / "runner").mkdir()
        runner = {n: str(tmp_path / "runner" / n) for n in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        args = ["run", "--yes", "--context", str(tmp_path / "checkout")]
        args += ["--trajectories", str(sessions), "--json", str(out / "report.json")]
        done = subprocess.run(
            [sys.executable, "-m", "bot.cli", *args, "--out", str(out)],
            env={**environment(hub), **runner, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        texts = files(out) | files(tmp_path / "runner") | dict(on_github(hub))
        assert len(hub.pulls()) == 1, done.stdout
    texts |= {"stdout": done.stdout, "stderr": done.stderr}
    assert {"plan.json", "report.json", "summary.md", "GITHUB_STEP_SUMMARY"} <= texts.keys()
    assert leaks(texts) == []
    # It was about sessions that hold them, and says so.
    assert "[redacted:EMAIL]" in texts["report.json"]
    assert "[redacted:" in texts["body 1"]


METHODS = [
    ("shortlist", "offline", "screened"),
    ("holistic", "explore", "taxonomy"),
    ("iterative", "passive", "vanilla"),
    ("continual", "explore", "offline"),
    ("passive", "passive", "offline"),
]
ANSWERS = (
    Step(content='{"why": "as jane.doe@corp.example says", "id": "H1", "node": "node_2"}'),
    Step(content="It was Larkfield Advisory, ghp_abcdefghijklmnopqrstuvwxyz012345"),
    Step(calls=(("search", {"query": "jane.doe@corp.example"}),)),
)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method[0])
@pytest.mark.skipif(find_spec("litellm") is None, reason="needs the llm extra")
def test_a21_no_prompt_and_no_log_holds_a_secret(
    tmp_path: Path,
    sessions: Path,
    context: Path,
    method: tuple[str, str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Every way to ask a model, also where the model says a secret itself."""
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TRACE_BOT_LLM_HOSTS", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    config, out = tmp_path / "trace-bot.yaml", tmp_path / "out"
    config.write_text(CONFIG, "utf-8")
    strategy, recommender, detector = method
    asked: list[int] = []

    def script(body: dict[str, Any]) -> Step:
        asked.append(1)
        step = ANSWERS[len(asked) % len(ANSWERS)]
        return step if body.get("tools") or step.content else ANSWERS[0]

    with ScriptedServer(script) as server, caplog.at_level(logging.DEBUG):
        args = ["dry-run", "--context", str(context), "--trajectories", str(sessions)]
        args += ["--config", str(config), "--out", str(out), "--json", str(out / "report.json")]
        args += ["--engine", "llm", "--model", "openai/scripted", "--api-base", server.url]
        args += ["--strategy", strategy, "--recommender", recommender, "--detector", detector]
        main(args)
    shown = capfd.readouterr()
    prompts = {f"prompt {n}": text for n, text in enumerate(server.prompts())}
    assert prompts
    assert "[redacted:" in "".join(prompts.values())
    ours = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("trace-bot"))
    texts = files(out) | {"stdout": shown.out, "stderr": shown.err, "log": ours}
    sent = {name: _without_answers(text) for name, text in prompts.items()}
    assert leaks(texts | sent) == []


def _without_answers(prompt: str) -> str:
    """A request without what the model itself had said, which it is shown again."""
    body = json.loads(prompt)
    said = [m for m in body["messages"] if m["role"] != "assistant"]
    return json.dumps({**body, "messages": said}, ensure_ascii=False)
