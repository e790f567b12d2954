"""Texts that may settle a matter."""

import pytest

from bot.context.search import Index
from bot.context.unit import Unit
from bot.engines.llm.sources import FAR, nearest, search


def unit(path: str, text: str, kind: str = "sentence") -> Unit:
    return Unit(path, "kb_entry", kind, text, 0, 1)


def test_what_is_far_off_is_no_find_but_every_file_that_is_asked_for_has_its_nearest(repo):
    index = Index(repo)
    found = search(index, "invoices under $50,000 skip the review")
    assert found[0].text == "Invoices under $50,000 skip the review."
    tool = "tools/tools.json"
    assert tool not in {u.path for u in found}
    within = search(index, "invoices and the amount in cents", (tool, "no/such/file"))
    assert [u.path for u in within].count(tool) >= 1
    assert search(index, "zzz qqq", (tool,)) == ()
    assert 0 < FAR < 1


@pytest.fixture
def find():
    """A search that answers from a table, and the listed files behind that."""
    known = {
        "complaint": [unit("a", f"a says {n}") for n in range(3)] + [unit("b", "b says it")],
        "answer": [unit("c", f"c says {n}") for n in range(3)] + [unit("s", "terms", "term")],
        "question": [unit("a", "a says more"), unit("d", "d says it")],
    }
    return lambda query, within=(): tuple(known[query])


def test_the_nearest_come_by_turns_and_no_file_too_often(find):
    texts = nearest(find, ("complaint", "answer"), ("b", "s"), ("question",))
    said = [t.quote for t in texts]
    assert said[:6] == ["a says 0", "c says 0", "a says 1", "c says 1", "a says 2", "c says 2"]
    assert said[6:] == ["b says it", "terms", "d says it"]


def test_nobody_searches_for_nothing(find):
    assert nearest(find, (" ", ""), ("b",), ("",)) == ()
