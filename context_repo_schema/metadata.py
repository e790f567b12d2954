"""Owner, status, dates and supersession of a file, from its frontmatter or its head and foot."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from context_repo_schema.frontmatter import Frontmatter, frontmatter

HEAD_LINES, FOOT_LINES = 30, 12
LONGEST_LINE = 200
FENCE = re.compile(r"\s*(`{3,}|~{3,})")
TABLE_RULE = frozenset("|:- \t")
NOTHING = ("", "null", "none", "~", "-", "n/a")
# `**Owner:** Group Travel`, `- Owner: x`, `> _Status_: draft`, `| Owner | x |`, `*Stand:* 2026`
LABELLED = re.compile(
    r"^[\s>*_|-]*(?P<label>[^\W\d][^:：|*_\n]{1,28})[\s*_]*(?:[:：]|\|)[\s*_]*(?P<value>[^\n]*?)[\s|*_]*$"
)


def metadata(text: str) -> dict[str, Any]:
    """What the file says about itself.

    The frontmatter's own keys as they stand, and beside them the keys of the contract (`owner`,
    `status`, `approved_by`, `effective_date`, `last_updated`, `version`, `supersedes`,
    `superseded_by`, `authority`) under their one name. Where frontmatter and body disagree the
    frontmatter counts.
    """
    block = frontmatter(text)
    own = dict(block.meta) if block else {}
    return {**own, **_from_lines(_body(text, block)), **normalised(own)}


def normalised(meta: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of the contract that a mapping holds, also one level down under `metadata`."""
    found: dict[str, Any] = _open_knowledge(meta)
    nested = meta.get("metadata")
    for source in (nested if isinstance(nested, Mapping) else {}, meta):
        for key, value in source.items():
            name = _key_of(str(key))
            exact = name == key
            if name and not _empty(value) and (exact or name not in source):
                found[name] = value
    return found


def _from_lines(body: str) -> dict[str, str]:
    found: dict[str, str] = {}
    lines = list(_prose(body))
    for line in [*lines[:HEAD_LINES], *lines[HEAD_LINES:][-FOOT_LINES:]]:
        match = LABELLED.match(line)
        name = _key_of(match["label"]) if match else None
        if match and name and not _empty(match["value"]) and "|" not in match["value"]:
            found.setdefault(name, match["value"])
    return found


def _prose(body: str) -> Iterator[str]:
    """The lines that are not blank, not in a fence, no table head, and short enough for a label."""
    lines = [line for line in body.splitlines() if line.strip()]
    fence = ""
    for line, after in pairwise([*lines, ""]):
        mark = FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence and not _is_table_rule(after) and len(line) <= LONGEST_LINE:
            yield line


def _is_table_rule(line: str) -> bool:
    return "|" in line and "-" in line and TABLE_RULE.issuperset(line)


def _body(text: str, block: Frontmatter | None) -> str:
    return text[block.end :] if block else text


def _open_knowledge(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Open Knowledge Format says who and when in `generated` and in the list `verified`."""
    generated, verified = meta.get("generated"), meta.get("verified")
    found: dict[str, Any] = {}
    if isinstance(generated, Mapping) and "at" in generated:
        found["last_updated"] = generated["at"]
    if isinstance(verified, list) and verified and isinstance(verified[-1], Mapping):
        found["approved_by"] = verified[-1].get("by")
    return {key: value for key, value in found.items() if not _empty(value)}


def _key_of(label: str) -> str | None:
    """The key of the contract that a label means; `Last Updated Date` is `last_updated`."""
    folded = _folded(label)
    return _labels().get(folded) or _labels().get(folded.removesuffix(" date"))


def _folded(label: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label)
    return " ".join(re.sub(r"[_\-]", " ", spaced).casefold().split())


def _empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip().casefold() in NOTHING)


@cache
def _labels() -> Mapping[str, str]:
    """Label to key; a data file, so that another language is a line of data."""
    place = resources.files("context_repo_schema") / "metadata_labels.toml"
    keys = tomllib.loads(place.read_text("utf-8"))
    return {_folded(label): key for key, labels in keys.items() for label in (key, *labels)}
