"""A source is cited with what it leans on, and with no more than a reader wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.offline.mend.passage import LONGEST, passage
from context_repo_schema.component import Component

ITEM = "- One is due. It is paid. Nobody waits.\n"
LONG = f"Alpha {'a ' * 150}ends. Beta follows alpha. Gamma {'c ' * 150}ends.\n"


def cited(text: str, chosen: str) -> list[str]:
    repo = ContextRepo(Path(), None, (Component("kb_entry", "a.md"),), {"a.md": text}, {})
    index = Index(repo)
    source = next(u for u in index.units if chosen in u.text)
    return [unit.text for unit in passage(index, source)]


@pytest.mark.parametrize("chosen", ["One", "It is", "Nobody"])
def test_a_short_item_is_cited_whole_and_alone(chosen: str) -> None:
    text = f"# T\n\n- Zero is free.\n{ITEM}- Two is rare.\n\nOther things."

    assert cited(text, chosen) == ["One is due.", "It is paid.", "Nobody waits."]


def test_of_a_long_paragraph_the_sentence_before_is_cited_too() -> None:
    found = cited(f"# T\n\n{LONG}", "Beta")

    assert [text.split()[0] for text in found] == ["Alpha", "Beta"]
    assert len(LONG) > LONGEST


def test_a_sentence_that_is_long_itself_stands_alone() -> None:
    assert len(cited(f"# T\n\n{LONG}", "Gamma")) == 2
    assert cited(f"# T\n\nFirst. Second {'x ' * 300}ends.\n", "Second")[0].startswith("Second")


def test_a_row_is_cited_as_it_is() -> None:
    assert cited("# T\n\n| a | b |\n|---|---|\n| one | two |\n", "one") == ["| one | two |"]
