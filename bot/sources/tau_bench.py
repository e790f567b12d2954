"""tau-bench run files: one object or a list of {task_id, trial, reward, info, traj}.

The reward comes from code, not from the user, and is kept as such. The task's instruction and
gold actions are the grader's knowledge and are left behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.records.report import Skipped
from bot.records.trajectory import Feedback, Trajectory
from bot.sources.bytes import opened, session_files
from bot.sources.messages import MessagesError, trajectory

STOP = "###STOP###"


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every run below a path, in the order of the file names."""
    root = Path(path)
    for file in session_files(path):
        name = "<stdin>" if file is None else str(file)
        group = "" if file is None or not root.is_dir() else _group(file.relative_to(root))
        try:
            with opened(file) as stream:
                runs = json.loads(stream.read())
        except OSError as broken:
            yield Skipped(name, f"the file could not be read: {broken}")
            continue
        except (ValueError, RecursionError) as problem:
            yield Skipped(name, f"no JSON: {problem}")
            continue
        for number, run in enumerate(runs if isinstance(runs, list) else [runs], 1):
            yield _run(run, group, f"{name}#{number}")


def _run(run: Any, group: str, where: str) -> Trajectory | Skipped:
    if not isinstance(run, dict) or not isinstance(run.get("traj"), list):
        return Skipped(where, "no tau-bench run: `traj` is missing")
    session_id = f"{group}task{run.get('task_id')}-trial{run.get('trial', 0)}"
    reward = run.get("reward")
    feedback = (
        (Feedback("score", reward, source="code"),) if isinstance(reward, int | float) else ()
    )
    messages = [_without_stop(message) for message in run["traj"]]
    metadata: dict[str, Any] = {"source": "tau-bench"}
    info = run.get("info")
    task = info.get("task") if isinstance(info, dict) else None
    if isinstance(task, dict) and isinstance(task.get("user_id"), str):
        metadata["user_id"] = task["user_id"]
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


def _group(relative: Path) -> str:
    """Folders keep runs of the same task apart: `airline/failed/` becomes `airline-failed-`."""
    return "".join(f"{part}-" for part in relative.parts[:-1])
