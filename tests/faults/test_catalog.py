"""The taxonomy covers every category of the records."""

from __future__ import annotations

from typing import get_args

from bot.faults.catalog import catalog
from bot.records.finding import FaultCategory


def test_every_category_is_described_with_what_repairs_it() -> None:
    found = catalog()

    assert set(found) == set(get_args(FaultCategory))
    assert all(f.definition and f.question.endswith("?") and f.repairs for f in found.values())


def test_absence_faults_are_mended_by_adding() -> None:
    absent = [name for name, fault in catalog().items() if fault.kind == "absence"]

    assert absent == ["KB_CONTENT_GAP", "SYSTEM_PROMPT_GAP", "RETRIEVAL_FAILURE"]
    assert all("CREATE" in catalog()[name].operations for name in absent)
