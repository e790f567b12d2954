"""Who&When (arXiv 2505.00212): failed multi-agent runs with the agent and step at fault.

`mistake_step` counts from 0 over `history`. What is labelled, and the right answer, never reach
the engine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.bench.public.files import objects
from bot.bench.public.multi_agent import steps, trajectory
from bot.bench.public.steps import Run, Said

FOLDERS = ("Algorithm-Generated", "Hand-Crafted")


def read(folder: Path) -> tuple[Run, ...]:
    """Every run of one of the two folders. Raises `ConfigError`."""
    return tuple(_run(path.stem, data) for path, data in objects(folder))


def _run(run_id: str, data: dict[str, Any]) -> Run:
    said = tuple(
        Said(str(turn.get("name") or turn.get("role") or ""), str(turn.get("content") or ""))
        for turn in data["history"]
    )
    return Run(
        f"whowhen-{run_id}",
        trajectory(f"whowhen-{run_id}", str(data["question"]), said),
        said,
        steps(said),
        int(data["mistake_step"]),
        str(data["mistake_agent"]),
    )
