"""The shortlist: one short call, an id for an answer, nothing invented."""

import pytest
from msgspec.structs import replace

from bot.engines.llm.hypotheses import entries, phrases, row
from bot.engines.llm.strategies.shortlist import shortlist
from bot.errors import Rejected
from bot.proof import attribution

PICK = {
    "why": "w",
    "id": "H2",
    "node": "n2",
    "right": "T1",
    "exact": True,
    "second": "H1",
    "confidence": 0.9,
}


def test_one_call_picks_and_the_pick_comes_first(inquire, model, offline, stale, case, repo):
    said = model(PICK)
    made = shortlist(inquire(said, offline))
    assert len(said.seen) == 1
    assert (made.hypotheses[0], made.root_cause_node) == (stale, "n2")
    assert (made.component_path, made.fault_category) == (stale.component_path, stale.category)
    assert made.margin == 0.9
    attribution.proved(made, case, repo)
    assert max(made.scores, key=lambda s: s.score).node_id == "n2"


def test_the_list_says_in_words_what_each_explanation_rests_on(
    inquire, model, offline, block, stale
):
    said = model(PICK)
    shortlist(inquire(said, offline))
    first, second = block(said.last(), "explanations")
    assert first["fault"] == phrases()["NONE NO_ACTION"]
    assert second["file"] == stale.component_path
    assert second["wrong"] == stale.faulty.quote
    assert second["right"] == "T1"
    texts = block(said.last(), "texts")
    assert texts[0]["place"] == f"{stale.authority.path}, line 8"
    assert texts[0]["text"] == stale.authority.quote
    assert len({(text["place"], text["text"]) for text in texts}) == len(texts)
    assert second["nodes"] == ["n2: skill_lookup read_skill"]
    assert "wrong" not in first
    turns = block(said.last(), "conversation")
    assert [turn["turn"] for turn in turns] == [1, 2, 3]
    enum = said.seen[0].schema["properties"]
    assert enum["id"]["enum"] == ["H1", "H2", "none"]
    assert enum["node"]["enum"] == ["n3", "n2", "none"]


def test_another_text_of_the_list_may_settle_it(inquire, model, offline, stale, repo, block):
    said = model({**PICK, "right": "T2"})
    made = shortlist(inquire(said, offline))
    other = block(said.last(), "texts")[1]
    quote = made.hypotheses[0].authority
    assert other["place"].startswith(f"{quote.path}, line {quote.line}")
    assert repo.quote(quote.path, quote.quote) is not None


def test_without_a_text_only_the_users_word_speaks(inquire, model, offline):
    first = shortlist(inquire(model({**PICK, "right": "none"}), offline)).hypotheses[0]
    assert (first.authority, first.classification) == (None, "AMBIGUOUS")
    assert first.faulty is not None


def test_a_source_that_is_no_authority_is_marked(stale, trajectory, repo):
    text = repo.texts[stale.authority.path].replace("approved", "draft")
    component = repo.component(stale.authority.path)
    draft = replace(component, meta={**component.meta, "status": "draft"})
    components = tuple(draft if c == component else c for c in repo.components)
    texts = {**repo.texts, component.path: text}
    (entry,) = entries((stale,), trajectory)
    told = row(entry, trajectory, replace(repo, texts=texts, components=components))
    assert told["right"].startswith(f"{component.path} (a draft), line 8: ")


def test_none_is_an_answer(inquire, model, offline):
    assert shortlist(inquire(model({**PICK, "id": "none"}), offline)) is None


def test_without_a_list_nobody_is_asked(inquire, model, offline):
    said = model()
    assert shortlist(inquire(said, None)) is None
    assert shortlist(inquire(said, replace(offline, hypotheses=()))) is None
    assert said.seen == []


def test_an_id_that_is_not_listed_is_refused(inquire, model, offline):
    said = model({**PICK, "id": "H9"}, {**PICK, "id": "rm -rf"})
    with pytest.raises(Rejected):
        shortlist(inquire(said, offline))


def test_a_node_of_another_explanation_is_not_taken(inquire, model, offline):
    made = shortlist(inquire(model({**PICK, "node": "n3"}), offline))
    assert made.root_cause_node == "n2"


def test_explanations_that_differ_in_the_node_are_one_entry(stale, trajectory):
    other = replace(stale, node_id="n3")
    (entry,) = entries((stale, other), trajectory)
    assert entry.nodes == ("n2", "n3")
    assert (
        len(entries([replace(stale, component_path=str(n)) for n in range(20)], trajectory)) == 12
    )


def test_every_pair_that_can_be_listed_has_its_sentence():
    from bot.engines.offline.candidate import CATEGORY, OPERATION

    stale = {"SKILL_FILE_STALE", "KB_CONTENT_STALE"}
    for shape, operation in OPERATION.items():
        for category in (CATEGORY.get(shape),) if shape in CATEGORY else stale:
            assert f"{category} {operation}" in phrases()
