"""All signals of a segment: tool errors, abandonment, and what hostile text can do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.records.finding import Segment
from bot.records.trajectory import Feedback, Node, ToolCall, Trajectory, Turn
from bot.signals.place import places
from bot.signals.strength import WEIGHTS
from bot.signals.table import SIGNALS, signals

ALL = Segment("segment-1", (1, 2, 3, 4))
OPEN = Turn(1, "user", "How many lamps are in store?")
SORRY = Turn(2, "assistant", "I could not find out: the store is not available.")


def call(node_id: str, *, ok: bool, name: str = "count") -> Node:
    error = None if ok else "no such column: lamp"
    tool = ToolCall(name, status="ok" if ok else "error", error=error)
    return Node(node_id, 2, "tool_call", tool=tool)


def types(trajectory: Trajectory) -> dict[str, float]:
    return {signal.signal_type: signal.confidence for signal in signals(trajectory, ALL)}


def test_every_signal_has_a_weight() -> None:
    assert set(SIGNALS) == set(WEIGHTS)


def test_tool_error_that_strands_the_user() -> None:
    stranded = Trajectory("s", (OPEN, SORRY), nodes=(call("n1", ok=False),))
    assert types(stranded)["TOOL_EXECUTION_ERROR"] >= 0.7


def test_tool_error_that_was_made_good() -> None:
    nodes = (call("n1", ok=False), call("n2", ok=True))
    answered = Trajectory("s", (OPEN, Turn(2, "assistant", "There are 12 lamps.")), nodes=nodes)
    assert "TOOL_EXECUTION_ERROR" not in types(answered)


def test_tool_error_that_the_user_minds() -> None:
    answer = Turn(2, "assistant", "The store does not take the question now, try again later.")
    useless = Turn(3, "user", "I tried yesterday, same thing. This is useless, I'll count by hand.")
    minded = Trajectory("s", (OPEN, answer, useless), nodes=(call("n1", ok=False),))
    content = Trajectory(
        "s", (OPEN, answer, Turn(3, "user", "Thanks, will do!")), nodes=minded.nodes
    )
    assert types(minded)["TOOL_EXECUTION_ERROR"] >= 0.7
    assert types(content)["TOOL_EXECUTION_ERROR"] < 0.7


def test_tool_error_that_the_agent_met_twice() -> None:
    answer = Turn(2, "assistant", "The store does not take the question now, try again later.")
    nodes = (call("n1", ok=False), call("n2", ok=False))
    assert types(Trajectory("s", (OPEN, answer), nodes=nodes))["TOOL_EXECUTION_ERROR"] >= 0.7
    assert types(Trajectory("s", (OPEN, answer), nodes=nodes[:1]))["TOOL_EXECUTION_ERROR"] < 0.7


def test_tool_error_beside_an_answer_is_weak() -> None:
    nodes = (call("n1", ok=False), call("n2", ok=True, name="list"))
    answered = Trajectory("s", (OPEN, Turn(2, "assistant", "There are 12 lamps.")), nodes=nodes)
    assert types(answered)["TOOL_EXECUTION_ERROR"] < 0.7


def test_silence_after_a_failure_is_a_weak_abandonment() -> None:
    found = types(Trajectory("s", (OPEN, SORRY)))
    assert found.keys() == {"SESSION_ABANDONMENT"}
    assert found["SESSION_ABANDONMENT"] * WEIGHTS["SESSION_ABANDONMENT"] < 0.7


def test_the_first_word_corrects_nobody() -> None:
    assert not signals(Trajectory("s", (Turn(1, "user", "That's wrong!"),)), ALL)


def test_gap_needs_two_times() -> None:
    def gap(first: str | None, second: str | None) -> float:
        turns = (OPEN, Turn(2, "assistant", "12", first), Turn(3, "user", "No.", second))
        return next(places(Trajectory("s", turns), ALL)).gap

    assert gap("2026-01-01T10:00:00Z", "2026-01-01T11:00:00+00:00") == 3600
    assert gap("2026-01-01T10:00:00", "2026-01-01T11:00:00Z") == 3600
    assert gap("2026-01-01T10:00:00Z", "yesterday") == gap(None, "2026-01-01T10:00:00Z") == 0


HOSTILE = st.one_of(
    st.text(max_size=200),
    st.sampled_from(["", " ", "\x00", "{0}%s", "../../etc", "That's wrong. " * 50, "?" * 300]),
    st.lists(
        st.sampled_from(
            ["wrong", "thanks", "20:00", "€5", "?", "\n", "不对", "👎", "İ", "my mistake"]
        ),
        max_size=30,
    ).map(" ".join),
)
TALKS = st.lists(
    st.tuples(st.sampled_from(["user", "assistant", "system"]), HOSTILE), min_size=1, max_size=8
)


@given(TALKS, st.one_of(st.none(), st.booleans(), st.floats(), st.text(max_size=5)))
def test_any_talk_gives_verbatim_evidence_in_a_stable_order(
    talk: list[tuple[str, str]], value: bool | float | str | None
) -> None:
    turns = tuple(Turn(n, role, text) for n, (role, text) in enumerate(talk, 1))  # type: ignore[arg-type]
    votes = tuple(Feedback(kind, value) for kind in ("thumbs", "score", "label", "comment"))
    trajectory = Trajectory("s", turns, feedback=votes)
    segment = Segment("segment-1", tuple(turn.turn_id for turn in turns))
    found = signals(trajectory, segment)
    assert found == signals(trajectory, segment)
    for signal in found:
        assert signal.evidence in turns[signal.turn_id - 1].content
        assert 0 <= signal.confidence <= 1
