"""Long traces: nothing is cut without a word, and the slice leads back to the cause."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.engines.llm.causal_slice import causal_order
from bot.engines.llm.clip import clip
from bot.engines.llm.nodes import Ledger, abilities, listed, text
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn

LINES = st.lists(st.text(alphabet="abc 12\n", max_size=60), max_size=12).map("\n".join)


@given(LINES, st.integers(1, 200), st.text(alphabet="abc 12", max_size=20))
def test_a_clip_keeps_lines_whole_and_says_what_it_left_out(value, length, about):
    cut = clip(value, length, about)
    if len(value) <= length:
        assert cut == value
        return
    first, *others = cut.split("[… ")
    missing = sum(int(mark.split(" ")[0]) for mark in others)
    rests = (part.partition(" characters left out …]")[2].removeprefix("\n") for part in others)
    kept = len("".join((first, *rests)))
    assert missing > 0
    assert abs(len(value) - missing - kept) <= cut.count("[… ")


def test_what_is_asked_about_is_kept():
    lines = [f"line {n} of nothing" for n in range(200)]
    lines[150] = "the approval limit is 25,000"
    cut = clip("\n".join(lines), 300, "Is the limit 25,000?")
    assert "the approval limit is 25,000" in cut
    assert cut.startswith("line 0")


def steps(count: int) -> Trajectory:
    """A value goes from the first tool through the tenth to the answer; the rest is noise."""

    def call(n: int, asked: object, told: str) -> Node:
        return Node(f"n{n}", 2, "tool_call", tool=ToolCall("t", {"asked": asked}, {"told": told}))

    nodes = [call(n, f"matter{n:03}", f"noise{n:03} " * 50) for n in range(count)]
    nodes[0] = call(0, "rates", "the rate is RX-88213")
    nodes[10] = call(10, "use RX-88213", "so the total is QT-55471")
    answer = Node("answer", 2, "response_generation", output={"response": "It is QT-55471."})
    turns = (
        Turn(1, "user", "How much?"),
        Turn(2, "assistant", "It is QT-55471."),
        Turn(3, "user", "No."),
    )
    return Trajectory("s", turns, nodes=(*nodes, answer))


def test_the_slice_follows_values_backward(case):
    session = steps(60)
    order = causal_order(replace(case, trajectory=session), "No.")
    assert order[:3] == ("answer", "n10", "n0")
    assert sorted(order) == sorted(node.node_id for node in session.nodes)


def test_a_trace_that_fits_stands_whole_and_one_that_does_not_names_the_rest(case):
    session = steps(60)
    order = causal_order(replace(case, trajectory=session), "No.")
    whole, part = Ledger(session), Ledger(session)
    assert all("left out" not in row for row in listed(session, order, 100_000, "", whole))
    assert whole.coverage == 1.0
    rows = listed(session, order, 800, "", part)
    assert [row["node"] for row in rows] == [node.node_id for node in session.nodes]
    assert "asked" in rows[0]
    assert "asked" in rows[10]
    assert any("left out" in row for row in rows)
    assert 0 < part.coverage < 0.5


def test_the_tools_read_what_was_left_out(case):
    session = steps(20)
    ledger = Ledger(session)
    tools = {name: ability.look for name, ability in abilities(session, ledger).items()}
    assert tools["read_node"]("n7") == text(session.nodes[7])
    assert tools["read_node"]("n7:100") == text(session.nodes[7])[100:]
    assert "no node" in tools["read_node"]("n99")
    assert tools["search_trace"]("rx-88213")[0]["node"] == "n0"
    assert "No node" in tools["search_trace"]("never said")
    assert "No node" in tools["search_trace"]("")
    assert ledger.coverage > 0


def test_a_huge_node_is_cut_and_read_in_pages(case):
    huge = Node("n0", 2, "kb_read", tool=ToolCall("t", {}, {"content": "word " * 20_000}))
    session = replace(steps(20), nodes=(huge, *steps(20).nodes[1:]))
    ledger = Ledger(session)
    first = listed(session, ["n0"], 4_000, "", ledger)[0]
    assert "characters left out" in str(first)
    read = abilities(session, ledger)["read_node"].look
    page = read("n0")
    assert "read on with n0:12000" in page
    assert ledger.coverage < 0.2
