"""Exact edits: text in, text out, and no byte outside the edited span changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bot.errors import EditRefused
from bot.records.change import Edit


def apply(edit: Edit, text: str | None) -> str | None:
    """The file's new text, where None stands for no file.

    Raises `EditRefused` where the file stands that is to be created, where the one to change or
    remove is absent, and where the old text does not occur exactly once.
    """
    match edit.operation:
        case "CREATE":
            return _created(edit, text)
        case "DELETE":
            if text is None:
                raise EditRefused(f"{edit.path}: there is no such file to delete; drop the edit.")
            if edit.old is not None:
                raise EditRefused(
                    f"{edit.path}: a DELETE removes the whole file and takes no old text; "
                    "use UPDATE with an empty new text to remove a part."
                )
            return None
        case "UPDATE":
            return _updated(edit, text)


def apply_all(edits: Iterable[Edit], texts: Mapping[str, str]) -> dict[str, str | None]:
    """The new text of every path the edits touch, each edit seeing what those before it left.

    None means that the file is gone. Raises `EditRefused` at the first edit that does not fit.
    """
    changed: dict[str, str | None] = {}
    for edit in edits:
        before = changed[edit.path] if edit.path in changed else texts.get(edit.path)
        changed[edit.path] = apply(edit, before)
    return changed


def replace_span(path: str, text: str, start: int, end: int, new: str) -> Edit:
    """An edit that puts `new` in the place of `text[start:end]` (an insertion where empty).

    The old text is widened by neighbouring words, then lines, just until it occurs once. Raises
    `EditRefused` where nothing would change.
    """
    if text[start:end] == new:
        raise EditRefused(f"{path}: the edit would change nothing; drop it.")
    for left, right in _widened(text, start, end):
        if _is_unique(text[left:right], text):
            edit = Edit(path, "UPDATE", text[left:start] + new + text[end:right], text[left:right])
            if apply(edit, text) == text[:start] + new + text[end:]:
                return edit
    raise EditRefused(f"{path}: no text around the place occurs only once; edit the file by hand.")


def occurrences(old: str, text: str) -> int:
    """How often `old` stands in `text`, overlaps included; an empty one only in an empty text."""
    if not old:
        return int(not text)
    count = at = 0
    while (at := text.find(old, at) + 1) > 0:
        count += 1
    return count


def _created(edit: Edit, text: str | None) -> str:
    if text is not None:
        raise EditRefused(f"{edit.path}: the file already stands; use UPDATE to change it.")
    if edit.new is None or edit.old is not None:
        raise EditRefused(f"{edit.path}: a CREATE needs the new text and no old text.")
    return edit.new


def _updated(edit: Edit, text: str | None) -> str:
    if text is None:
        raise EditRefused(f"{edit.path}: there is no such file to update; use CREATE.")
    if edit.old is None or edit.new is None:
        raise EditRefused(f"{edit.path}: an UPDATE needs both the old and the new text.")
    count = occurrences(edit.old, text)
    if count != 1:
        cure = "quote it exactly as the file has it" if not count else "quote more around it"
        raise EditRefused(f"{edit.path}: the old text occurs {count} times, not once; {cure}.")
    return text.replace(edit.old, edit.new, 1)


def _is_unique(old: str, text: str) -> bool:
    if not old:
        return not text
    first = text.find(old)
    return text.find(old, first + 1) < 0


def _widened(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Ever wider spans: the place alone, word by word to the ends of its lines, then by lines."""
    left, right = start, end
    yield left, right
    line_start, line_end = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    while left > line_start or right < line_end:
        left = max(line_start, text.rfind(" ", line_start, max(left - 1, line_start)) + 1)
        yield left, right
        blank = text.find(" ", right + 1, line_end)
        right = line_end if blank < 0 else blank
        yield left, right
    step = 1
    while left > 0 or right < len(text):
        for _ in range(step):
            left = text.rfind("\n", 0, max(left - 1, 0)) + 1
            right = _line_end(text, right)
        yield left, right
        step *= 2


def _line_end(text: str, at: int) -> int:
    """Behind the newline that ends the line at `at`; behind the next one where it just ended."""
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1
