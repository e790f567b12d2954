"""AgentRx (arXiv 2602.02475): runs with every failure annotated, one of them the root cause.

`step_number` counts from 1 over the raw list of messages, the system message included.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.bench.public.files import value
from bot.bench.public.multi_agent import steps, trajectory
from bot.bench.public.steps import Run, Said
from bot.bench.public.tau import chat, message_of
from bot.errors import ConfigError

DOMAINS = ("tau_retail", "magentic_one")


def read(folder: Path) -> tuple[Run, ...]:
    """Every labelled run of one domain. Raises `ConfigError`."""
    labels = value(folder / "labels.json")
    return tuple(_run(folder, label) for label in labels)


def _run(folder: Path, label: Mapping[str, Any]) -> Run:
    name = str(label["trajectory_id"])
    data = value(folder / "trajectories" / f"{name}.json")
    wanted = label["root_cause"]["failure_id"]
    root = next((f for f in label["failures"] if f["failure_id"] == wanted), None)
    if root is None:
        raise ConfigError(f"{folder / 'labels.json'}: run {name} has no failure {wanted}")
    run_id, gold = f"agentrx-{name}", int(root["step_number"]) - 1
    if isinstance(data, dict):
        messages = data["traj"]
        found = chat(run_id, messages)
        said = tuple(message_of(message) for message in messages)
        return Run(run_id, found.trajectory, said, found.step_of, gold, str(root["failed_agent"]))
    said = tuple(Said(str(m.get("role") or ""), str(m.get("content") or "")) for m in data)
    question = said[0].text if said else ""
    told = trajectory(run_id, question, said)
    return Run(run_id, told, said, steps(said), gold, str(root["failed_agent"]))
