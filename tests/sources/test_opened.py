"""A source by its configuration, or by what a command says."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.errors import AccessError, ConfigError
from bot.records.report import Skipped
from bot.sources.opened import given, opened
from context_repo_schema.config import Source

SESSION = '{"messages": [{"role": "user", "content": "q"}], "id": "%s"}\n'


def test_a_path_is_files_and_an_address_is_a_store() -> None:
    assert given("otlp", "traces/") == Source("otlp", path="traces/")
    assert given("phoenix", "https://host:6006/base") == Source(
        "phoenix", url="https://host:6006/base"
    )


def test_an_address_may_end_in_the_keys_of_a_source() -> None:
    place = "https://host?project=a+b&only_errors=true&sample=0.5&tags=x&tags=y&feedback_below=1"
    assert given("opik", place) == Source(
        "opik",
        url="https://host",
        project="a b",
        only_errors=True,
        sample=0.5,
        tags=("x", "y"),
        feedback_below=1.0,
    )


@pytest.mark.parametrize(
    "place", ["https://host?projct=a", "https://host?sample=2", "https://host?only_errors=perhaps"]
)
def test_an_address_with_a_wrong_key_says_which_keys_there_are(place: str) -> None:
    with pytest.raises(ConfigError, match="only_errors"):
        given("opik", place)


@pytest.mark.parametrize(
    "url",
    ["https://user:secret@host", "ftp://host", "https://", "host:6006", "https://host?key=secret"],
)
def test_an_address_holds_no_key_and_is_one(url: str) -> None:
    with pytest.raises(ConfigError) as told:
        opened("mine", Source("phoenix", url=url), {"TRACE_BOT_TRACE_HOSTS": "host"})
    assert "secret" not in str(told.value)


def test_an_unknown_kind_and_a_missing_path_are_told() -> None:
    with pytest.raises(ConfigError, match=r"sources\.mine\.type.*tau-bench"):
        opened("mine", Source("nothing"), {})
    with pytest.raises(ConfigError, match=r"sources\.mine\.path"):
        opened("mine", Source("tau-bench"), {})


@pytest.mark.parametrize(
    ("kind", "variable"),
    [
        ("langfuse", "LANGFUSE_PUBLIC_KEY"),
        ("langsmith", "LANGSMITH_API_KEY"),
    ],
)
def test_a_missing_key_is_told_by_its_variable(kind: str, variable: str) -> None:
    with pytest.raises(AccessError, match=variable):
        opened("mine", Source(kind), {})


KEYED = {"PHOENIX_API_KEY": "a-secret"}
ELSEWHERE = Source("phoenix", url="https://phoenix.example")


def test_a_key_goes_only_where_the_operator_said() -> None:
    for source in (ELSEWHERE, Source("langsmith", url="https://evil.example")):
        with pytest.raises(ConfigError, match="TRACE_BOT_TRACE_HOSTS") as told:
            opened("mine", source, {**KEYED, "LANGSMITH_API_KEY": "a-secret"})
        assert "a-secret" not in str(told.value)


@pytest.mark.parametrize(
    "named",
    [
        {"TRACE_BOT_TRACE_HOSTS": "other.example, PHOENIX.example"},
        {"PHOENIX_COLLECTOR_ENDPOINT": "https://phoenix.example/v1/traces"},
    ],
)
def test_the_environment_names_where_a_key_may_go(named: dict[str, str]) -> None:
    opened("mine", ELSEWHERE, {**KEYED, **named})


def test_a_key_goes_to_another_machine_by_tls_only() -> None:
    plain = Source("phoenix", url="http://phoenix.example")
    hosts = {"TRACE_BOT_TRACE_HOSTS": "phoenix.example"}
    with pytest.raises(ConfigError, match="https only"):
        opened("mine", plain, {**KEYED, **hosts})
    opened("mine", plain, hosts)
    opened("mine", Source("phoenix", url="http://127.0.0.1:6006"), KEYED)


def test_files_know_the_window(tmp_path: Path) -> None:
    file = tmp_path / "chats.jsonl"
    file.write_text(SESSION % "a" + SESSION % "b", "utf-8")
    source = opened("mine", Source("openai-chat", path=str(file)), {})
    found = list(source.pull(datetime(2026, 1, 1, tzinfo=UTC)))
    assert [None if isinstance(item, Skipped) else item.session_id for item in found] == ["a", "b"]
