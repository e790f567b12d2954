from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from bot.context.edit import apply
from bot.context.edits.frontmatter import set_frontmatter
from bot.context.edits.yaml_splice import (
    insert_yaml_item,
    insert_yaml_member,
    replace_in_yaml_string,
    set_yaml_value,
)
from bot.errors import EditRefused

CONFIG = """\
# head
name: 'it''s'   # tail
version: 1.10
on: yes
empty:
folded: >-
  one two
  three four

literal: |
  first
  second

# before list
list:
- a
-   b: 1
    c: "x: \\"y\\""
flow: {k: 1, l: [p, q]}
models:
  - name: orders
    columns:
      - name: id

  - name: users
"""


def after(text: str, builder: Any, *arguments: Any) -> str:
    changed = apply(builder("a.yaml", text, *arguments), text)
    assert changed is not None
    return changed


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("builder", "arguments", "old", "new"),
    [
        (set_yaml_value, ("/name", "that's"), "'it''s'", "'that''s'"),
        (set_yaml_value, ("/version", "1.20"), "1.10", "1.20"),
        (set_yaml_value, ("/on", "no"), "on: yes", "on: no"),
        (set_yaml_value, ("/empty", "full"), "empty:", "empty: full"),
        (set_yaml_value, ("/list/0", "true"), "- a", "- 'true'"),
        (set_yaml_value, ("/list/0", 5), "- a", "- 5"),
        (set_yaml_value, ("/list/1/c", "z"), '"x: \\"y\\""', '"z"'),
        (set_yaml_value, ("/flow/l/0", "r, s"), "[p,", "['r, s',"),
        (set_yaml_value, ("/literal", "one\n\ntwo"), "  first\n  second", "  one\n\n  two"),
        (replace_in_yaml_string, ("/folded", "two three", "2 3"), "two\n  three", "2 3"),
        (replace_in_yaml_string, ("/literal", "second", "2nd\n3rd"), "second", "2nd\n  3rd"),
        (replace_in_yaml_string, ("/list/1/c", '"y"', '"w"'), '\\"y\\"', '\\"w\\"'),
        (insert_yaml_item, ("/list", "z # z"), 'y\\""\n', 'y\\""\n-   "z # z"\n'),
        (
            insert_yaml_item,
            ("/list", {"d": 1, "e": [2]}),
            'y\\""\n',
            'y\\""\n-   d: 1\n    e:\n    - 2\n',
        ),
        (insert_yaml_item, ("/flow/l", "r"), "[p, q]", '[p, q, "r"]'),
        (insert_yaml_item, ("/models/0/columns", {"name": "at"}), "id\n", "id\n      - name: at\n"),
        (insert_yaml_member, ("/flow", "m", 2), "q]}", "q], m: 2}"),
        (insert_yaml_member, ("/models/0", "tags", "a b"), "id\n", "id\n    tags: a b\n"),
        (insert_yaml_member, ("", "last", "l1\nl2\n"), "users\n", "users\nlast: |\n  l1\n  l2\n"),
    ],
)
def test_only_the_value_changes(
    builder: Any, arguments: tuple[Any, ...], old: str, new: str, bom: str, newline: str
) -> None:
    text = bom + CONFIG.replace("\n", newline)
    old, new = old.replace("\n", newline), new.replace("\n", newline)
    assert after(text, builder, *arguments) == text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "builder", "arguments", "says"),
    [
        ("a: 1\na: 2\n", set_yaml_value, ("/a", 3), "stands twice"),
        ("a: [\n", set_yaml_value, ("/a", 3), "correct it first"),
        ("a: &x 1\nb: *x\n", set_yaml_value, ("/a", 3), "anchor"),
        ("", set_yaml_value, ("/a", 3), "no YAML value"),
        ("a: {}\n", set_yaml_value, ("/a", 3), "no single value"),
        ("a: 1\n", insert_yaml_member, ("", "a", 3), "stands there already"),
        ("a: 1\n", insert_yaml_item, ("/a", 3), "no list"),
        ("a: x x\n", replace_in_yaml_string, ("/a", "x", "y"), "occurs 2 times"),
        ("a: one two\n", replace_in_yaml_string, ("/a", "two", "x: y # z"), "read back"),
        ("a: 1\n---\nb: 2\n", set_yaml_value, ("/a", 3), "document"),
    ],
)
def test_what_cannot_be_done_exactly_is_refused(
    text: str, builder: Any, arguments: tuple[Any, ...], says: str
) -> None:
    with pytest.raises(EditRefused, match=r"^a\.yaml") as refused:
        builder("a.yaml", text, *arguments)
    assert says in str(refused.value)


@given(value=st.text(max_size=20), quote=st.sampled_from(["'old'", '"old"', "old"]))
def test_any_text_set_as_a_value_reads_back_as_a_string(value: str, quote: str) -> None:
    text = f"a: 1\nb:\n  - c: {quote} # why\n    d: 2\n"
    try:
        changed = after(text, set_yaml_value, "/b/0/c", value)
    except EditRefused:
        assert value == "old" or not value.isprintable()  # YAML has no form for some controls
        return
    assert YAML(typ="safe").load(changed) == {"a": 1, "b": [{"c": value, "d": 2}]}
    assert changed.startswith("a: 1\nb:\n  - c: ")
    assert changed.endswith(" # why\n    d: 2\n")


DOCUMENT = "\ufeff---\r\ntitle: A\r\nversion: 1.2 # bump\r\ndate: 2026-01-01\r\n---\r\nBody\r\n"


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("version", "1.3", "1.2", "1.3"),
        ("date", "2026-12-01", "2026-01-01", "2026-12-01"),
        ("owner", "a: b", "01-01\r\n", '01-01\r\nowner: "a: b"\r\n'),
        ("until", date(2027, 1, 31), "01-01\r\n", "01-01\r\nuntil: 2027-01-31\r\n"),
        ("until", "2027-01-31", "01-01\r\n", '01-01\r\nuntil: "2027-01-31"\r\n'),
    ],
)
def test_frontmatter_key_is_set_or_added(key: str, value: Any, old: str, new: str) -> None:
    assert after(DOCUMENT, set_frontmatter, key, value) == DOCUMENT.replace(old, new)


def test_frontmatter_that_is_no_yaml_is_edited_by_line() -> None:
    text = "---\nglobs: **/*.ts\nalwaysApply: false\n---\nBody"
    assert after(text, set_frontmatter, "globs", "**/*.py") == text.replace(".ts", ".py")
    with pytest.raises(EditRefused, match="correct it"):
        set_frontmatter("a.md", text, "absent", "x")


def test_empty_frontmatter_takes_its_first_key() -> None:
    assert after("---\n---\nBody\n", set_frontmatter, "a", "b") == "---\na: b\n---\nBody\n"


@pytest.mark.parametrize("text", ["Body\n", "---\na: b\n", ""])
def test_file_without_a_closed_block_is_refused(text: str) -> None:
    with pytest.raises(EditRefused, match="no frontmatter"):
        set_frontmatter("a.md", text, "a", "c")
