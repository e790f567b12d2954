"""Words of several languages meet in a concept, by a table that holds its own rules."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.concepts import concepts
from bot.context.words import folded

TABLE = files("bot.context").joinpath("concepts.tsv").read_text(encoding="utf-8")
ROWS = [line.split("\t") for line in TABLE.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize(
    "words",
    [
        [
            "invoice",
            "Rechnung",
            "factura",
            "facture",
            "fatura",
            "fattura",
            "factuur",
            "請求書",
            "发票",
        ],
        ["refund", "Erstattung", "reembolso", "remboursement", "rimborso", "terugbetaling", "返金"],
        ["deadline", "Frist", "plazo", "délai", "prazo", "scadenza", "termijn", "期限"],
        ["invoices", "Rechnungen", "facturas", "factures", "fatture", "facturen"],
    ],
)
def test_words_of_one_meaning_share_a_concept(words: list[str]) -> None:
    shared = set(concepts(words[0]))
    for word in words[1:]:
        assert shared & set(concepts(word)), word


def test_the_parts_of_a_compound_count() -> None:
    found = set(concepts("Rechnungsnummer"))

    assert found & set(concepts("invoice"))
    assert found & set(concepts("number"))


def test_ideographs_are_read_without_spaces() -> None:
    assert set(concepts("請求書の期限")) >= {*concepts("請求書"), *concepts("期限")}


def test_every_entry_of_the_table_means_something() -> None:
    dumb = [w for row in ROWS for cell in row for w in cell.split(",") if w and not concepts(w)]

    assert dumb == []


def test_a_word_that_the_table_lacks_means_nothing() -> None:
    assert concepts("Xqzvw 4711 __") == ()


def test_what_is_too_long_for_a_word_is_not_taken_apart() -> None:
    assert concepts("Rechnung" * 10_000) == ()


@given(st.text())
def test_any_text_has_concepts_of_the_table(text: str) -> None:
    names = {next(w for c in row for w in map(folded, c.split(",")) if w) for row in ROWS}

    assert set(concepts(text)) <= names


def test_the_table_keeps_its_rules() -> None:
    assert all(len(row) == 9 for row in ROWS)
    words = Counter(
        (column, word)
        for row in ROWS
        for column, cell in enumerate(row)
        for word in {folded(word) for word in cell.split(",") if word}
    )
    assert max(words.values()) <= 3
    assert not [w for (column, w), _ in words.items() if re.search(r"\s", w)]
