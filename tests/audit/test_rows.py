"""The same row of two tables."""

from __future__ import annotations

from tests.audit.conftest import Audited

RULES = """---
authority: policy
---
# Pressure limits

| Vessel | Highest pressure |
| --- | --- |
| Autoclave Bertha | 9.8 bar |
| Digester Klara | 4.0 bar |
"""
SHEET = """# Pressure limits at the panel

| Vessel | Pressure | Inspected every |
| --- | --- | --- |
| Autoclave Bertha | 11.2 bar | 12 months |
| Digester Klara | 4 bar | 6 months |
"""


def test_a_cell_that_differs_is_found_with_both_rows(audited: Audited) -> None:
    files = {"knowledge_base/limits.md": RULES, "knowledge_base/panel.md": SHEET}
    (found,) = audited(files)
    assert (found.check, found.here.path, found.here.line) == ("rows", "knowledge_base/panel.md", 5)
    assert found.there is not None
    assert "9.8 bar" in found.there.quote
    assert found.outweighs == "knowledge_base/limits.md"


def test_a_whole_table_is_one_finding(audited: Audited) -> None:
    sheet = SHEET.replace("4 bar", "5 bar")
    found = audited({"knowledge_base/limits.md": RULES, "knowledge_base/panel.md": sheet})
    assert len(found) == 1
    assert found[0].message.endswith("and 1 more rows differ")


def test_a_column_on_the_past_and_another_heading_stay_quiet(audited: Audited) -> None:
    past = RULES.replace("Highest pressure", "Pressure until 31 May 2026").replace("9.8", "8.8")
    other = SHEET.replace("Pressure |", "Test load |")
    assert audited({"knowledge_base/limits.md": RULES, "knowledge_base/was.md": past}) == ()
    assert audited({"knowledge_base/limits.md": RULES, "knowledge_base/was.md": other}) == ()
