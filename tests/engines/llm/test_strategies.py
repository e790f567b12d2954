"""The papers' strategies: how many calls they make, and what they let an answer say."""

import json

import pytest
from msgspec.structs import replace

from bot.engines.llm.messages import Reply, ToolUse
from bot.engines.llm.nodes import Ledger
from bot.engines.llm.strategies.baselines import passive, self_consistency
from bot.engines.llm.strategies.continual import continual
from bot.engines.llm.strategies.holistic import holistic
from bot.engines.llm.strategies.iterative import BANDS, iterative
from bot.engines.llm.strategies.table import STRATEGIES
from bot.errors import Rejected
from bot.records.trajectory import Node, ToolCall


def test_holistic_is_two_calls(inquire, model, answers, block):
    said = model(answers("gap"), answers("blame"))
    made = holistic(inquire(said))
    assert len(said.seen) == 2
    assert made.root_cause_node == "n2"
    assert made.component_path == "skills/pay/SKILL.md"
    assert made.delta.loss_description == (
        "DELTA: Expected a review from $25,000 on but got no review"
    )
    assert [round(s.score, 2) for s in made.scores] == [0.9, 0.1]
    assert made.coverage == 1.0
    trace = block(said.last(), "trace")
    assert [row["node"] for row in trace] == ["n3", "n2", "n1"]
    assert block(said.last(), "loss")[0]["actual"] == "no review"
    assert said.seen[1].tools == ()


def test_a_claim_without_a_quote_gets_one_more_turn(inquire, model, answers):
    bare = answers("blame", quotes=[{"node": "n2", "quote": "made up"}])
    said = model(answers("gap"), bare, answers("blame"))
    assert holistic(inquire(said)).evidence[0].node_id == "n2"
    assert "no quote of the attribution stands in the session" in said.last()
    with pytest.raises(Rejected):
        holistic(inquire(model(answers("gap"), bare, bare)))


def test_a_file_that_is_not_there_is_left_to_the_recommender(inquire, model, answers):
    said = model(answers("gap"), answers("blame", component_path="policies/missing.md"))
    assert holistic(inquire(said)).component_path is None


def test_hints_stand_in_the_prompt_only_where_wanted(inquire, model, answers, offline):
    for hints in (True, False):
        said = model(answers("gap"), answers("blame"))
        holistic(inquire(said, offline, hints=hints))
        assert ("<leads ⟦fence⟧>" in said.last()) is hints


def test_iterative_is_a_call_a_node_and_two(inquire, model, answers):
    def judge(request):
        node = json.loads(json.loads(request.messages[-1].content.split("<node ⟦fence⟧>\n")[1]
                          .splitlines()[0]))["node"]  # fmt: skip
        verdict = {"n3": "propagated", "n2": "introduced", "n1": "none"}[node]
        return json.dumps(
            {
                "evidence": "e",
                "transformation": verdict,
                "score": 1.0,
                "component_path": "skills/pay/SKILL.md",
                "change": "c",
            }
        )

    summary = {
        "fault_category": "SKILL_FILE_STALE",
        "component_path": None,
        "change": "",
        "quotes": ["skip the review"],
        "confidence": 0.8,
    }
    said = model(answers("gap"), judge, judge, judge, summary)
    made = iterative(inquire(said))
    assert len(said.seen) == 3 + 2
    assert made.root_cause_node == "n2"
    assert made.component_path == "skills/pay/SKILL.md"
    raw = {"n1": BANDS["none"][1], "n2": BANDS["introduced"][1], "n3": BANDS["propagated"][1]}
    total = sum(raw.values())
    assert {s.node_id: round(s.score, 6) for s in made.scores} == {
        n: round(score / total, 6) for n, score in raw.items()
    }
    assert {s.node_id: s.reason for s in made.scores}["n2"] == "introduced"


def long(inquiry, nodes=30):
    """The same session with many steps of other matters between question and procedure."""
    filler = tuple(
        Node(f"f{n}", 2, "tool_call", tool=ToolCall("t", {"q": n}, {"text": f"matter {n} " * 200}))
        for n in range(nodes)
    )
    first, skill, last = inquiry.trajectory.nodes
    trajectory = replace(inquiry.trajectory, nodes=(first, *filler, skill, last))
    return replace(inquiry, case=replace(inquiry.case, trajectory=trajectory))


def test_a_long_trace_shows_its_slice_and_is_read_on_demand(inquire, model, answers, block):
    look = Reply(uses=(ToolUse("c", "read_node", '{"node": "f3"}'),))
    said = model(answers("gap"), look, answers("blame"))
    made = holistic(long(inquire(said, trace_tokens=1000)))
    rows = {row["node"]: row for row in block(said.seen[1].messages[1].content, "trace")}
    assert "asked" in rows["n2"]
    assert len(rows) == 33
    assert rows["f3"]["left out"].endswith("read_node shows them")
    assert "matter 3" in said.last()
    assert [tool.name for tool in said.seen[1].tools] == ["read_node", "search_trace"]
    assert 0 < made.coverage < 1


def test_continual_gives_a_short_trace_one_turn(inquire, model, answers):
    said = model(answers("gap"), answers("blame"))
    assert continual(inquire(said)).root_cause_node == "n2"
    assert len(said.seen) == 2


def test_continual_asks_three_more_turns_and_each_asks_something_else(inquire, model, answers):
    said = model(answers("gap"), *[answers("blame")] * 4)
    continual(long(inquire(said, trace_tokens=1000)))
    assert len(said.seen) == 5
    questions = [request.messages[-1].content for request in said.seen[2:]]
    assert len(set(questions)) == 3
    assert "f0" in questions[0]


def test_continual_stops_when_all_is_read(inquire, model, answers):
    looks = Reply(
        uses=tuple(
            ToolUse(f"c{n}", "read_node", json.dumps({"node": node}))
            for n, node in enumerate(["n1", *(f"f{n}" for n in range(6))])
        )
    )
    said = model(answers("gap"), looks, answers("blame"))
    made = continual(long(inquire(said, trace_tokens=1000), nodes=6))
    assert len(said.seen) == 3
    assert made.coverage == 1.0


def test_continual_moves_only_to_an_earlier_cause_with_its_words(inquire, model, answers):
    quoted = [{"node": "f1", "quote": "matter 1 matter 1"}]
    later = answers("blame", root_cause_node="n3", quotes=[{"node": "n3", "quote": "No review"}])
    bare = answers("blame", root_cause_node="f1")
    proved = answers("blame", root_cause_node="f1", quotes=quoted)
    for further, root in ((later, "n2"), (bare, "n2"), (proved, "f1")):
        said = model(answers("gap"), answers("blame"), further, *[answers("blame")] * 2)
        assert continual(long(inquire(said, trace_tokens=1000))).root_cause_node == root


def test_passive_continuation_asks_three_times_and_takes_the_last(inquire, model, answers):
    other = answers("blame", root_cause_node="n3", quotes=[{"node": "n3", "quote": "No review"}])
    said = model(answers("gap"), *[answers("blame")] * 3, other)
    assert passive(inquire(said)).root_cause_node == "n3"
    assert len(said.seen) == 5
    assert said.last().startswith("Reconsider")


def test_self_consistency_takes_the_majority_of_different_draws(inquire, answers):
    seen = []

    def vote(request):
        seen.append((request.sample, request.temperature))
        if "expected_outcome" in request.schema["properties"]:
            return Reply(json.dumps(answers("gap")))
        if request.sample == 1:
            return Reply("no answer")
        if request.sample == 2:
            quotes = [{"node": "n3", "quote": "No review"}]
            return Reply(json.dumps(answers("blame", root_cause_node="n3", quotes=quotes)))
        return Reply(json.dumps(answers("blame")))

    made = self_consistency(inquire(vote, samples=4))
    assert made.root_cause_node == "n2"
    assert made.margin == pytest.approx(2 / 3)
    assert {sample for sample, _ in seen} == {0, 1, 2, 3, 4}
    assert {temperature for sample, temperature in seen if sample} == {0.7}


def test_every_strategy_that_can_be_chosen_is_in_the_table():
    from typing import get_args

    from bot.engines.llm.options import Strategy

    assert {*STRATEGIES, "offline", "shortlist"} == set(get_args(Strategy))


def test_the_ledger_counts_what_was_read(trajectory):
    ledger = Ledger(trajectory)
    assert (ledger.coverage, ledger.unread()) == (0.0, ("n1", "n2", "n3"))
    ledger.read("n2")
    assert 0.5 < ledger.coverage < 1
    ledger.read("n1")
    ledger.read("n3", 10_000)
    ledger.read("n3", 1)
    assert (ledger.coverage, ledger.unread()) == (1.0, ())
