"""What the fakes answer, and what was recorded, holds against the stores' published models."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot.sources.stores.langsmith import WHOLE
from tests.live.servers import program
from tests.sources.fakes import langfuse, langsmith, opik
from tests.sources.fakes.said import Said

pytestmark = pytest.mark.live

STORES = Path(__file__).parents[2] / "fixtures" / "sources" / "stores"
SHAPES = Path(__file__).with_name("shapes.py")
SAID = [Said(1, "s-1", failed=True, vote=False), Said(2, None, tags=("a=b",), vote=True)]


def recorded(name: str) -> Any:
    text = (STORES / name).read_text("utf-8")
    return json.loads(text) if name.endswith(".json") else list(map(json.loads, text.splitlines()))


def test_every_shape_holds() -> None:
    fuse, smith = langfuse.fake(SAID), langsmith.fake(SAID)
    asked = {"project_ids": [langsmith.PROJECT], "page_size": 100, "min_start_time": "2000"}
    runs = smith("/api/v2/runs/query", {}, {**asked, "selects": WHOLE})["items"]
    traced = opik.fake(SAID)
    support = {"project_name": ["support"]}
    exports = [json.loads(path.read_bytes()) for path in sorted((STORES / "opik").iterdir())]
    voted = {"run": [told.uuid for told in SAID], "limit": ["9"]}
    rows = {
        "langfuse observations": [
            recorded("langfuse/observations.json"),
            fuse("/api/public/v2/observations", {"fields": ["io"]}, None),
        ],
        "langfuse scores": [
            recorded("langfuse/scores.json"),
            fuse("/api/public/v3/scores", {}, None),
        ],
        "langsmith runs v1": recorded("langsmith/runs.jsonl"),
        "langsmith runs v2": runs,
        "langsmith feedback": [
            *recorded("langsmith/feedback.jsonl"),
            *smith("/api/v1/feedback", voted, None),
        ],
        "opik traces": [traced("/v1/private/traces", support, None)],
        "opik spans": [
            traced("/v1/private/spans", {**support, "trace_id": [told.uuid]}, None) for told in SAID
        ],
        "opik exported traces": [export["trace"] for export in exports],
        "opik exported spans": [span for export in exports for span in export["spans"]],
    }
    checked = subprocess.run(
        (program("python"), str(SHAPES)),
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr[-3000:]
    told = [f"{len(items)} {name}" for name, items in rows.items()]
    assert checked.stdout.splitlines() == told
    assert all(rows.values())
