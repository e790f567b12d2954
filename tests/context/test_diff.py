"""Diffs are checked with git itself: it must take each one and arrive at the same bytes."""

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from unidiff import PatchSet

from bot.context.diff import patch_digest, unified_diff
from bot.records.change import FileChange

# Few letters, so that lines repeat and hunks need their context.
LINES = st.text(alphabet="ab \t\r\n\x0c\x85\u2028é\ufeff\\+-@", max_size=60)
TEXTS = st.one_of(st.none(), LINES, st.text(max_size=30).filter(lambda t: "\x00" not in t))
PATHS = (
    "plain.md",
    "with space/and more.md",
    "über/日本.md",
    'quote".md',
    "back\\slash.md",
    "tab\there.md",
    "new\nline.md",
    "a/b/c",
)


def git_apply(path: str, old: str | None, diff: str) -> bytes | None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        if old is not None:
            file.write_bytes(old.encode())
        patch = Path(folder, ".patch")
        patch.write_bytes(diff.encode())
        for mode in (["--check"], []):
            command = ["git", "apply", "--unsafe-paths", *mode, str(patch)]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr + diff
        return file.read_bytes() if file.exists() else None


@settings(max_examples=60, deadline=None)
@given(old=TEXTS, new=TEXTS, path=st.sampled_from(PATHS))
@example(old=None, new="", path="with space/and more.md")
@example(old="", new=None, path="über/日本.md")
@example(old="", new="x", path="plain.md")
@example(old="x\n", new="", path="plain.md")
@example(old="a\r\nb", new="\ufeffa\r\nb\n", path="plain.md")
def test_git_apply_arrives_at_the_new_bytes(old: str | None, new: str | None, path: str) -> None:
    diff = unified_diff(path, old, new)
    if old == new:
        assert diff == ""
        return
    assert git_apply(path, old, diff) == (None if new is None else new.encode())


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_distant_changes_make_separate_hunks_with_context(newline: str) -> None:
    old = newline.join(f"line {n}" for n in range(400)) + newline
    new = old.replace("line 20" + newline, "line twenty" + newline).replace("line 300", "line CCC")
    diff = unified_diff("a.md", old, new)
    assert diff.count("@@ -") == 2
    assert diff.count("\n-") == 2 + 1  # two lines and the header
    assert git_apply("a.md", old, diff) == new.encode()


def test_unidiff_reads_the_diff_back() -> None:
    diff = (
        unified_diff("a b.md", "one\ntwo\n", "one\n2\n")
        + unified_diff("n.md", None, "new\n")
        + unified_diff("gone.md", "old\n", None)
    )
    patch = PatchSet(diff)
    assert [(f.is_added_file, f.is_removed_file, f.added, f.removed) for f in patch] == [
        (False, False, 1, 1),
        (True, False, 1, 0),
        (False, True, 0, 1),
    ]


def change(path: str, old: str | None, new: str | None) -> FileChange:
    return FileChange(path, "UPDATE", unified_diff(path, old, new), None, new)


def test_patch_digest_ignores_line_numbers_and_order_only() -> None:
    moved = change("a.md", "z\n" * 9 + "one\n", "z\n" * 9 + "two\n")
    plain = change("a.md", "one\n", "two\n")
    other = change("b.md", "x\n", "y\n")
    assert patch_digest([plain, other]) == patch_digest([other, moved])
    for different in (
        change("a.md", "one\n", "two \n"),
        change("a.md", "one\n", "two"),
        change("c.md", "one\n", "two\n"),
    ):
        assert patch_digest([different, other]) != patch_digest([plain, other])


def test_patch_digest_keeps_lines_that_look_like_headers() -> None:
    dashes = change("a.md", "--- x\n+++ y\n", "+++ z\n")
    assert patch_digest([dashes]) != patch_digest([change("a.md", "--- x\n", "")])
