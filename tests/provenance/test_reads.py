"""Which file a call read, told from its words alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.provenance.reads import command_of, read_path, runs_sql, unnumbered


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("cat docs/a.md", "docs/a.md"),
        ("cat docs/a.md | head -5", "docs/a.md"),
        ("/bin/cat /srv/a.md; echo done", "/srv/a.md"),
        ("cd docs && cat policies/a.md", "docs/policies/a.md"),
        ("cd docs && cd policies && cat a.md", "docs/policies/a.md"),
        ("cd /srv && cat /etc/a.md", "/etc/a.md"),
        ("sed -n '1,20p' a.md", "a.md"),
        ("head -n 20 a.md", "a.md"),
        ("tail -n +5 a.md", "a.md"),
        ("cat 'my file.md'", "my file.md"),
        ("cat docs/größe@2,5.md;ls", "docs/größe@2,5.md"),
        ("bash -lc 'cat a.md'", "a.md"),
        ("str_replace_editor view /srv/a.md 1 20", "/srv/a.md"),
        ("cat a.md b.md", None),
        ("cat > a.md <<EOF\ntext\nEOF", None),
        ("cat a.md > b.md", None),
        ("sed -i s/a/b/ a.md", None),
        ("str_replace_editor create /srv/a.md", None),
        ("python a.py", None),
        ("ls docs", None),
        ("cat 'unclosed", None),
        ("cat", None),
        ("", None),
    ],
)
def test_a_shell_command_reads_one_file_or_none(command: str, path: str | None) -> None:
    assert read_path("Bash", {"command": command}) == path


@pytest.mark.parametrize(
    ("name", "asked", "path"),
    [
        ("Read", {"file_path": "a.md", "offset": 3}, "a.md"),
        ("read_file", {"path": "a.md"}, "a.md"),
        ("mcp__files__get", {"uri": "file:///srv/a.md"}, "file:///srv/a.md"),
        ("shell", {"command": ["bash", "-lc", "cat a.md"]}, "a.md"),
        ("shell", {"cmd": ["cat", "my file.md"]}, "my file.md"),
        ("terminal", "cat a.md", "a.md"),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a.md"}, "a.md"),
        ("str_replace_based_edit_tool", {"command": "str_replace", "path": "a.md"}, None),
        ("files", {"action": "read_file", "path": "a.md"}, "a.md"),
        ("Edit", {"file_path": "a.md", "old_string": "x"}, None),
        ("write_file", {"path": "a.md"}, None),
        ("apply_patch", {"path": "a.md"}, None),
        ("search", {"query": "a.md"}, None),
        ("Read", None, None),
        ("Read", ["a.md"], None),
    ],
)
def test_arguments_name_what_was_read(name: str, asked: Any, path: str | None) -> None:
    assert read_path(name, asked) == path


@pytest.mark.parametrize(
    ("numbered", "plain"),
    [
        ("     1→# Title\n     2→\n     3→Text", "# Title\n\nText"),
        ("1\tOne line", "One line"),
        ("  9|a\n 10|b\n 11|c", "a\nb\nc"),
        ("Here is a.md:\n     1\t# Title\n     2\tText\n", "# Title\nText"),
        ("12: a", "12: a"),
        ("1\ta\n1\tb", "1\ta\n1\tb"),
        ("1\ta\nb\n3\tc", "1\ta\nb\n3\tc"),
        ("1. First\n2. Second\n3. Third", "1. First\n2. Second\n3. Third"),
        ("", ""),
    ],
)
def test_line_numbers_go_where_every_line_has_one(numbered: str, plain: str) -> None:
    assert unnumbered(numbered) == plain


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])), min_size=1))
def test_what_a_tool_numbered_comes_back(lines: list[str]) -> None:
    numbered = "\n".join(f"{number:6}→{line}" for number, line in enumerate(lines, 1))
    assert unnumbered(numbered) == "\n".join(lines)


def test_a_client_of_a_database_runs_sql() -> None:
    assert runs_sql({"command": "cd /srv && psql -c 'select 1'"})
    assert not runs_sql({"command": "echo psql"})
    assert not runs_sql({"query": "select 1"})


@given(
    st.text(), st.text() | st.dictionaries(st.sampled_from(["command", "path", "cmd"]), st.text())
)
def test_any_words_are_read_or_passed_over(name: str, asked: Any) -> None:
    path = read_path(name, asked)
    assert path is None or isinstance(path, str)
    assert isinstance(command_of(asked), str) if isinstance(asked, dict) else True
    assert isinstance(unnumbered(name), str)
