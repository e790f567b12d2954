"""Unified diffs that `git apply` takes byte for byte, file changes, and the digest of a patch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from bot.records.change import FileChange, FileOperation

_CONTEXT = 3
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def unified_diff(path: str, old: str | None, new: str | None) -> str:
    """The diff of one file as git writes it; None stands for no file, "" is no change.

    Lines end at `\\n` alone, so that CRLF, form feeds and a missing last newline survive.
    """
    if old == new:
        return ""
    before, after = quoted(f"a/{path}"), quoted(f"b/{path}")
    head = f"diff --git {before} {after}\n"
    if old is None:
        head += "new file mode 100644\n"
        before = "/dev/null"
    elif new is None:
        head += "deleted file mode 100644\n"
        after = "/dev/null"
    hunks = "".join(_hunks(_lines(old or ""), _lines(new or "")))
    if not hunks:
        # An empty file has no hunk; git wants the blob ids in its place.
        return head + ("index 0000000..e69de29\n" if old is None else "index e69de29..0000000\n")
    return f"{head}--- {before}{_tab(before)}\n+++ {after}{_tab(after)}\n{hunks}"


def file_change(path: str, old: str | None, new: str | None) -> FileChange:
    """The step from one text to the other as a record; None stands for no file."""
    operation: FileOperation = "CREATE" if old is None else "DELETE" if new is None else "UPDATE"
    return FileChange(path, operation, unified_diff(path, old, new), blob_sha(old), new)


def blob_sha(text: str | None) -> str | None:
    """The id that git gives a file of this content (SHA-1 repositories); None for no file."""
    if text is None:
        return None
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def patch_digest(files: Iterable[FileChange]) -> str:
    """SHA-256 over the files by path: operation, path, added and removed lines, no line numbers.

    Equal if and only if the same lines come and go. Git may align the same change otherwise: to
    compare with a branch, make its diff with `unified_diff` from both texts.
    """
    changes = [
        [file.operation, file.path, list(_changed(file.diff))]
        for file in sorted(files, key=lambda file: file.path)
    ]
    canonical = json.dumps(changes, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def quoted(path: str) -> str:
    """A path as git quotes it: in double quotes with octal bytes where it is not plain ASCII."""
    data = path.encode("utf-8", "surrogatepass")
    if all(32 <= byte < 127 and byte not in b'"\\' for byte in data):
        return path
    return '"' + "".join(_escaped(byte) for byte in data) + '"'


def _escaped(byte: int) -> str:
    if byte in _ESCAPES:
        return "\\" + _ESCAPES[byte]
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _tab(name: str) -> str:
    """Git ends an unquoted name that holds a blank with a tab, or it would read a date there."""
    return "\t" if " " in name and not name.startswith('"') else ""


def _lines(text: str) -> list[str]:
    """The lines with their newline; the last one may have none."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    # Only the part between the common ends is compared, since difflib is quadratic at worst.
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    skip = max(0, head - _CONTEXT)
    a = old[skip : min(len(old), len(old) - tail + _CONTEXT)]
    b = new[skip : min(len(new), len(new) - tail + _CONTEXT)]
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1] + skip, last[2] + skip)}"
        yield f" +{_range(first[3] + skip, last[4] + skip)} @@\n"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (_line(" ", line) for line in a[i1:i2])
                continue
            yield from (_line("-", line) for line in a[i1:i2])
            yield from (_line("+", line) for line in b[j1:j2])


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many lines both begin with."""
    return next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def _range(start: int, end: int) -> str:
    count = end - start
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _line(mark: str, line: str) -> str:
    return mark + line if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"


def _changed(diff: str) -> Iterator[str]:
    """The added and removed lines of a diff, each with its mark, and the missing-newline mark."""
    inside = False
    for line in diff.split("\n"):
        inside = inside or line.startswith("@@ ")
        if inside and line[:1] in ("+", "-", "\\"):
            yield line
