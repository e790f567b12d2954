"""G1: a change touches only context files, by a name that every system can hold."""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from bot.context.repo import ContextRepo
from bot.gates.inputs import Inputs
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import GateResult

RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$")
FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
# What decides about people, machines or this program is never ours to change.
DENIED = re.compile(
    r"(?i)(^|/)(\.git[^/]*|CODEOWNERS|trace-bot\.ya?ml)$|(^|/)\.git/"
    r"|^\.github/(workflows|actions)/|^\.gitlab-ci"
)
# Where cases for the team's own evaluation go, if the configuration asks for them.
CASES = "evals/trace-bot/"
CASE = re.compile(re.escape(CASES) + r"tb-[a-z2-7]{10}\.yaml")
TEXT_SUFFIXES = frozenset(
    {"", ".md", ".mdx", ".mdc", ".markdown", ".txt", ".rst", ".adoc", ".json", ".jsonc", ".yaml"}
    | {".yml", ".j2", ".jinja", ".jinja2", ".prompt", ".prompty", ".tmpl", ".mustache", ".xml"}
)


def path(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Blocked where a path is odd, denied, not a component, or not a plain file on disk."""
    for file in change_set.files:
        if inputs.limits.regression_cases and _is_case(file):
            continue
        for reason in _faults(file, inputs.repo):
            return GateResult("G1", "blocked", f"{file.path}: {reason}")
    return GateResult("G1", "passed")


def _faults(file: FileChange, repo: ContextRepo) -> Iterator[str]:
    yield from _odd_name(file.path)
    if DENIED.search(file.path):
        yield "files of this kind are never edited"
    yield from _no_component(file, repo)
    yield from _odd_file(repo.root, file.path)
    folded = _folded(file.path)
    if any(_folded(other) == folded and other != file.path for other in repo.texts):
        yield "another file has the same name in other letters"


def _is_case(file: FileChange) -> bool:
    return file.operation == "CREATE" and CASE.fullmatch(file.path) is not None


def _odd_name(name: str) -> Iterator[str]:
    parts = name.split("/")
    if not name or name.startswith(("/", "~")) or PurePosixPath(name).is_absolute():
        yield "the path is not relative"
    if any(part in ("", ".", "..") for part in parts):
        yield "the path has an empty or dotted part"
    if FORBIDDEN.search(name) or unicodedata.normalize("NFC", name) != name:
        yield "the path has a character that not every system can hold"
    if any(RESERVED.match(part) or part.endswith((" ", ".")) for part in parts):
        yield "the path has a name that Windows reserves"


def _no_component(file: FileChange, repo: ContextRepo) -> Iterator[str]:
    component = repo.component(file.path)
    if component is not None:
        if component.type == "schema_hint":
            yield "it is evidence only and is never edited"
        if component.read_only is not None:
            yield f"it may not be edited: {component.read_only}"
    elif file.operation != "CREATE":
        yield "it is no component of the context repository"
    elif PurePosixPath(file.path).suffix.lower() not in TEXT_SUFFIXES:
        yield "a file of this type is not created"
    elif not _beside_a_component(file.path, repo):
        yield "no component of the context repository stands in this folder"


def _beside_a_component(path: str, repo: ContextRepo) -> bool:
    """A new file belongs where files of its kind stand already: below the same first folder."""
    first, _, rest = path.partition("/")
    if not rest:
        return any("/" not in component.path for component in repo.components)
    return any(
        component.path.startswith(f"{first}/") and component.type != "schema_hint"
        for component in repo.components
    )


def _odd_file(root: Path, name: str) -> Iterator[str]:
    """Looks at the checkout where there is one; symbolic links are not followed."""
    place, mode = root, stat.S_IFREG
    for part in PurePosixPath(name).parts:
        place = place / part
        try:
            mode = place.lstat().st_mode
        except (OSError, ValueError):
            return
        if stat.S_ISLNK(mode):
            yield "the path leads through a symbolic link"
            return
        if stat.S_ISDIR(mode) and (place / ".git").exists():
            yield "the path leads into another repository"
            return
    if not stat.S_ISREG(mode):
        yield "it is not a plain file"
    elif mode & stat.S_IXUSR:
        yield "it is executable"


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
