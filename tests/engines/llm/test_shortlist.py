"""The shortlist: one short call, an id for an answer, nothing invented."""

import json

import pytest
from msgspec.structs import replace

from bot.engines.llm.conversation import gist, opening
from bot.engines.llm.hypotheses import acts, entries, phrases
from bot.engines.llm.listing import listing, rows
from bot.engines.llm.strategies.shortlist import shortlist
from bot.errors import Rejected
from bot.prompts.template import text
from bot.proof import attribution
from bot.records.finding import RepoQuote
from bot.records.trajectory import Turn

POLICY = "knowledge_base/policies/P-1.md"
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
    made = shortlist(inquire(said, offline)).attribution
    assert len(said.seen) == 1
    assert (made.hypotheses[0], made.root_cause_node) == (stale, "n2")
    assert (made.component_path, made.fault_category) == (stale.component_path, stale.category)
    assert made.margin == 0.9
    attribution.proved(made, case, repo)
    assert max(made.scores, key=lambda s: s.score).node_id == "n2"


def test_a_row_a_file_says_what_could_be_done_and_what_stands_there(
    inquire, model, offline, block, stale
):
    said = model(PICK)
    shortlist(inquire(said, offline))
    asked = said.last()
    assert block(asked, "files")[:3] == [
        ["no file", "H1 nothing @ n3"],
        [f"{stale.component_path} (sop)", f"H2 correct @ n2: {stale.faulty.quote}"],
        [f"{stale.authority.path} (policy)", f"T1: {stale.authority.quote}"],
    ]
    assert block(asked, "steps") == [
        f'n2 (turn 2) read_skill {stale.component_path} → "{stale.faulty.quote}"',
        "n3 (turn 2) response_generation",
    ]
    said_by = [list(turn) for turn in block(asked, "talk")]
    assert said_by == [["turn", "user"], ["turn", "assistant"], ["turn", "user"]]
    enum = said.seen[0].schema["properties"]
    assert enum["id"]["enum"] == ["H1", "H2", "none"]
    assert enum["node"]["enum"] == ["n3", "n2", "none"]
    assert enum["right"]["enum"][:2] == ["H2", "T1"]


def test_a_text_that_only_search_found_may_settle_it(inquire, model, offline, stale, repo, block):
    alone = replace(offline, hypotheses=(offline.hypotheses[0], replace(stale, authority=None)))
    said = model(PICK)
    made = shortlist(inquire(said, alone)).attribution
    quote = made.hypotheses[0].authority
    row = next(row for row in block(said.last(), "files") if f"T1: {quote.quote}" in row)
    assert row[0].startswith(quote.path)
    assert repo.quote(quote.path, quote.quote) is not None


@pytest.mark.parametrize("right", ["none", "H2"])
def test_without_a_text_only_the_users_word_speaks(inquire, model, offline, right):
    made = shortlist(inquire(model({**PICK, "right": right}), offline)).attribution
    first = made.hypotheses[0]
    assert (first.authority, first.classification) == (None, "AMBIGUOUS")
    assert first.faulty is not None


def test_a_text_that_another_explanation_holds_wrong_may_settle_it(
    inquire, model, offline, stale, repo
):
    other = replace(stale, component_path=POLICY, component_type="kb_entry", faulty=stale.authority)
    listed = replace(offline, hypotheses=(*offline.hypotheses, other))
    made = shortlist(inquire(model({**PICK, "right": "H3"}), listed)).attribution
    assert made.hypotheses[0].authority == stale.authority


def test_inexact_words_are_dropped_but_a_document_that_should_go_is_the_same_in_any_words(
    inquire, model, offline, stale
):
    gone = replace(stale, operation="DELETE")
    for first, kept in ((stale, False), (gone, True)):
        listed = replace(offline, hypotheses=(offline.hypotheses[0], first))
        made = shortlist(inquire(model({**PICK, "exact": False}), listed)).attribution
        assert (made.hypotheses[0].faulty is not None) is kept


def test_a_source_that_is_no_authority_is_marked(stale, trajectory, repo):
    text = repo.texts[stale.authority.path].replace("approved", "draft")
    component = repo.component(stale.authority.path)
    draft = replace(component, meta={**component.meta, "status": "draft"})
    components = tuple(draft if c == component else c for c in repo.components)
    drafted = replace(repo, texts={**repo.texts, component.path: text}, components=components)
    made = listing(entries((stale,), trajectory), (stale.authority,), drafted, 500)
    assert rows(made, drafted)[1][0] == f"{component.path} (policy draft)"


def test_a_list_keeps_to_its_budget_and_drops_what_comes_last(stale, trajectory, repo):
    many = [
        replace(
            stale,
            component_path=f"skills/{n}.md",
            faulty=RepoQuote(f"skills/{n}.md", 1, f"old {n}"),
        )
        for n in range(12)
    ]
    texts = [RepoQuote(POLICY, n, f"text {n} " * 20) for n in range(1, 12)]
    found = entries(many, trajectory)
    small = listing(found, texts, repo, 0)
    assert ([e.id for e in small.entries], list(small.texts)) == (
        [f"H{n}" for n in range(1, 9)],
        [f"T{n}" for n in range(1, 9)],
    )
    middle, whole = listing(found, texts, repo, 480), listing(found, texts, repo, 5000)
    assert (len(whole.entries), len(whole.texts)) == (12, 11)
    assert len(small.entries) < len(middle.entries) < 12
    assert len(json.dumps(rows(middle, repo))) / 4 <= 480


def test_what_explanations_share_is_said_once(stale, trajectory, repo):
    tool = replace(stale, category="TOOL_PROMPT_ERROR")
    other = replace(stale, faulty=None, node_id="n3")
    (skill, policy) = rows(
        listing(
            entries((stale, tool, other), trajectory),
            (stale.faulty, stale.authority) * 2,
            repo,
            500,
        ),
        repo,
    )
    assert skill[1:] == [
        f"H1 correct @ n2: {stale.faulty.quote}",
        "H2 correct @ n2: text of H1",
        "H3 correct @ n3",
    ]
    assert policy[1:] == [f"T1: {stale.authority.quote}"]


def test_a_file_that_should_go_is_one_explanation_whatever_its_lines(stale, trajectory, repo):
    gone = replace(stale, operation="DELETE")
    line = replace(gone, faulty=RepoQuote(gone.component_path, 6, "# Pay"), node_id="n3")
    (entry,) = entries((gone, line), trajectory)
    made = listing((entry,), (gone.faulty,), repo, 500)
    assert rows(made, repo)[0][1:] == ["H1 remove @ n2 n3", f"T1: {gone.faulty.quote}"]
    assert list(made.quotes) == ["T1"]


def test_a_file_says_by_which_listed_file_it_is_superseded(stale, trajectory, repo):
    component = repo.component(POLICY)
    said = replace(component, meta={**component.meta, "supersedes": stale.component_path})
    components = tuple(said if c == component else c for c in repo.components)
    newer = replace(repo, components=components)
    found = entries((stale,), trajectory)
    (skill, policy) = rows(listing(found, (stale.authority,), newer, 500), newer)
    assert skill[0] == f"{stale.component_path} (sop superseded by {POLICY})"
    assert policy[0] == f"{POLICY} (policy)"
    assert rows(listing(found, (), newer, 500), newer)[0][0] == f"{stale.component_path} (sop)"


def test_the_first_question_stands_before_turns_that_are_left_out(case):
    turns = tuple(Turn(n, "user" if n % 2 else "assistant", f"turn {n}") for n in range(1, 12))
    signal = replace(case.detection.signals[0], turn_id=11)
    detection = replace(case.detection, trigger_turn_id=11, signals=(signal,))
    long = replace(case, trajectory=replace(case.trajectory, turns=turns), detection=detection)
    assert gist(long)[:3] == [
        {"turn": 1, "user": "turn 1"},
        {"left out": "4 turns"},
        {"turn": 6, "assistant": "turn 6"},
    ]
    assert opening(case) == []


def test_what_was_said_far_from_the_complaint_is_cut_hardest(case):
    turns = tuple(
        Turn(n, "user" if n % 2 else "assistant", f"turn {n}. " + "word " * 400)
        for n in range(1, 8)
    )
    signal = replace(case.detection.signals[0], turn_id=7)
    detection = replace(case.detection, trigger_turn_id=7, signals=(signal,))
    session = replace(case.trajectory, turns=turns)
    said = gist(replace(case, trajectory=session, detection=detection))
    first, *around = said
    assert first["turn"] == 1
    lengths = [len(turn.get("user") or turn["assistant"]) for turn in around]
    assert len(around) == 6
    assert lengths[-1] > lengths[-2] > lengths[-3] > lengths[0] == lengths[1] == lengths[2]


def test_none_is_an_answer(inquire, model, offline):
    assert shortlist(inquire(model({**PICK, "id": "none"}), offline)).attribution is None


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
    made = shortlist(inquire(model({**PICK, "node": "n3"}), offline)).attribution
    assert made.root_cause_node == "n2"


def test_explanations_that_differ_in_the_node_are_one_entry_with_them_in_order(stale, trajectory):
    other = replace(stale, node_id="n3")
    for listed in ((stale, other), (other, stale)):
        (entry,) = entries(listed, trajectory)
        assert entry.nodes == ("n2", "n3")
        assert entry.hypothesis is listed[0]
    assert (
        len(entries([replace(stale, component_path=str(n)) for n in range(20)], trajectory)) == 12
    )


def test_every_pair_that_can_be_listed_has_its_sentence():
    from bot.engines.offline.candidate import CATEGORY, OPERATION

    stale = {"SKILL_FILE_STALE", "KB_CONTENT_STALE"}
    for shape, operation in OPERATION.items():
        for category in (CATEGORY.get(shape),) if shape in CATEGORY else stale:
            assert f"{category} {operation}" in phrases()
            assert f"{category} {operation}" in acts()


def test_every_act_is_explained_wherever_a_list_is_shown():
    for name in ("shortlist", "second_look", "_hints"):
        assert [act for act in acts().values() if act not in text(name)] == []
