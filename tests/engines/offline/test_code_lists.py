"""Lists that explain codes, as descriptions and schemas write them."""

from __future__ import annotations

import pytest

from bot.engines.offline.code_lists import alike, code_list, differing


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("state: P paid, R refunded. amount in cents.", {"P": "paid", "R": "refunded"}),
        (
            "P paid; R held, not booked; X failed",
            {"P": "paid", "R": "held, not booked", "X": "failed"},
        ),
        ("A in hand | B done, at last", {"A": "in hand", "B": "done, at last"}),
        ("1 = within 10 days ... 4 = later", {"1": "within 10 days", "4": "later"}),
        ("from 1 (nobody) to 4 (a whole site).", {"1": "nobody", "4": "a whole site"}),
        ("red; clean (washed); wet (not dry yet)", {"clean": "washed", "wet": "not dry yet"}),
        ("plus = put on, minus = taken off", {"plus": "put on", "minus": "taken off"}),
        ("1 to 4; 4 is urgent, 1 is routine.", {"4": "urgent", "1": "routine"}),
        (
            "Estado: 1 abierto, 2 en ruta o 3 cerrado.",
            {"1": "abierto", "2": "en ruta", "3": "cerrado"},
        ),
        ("A＝受付、B＝発送", {"A": "受付", "B": "発送"}),
        ("clean means fit for use.", {"clean": "fit for use"}),
    ],
)
def test_codes_are_read_with_their_meanings(text: str, meanings: dict[str, str]) -> None:
    assert {item.code: item.meaning for item in code_list(text)} == meanings


@pytest.mark.parametrize(
    "text",
    [
        "A booking may have several. One row a trip.",
        "from 2 to 5 days, 1 person",
        "integer NOT NULL, PRIMARY key",
        "red, green or blue",
    ],
)
def test_what_only_looks_like_codes_is_none(text: str) -> None:
    assert code_list(text) == ()


def test_a_meaning_stands_where_its_item_says() -> None:
    text = "status: C checked in, S sorted."

    assert [text[i.start : i.end] for i in code_list(text)] == ["checked in", "sorted"]


def test_meanings_agree_by_their_telling_words() -> None:
    assert alike("on its way between two houses", "between two houses, on the way")
    assert not alike("refunded", "reserved at the provider")


def test_the_share_of_codes_that_differ_is_of_the_shared_ones() -> None:
    assert differing("P paid, R refunded", "P paid; R reserved; X failed") == 0.5
    assert differing("P paid, R refunded", "A open, B shut") == 0.0
