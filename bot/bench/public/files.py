"""JSON files of a folder, with errors that name the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.errors import ConfigError


def objects(folder: Path) -> Iterator[tuple[Path, Any]]:
    """(path, value) of every JSON file, numbers in names in the order of their size."""
    paths = sorted(folder.glob("*.json"), key=_natural)
    if not paths:
        raise ConfigError(f"{folder} holds no JSON file; give the set's folder as it was published")
    for path in paths:
        yield path, value(path)


def value(path: Path) -> Any:
    """The value of a JSON file. Raises `ConfigError`."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as problem:
        raise ConfigError(f"{path}: cannot be read as JSON: {problem}") from problem


def _natural(path: Path) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", path.stem)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
