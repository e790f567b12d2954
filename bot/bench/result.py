"""What a benchmark run found, as one file that a report can be made from again."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bot import __version__
from bot.bench.metrics import Estimate, table
from bot.bench.public.outcome import PublicSet
from bot.bench.run import Part
from bot.bench.score import Row
from bot.errors import ConfigError
from bot.utc import present, stamp

SCHEMA = "trace-bot/bench/v1"


class Made(msgspec.Struct, frozen=True):
    """By which command, when, with what and on what a result was made. `what` titles it, and
    `note` says what has to be known of it."""

    engine: str
    command: str
    date: str
    tool_version: str
    machine: str
    what: str = "Benchmark"
    note: str = ""


class Result(msgspec.Struct, frozen=True):
    """Suites and public sets with their rows; `rows` repeats all rows of the engine, for
    comparisons, and `metrics` what they come to. `shares` is where its time goes, by folder."""

    made: Made
    parts: tuple[Part, ...] = ()
    public: tuple[PublicSet, ...] = ()
    metrics: Mapping[str, dict[str, Estimate]] = {}
    rows: tuple[Row, ...] = ()
    shares: Mapping[str, float] = {}
    schema: str = SCHEMA


def made(engine: str, command: str, what: str = "Benchmark", note: str = "") -> Made:
    """The circumstances of this run."""
    return Made(engine, command, stamp(present()), __version__, machine(), what, note)


def machine() -> str:
    """Processors and memory, as far as the system tells."""
    size = ""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        size = f", {memory / 2**30:.0f} GiB of memory"
    cores = f"{os.cpu_count()} processors{size}"
    return f"{platform.machine()}, {cores}, Python {platform.python_version()}"


def result(about: Made, parts: tuple[Part, ...], public: tuple[PublicSet, ...] = ()) -> Result:
    """Everything with its metrics."""
    rows = tuple(row for part in parts for row in part.rows)
    metrics = {"all": table(rows), **{part.name: table(part.rows) for part in parts}}
    return Result(about, parts, public, metrics if parts else {}, rows)


def read(path: Path) -> Result:
    """A result as it was written. Raises `ConfigError`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except (OSError, msgspec.DecodeError) as problem:
        reason = f"{path}: not a result of `bench run --json` or `bench public --json`: {problem}"
        raise ConfigError(reason) from problem


def of_one_engine(results: tuple[Result, ...]) -> tuple[Result, ...]:
    """The same results. Raises `ConfigError` where they are of different engines."""
    engines = {found.made.engine for found in results}
    if len(engines) != 1:
        raise ConfigError(f"the results are of different engines: {', '.join(sorted(engines))}")
    return results
