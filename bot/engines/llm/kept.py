"""What a run works out for itself, kept beside the model's answers.

Rules and search decide what is put before the model. Kept with its answers, they let a recording
replay whatever becomes of the rules, and without the vectors that search may have had. A file is
named by the SHA-256 of what it is about, so that no text of a session gets into a path.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from bot.atomic import write
from bot.engines.llm.options import ModelOptions
from bot.errors import ConfigError

T = TypeVar("T")


class Keep(Protocol):
    """Gives what `make` would make, of that type; `about` says everything that it depends on."""

    def __call__(self, about: tuple[Any, ...], kind: Any, make: Callable[[], T]) -> T: ...


def keeping(options: ModelOptions) -> Keep:
    """Kept where the run records, remembered where it replays, else made and forgotten."""
    if options.replay is not None:
        return remembered(options.replay)
    return noted(options.record) if options.record is not None else made


def made(about: tuple[Any, ...], kind: Any, make: Callable[[], T]) -> T:
    """Made anew each time."""
    return make()


def noted(folder: Path) -> Keep:
    """Made, and written to the folder over what stood there."""

    def keep(about: tuple[Any, ...], kind: Any, make: Callable[[], T]) -> T:
        value = make()
        folder.mkdir(parents=True, exist_ok=True)
        write(_place(folder, about), msgspec.json.encode(value) + b"\n")
        return value

    return keep


def remembered(folder: Path) -> Keep:
    """From the folder where it is there, else made. Raises `ConfigError` for a broken file."""

    def keep(about: tuple[Any, ...], kind: Any, make: Callable[[], T]) -> T:
        path = _place(folder, about)
        if not path.is_file():
            return make()
        try:
            value: T = msgspec.json.decode(path.read_bytes(), type=kind)
        except msgspec.DecodeError as problem:
            raise ConfigError(f"{path} cannot be read: {problem}; record it again") from problem
        return value

    return keep


def _place(folder: Path, about: tuple[Any, ...]) -> Path:
    canonical = msgspec.json.encode(about, order="deterministic")
    return folder / f"{about[0]}-{hashlib.sha256(canonical).hexdigest()[:24]}.json"
