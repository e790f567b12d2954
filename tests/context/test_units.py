"""Every format is cut into units that stand verbatim where they say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.unit import Unit
from bot.context.units import cut
from context_repo_schema.component import Component, ComponentType


def units(path: str, text: str, kind: ComponentType = "kb_entry") -> list[Unit]:
    found = list(cut(Component(kind, path), text))
    assert all(text[u.start : u.end] == u.text for u in found)
    assert all(text.count("\n", 0, u.start) + 1 == u.line for u in found)
    return found


def test_markdown_has_sentences_rows_and_frontmatter() -> None:
    text = (
        "---\nowner: ops\nstatus: approved\n---\n# Fees\n\nAll amounts are gross. Ask first.\n\n"
        "## Devices\n\n| Device | Amount |\n|---|---|\n| Router | 120.00 |\n\n"
        "1. Check the scan,\n   then close. Tell the customer.\n"
    )

    found = units("kb/fees.md", text)

    assert [u.text for u in found if u.kind == "meta"] == ["owner: ops", "status: approved"]
    row = next(u for u in found if u.kind == "row")
    assert (row.key, row.reading) == ("Router", "Device: Router; Amount: 120.00")
    assert row.headings == ("Fees", "Devices")
    assert [u.reading for u in found if u.kind == "sentence"] == [
        "All amounts are gross.",
        "Ask first.",
        "Check the scan, then close.",
        "Tell the customer.",
    ]


def test_a_sentence_does_not_end_at_a_short_form_or_a_number() -> None:
    found = units(
        "kb/a.md", "Use a code, e.g. GW-1. Version 2.5 is out. 期限は三日です。次に進む。\n"
    )

    assert [u.text for u in found] == [
        "Use a code, e.g. GW-1.",
        "Version 2.5 is out.",
        "期限は三日です。",
        "次に進む。",
    ]


def test_tool_definitions_know_their_tool_and_parameter() -> None:
    text = json.dumps(
        [
            {
                "name": "book_visit",
                "description": "Book a visit. Ask for the day first.",
                "input_schema": {
                    "properties": {
                        "contact": {"type": "string", "description": "Optional; leave it empty."},
                        "kind": {"type": "string", "enum": ["fault", "move"]},
                    }
                },
                "schema_hints": {"visits": "Partitioned by day."},
            }
        ],
        indent=2,
    )

    found = units("tools/t.json", text, "tool_prompt")

    assert {u.tool for u in found} == {"book_visit"}
    by_parameter = {(u.parameter, u.text) for u in found}
    assert ("contact", "Optional; leave it empty.") in by_parameter
    assert ("visits", "Partitioned by day.") in by_parameter
    assert any(p == "kind" and t.startswith("[") for p, t in by_parameter)


def test_openapi_operations_are_tools_and_comments_stay_with_their_member() -> None:
    text = (
        "paths:\n  /keys:\n    get:\n      operationId: list_keys\n      summary: List the keys\n"
        "      description: Never returns a key itself.\n      parameters:\n"
        "        - name: scope\n          in: query\n          description: Only keys with it.\n"
        "          schema:\n            type: string\n            enum:\n"
        "              - labels:read\n              - labels:write   # since May\n"
    )

    found = units("tools/openapi.yaml", text, "tool_prompt")

    assert {u.tool for u in found} == {"list_keys"}
    assert any(u.parameter == "scope" and u.text == "Only keys with it." for u in found)
    assert any(u.text == "labels:write   # since May" for u in found)


@pytest.mark.parametrize(
    ("path", "text", "terms"),
    [
        ("map.json", '{"wifi": ["wlan", "wireless"]}', ("wifi", "wlan", "wireless")),
        ("map.json", '{"groups": [["key", "token"]]}', ("key", "token")),
        ("map.yml", "- term: train\n  also: [rail, bahn]\n", ("train", "rail", "bahn")),
        ("map.txt", "# note\ndead, no dial tone => outage\n", ("dead", "no dial tone", "outage")),
    ],
)
def test_synonym_maps_of_any_form_have_terms(path: str, text: str, terms: tuple[str, ...]) -> None:
    assert [u.terms for u in units(path, text, "synonym_map")] == [terms]


def test_sql_lines_know_their_table_and_column() -> None:
    text = "CREATE TABLE bw.invoices (\n  balance INTEGER NOT NULL, -- in cents\n);\n"

    column = next(u for u in units("database/s.sql", text, "schema_hint") if u.key)

    assert (column.headings, column.key) == (("invoices",), "balance")
    assert "in cents" in column.text


def test_csv_rows_are_named_by_the_header() -> None:
    row = units("database/c.csv", 'code,label\nP1,"Paper, invoice"\n', "schema_hint")[0]

    assert row.reading == "code: P1; label: Paper, invoice"


@given(
    st.text(alphabet=st.sampled_from("a B.|-#`~\n\r\t>1)*:\"'{}[],。\ufeff\u2028é"), max_size=300)
)
@pytest.mark.parametrize("path", ["a.md", "a.json", "a.yaml", "a.csv", "a.sql", "a.txt"])
def test_any_text_is_cut_without_an_error(path: str, text: str) -> None:
    for kind in ("kb_entry", "tool_prompt", "synonym_map", "schema_hint"):
        for unit in cut(Component(kind, path), text):
            assert text[unit.start : unit.end] == unit.text


def test_an_article_in_a_json_string_is_read_as_the_text_that_it_says() -> None:
    said = (
        '# Cards\n\nA lost card costs $10. Say “sorry” or "my bad".\n\n| Card | Fee |\n|--|--|\n'
        "| Gold \U0001f600 | 5 |\n"
    )
    text = json.dumps({"id": "a1", "title": "Lost cards", "content": said}, indent=1)

    found = units("kb/a1.json", text)

    sentence = next(u for u in found if "sorry" in u.text)
    assert sentence.said == 'Say “sorry” or "my bad".'
    assert sentence.reading == sentence.said
    assert sentence.text == json.dumps(sentence.said)[1:-1]
    assert sentence.headings == ("Lost cards", "Cards")
    row = next(u for u in found if u.kind == "row")
    assert (row.key, row.cells, row.header) == (
        "Gold \U0001f600",
        ("Gold \U0001f600", "5"),
        ("Card", "Fee"),
    )
    fee = next(u for u in found if "$10" in u.text)
    assert (fee.said, fee.decoded) == ("A lost card costs $10.", "")


def test_a_tool_description_of_several_lines_stays_the_tools() -> None:
    text = json.dumps(
        {"name": "pay", "description": "Pays.\n\n- amounts in cents", "parameters": {}}
    )

    found = units("tools/pay.json", text, "tool_prompt")

    assert [(u.tool, u.kind, u.said) for u in found] == [
        ("pay", "tool", "Pays."),
        ("pay", "tool", "amounts in cents"),
    ]


@given(st.text(max_size=60), st.booleans())
def test_escapes_are_undone_and_found_again(said: str, ascii_only: bool) -> None:
    text = json.dumps({"content": f"One two\n{said} three"}, ensure_ascii=ascii_only)

    for unit in cut(Component("kb_entry", "kb/x.json"), text):
        assert text[unit.start : unit.end] == unit.text
        assert unit.said in json.loads(text)["content"]
        assert json.loads(f'"{unit.text}"', strict=False) == unit.said
