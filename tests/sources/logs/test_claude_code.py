"""Claude Code sessions as they really are: split, interrupted, resumed, compacted, cut off."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.logs import claude_code

FOLDER = "/srv/shop"


def entry(kind: str, content: Any, number: int, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {
        "type": kind,
        "message": message,
        "uuid": f"u-{number}",
        "sessionId": "s-1",
        "cwd": FOLDER,
        "timestamp": f"2026-03-01T10:00:{number:02}.000Z",
        **more,
    }


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


def use(name: str, asked: Any, call_id: str = "t1") -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": call_id, "name": name, "input": asked}]


def result(content: Any, call_id: str = "t1", **more: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": call_id, "content": content, **more}]


def session(tmp_path: Path, entries: Sequence[dict[str, Any]]) -> Trajectory:
    file = tmp_path / "s.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in entries), "utf-8")
    (found,) = claude_code.convert(str(file))
    assert isinstance(found, Trajectory)
    return found


def turns(found: Trajectory) -> list[tuple[str, str]]:
    return [(turn.role, turn.content) for turn in found.turns]


ASKED = entry("user", "Where are the prices?", 1)


def test_text_of_a_message_goes_with_the_call_on_its_next_line(tmp_path: Path) -> None:
    found = session(
        tmp_path,
        [
            ASKED,
            entry("assistant", text("I will look."), 2, message={"id": "m1"}),
            entry("assistant", use("Grep", {"pattern": "price"}), 3, message={"id": "m1"}),
            entry("user", result("prices.md"), 4),
            entry("assistant", text("In prices.md."), 5, message={"id": "m2"}),
        ],
    )
    assert turns(found) == [("user", "Where are the prices?"), ("assistant", "In prices.md.")]
    assert [(n.type, n.turn_id) for n in found.nodes] == [
        ("user_query_processing", 1),
        ("tool_call", 2),
        ("response_generation", 2),
    ]
    assert found.nodes[1].reasoning == "I will look."
    assert found.nodes[1].duration_ms == 1000
    assert (found.started_at, found.ended_at) == (ASKED["timestamp"], "2026-03-01T10:00:05.000Z")


@pytest.mark.parametrize(
    "line",
    [
        entry("user", text("Caveat: …"), 2, isMeta=True),
        entry("user", "What was said so far …", 2, isCompactSummary=True),
        entry("user", "Search everything.", 2, isSidechain=True),
        entry("user", "<command-name>/clear</command-name><command-args></command-args>", 2),
        entry("user", "<local-command-stdout>ok</local-command-stdout>", 2),
        entry("user", "<system-reminder>\nBe careful.\n</system-reminder>", 2),
        entry("assistant", text("API Error: 529"), 2, isApiErrorMessage=True),
        entry("assistant", text("No response requested."), 2, message={"model": "<synthetic>"}),
        {"type": "file-history-snapshot", "messageId": "u-1"},
        {"type": "summary", "summary": "Prices"},
        {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"},
        entry("user", [{"type": "image", "source": {"data": "AAAA"}}], 2),
        {"type": "user", "message": "no object"},
        {"type": ["odd"], "message": {"content": [3, None, {"type": "text", "text": 3}]}},
    ],
)
def test_what_the_program_writes_is_no_turn(tmp_path: Path, line: dict[str, Any]) -> None:
    assert turns(session(tmp_path, [ASKED, line])) == [("user", "Where are the prices?")]


def test_a_command_with_arguments_is_what_the_user_said(tmp_path: Path) -> None:
    said = "<command-name>/price</command-name>\n<command-args>of tea</command-args>"
    assert turns(session(tmp_path, [entry("user", said, 1)])) == [("user", "/price of tea")]


def test_words_that_came_while_the_agent_worked_are_a_turn(tmp_path: Path) -> None:
    queued = {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "Not EU!"}}
    notice = {**queued["attachment"], "commandMode": "task-notification"}  # type: ignore[dict-item]
    found = session(tmp_path, [ASKED, queued, {**queued, "attachment": notice}])
    assert turns(found)[1:] == [("user", "Not EU!")]


def test_a_rejection_tells_what_the_user_wants_instead(tmp_path: Path) -> None:
    refusal = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. "
        "To tell you how to proceed, the user said:\nUse the list of 2026."
    )
    found = session(
        tmp_path,
        [
            ASKED,
            entry("assistant", use("Read", {"file_path": f"{FOLDER}/prices-2024.md"}), 2),
            entry("user", result(refusal, is_error=True), 3),
            entry("user", text("[Request interrupted by user for tool use]"), 4),
        ],
    )
    assert turns(found)[1:] == [("user", "Use the list of 2026.")]
    tool = found.nodes[1].tool
    assert tool is not None
    assert (tool.status, tool.input) == ("error", {"file_path": "prices-2024.md"})
    assert [(f.type, f.value, f.turn_id) for f in found.feedback] == [("label", "interrupted", 2)]


def test_a_subagent_is_seen_by_what_it_did(tmp_path: Path) -> None:
    found = session(
        tmp_path,
        [
            ASKED,
            entry("assistant", use("Read", {"file_path": "/x/docs/a.md"}), 2, isSidechain=True),
            entry("user", result("1\tTea is 3."), 3, isSidechain=True),
            entry("assistant", text("Tea is 3."), 4, isSidechain=True),
            entry("assistant", text("3 euros."), 5),
        ],
    )
    assert turns(found)[1:] == [("assistant", "3 euros.")]
    assert [node.type for node in found.nodes] == [
        "user_query_processing",
        "kb_read",
        "reasoning",
        "response_generation",
    ]


def write(file: Path, entries: Sequence[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line) + "\n" for line in entries), "utf-8")


def agent(name: str, start: int, *more: dict[str, Any]) -> list[dict[str, Any]]:
    """What a subagent writes: what it is asked, a file that it reads, what it reports."""
    call = f"read-{name}"
    told: list[dict[str, Any]] = [
        entry("user", "Look.", start),
        entry("assistant", use("Read", {"file_path": f"{FOLDER}/{name}.md"}, call), start + 1),
        entry("user", result(f"1\tIt is {name}.", call), start + 2),
        *more,
        entry("assistant", text(f"It is {name}."), start + 3),
    ]
    shared = {"isSidechain": True, "agentId": name}
    return [{**line, **shared, "uuid": f"{name}-{n}"} for n, line in enumerate(told)]


def asks(name: str, start: int) -> list[dict[str, Any]]:
    """The call of a subagent, and its report."""
    call = f"task-{name}"
    return [
        entry("assistant", use("Task", {"prompt": "Look."}, call), start),
        entry("user", result(f"It is {name}.", call), start + 9)
        | {"toolUseResult": {"agentId": name}},
    ]


def tools(found: Trajectory | Skipped) -> list[tuple[str, Any]]:
    assert isinstance(found, Trajectory)
    return [(n.tool.name or "", n.tool.input) for n in found.nodes if n.tool]


SESSION = [ASKED, *asks("alpha", 2), entry("assistant", text("In alpha."), 12)]
READ = [("Task", {"prompt": "Look."}), ("Read", {"file_path": "alpha.md"})]


@pytest.mark.parametrize("place", ["s/subagents/agent-alpha.jsonl", "agent-alpha.jsonl"])
@pytest.mark.parametrize("named", ["", "s.jsonl"], ids=["folder", "file"])
def test_what_a_subagent_did_stands_between_call_and_report(
    tmp_path: Path, place: str, named: str
) -> None:
    write(tmp_path / "s.jsonl", SESSION)
    write(tmp_path / place, agent("alpha", 3))
    (tmp_path / place).with_suffix(".meta.json").write_text('{"agentType": "Explore"}', "utf-8")
    (found,) = claude_code.convert(str(tmp_path / named))
    assert isinstance(found, Trajectory)
    assert turns(found) == [("user", "Where are the prices?"), ("assistant", "In alpha.")]
    kinds = ["user_query_processing", "tool_call", "tool_call", "reasoning", "response_generation"]
    assert [node.type.replace("kb_read", "tool_call") for node in found.nodes] == kinds
    assert tools(found) == READ
    asked = found.nodes[1].tool
    assert asked is not None
    assert asked.output == "It is alpha."


def test_agents_that_work_side_by_side_and_in_one_another(tmp_path: Path) -> None:
    both = [ASKED, *asks("one", 2), *asks("two", 3), entry("assistant", text("Done."), 20)]
    write(tmp_path / "s.jsonl", both)
    folder = tmp_path / "s" / "subagents"
    write(folder / "agent-one.jsonl", agent("one", 3, *asks("inner", 4)))
    write(folder / "agent-inner.jsonl", agent("inner", 5))
    write(folder / "agent-two.jsonl", agent("two", 3))
    (found,) = claude_code.convert(str(tmp_path))
    names = [asked.get("file_path", "task") for _, asked in tools(found)]
    assert names == ["task", "one.md", "task", "inner.md", "task", "two.md"]


def test_an_agent_whose_report_names_none_is_placed_by_its_time(tmp_path: Path) -> None:
    bare = [{k: v for k, v in line.items() if k != "toolUseResult"} for line in SESSION]
    write(tmp_path / "s.jsonl", bare)
    write(tmp_path / "s" / "subagents" / "agent-alpha.jsonl", agent("alpha", 3))
    (found,) = claude_code.convert(str(tmp_path))
    assert tools(found) == READ


def test_an_agent_of_another_session_is_no_part_of_this_one(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", SESSION)
    other = [{**line, "sessionId": "s-2"} for line in agent("alpha", 3)]
    write(tmp_path / "agent-alpha.jsonl", other)
    (found,) = claude_code.convert(str(tmp_path))
    assert tools(found) == READ[:1]


def test_the_model_is_that_of_the_session(tmp_path: Path) -> None:
    answer = entry("assistant", text("In alpha."), 12, message={"model": "large"})
    write(tmp_path / "s.jsonl", [*SESSION[:3], answer])
    small = [{**line, "message": {**line["message"], "model": "small"}} for line in agent("x", 30)]
    write(tmp_path / "s" / "subagents" / "agent-x.jsonl", small)
    (found,) = claude_code.convert(str(tmp_path))
    assert isinstance(found, Trajectory)
    assert found.agent is not None
    assert found.agent.model == "large"


def test_a_bad_line_of_an_agent_is_named(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", SESSION)
    file = tmp_path / "s" / "subagents" / "agent-alpha.jsonl"
    write(file, agent("alpha", 3))
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"type": "us')
    bad, found = claude_code.convert(str(tmp_path))
    assert isinstance(bad, Skipped)
    assert bad.where == f"{file}:5"
    assert tools(found) == READ


def test_agents_without_their_session_are_no_session(tmp_path: Path) -> None:
    write(tmp_path / "agent-1.jsonl", agent("1", 1))
    assert list(claude_code.convert(str(tmp_path))) == []
    (told,) = claude_code.convert(str(tmp_path / "agent-1.jsonl"))
    assert isinstance(told, Skipped)
    assert "give the session's own file" in told.reason


def test_agents_that_name_one_another_in_a_circle_are_read_once(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", [ASKED, entry("assistant", text("Done."), 20)])
    folder = tmp_path / "s" / "subagents"
    write(folder / "agent-a.jsonl", agent("a", 3, *asks("b", 4)))
    write(folder / "agent-b.jsonl", agent("b", 3, *asks("a", 4)))
    (found,) = claude_code.convert(str(tmp_path))
    names = [asked.get("file_path", "task") for _, asked in tools(found)]
    assert sorted(names) == ["a.md", "b.md", "task", "task"]


def test_a_resumed_session_counts_its_lines_once(tmp_path: Path) -> None:
    answer = entry("assistant", text("In prices.md."), 2)
    assert len(session(tmp_path, [ASKED, answer, ASKED, answer]).turns) == 2


def test_the_text_of_a_skill_belongs_to_the_call_that_loaded_it(tmp_path: Path) -> None:
    head = f"Base directory for this skill: {FOLDER}/.claude/skills/prices\n\n# Prices\nAsk first."
    found = session(
        tmp_path,
        [
            ASKED,
            entry("assistant", use("Skill", {"skill": "prices"}), 2),
            entry("user", result("Launching skill: prices"), 3),
            entry("user", text(head), 4, isMeta=True),
        ],
    )
    tool = found.nodes[1].tool
    assert tool is not None
    path = ".claude/skills/prices/SKILL.md"
    assert tool.output == {"path": path, "content": "# Prices\nAsk first."}


def test_a_session_that_is_still_written_is_read_up_to_its_last_line(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    whole = json.dumps(ASKED)
    file.write_text(f"{whole}\n\n{whole[:40]}\n{whole[:30]}", "utf-8")
    bad, good = claude_code.convert(str(file))
    assert isinstance(bad, Skipped)
    assert bad.where == f"{file}:3"
    assert "1 more line" in bad.reason
    assert isinstance(good, Trajectory)


def test_a_file_without_a_word_is_named(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('{"type": "summary"}\n', "utf-8")
    (tmp_path / "t.jsonl").write_text("", "utf-8")
    (found,) = claude_code.convert(str(tmp_path))
    assert isinstance(found, Skipped)
    assert found.where.endswith("s.jsonl")


def test_tags_that_never_close_are_read_in_one_pass(tmp_path: Path) -> None:
    words = "<system-reminder>" * 20_000
    assert turns(session(tmp_path, [entry("user", words, 1)])) == [("user", words)]
