from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from bot.context.edit import apply
from bot.context.edits.yaml_splice import (
    insert_yaml_item,
    insert_yaml_member,
    replace_yaml_span,
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


@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        ("it''s", "that's: so", "that''s: so"),
        ("two\n  three", "2 3", "2 3"),
        ('\\"y\\"', '"w"', '\\"w\\"'),
        ("1.10", "1.20", "1.20"),
        ("tail", "the tail", "the tail"),
    ],
)
def test_a_span_is_written_as_the_text_around_it_needs_it(old: str, new: str, written: str) -> None:
    start = CONFIG.index(old)
    changed = after(CONFIG, replace_yaml_span, start, start + len(old), new)
    assert changed == CONFIG.replace(old, written, 1)


@given(
    new=st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" ")),
    quote=st.sampled_from(["'{}'", '"{}"', "{}"]),
)
def test_words_put_into_a_string_leave_all_else_as_it_was(new: str, quote: str) -> None:
    text = f"a: 1\nb:\n  - c: {quote.format('one old two')} # why\n    d: 2\n"
    start = text.index("old")
    try:
        changed = after(text, replace_yaml_span, start, start + 3, new)
    except EditRefused:
        assert new == "old"
        return
    read = YAML(typ="safe").load(changed)
    assert read == {"a": 1, "b": [{"c": read["b"][0]["c"], "d": 2}]}
    assert read["b"][0]["c"].split() == f"one {new} two".split()
