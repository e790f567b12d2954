"""Figures from papers, read from a data file, as reference marks."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def trace() -> Mapping[str, list[float]]:
    """Metric to value, or to value and 95 % interval, as TRACE prints them."""
    found: Mapping[str, list[float]] = _file()["trace"]
    return found


@cache
def trace_by_component() -> Mapping[str, float]:
    """Component type to the accuracy of the type (TRACE, table 4)."""
    found: Mapping[str, float] = _file()["trace_component_type"]
    return found


def _file() -> dict[str, Any]:
    place = resources.files("bot.bench") / "published.toml"
    return tomllib.loads(place.read_text("utf-8"))


def printed(name: str) -> Mapping[str, dict[str, float]]:
    """Who reached what on a public set, by the set's name; empty where nothing was printed."""
    found: Mapping[str, dict[str, float]] = _file()["printed"].get(name, {})
    return found


def sources() -> Mapping[str, list[str]]:
    """Where each public set is published, and how its folder is laid out, by the folder's name."""
    found: Mapping[str, list[str]] = _file()["sources"]
    return found


def calls() -> Mapping[str, list[float]]:
    """Who spends how many model calls a session for which node accuracy (TRACE, table 5)."""
    found: Mapping[str, list[float]] = _file()["trace_calls"]
    return found
