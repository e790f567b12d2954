"""`trace-bot.yaml` as text to the model; every problem at once, each with its line and a cure."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from context_repo_schema.config import FILE_NAME, Config
from context_repo_schema.config_check import Finding, checked
from context_repo_schema.problem import Malformed, Problem
from context_repo_schema.yaml_text import parse

MOST_BYTES = 256 * 1024


class Loaded(msgspec.Struct, frozen=True):
    """A configuration as read; with an error among `problems`, `config` is the default one."""

    config: Config
    problems: tuple[Problem, ...] = ()


def load_config(root: Path, path: Path | None = None) -> Loaded:
    """The configuration of a checkout: `path`, else `trace-bot.yaml` at `root`, else defaults."""
    place = path or root / FILE_NAME
    shown = _shown(place, root)
    if not os.path.lexists(place):
        return Loaded(Config(), _missing(root, shown, asked=path is not None))
    try:
        target = place.resolve(strict=True)
        if path is None and not target.is_relative_to(root.resolve()):
            message = "a symbolic link out of the checkout; it is not followed"
            return _refused(shown, 1, message, "put the file itself there")
        if not target.is_file():
            return _refused(shown, 1, "it is no regular file", "put the configuration there")
        if target.stat().st_size > MOST_BYTES:
            return _refused(shown, 1, f"it is larger than {MOST_BYTES} bytes", "shorten the file")
        text = target.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return _refused(shown, 1, "it is not UTF-8", "save the file as UTF-8")
    except (OSError, RuntimeError) as refused:  # a loop of links is a RuntimeError before 3.13
        reason = refused.strerror if isinstance(refused, OSError) else "its links lead nowhere"
        return _refused(shown, 1, f"it cannot be read: {reason}", "put the file itself there")
    loaded = parse_config(text, shown)
    return Loaded(loaded.config, (*loaded.problems, *_roots(loaded.config, text, shown, root)))


def parse_config(text: str, file: str = FILE_NAME) -> Loaded:
    """A text as configuration. Anchors, tabs and repeated keys are refused."""
    if "\t" in text:
        line = text.count("\n", 0, text.index("\t")) + 1
        return _refused(file, line, "a tab", "indent with blanks")
    try:
        node = parse(text.removeprefix("\ufeff"))
    except Malformed as error:
        return _refused(file, error.line, error.problem, "mend the YAML at this line")
    value, findings = checked(node)
    problems = tuple(_problem(file, finding) for finding in findings)
    if problems:
        return Loaded(Config(), problems)
    return Loaded(msgspec.convert(value, Config))


def _roots(config: Config, text: str, file: str, root: Path) -> tuple[Problem, ...]:
    base = root.resolve()
    found = []
    for name in config.roots:
        place = (root / name).resolve()
        if not place.is_relative_to(base) or not place.is_dir():
            why = "is missing" if place.is_relative_to(base) else "lies outside the checkout"
            line = next((n for n, row in enumerate(text.split("\n"), 1) if name in row), 1)
            message = f"roots: the folder `{name}` {why}"
            cure = "name folders of this checkout, relative to its top"
            found.append(Problem(file, line, "error", "config-root", message, cure))
    return tuple(found)


def _missing(root: Path, shown: str, asked: bool) -> tuple[Problem, ...]:
    if asked:
        message, cure = "there is no such file", "name the configuration file, or leave it out"
        return (Problem(shown, 1, "error", "config-missing", message, cure),)
    for other in ("trace-bot.yml", ".trace-bot.yaml", ".github/trace-bot.yaml"):
        if (root / other).is_file():
            message, cure = "this file is not read", f"rename it to {FILE_NAME} at the top"
            return (Problem(other, 1, "warning", "config-misplaced", message, cure),)
    return ()


def _refused(file: str, line: int, message: str, cure: str) -> Loaded:
    return Loaded(Config(), (Problem(file, line, "error", "config-unreadable", message, cure),))


def _problem(file: str, finding: Finding) -> Problem:
    message = f"{finding.key}: {finding.message}" if finding.key else finding.message
    return Problem(file, finding.line, "error", finding.code, message, finding.cure)


def _shown(place: Path, root: Path) -> str:
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else place.as_posix()
