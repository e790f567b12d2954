"""A file appears whole or not at all, and a refusal names the place."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from bot.atomic import ABANDONED, UNFINISHED, write, writing
from bot.errors import ConfigError


def test_an_error_inside_leaves_what_stood(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "file"
    write(place, b"old")
    with pytest.raises(ZeroDivisionError), writing(place) as stream:
        stream.write(b"%d" % (1 // 0))
    assert place.read_bytes() == b"old"
    assert list(place.parent.iterdir()) == [place]


@pytest.mark.parametrize("name", ["file/inside", "."])
def test_a_refusal_names_the_place_and_a_cure(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigError, match="name another place") as refused:
        write(tmp_path / name, b"x")
    assert str(tmp_path / name) in str(refused.value)


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(pipe, b"through")
    assert pipe.is_fifo()
    reader.join(10)
    assert got == [b"through"]


def test_what_a_killed_writer_left_is_removed_when_it_is_old(tmp_path: Path) -> None:
    place = tmp_path / "r[1].json"
    for name, age in (("old", 2 * ABANDONED), ("new", 0)):
        left = tmp_path / f".{place.name}.{name}{UNFINISHED}"
        left.write_bytes(b"half")
        os.utime(left, (time.time() - age, time.time() - age))
    write(place, b"whole")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f".{place.name}.new{UNFINISHED}", place.name]
