"""A new value takes the form of the one that stood there."""

from __future__ import annotations

import pytest

from bot.engines.offline.mend.form import in_form
from bot.provenance.value import Value
from bot.provenance.values import values


def only(text: str) -> Value:
    (found,) = values(text)
    return found


@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        ("€60.00", "95 euros", "€95.00"),
        ("$50,000", "USD 25,000", "$25,000"),
        ("14 days", "21 days", "21 days"),
        ("12,50 EUR", "EUR 7.90", "7,90 EUR"),
        ("€1.000,00", "€2,500", "€2.500,00"),
    ],
)
def test_figures_are_exchanged_and_signs_stay(old: str, new: str, written: str) -> None:
    assert in_form(only(old), only(new)) == written


def test_another_unit_is_written_as_its_source_has_it() -> None:
    assert in_form(only("48 hours"), only("two working days")) == "two working days"
