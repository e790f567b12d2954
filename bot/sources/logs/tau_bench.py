"""tau-bench run files: one object or a list of {task_id, trial, reward, info, traj}.

The reward comes from code, not from the user, and is kept as such. The task's instruction and
gold actions are the grader's knowledge and are left behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.records.report import Skipped
from bot.records.trajectory import Feedback, Trajectory
from bot.sources.bytes import session_files
from bot.sources.logs.json_files import Record, document
from bot.sources.messages import MessagesError, trajectory

STOP = "###STOP###"


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every run below a path, in the order of the file names."""
    for file in session_files(path):
        record = document(file, path)
        if isinstance(record, Skipped):
            yield record
        elif record is not None:
            runs = record.value if isinstance(record.value, list) else [record.value]
            yield from (_run(run, record, number) for number, run in enumerate(runs, 1))


def _run(run: Any, record: Record, number: int) -> Trajectory | Skipped:
    where = f"{record.where}#{number}"
    if not isinstance(run, dict) or not isinstance(run.get("traj"), list):
        return Skipped(where, "no tau-bench run: `traj` is missing")
    reward = run.get("reward")
    feedback = (
        (Feedback("score", reward, source="code"),) if isinstance(reward, int | float) else ()
    )
    messages = [_without_stop(message) for message in run["traj"]]
    metadata = record.metadata("tau-bench")
    info = run.get("info")
    task = info.get("task") if isinstance(info, dict) else None
    if isinstance(task, dict) and isinstance(task.get("user_id"), str):
        metadata["user_id"] = task["user_id"]
    session_id = f"{record.name}-task{run.get('task_id', number)}-trial{run.get('trial', 0)}"
    try:
        return trajectory(session_id, messages, feedback=feedback, metadata=metadata)
    except MessagesError as problem:
        return Skipped(where, str(problem))


def _without_stop(message: Any) -> Any:
    """The simulated user's control word is no part of what it said."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str) and message.get("role") == "user" and STOP in content:
        return {**message, "content": content.replace(STOP, "").strip()}
    return message
