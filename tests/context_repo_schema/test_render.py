"""Problems as text, JSON and workflow commands."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from context_repo_schema import render
from context_repo_schema.problem import Problem

PLAIN = Problem("docs/a.md", 3, "error", "link-broken", "it leads nowhere", "mend it")
HOSTILE = Problem("a,b:c.md", 1, "warning", "x", "50%\n::set-output name=a::b\r\x1b[31m", "c")


def test_text_is_one_line_a_problem_and_a_total() -> None:
    assert render.text((PLAIN,)) == (
        "docs/a.md:3: error: it leads nowhere; mend it [link-broken]\n1 error, 0 warnings\n"
    )
    assert render.text(()) == "0 errors, 0 warnings\n"


def test_json_holds_problems_and_counts() -> None:
    answer = json.loads(render.json((PLAIN, HOSTILE)))

    assert (answer["errors"], answer["warnings"]) == (1, 1)
    assert answer["problems"][0] == {
        "file": "docs/a.md",
        "line": 3,
        "severity": "error",
        "code": "link-broken",
        "message": "it leads nowhere",
        "cure": "mend it",
    }
    assert answer["problems"][1]["message"] == HOSTILE.message


def test_github_escapes_fields_and_messages() -> None:
    first, second, _ = render.github((HOSTILE, PLAIN)).splitlines()

    assert first == "::error file=docs/a.md,line=3,title=link-broken::it leads nowhere; mend it"
    assert second.startswith("::warning file=a%2Cb%3Ac.md,line=1,title=x::50%25%0A::set-output")
    assert "\x1b" not in second


def test_github_shows_ten_of_a_kind() -> None:
    lines = render.github((PLAIN,) * 12 + (HOSTILE,)).splitlines()

    assert sum(line.startswith("::error") for line in lines) == 10
    assert "2 more errors are in the log of `trace-bot validate`" in lines


@given(st.text(), st.text())
def test_no_rendering_lets_a_text_start_a_line_of_its_own(file: str, message: str) -> None:
    problem = Problem(file, 1, "error", "code", message, "cure")

    text, github = render.text((problem,)), render.github((problem,))

    assert len(text.splitlines()) == len(github.splitlines()) == 2
    assert not text.startswith("::")
    assert github.startswith("::error file=")
