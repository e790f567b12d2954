"""Canonical sessions as they lie in files: whole, packed, broken, hostile, huge."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import SourceError
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.canonical import CanonicalSource, decode, read


def session(name: str = "s-1", **more: object) -> dict[str, object]:
    turns = [
        {"turn_id": 1, "role": "user", "content": "How long may I return it?"},
        {"turn_id": 2, "role": "assistant", "content": "30 days."},
    ]
    return {"schema": "trace-bot/trajectory/v1", "session_id": name, "turns": turns, **more}


def lines(*sessions: object) -> bytes:
    return b"".join(json.dumps(s).encode() + b"\n" for s in sessions)


def ids(path: Path | str, since: datetime | None = None) -> list[str]:
    return [
        item.session_id if isinstance(item, Trajectory) else f"skipped {item.where}"
        for item in CanonicalSource([str(path)]).pull(since)
    ]


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.jsonl", bytes),
        ("a.jsonl.gz", gzip.compress),
        ("a.jsonl.zst", zstandard.ZstdCompressor().compress),
    ],
)
def test_packed_and_plain_files_read_alike(tmp_path: Path, name: str, pack: object) -> None:
    file = tmp_path / name
    file.write_bytes(pack(lines(session("s-1"), session("s-2"))))  # type: ignore[operator]
    assert ids(file) == ["s-1", "s-2"]


def test_a_json_file_holds_one_session_or_a_list(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(session("one"), indent=2))
    (tmp_path / "two.json").write_text(json.dumps([session("two"), session("three")]))
    (tmp_path / "rows.json").write_bytes(lines(session("four"), session("five")))
    assert ids(tmp_path) == ["one", "four", "five", "two", "three"]


def test_a_folder_is_read_in_name_order_and_other_files_are_left(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(lines(session("b")))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.jsonl").write_bytes(lines(session("a")))
    (tmp_path / "notes.txt").write_text("not a session")
    assert ids(tmp_path) == ["b", "a"]


def test_stdin_is_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines(session("piped")))))
    assert ids("-") == ["piped"]


@pytest.mark.parametrize(
    ("piped", "read_as"),
    [
        (json.dumps(session("one"), indent=2).encode(), ["one"]),
        (json.dumps([session("two"), session("three")], indent=2).encode(), ["two", "three"]),
        (b"\n{oops\n" + lines(session("four")), ["skipped <stdin>:2", "four"]),
        (json.dumps(session("cut"), indent=2).encode()[:-20], ["skipped <stdin>:1"]),
        (b"[" * 100_000, ["skipped <stdin>:1"]),
        (b"", []),
    ],
)
def test_stdin_may_hold_an_indented_session(
    monkeypatch: pytest.MonkeyPatch, piped: bytes, read_as: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped)))
    assert ids("-") == read_as


def test_a_reason_holds_the_place_and_no_value_of_the_session() -> None:
    said = "ghp_x' - at `$.ghp_y"
    turn = {"turn_id": 1, "role": said, "content": ""}
    bad = decode(json.dumps({**session(), "turns": [turn]}).encode(), "x:1")
    assert isinstance(bad, Skipped)
    assert "$.turns[0].role" in bad.reason
    assert "ghp_" not in bad.reason


BROKEN = {
    "not json": (b"{oops", "JSON is malformed"),
    "cut off": (json.dumps(session()).encode()[:-20], "truncated"),
    "no session": (json.dumps({"turns": session()["turns"]}).encode(), "session_id"),
    "no turns": (json.dumps({**session(), "turns": []}).encode(), "length >= 1"),
    "unknown role": (
        json.dumps({**session(), "turns": [{"turn_id": 1, "role": "x", "content": ""}]}).encode(),
        "`$.turns[0].role` is x; write one of user, assistant, system",
    ),
    "unknown type": (
        json.dumps(session(nodes=[{"node_id": "n", "turn_id": 1, "type": "a b"}])).encode(),
        "`$.nodes[0].type` holds no word of the format; write one of user_query_processing, ",
    ),
    "newer major": (
        json.dumps({**session(), "schema": "trace-bot/trajectory/v2"}).encode(),
        "update trace-bot",
    ),
    "other schema": (json.dumps({**session(), "schema": "spans/v1"}).encode(), "convert"),
    "no number": (
        json.dumps({**session(), "schema": "trace-bot/trajectory/v²"}).encode(),
        "convert",
    ),
    "endless number": (
        json.dumps({**session(), "schema": f"trace-bot/trajectory/v{'9' * 5000}"}).encode(),
        "convert",
    ),
    "list": (b"[" + json.dumps(session()).encode() + b"]", "name the file .json"),
    "cut list": (b"[" + json.dumps(session()).encode(), "breaks off"),
    "UTF-16": (json.dumps(session()).encode("utf-16"), "save it as UTF-8"),
    "UTF-16 without a mark": (json.dumps(session()).encode("utf-16-le"), "save it as UTF-8"),
    "turns out of order": (
        json.dumps({**session(), "turns": session()["turns"][::-1]}).encode(),  # type: ignore[index]
        "ascending",
    ),
    "node twice": (
        json.dumps(
            session(nodes=[{"node_id": "n", "turn_id": 1, "type": "reasoning"}] * 2)
        ).encode(),
        "unique",
    ),
    "latin-1": (json.dumps(session()).encode().replace(b"30 days", b"30 \xe9"), "utf-8"),
    "nested too deeply": (
        b'{"session_id": "s", "metadata": {"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
        "nest",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_bad_record_is_named_and_the_rest_is_read(tmp_path: Path, kind: str) -> None:
    record, why = BROKEN[kind]
    file = tmp_path / "sessions.jsonl"
    file.write_bytes(lines(session("first")) + record + b"\n\n" + lines(session("last")))
    found = list(read(file))
    assert [t.session_id for t in found if isinstance(t, Trajectory)] == ["first", "last"]
    (bad,) = [item for item in found if isinstance(item, Skipped)]
    assert bad.where == f"{file}:2"
    assert why.lower() in bad.reason.lower()


def test_an_indented_record_says_how_to_write_it(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(session(), indent=2), "utf-8")
    first, *_ = read(file)
    assert isinstance(first, Skipped)
    assert "name the file .json" in first.reason


@given(st.text(max_size=20))
def test_any_version_is_read_or_refused(version: str) -> None:
    record = json.dumps({**session(), "schema": f"trace-bot/trajectory/v{version}"}).encode()
    item = decode(record, "x:1")
    assert isinstance(item, Trajectory) or "`schema`" in item.reason


def test_a_byte_order_mark_and_blank_lines_are_no_records(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + lines(session("s-1")) + b"\n  \n" + lines(session("s-2")))
    assert ids(file) == ["s-1", "s-2"]


def test_a_packed_file_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    many = lines(*(session(f"s-{n}", metadata={"noise": str(n) * 200}) for n in range(500)))
    for name, pack in (("a.gz", gzip.compress), ("a.zst", zstandard.ZstdCompressor().compress)):
        file = tmp_path / f"x.jsonl.{name.split('.')[1]}"
        packed = pack(many)
        file.write_bytes(packed[: len(packed) // 2])
        found = list(read(file))
        assert isinstance(found[-1], Skipped)
        assert str(file) in found[-1].where


def test_an_overlong_line_is_left_out_and_the_next_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sources.lines.LONGEST_RECORD", 1000)
    file = tmp_path / "a.jsonl"
    long = session("long", metadata={"noise": "x" * 5000})
    file.write_bytes(lines(session("a"), long, session("b")))
    assert ids(file) == ["a", f"skipped {file}:2", "b"]


def test_memory_stays_flat_whatever_the_size_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    record = lines(session("s", metadata={"noise": "x" * 20_000}))
    file.write_bytes(record * 2000)  # 40 MB
    tracemalloc.start()
    count = sum(1 for _ in read(file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 2000
    assert peak < 4_000_000


def test_since_keeps_what_started_later_and_what_has_no_time(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(
        lines(
            session("old", started_at="2026-01-01T00:00:00Z"),
            session("new", started_at="2026-03-01T00:00:00Z"),
            session("naive", started_at="2026-03-01T00:00:00"),
            session("unknown"),
            session("odd", started_at="yesterday"),
        )
    )
    assert ids(file, datetime(2026, 2, 1, tzinfo=UTC)) == ["new", "naive", "unknown", "odd"]


@pytest.mark.parametrize("name", ["missing.jsonl", "empty"])
def test_a_path_with_nothing_to_read_is_an_error_that_says_so(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match=name):
        list(CanonicalSource([str(tmp_path / name)]).pull(None))


@given(st.binary(max_size=300))
def test_any_bytes_are_a_session_or_a_reason(data: bytes) -> None:
    item = decode(data, "x:1")
    assert isinstance(item, Trajectory) or item.reason
