"""The sample that real stores are fed with, and what must come back of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bot.records.trajectory import Node, Trajectory

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sources" / "stores" / "otlp-openinference"


def sample_spans() -> list[dict[str, Any]]:
    """Every span of the sample, as OTLP's JSON has it."""
    rows = [json.loads(line) for line in (SAMPLE / "traces.otlp.jsonl").read_text().splitlines()]
    batches = [batch for row in rows for batch in row["resourceSpans"]]
    return [one for batch in batches for scope in batch["scopeSpans"] for one in scope["spans"]]


def told(session: Trajectory) -> tuple[Any, ...]:
    """What does not depend on where the session was kept."""
    turns = [(turn.role, turn.content) for turn in session.turns]
    return turns, [_node(node) for node in session.nodes], session.principal


def _node(node: Node) -> tuple[Any, ...]:
    return node.turn_id, node.type, node.reasoning, node.tool, node.input, node.output
