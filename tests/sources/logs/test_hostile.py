"""Whatever a log holds, a reader gives sound sessions and reasons, and never fails."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.canonical import decode
from bot.sources.logs import (
    chat,
    claude_code,
    inspect_ai,
    langchain,
    openai_agents,
    openai_chat,
    swe_agent,
)

SAMPLES = Path(__file__).parents[3] / "fixtures" / "sources" / "logs"
Convert = Callable[[str], Iterator[Trajectory | Skipped]]
READERS: dict[str, tuple[Convert, str]] = {
    "chat": (chat.convert, "chat/talks.jsonl"),
    "claude-code": (claude_code.convert, "claude-code/vendor-invoice.jsonl"),
    "inspect-ai": (inspect_ai.convert, "inspect-ai/log.json"),
    "langchain": (langchain.convert, "langchain/history.json"),
    "openai-agents": (openai_agents.convert, "openai-agents/response.json"),
    "openai-chat": (openai_chat.convert, "openai-chat/chats.jsonl"),
    "swe-agent": (swe_agent.convert, "swe-agent/totals.traj"),
    "mini-swe-agent": (swe_agent.convert, "swe-agent/demo.traj.json"),
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
QUICK = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def sound(items: Iterator[Trajectory | Skipped]) -> None:
    """Every session survives the strict canonical reader; every other record has a reason."""
    for item in items:
        if isinstance(item, Skipped):
            assert item.where
            assert item.reason
        else:
            assert decode(msgspec.json.encode(item), "again") == item


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, below in inner:
        yield from places(below, (*path, key))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    whole = copy.deepcopy(value)
    at = whole
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return whole


def values(name: str) -> list[Any]:
    sample = SAMPLES / READERS[name][1]
    text = sample.read_text("utf-8")
    return (
        list(map(json.loads, text.splitlines()))
        if sample.suffix == ".jsonl"
        else [json.loads(text)]
    )


@pytest.mark.parametrize("name", READERS)
@QUICK
@given(data=st.data())
def test_any_value_in_any_place_of_a_sample(tmp_path: Path, name: str, data: st.DataObject) -> None:
    records = values(name)
    number = data.draw(st.integers(0, len(records) - 1))
    path = data.draw(st.sampled_from(list(places(records[number]))))
    records[number] = changed(records[number], path, data.draw(JSON))
    file = tmp_path / Path(READERS[name][1]).name
    file.write_text("\n".join(map(json.dumps, records)), "utf-8")
    sound(READERS[name][0](str(file)))


@pytest.mark.parametrize("name", READERS)
@QUICK
@given(cut=st.integers(0, 3000), noise=st.binary(max_size=20))
def test_bytes_that_broke_off_or_turned(tmp_path: Path, name: str, cut: int, noise: bytes) -> None:
    sample = SAMPLES / READERS[name][1]
    whole = sample.read_bytes()
    file = tmp_path / sample.name
    file.write_bytes(whole[:cut] + noise + whole[cut + 40 : cut + 2000])
    sound(READERS[name][0](str(file)))


@pytest.mark.parametrize("name", READERS)
def test_what_is_nested_without_end_is_named(tmp_path: Path, name: str) -> None:
    file = tmp_path / Path(READERS[name][1]).name
    file.write_text("[" * 100_000, "utf-8")
    assert [type(item) for item in READERS[name][0](str(file))] == [Skipped]
