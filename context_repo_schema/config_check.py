"""Compares a YAML tree with the configuration's types, key by key, so that nothing stops early."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from pathspec import GitIgnoreSpec
from rapidfuzz import process
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from context_repo_schema.config import Config, Glob
from context_repo_schema.yaml_text import line_of, repeated_keys, typed_value

CLOSE_ENOUGH = 60  # of 100, by rapidfuzz: a looser suggestion only confuses
LONGEST_SHOWN = 60
# `git check-ref-format`, without asking git for each name.
BAD_REF = re.compile(r"\.\.|//|@\{|[\x00-\x20~^:?*\[\\\x7f]|(^|/)[.-]|\.lock(/|$)|^/|[/.]$|^@$|^$")


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong with the value at a key path."""

    line: int
    key: str
    code: str
    message: str
    cure: str


def checked(root: Node | None) -> tuple[Any, tuple[Finding, ...]]:
    """The tree as plain values for `Config`, without empty keys, and everything wrong with it."""
    if root is None or root.tag == "tag:yaml.org,2002:null":
        return {}, ()
    findings = [
        Finding(line, key, "config-repeated-key", "this key stands twice", "keep one of the two")
        for line, key in repeated_keys(root)
    ]
    value = _walk(root, Config, "", findings)
    return value, tuple(sorted(findings, key=lambda finding: finding.line))


def _walk(node: Node, kind: Any, path: str, findings: list[Finding]) -> Any:
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    origin = get_origin(bare)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return _struct(node, bare, path, findings)
    if origin is tuple and isinstance(node, SequenceNode):
        item = get_args(bare)[0]
        return [
            _walk(entry, item, f"{path}[{index}]", findings)
            for index, entry in enumerate(node.value)
        ]
    if origin is dict and isinstance(node, MappingNode):
        return _mapping(node, get_args(bare), path, findings)
    return _leaf(node, kind, path, findings)


def _struct(
    node: Node, kind: type[msgspec.Struct], path: str, findings: list[Finding]
) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    found: dict[str, Any] = {}
    if not isinstance(node, MappingNode):
        cure = f"its keys are {', '.join(hints)}"
        findings.append(_wrong(node, path, "expected keys with values", cure))
        return found
    for key, value in node.value:
        name = str(key.value)
        if name not in hints:
            findings.append(_unknown(key, value, path, tuple(hints)))
        elif value.tag != "tag:yaml.org,2002:null":
            found[name] = _walk(value, hints[name], _join(path, name), findings)
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in found:
            key, cure = _join(path, field.name), f"write `{field.name}:` with a value"
            message = "this key is missing"
            findings.append(Finding(line_of(node), key, "config-missing-key", message, cure))
    return found


def _mapping(
    node: MappingNode, kinds: tuple[Any, ...], path: str, findings: list[Finding]
) -> dict[str, Any]:
    names = get_args(kinds[0]) if get_origin(kinds[0]) is Literal else ()
    found: dict[str, Any] = {}
    for key, value in node.value:
        name = str(key.value)
        if names and name not in names:
            findings.append(_unknown(key, value, path, names))
        elif kinds[0] == Glob and (reason := _glob_problem(name)):
            findings.append(_wrong(key, _join(path, name), *reason))
        else:
            found[name] = _walk(value, kinds[1], _join(path, name), findings)
    return found


def _leaf(node: Node, kind: Any, path: str, findings: list[Finding]) -> Any:
    value = typed_value(node)
    try:
        converted = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        shown = repr(value)
        given = shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 1] + "…"
        told = f"{given} is not one of its values" if get_origin(kind) is Literal else ""
        message = told or f"{error}, but it is {given}"
        findings.append(_wrong(node, path, message, _cure(kind, value, path)))
        return None
    check = _glob_problem if kind == Glob else CHECKS.get(re.sub(r"\[\d+\]$", "", path))
    reason = check(converted) if check and isinstance(converted, str) else None
    if reason:
        findings.append(_wrong(node, path, *reason))
    return value


def _unknown(key: Node, value: Node, path: str, valid: tuple[str, ...]) -> Finding:
    name = str(key.value)
    elsewhere = [known for known in _key_paths(Config) if known.split(".")[-1] == name]
    nearest = process.extractOne(name, valid, score_cutoff=CLOSE_ENOUGH)
    inner = [str(k.value) for k, _ in value.value] if isinstance(value, MappingNode) else []
    raised = [known for known in inner if known in get_type_hints(Config)]
    if elsewhere:
        cure = f"did you mean `{elsewhere[0]}`?"
    elif raised and not path:
        cure = f"write {', '.join(raised)} at the top level"
    elif nearest:
        cure = f"did you mean `{nearest[0]}`?"
    else:
        cure = f"remove it; the keys here are {', '.join(sorted(valid))}"
    return Finding(line_of(key), _join(path, name), "config-unknown-key", "unknown key", cure)


def _key_paths(kind: type[msgspec.Struct], path: str = "") -> Iterator[str]:
    for name, hint in get_type_hints(kind).items():
        yield _join(path, name)
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            yield from _key_paths(hint, _join(path, name))


def _cure(kind: Any, value: Any, path: str) -> str:
    if get_origin(kind) is Literal:
        near = process.extractOne(str(value), get_args(kind), score_cutoff=CLOSE_ENOUGH)
        names = ", ".join(get_args(kind))
        return f"did you mean `{near[0]}`? It takes {names}" if near else f"it takes {names}"
    if get_origin(kind) is tuple:
        return "write a list: [first, second]"
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if bare is str:
        return "write a text; in quotes where it looks like a number"
    default = _default(path)
    return f"for example `{path}: {default}`, the default" if default is not None else "mend it"


def _default(path: str) -> Any:
    value: Any = Config()
    for name in path.split("."):
        value = getattr(value, name, None)
    return str(value).lower() if isinstance(value, bool) else value


def _glob_problem(glob: str) -> tuple[str, str] | None:
    if "{" in glob:
        return f"`{glob}` has braces", "gitignore style has none; write each pattern out"
    try:
        patterns = GitIgnoreSpec.from_lines([glob]).patterns
    except (ValueError, re.error) as error:
        return f"`{glob}` is no pattern: {error}", "use gitignore style, such as docs/**/*.md"
    if not patterns or any(pattern.include is None for pattern in patterns):
        return f"`{glob}` matches nothing", "use gitignore style, such as docs/**/*.md"
    return None


def _ref_problem(name: str) -> tuple[str, str] | None:
    if BAD_REF.search(name):
        return f"git allows no branch named `{name}`", "use letters, digits, `-` and `/`"
    return None


def _folder_problem(name: str) -> tuple[str, str] | None:
    if not name or not name.isprintable():
        return "it is no folder's name", "name a folder relative to the top, or `.` for all"
    return None


CHECKS: Mapping[str, Callable[[str], tuple[str, str] | None]] = {
    "branch_prefix": _ref_problem,
    "base_branch": _ref_problem,
    "roots": _folder_problem,
}


def _wrong(node: Node, key: str, message: str, cure: str) -> Finding:
    return Finding(line_of(node), key, "config-wrong-value", message, cure)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
