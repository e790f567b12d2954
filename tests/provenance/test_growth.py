"""Reading what people said takes time in proportion to its length, whatever it is made of."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.cut.sentences import split
from bot.context.words import stems
from bot.defang import inert, visible
from bot.provenance.language import language_of
from bot.provenance.polarity import polarity
from bot.provenance.reads import read_path, runs_sql, searched, unnumbered
from bot.provenance.values import values
from bot.redact import redact


def shell(text: str) -> None:
    asked = {"command": text}
    read_path("bash", asked)
    searched("bash", asked)
    runs_sql(asked)


READERS: dict[str, Callable[[str], object]] = {
    "sentences": split,
    "stems": stems,
    "polarity": polarity,
    "language": language_of,
    "line numbers": unnumbered,
    "shell": shell,
    "harmless": lambda text: inert(visible(text)),
    "redaction": redact,
    "values": values,
}
PIECES = (
    *("!", "?", ".", "…", "。", "! ", "1. ", "a) ", "。」", "-", "_", "*", "`", '"', "'", "("),
    *("1", "1 ", "1-", "1.", "1,", "+1 ", "0-", "(0", "5% ", "$", "$5 ", "It is $5. ", "100 € "),
    *("a", "a ", "A", "Ab ", "A-", "A1-", "a_", "aB", "a/", "a.", "a@", "a@b.", "a:", "../"),
    *("http://", "aaaa://", "deadbeef", "eyJaaaaaaaa.", "secret=", "<a ", "<!--", "[a](", "\x1b["),
    *("one and ", "one hundred ", "twenty ", "half a ", "5 to ", "1 May ", "Q1 ", "FY", "2 pm "),
    *("must ", "must not ", "mit ", "no, ", "万", "五十", "第1", "あ", "\n", " \n", "\t", "\u200b"),
)
# Looking for values takes longer: what was slowest, and one of each kind.
FEW = ("+1 ", "1-", "1 ", "It is $5. ", "!", "a/", "a.", "1 May ", "one and ", "5 to ", "万", "A1-")
SIZE, LONG = 2_000, 4


def growth(reader: Callable[[str], object], text: str) -> float:
    """How many times as long the reader takes for `LONG` times the text."""
    times = []
    for part in (text, text * LONG):
        start = time.process_time()
        reader(part)
        times.append(time.process_time() - start)
    return times[1] / max(times[0], 0.001)


@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_takes_no_square_of_the_time(name: str) -> None:
    reader = READERS[name]
    reader("Once, for what is prepared at the first call: $5 on 1 May must not.")
    for piece in FEW if name == "values" else PIECES:
        text = piece * (SIZE // len(piece))
        # Another process may have disturbed one measurement, and hardly three.
        assert any(growth(reader, text) < LONG * 2.5 for _ in range(3)), piece


@given(
    st.lists(st.sampled_from(["$25 ", "on 1 May 2026\n", "POL-12, ", "x" * 900 + " "]), max_size=12)
)
def test_a_long_text_holds_the_values_of_its_parts(parts: list[str]) -> None:
    text = "".join(parts)
    found = values(text)
    assert all(text[value.start : value.end] == value.text for value in found)
    expected = {"$25 ": "25", "on 1 May 2026\n": "2026-05-01", "POL-12, ": "POL-12"}
    wanted = [expected[part] for part in parts if part in expected]
    assert [value.canonical for value in found if value.canonical in wanted] == wanted
