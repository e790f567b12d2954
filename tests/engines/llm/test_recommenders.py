"""Recommenders: looks up to a cap, exact edits, and what only code may decide."""

import json

import pytest
from msgspec.structs import replace

from bot.context.edit import apply_all
from bot.engines.llm.messages import Reply, ToolUse
from bot.engines.llm.recommenders.explore import explore
from bot.engines.llm.recommenders.passive import passive
from bot.engines.llm.repo_tools import RepoTools
from bot.errors import Rejected

SKILL, POLICY = "skills/pay/SKILL.md", "knowledge_base/policies/P-1.md"


def looks(*calls) -> Reply:
    return Reply(
        uses=tuple(ToolUse(f"c{n}", name, json.dumps(args)) for n, (name, args) in enumerate(calls))
    )


def test_explore_reads_and_then_proposes_an_exact_edit(inquire, model, answers, offline, repo):
    said = model(
        looks(("read_skill", {"path": "pay/SKILL.md"})),
        looks(("search_kb", {"query": "review from $25,000 on"})),
        answers("proposal"),
    )
    made = explore(inquire(said), offline)
    assert len(said.seen) == 3
    first, second = made.exploration_log
    assert (first.tool, first.result) == ("read_skill", f"read {SKILL}")
    assert (second.tool, second.input) == ("search_kb", {"query": "review from $25,000 on"})
    assert POLICY in second.result
    assert "under $50,000" in said.seen[1].messages[-1].content
    assert POLICY in said.last()
    assert "under $25,000" in apply_all(made.edits, repo.texts)[SKILL]
    assert made.verified
    assert made.authoritative_source == POLICY
    assert made.anchor.endswith("routing")
    assert made.diagnosis.existence.passed
    assert [(q.path, q.line) for q in made.evidence] == [(SKILL, 10), (POLICY, 8)]


def test_passive_sees_no_file_and_calls_no_tool(inquire, model, answers, offline):
    said = model(answers("proposal"))
    assert passive(inquire(said), offline).operation == "UPDATE"
    assert len(said.seen) == 1
    assert said.seen[0].tools == ()
    assert "needs the review" not in said.last()


def test_without_tools_the_paths_are_still_there_to_be_named(
    inquire, model, answers, offline, block
):
    said = model(answers("proposal"))
    passive(inquire(said), offline)
    assert {"kb_entry": [POLICY]} in block(said.last(), "files")


@pytest.mark.parametrize(("strategy", "told"), [("holistic", True), ("shortlist", False)])
def test_only_a_gap_that_a_model_stated_is_told(
    inquire, model, answers, offline, block, strategy, told
):
    said = model(answers("proposal"))
    explore(inquire(said, strategy=strategy), offline)
    assert ("expected" in block(said.last(), "attribution")[0]) is told


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"target_path": "knowledge_base/none.md"}, "do not touch the target"),
        (
            {"edits": [{"path": SKILL, "action": "replace", "old": "never said", "new": "x"}]},
            "does not stand in",
        ),
        (
            {"edits": [{"path": SKILL, "action": "replace", "old": "ay", "new": "x"}]},
            "pay/SKILL.md",
        ),
        (
            {"edits": [{"path": "../../x", "action": "create_file", "old": None, "new": "x"}]},
            "do not touch the target",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_gets_one_more_turn_with_the_reason(
    inquire, model, answers, offline, other, reason
):
    said = model(answers("proposal", **other), answers("proposal"))
    assert explore(inquire(said), offline).operation == "UPDATE"
    assert reason in said.last()
    with pytest.raises(Rejected):
        explore(inquire(model(*[answers("proposal", **other)] * 2)), offline)


def test_without_an_edit_it_is_a_finding_that_proves_nothing(inquire, model, answers, offline):
    made = explore(inquire(model(answers("proposal", edits=[]))), offline)
    assert (made.operation, made.edits, made.verified) == ("UPDATE", (), False)


def test_an_edit_that_breaks_json_is_refused(inquire, model, answers, offline):
    edit = {"path": "tools/tools.json", "action": "replace", "old": "cents.", "new": 'cents"'}
    broken = answers("proposal", edits=[edit], target_path="tools/tools.json")
    said = model(broken, answers("proposal"))
    explore(inquire(said), offline)
    assert "is no valid JSON" in said.last()


def test_an_insertion_and_a_new_file(inquire, model, answers, offline, repo):
    edits = [
        {"path": SKILL, "action": "insert_after", "old": "# Pay", "new": "\nNew.\n"},
        {"path": "knowledge_base/new.md", "action": "create_file", "old": None, "new": "# New\n"},
    ]
    made = explore(inquire(model(answers("proposal", operation="CREATE", edits=edits))), offline)
    texts = apply_all(made.edits, repo.texts)
    assert "# Pay\n\nNew.\n\n## Routing" in texts[SKILL]
    assert texts["knowledge_base/new.md"] == "# New\n"


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("# A\n\n- one\n- two\n", "- one", "- more", "# A\n\n- one\n- more\n- two\n"),
        ("# A\n\n- one\n- two\n", "one", "\n- more\n", "# A\n\n- one\n- more\n- two\n"),
        ("| a |\n| - |\n| b |\n", "| b |\n", "| c |\n", "| a |\n| - |\n| b |\n| c |\n"),
        ("One.\nTwo.\n", "One", "\nMore.", "One.\n\nMore.\nTwo.\n"),
        ("One.\r\nTwo.\r\n", "One.", "More.\n", "One.\r\nMore.\r\nTwo.\r\n"),
        ("One.\nTwo.", "Two.", "More.\n", "One.\nTwo.\nMore."),
    ],
)
def test_an_insertion_gets_lines_of_its_own(
    inquire, model, answers, offline, repo, text, old, new, after
):
    told = {**repo.texts, POLICY: text}
    edits = [{"path": POLICY, "action": "insert_after", "old": old, "new": new}]
    inquiry = replace(
        inquire(model(answers("proposal", target_path=POLICY, edits=edits))),
        repo=replace(repo, texts=told),
    )
    assert apply_all(explore(inquiry, offline).edits, told)[POLICY] == after


def test_an_insertion_below_what_stands_twice_is_refused(inquire, model, answers, offline):
    edits = [{"path": SKILL, "action": "insert_after", "old": "ay", "new": "x"}]
    said = model(answers("proposal", edits=edits), answers("proposal"))
    explore(inquire(said), offline)
    assert "more than once" in said.last()


def test_old_text_with_other_spaces_is_found_as_it_stands(inquire, model, answers, offline):
    edit = {"path": SKILL, "action": "replace", "old": "Invoices  under\n$50,000", "new": "x"}
    made = explore(inquire(model(answers("proposal", edits=[edit]))), offline)
    assert made.edits[0].old == "Invoices under $50,000"


def test_no_action_carries_no_edit(inquire, model, answers, offline):
    made = explore(inquire(model(answers("proposal", operation="NO_ACTION"))), offline)
    assert (made.edits, made.target_path, made.verified) == ((), None, False)


@pytest.mark.parametrize(
    "other",
    [
        {"authoritative_source": None},
        {"authoritative_source": SKILL},
        {"evidence": [{"path": POLICY, "quote": "made up"}]},
    ],
)
def test_only_a_quoted_source_that_outranks_verifies(inquire, model, answers, offline, other):
    assert not explore(inquire(model(answers("proposal", **other))), offline).verified


def test_the_tools_answer_what_is_asked(inquire):
    tools = {name: a.look for name, a in RepoTools(inquire(None)).abilities().items()}
    assert tools["read_kb_entry"](POLICY)["metadata"]["status"] == "approved"
    assert tools["list_skills"]("")[0]["description"] == "Pays invoices."
    assert tools["list_skills"]("other/") == "There is no skill there."
    assert "Be brief." in tools["read_system_prompt"]("")["content"]
    assert "Amount in cents." in tools["read_tool_prompt"]("pay")["content"]
    assert "Tools: pay." in tools["read_tool_prompt"]("nope")
    assert tools["search_kb"]("every invoice")[0]["path"] == POLICY
    assert tools["search_kb"]("zzzz") == "Nothing in the repository speaks of this."
    assert tools["git_log"](SKILL) == "No history is known of this file."
    assert tools["git_blame"](SKILL)["git_log"] == tools["git_log"](SKILL)
    assert "Did you mean" in tools["read_kb_entry"]("policies/P-1")


@pytest.mark.parametrize(
    "path", ["", "/", "..", "../../etc/passwd", "/etc/passwd", "\0", "a" * 5000]
)
def test_no_path_leads_out_of_the_repository(inquire, path):
    for look in (
        RepoTools(inquire(None)).read,
        RepoTools(inquire(None)).history,
        RepoTools(inquire(None)).blame,
    ):
        found = look(path)
        assert isinstance(found, str)
        assert "root:" not in found
