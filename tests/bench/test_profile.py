"""Time goes to the module that asked for it."""

from __future__ import annotations

import pytest

from bot.bench.profile import Owners, module_of, shares, table
from bot.context import words

OURS = (words.__file__, 1, "stems")
LIBRARY = ("/usr/lib/python3/re.py", 1, "sub")
BUILTIN = ("~", 0, "<built-in method len>")
CALLED = (1, 1, 1.0, 1.0)


def test_a_library_works_for_the_module_that_called_it() -> None:
    timings = {
        OURS: (1, 1, 1.0, 3.0, {}),
        LIBRARY: (1, 1, 1.0, 2.0, {OURS: CALLED}),
        BUILTIN: (1, 1, 1.0, 1.0, {LIBRARY: CALLED, ("x.py", 1, "lost"): CALLED}),
        ("x.py", 1, "lost"): (1, 1, 1.0, 1.0, {}),
    }
    owners = Owners(timings)
    assert owners.of(LIBRARY) == {"bot/context/words": 1.0}
    assert owners.of(BUILTIN) == {"bot/context/words": 0.5}


def test_callers_in_a_circle_come_to_an_end() -> None:
    other = ("/usr/lib/python3/a.py", 1, "a")
    timings = {
        LIBRARY: (1, 1, 1.0, 1.0, {other: CALLED}),
        other: (1, 1, 1.0, 1.0, {LIBRARY: CALLED, OURS: CALLED}),
        OURS: (1, 1, 1.0, 1.0, {}),
    }
    assert Owners(timings).of(LIBRARY) == {"bot/context/words": 0.5}


def test_only_our_files_are_modules() -> None:
    assert module_of(words.__file__) == "bot/context/words"
    assert module_of("/usr/lib/python3/json/__init__.py") == ""
    assert module_of("~") == ""


def test_shares_of_a_run_sum_to_one() -> None:
    found = shares(lambda: [words.stems("the late fees of a lost card") for _ in range(50)])
    assert sum(found.values()) == pytest.approx(1.0, abs=0.01)
    assert "bot/context/words" in found
    assert table(found).rows[-1][0].endswith("others")
