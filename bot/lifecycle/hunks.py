"""Changed places of a file, known by their lines and not by line numbers, which shift.

They tell whether two patches are about the same place, whether a text has a patch already or has
lost it again, and they carry a patch over to a text that has changed around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

# A shorter line (a brace, a rule, a bullet) says nothing about where it stands.
TELLING = 4


class Hunk(msgspec.Struct, frozen=True):
    """Consecutive lines that go and those that come in their place, with one line around them.

    `before` and `after` are None at the ends of the file, and where the diff does not show them.
    """

    path: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    before: str | None
    after: str | None


def hunks(path: str, diff: str) -> tuple[Hunk, ...]:
    """The changed places in one file's unified diff, with or without its header."""
    found: list[Hunk] = []
    for group in _groups(diff):
        at = 0
        while at < len(group):
            if group[at][0] == " ":
                at += 1
                continue
            end = next((n for n in range(at, len(group)) if group[n][0] == " "), len(group))
            rows = group[at:end]
            found.append(
                Hunk(
                    path,
                    tuple(row[1:] for row in rows if row[0] == "-"),
                    tuple(row[1:] for row in rows if row[0] == "+"),
                    group[at - 1][1:] if at else None,
                    group[end][1:] if end < len(group) else None,
                )
            )
            at = end
    return tuple(found)


def overlap(ours: Iterable[Hunk], theirs: Iterable[Hunk]) -> bool:
    """Whether two patches are about the same place: they replace the same line, or add at one."""
    known = tuple(theirs)
    return any(_meet(mine, other) for mine in ours for other in known)


def reapplied(text: str, patch: Sequence[Hunk]) -> str | None:
    """The text with the patch; None where a place is not there, or there more than once."""
    lines = text.split("\n")
    for hunk in reversed(patch):
        place = _place(lines, hunk)
        if place is None:
            return None
        lines[place : place + len(hunk.removed)] = hunk.added
    return "\n".join(lines)


def holds(text: str, patch: Sequence[Hunk]) -> bool:
    """Whether the text is as the patch would have it already."""
    lines = text.split("\n")
    return bool(patch) and all(_stands(lines, hunk.removed, hunk.added, hunk) for hunk in patch)


def undone(text: str, patch: Sequence[Hunk]) -> bool:
    """Whether the text is as it was before the patch, in every place."""
    lines = text.split("\n")
    return bool(patch) and all(_stands(lines, hunk.added, hunk.removed, hunk) for hunk in patch)


def _groups(diff: str) -> Iterator[list[str]]:
    """The rows of each `@@` group, context lines with a blank in front."""
    group: list[str] | None = None
    for row in diff.removesuffix("\n").split("\n"):
        if row.startswith("@@"):
            if group:
                yield group
            group = []
        elif group is not None and not row.startswith("\\"):
            group.append(row or " ")
    if group:
        yield group


def _meet(one: Hunk, other: Hunk) -> bool:
    if one.path != other.path:
        return False
    if one.removed and other.removed:
        return any(len(row.strip()) >= TELLING for row in {*one.removed} & {*other.removed})
    return not (one.removed or other.removed) and _around(one) == _around(other)


def _around(hunk: Hunk) -> tuple[str | None, str | None]:
    return hunk.before, hunk.after


def _place(lines: Sequence[str], hunk: Hunk) -> int | None:
    """Where the hunk begins, if there is one such place only."""
    if hunk.removed:
        return _only(list(_starts(lines, hunk.removed)))
    if hunk.before is not None and hunk.after is not None:
        both = _only([at + 1 for at in _starts(lines, (hunk.before, hunk.after))])
        if both is not None:
            return both
    if hunk.before is not None:
        after = _only([at + 1 for at in _starts(lines, (hunk.before,))])
        if after is not None:
            return after
    return _only(list(_starts(lines, (hunk.after,)))) if hunk.after is not None else None


def _stands(lines: Sequence[str], gone: tuple[str, ...], here: tuple[str, ...], at: Hunk) -> bool:
    """Whether `here` stands in the lines and `gone` does not; of nothing, its neighbours meet."""
    if here:
        return _first(lines, here) and not _lost(lines, gone, here)
    around = tuple(row for row in _around(at) if row is not None)
    return not _first(lines, gone) and _first(lines, around)


def _first(lines: Sequence[str], block: tuple[str, ...]) -> bool:
    return next(_starts(lines, block), None) is not None


def _lost(lines: Sequence[str], gone: tuple[str, ...], here: tuple[str, ...]) -> bool:
    """Whether `gone` still stands apart from where it is a part of `here`."""
    return _first(lines, gone) and not any(
        here[n : n + len(gone)] == gone for n in range(len(here) - len(gone) + 1)
    )


def _starts(lines: Sequence[str], block: tuple[str, ...]) -> Iterator[int]:
    width = len(block)
    return (
        n for n in range(len(lines) - width + 1) if width and tuple(lines[n : n + width]) == block
    )


def _only(places: Sequence[int]) -> int | None:
    return places[0] if len(places) == 1 else None
