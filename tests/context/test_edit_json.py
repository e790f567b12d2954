import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.edit import apply
from bot.context.edits.json_splice import (
    append_json_item,
    insert_json_member,
    replace_json_span,
    set_json_value,
)
from bot.context.edits.json_tree import Place, find, nodes, replaced, tree, value_of
from bot.errors import EditRefused

TOOLS = """\
[
  {
    "name": "find_refund", // looked up by id
    "description": "Limit is 1.50 \\u20ac, \\"up to\\" 30 days.\\nSee a\\/b.",
    "max": 1.0e2,
    "tags": ["a", "b"],
    "empty": {},
  },
]
"""


def after(text: str, builder: Any, *arguments: Any) -> str:
    changed = apply(builder("tools.json", text, *arguments), text)
    assert changed is not None
    return changed


def test_set_value_keeps_comments_commas_and_number_forms() -> None:
    changed = after(TOOLS, set_json_value, "/0/name", "find")
    assert changed == TOOLS.replace('"find_refund"', '"find"')
    changed = after(TOOLS, set_json_value, "/0/max", 99.5)
    assert changed == TOOLS.replace("1.0e2", "99.5")


def test_member_is_added_on_its_own_line_with_the_trailing_comma_of_the_file() -> None:
    changed = after(TOOLS, insert_json_member, "/0", "strict", True)
    assert changed == TOOLS.replace('"empty": {},', '"empty": {},\n    "strict": true,')


def test_item_is_added_on_the_line_of_its_neighbours() -> None:
    changed = after(TOOLS, append_json_item, "/0/tags", "c")
    assert changed == TOOLS.replace('["a", "b"]', '["a", "b", "c"]')


def test_first_member_of_an_empty_object_is_spread_as_the_file_is() -> None:
    changed = after(TOOLS, insert_json_member, "/0/empty", "k", [1])
    lines = '{\n      "k": [\n        1\n      ]\n    }'
    assert changed == TOOLS.replace('"empty": {}', f'"empty": {lines}')


def test_part_of_a_string_is_replaced_by_decoded_text_with_the_escapes_of_the_file() -> None:
    raw = 'Limit is 1.50 \\u20ac, \\"up to\\" 30 days.\\nSee'
    start = TOOLS.index(raw)
    changed = after(TOOLS, replace_json_span, start, start + len(raw), "Ask für 5\n£; see")
    written = '"Ask f\\u00fcr 5\\n\\u00a3; see a\\/b."'
    assert written in changed
    assert changed.replace(written, "") == TOOLS.replace(
        '"Limit is 1.50 \\u20ac, \\"up to\\" 30 days.\\nSee a\\/b."', ""
    )


def test_comment_behind_the_last_member_stays_on_its_line() -> None:
    text = '{\n\t"a": 1 // one\n}'
    assert after(text, insert_json_member, "", "b", 2) == '{\n\t"a": 1, // one\n\t"b": 2\n}'


def test_crlf_bom_and_missing_newline_are_kept() -> None:
    text = '\ufeff{\r\n    "a": {\r\n        "b": [1]\r\n    }\r\n}'
    changed = after(text, insert_json_member, "/a", "c", "ü")
    assert changed == text.replace("[1]", '[1],\r\n        "c": "ü"')


@pytest.mark.parametrize(
    ("text", "builder", "arguments", "says"),
    [
        ('{"a": 1, "a": 2}', set_json_value, ("/a", 3), "stands twice"),
        ('{"a": 1', set_json_value, ("/a", 3), "is missing"),
        ('{"a": nul}', set_json_value, ("/a", 3), "not JSON"),
        ('{"a": 1} x', set_json_value, ("/a", 3), "behind the JSON"),
        ('{"a": 1}', set_json_value, ("/b", 3), "there is no 'b'"),
        ('{"a": 1}', insert_json_member, ("", "a", 3), "stands there already"),
        ('{"a": 1}', append_json_item, ("", 3), "no array"),
        ('{"a": "x\\n"}', replace_json_span, (8, 9, "y"), "cuts an escape"),
        ('{"a": 12}', replace_json_span, (6, 8, "y"), "not JSON"),
        ('{"a": 1}', set_json_value, ("/a", 1), "change nothing"),
        ("[" * 400, append_json_item, ("", 3), "nested too deeply"),
    ],
)
def test_what_cannot_be_done_exactly_is_refused_with_file_and_cure(
    text: str, builder: Any, arguments: tuple[Any, ...], says: str
) -> None:
    with pytest.raises(EditRefused, match=r"^tools\.json.*\.$") as refused:
        builder("tools.json", text, *arguments)
    assert says in str(refused.value)


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-999, 999), st.text(max_size=8), st.just(1.5)
)
MODELS = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(
    model=MODELS,
    value=MODELS,
    indent=st.sampled_from([None, 2, 4, "\t"]),
    ascii_only=st.booleans(),
    data=st.data(),
)
def test_any_value_of_any_document_can_be_replaced_or_added_to(
    model: Any, value: Any, indent: Any, ascii_only: bool, data: st.DataObject
) -> None:
    text = json.dumps(model, indent=indent, ensure_ascii=ascii_only)
    place = Place("a.json", text)
    root = tree(place)
    assert value_of(root, text) == model
    pointer = data.draw(st.sampled_from([p for p, _ in nodes(root, text)]))
    old = value_of(find(place, root, pointer), text)
    keys = tuple(p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:])
    if isinstance(old, list):
        edit, wanted = append_json_item("a.json", text, pointer, value), [*old, value]
    elif isinstance(old, dict) and "new/~" not in old:
        edit = insert_json_member("a.json", text, pointer, "new/~", value)
        wanted = {**old, "new/~": value}
    elif json.dumps(old) != json.dumps(value):
        edit, wanted = set_json_value("a.json", text, pointer, value), value
    else:
        return
    assert json.loads(apply(edit, text) or "") == replaced(model, keys, wanted)


@given(
    content=st.text(max_size=30), new=st.text(max_size=20), ascii_only=st.booleans(), data=st.data()
)
def test_any_part_of_any_string_can_be_replaced_and_nothing_else_changes(
    content: str, new: str, ascii_only: bool, data: st.DataObject
) -> None:
    value = {"before": content, "k": [content, 1], "after": content}
    text = json.dumps(value, ensure_ascii=ascii_only)
    first = data.draw(st.integers(0, len(content)))
    last = data.draw(st.integers(first, len(content)))
    parts = (content[:first], content[first:last])
    head, part = (json.dumps(c, ensure_ascii=ascii_only)[1:-1] for c in parts)
    start = text.index('"k": ["') + len('"k": ["') + len(head)
    try:
        edit = replace_json_span("a.json", text, start, start + len(part), new)
    except EditRefused:
        assert content[first:last] == new
        return
    changed = content[:first] + new + content[last:]
    assert json.loads(apply(edit, text) or "") == {**value, "k": [changed, 1]}
