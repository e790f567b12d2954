"""Texts cut where they matter least."""

import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from bot.engines.llm.clip import clip, ends, excerpt, window

LINES = st.lists(st.text("ab c", max_size=40), max_size=40).map("\n".join)


@given(LINES, st.integers(1, 200), st.text("abc ", max_size=20))
def test_what_is_kept_stood_there_and_what_fits_stays_whole(text, length, about):
    kept = excerpt(text, length, about)
    assert kept == text or "characters left out" in kept
    assert all(line in text for line in kept.splitlines() if "left out" not in line)
    for cut in (ends, window):
        one = " ".join(text.split())
        made = cut(one, length, *((about,) if cut is window else ()))
        assert (made == one) is (len(one) <= length)
        assert len(made) <= length + 3


def test_an_excerpt_keeps_what_is_rare_and_asked_for_and_drops_what_every_line_has():
    text = "".join(f"The fee of office {n} is paid.\n" for n in range(60))
    text += "The refund of Meldra is 12.\n"
    kept = excerpt(text, 120, "the fee is paid, what of the refund of Meldra")
    assert "refund of Meldra" in kept


def test_a_gap_no_longer_than_its_mark_is_kept():
    text = "first\n" + "x" * 40 + "\n\nasked for\n" + "y" * 400 + "\n"
    assert excerpt(text, 30, "asked for").startswith("first\n" + "x" * 40 + "\n\nasked for\n")
    assert "left out" in excerpt(text, 30, "asked for")


def test_a_window_shows_where_most_of_it_stands():
    text = "a " * 200 + "the limit is 25,000 here " + "b " * 200
    assert "limit is 25,000" in window(text, 60, "limit 25,000")
    assert window(text, 60, "nothing").startswith("a a")


def test_both_ends_of_a_line_are_kept():
    assert ends("SELECT " + "x, " * 100 + "WHERE a = 1", 60).endswith("WHERE a = 1")
    assert ends("SELECT " + "x, " * 100, 60).startswith("SELECT")


def test_a_text_of_one_line_is_cut_with_its_length():
    assert clip("a" * 100, 40) == "a" * 40 + "[… 60 characters left out …]"


@given(st.integers(0, 120), st.sampled_from([clip, excerpt, ends, window]))
def test_no_half_of_a_secret_is_left_by_a_cut(before, cut):
    key = "sk-proj-abcdefghijklmnopqrstuvwx"
    text = "x " * before + key + " y" * 100
    made = cut(text, 80, *(() if cut is ends else ("abcdefghijklmnopqrstuvwx",)))
    assert not any(key[n : n + 8] in made for n in range(len(key) - 7))


def test_what_is_cut_does_not_hang_on_the_order_of_sets():
    told = (
        "from bot.engines.llm.clip import excerpt\n"
        "names = [[f'{group}{k}q9' for k in range(3, 15)] for group in 'abcdefgh']\n"
        "alike = [' '.join(group) for group in names]\n"
        "rest = [group[k - 3] for group in names for k in range(3, 15) for _ in range(k - 1)]\n"
        "text = '\\n'.join(['first', *alike, *rest])\n"
        "print(excerpt(text, 3 * len(alike[0]), ' '.join(alike)))"
    )
    made = {
        subprocess.run(
            (sys.executable, "-c", told),
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(made) == 1
