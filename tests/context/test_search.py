"""One index: near texts by words, and by vectors where an encoder is given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.context.vectors import Cached, Role
from context_repo_schema.component import Component

TEXTS = {
    "kb/fees.md": "# Fees\n\nA lost router costs 120 euros.\n\nA second reminder costs 3.50.\n",
    "kb/moves.md": "# Moving\n\nOrders must arrive three weeks before the move.\n",
}


def repo(texts: dict[str, str]) -> ContextRepo:
    components = tuple(Component("kb_entry", path) for path in texts)
    return ContextRepo(Path(), None, components, texts, {})


class Letters:
    """Vectors of letter counts: enough to see what is asked of an encoder."""

    name = "letters"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], role: Role) -> np.ndarray:
        self.asked.extend(texts)
        rows = [[t.count(c) + 0.1 for c in "abcdefghij"] for t in texts]
        table = np.array(rows, np.float32).reshape(len(rows), 10)
        return table / np.linalg.norm(table, axis=1, keepdims=True)


def test_the_unit_that_shares_rare_words_is_nearest() -> None:
    index = Index(repo(TEXTS))

    row = index.near(["What does the router cost when I lose it?"]).lexical[0]

    assert index.units[row.index(max(row))].text == "A lost router costs 120 euros."


def test_without_an_encoder_meaning_is_concepts_across_languages() -> None:
    index = Index(repo(TEXTS))

    near = index.near(["Was kostet ein verlorenes Gerät?"])

    assert len(set(near.lexical[0])) == 1, "no word in common"
    row = near.semantic[0]
    assert index.units[row.index(max(row))].text == "A lost router costs 120 euros."


def test_passages_are_remembered_on_disk_and_questions_are_not(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    first, second = Letters(), Letters()
    Index(repo(TEXTS), Cached(first, file)).near(["my secret is abc"])

    index = Index(repo(TEXTS), Cached(second, file))
    near = index.near(["my secret is abc"])

    assert second.asked == ["my secret is abc"]
    assert len(near.semantic[0]) == len(index.units)
    assert b"secret" not in file.read_bytes()


def test_an_empty_repository_has_an_index() -> None:
    index = Index(repo({}))

    assert index.units == ()
    assert index.near(["anything"]).lexical == ([],)


def test_an_empty_repository_is_searched_without_a_warning(
    recwarn: pytest.WarningsRecorder,
) -> None:
    assert Index(repo({}), Letters()).near(["late fee"]).semantic == ([],)
    assert not recwarn.list
