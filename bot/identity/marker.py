"""The one line in a pull request's body that says what it holds, for the next run to read."""

from __future__ import annotations

import re

import msgspec

VERSION = 1
MAX_BYTES = 2048
ALLOWED = re.compile(r'[A-Za-z0-9 :,._"{}\[\]-]*')
LINE = re.compile(r"<!-- trace-bot:v(?P<version>[0-9]{1,4}) (?P<json>\{[^\n<>]*\}) -->")
TRAILER = re.compile(
    r"^Trace-Bot-(?P<key>Unit|Finding|Patch|Evidence-Count): (?P<value>[a-z0-9-]{1,64})$", re.M
)


class Marker(
    msgspec.Struct,
    frozen=True,
    rename={
        "unit": "u",
        "generation": "g",
        "findings": "f",
        "aliases": "a",
        "patch": "pd",
        "evidence": "ed",
        "count": "n",
        "head": "h",
        "base": "b",
        "title": "t",
        "labels": "l",
        "state": "s",
    },
):
    """What a pull request of ours holds: ids and hashes, no prose.

    `patch` and `evidence` are digests, `count` the number of sessions, `base` the commit that
    the diff was made on, `title` a hash of the title as we wrote it. `head` is empty until a
    later run has a reason to record it: the patch digest says what the branch must hold.
    """

    unit: str
    generation: int
    findings: tuple[str, ...]
    aliases: tuple[str, ...]
    patch: str
    evidence: str
    count: int
    head: str
    base: str
    title: str
    labels: tuple[str, ...]
    state: str


class UnknownVersion(msgspec.Struct, frozen=True):
    """A marker that a later release wrote: read, never touched."""

    version: int


def render(marker: Marker) -> str:
    """The marker as one HTML comment of at most 2 KiB; aliases give way to the limit first."""
    shown = msgspec.structs.replace(
        marker, labels=tuple(label for label in marker.labels if _allowed(label))
    )
    while True:
        text = f"<!-- trace-bot:v{VERSION} {msgspec.json.encode(shown).decode()} -->"
        if len(text) <= MAX_BYTES or not shown.aliases:
            return text
        shown = msgspec.structs.replace(shown, aliases=shown.aliases[1:])


def parse(text: str) -> Marker | UnknownVersion | None:
    """The last marker in a text. None where there is none that can be read."""
    found = list(LINE.finditer(text))
    if not found:
        return None
    version, payload = int(found[-1]["version"]), found[-1]["json"]
    if version != VERSION:
        return UnknownVersion(version)
    if not _allowed(payload) or len(found[-1][0]) > MAX_BYTES:
        return None
    try:
        return msgspec.json.decode(payload, type=Marker)
    except msgspec.DecodeError:
        return None


def from_trailers(message: str) -> Marker | None:
    """The marker as far as a commit message of ours can rebuild it, or None."""
    values: dict[str, list[str]] = {}
    for match in TRAILER.finditer(message):
        values.setdefault(match["key"], []).append(match["value"])
    if {"Unit", "Finding", "Patch"} - values.keys():
        return None
    count = values.get("Evidence-Count", ["0"])[0]
    return Marker(
        unit=values["Unit"][0],
        generation=1,
        findings=tuple(values["Finding"]),
        aliases=(),
        patch=values["Patch"][0],
        evidence="",
        count=int(count) if count.isdigit() else 0,
        head="",
        base="",
        title="",
        labels=(),
        state="managed",
    )


def _allowed(text: str) -> bool:
    return ALLOWED.fullmatch(text) is not None and "--" not in text
