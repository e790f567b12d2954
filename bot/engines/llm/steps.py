"""What the agent did, a line a step: what it asked for, and what came back of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from typing import Any

from bot.context.repo import ContextRepo
from bot.context.words import stems
from bot.engines.llm.clip import ends, window
from bot.engines.llm.fence import clean
from bot.provenance.seen import passages
from bot.records.trajectory import Node, Trajectory

ASKED, THOUGHT, LINE, GIVEN = 360, 240, 180, 220
PATHS, LINES = 6, 2
# A number tells as much as so many words.
NUMBER = 3
SEARCH = "kb_search"
READING = ("kb_search", "kb_read", "skill_lookup", "system_prompt")


def steps(
    nodes: Iterable[str], trajectory: Trajectory, repo: ContextRepo, about: Sequence[str]
) -> list[str]:
    """These nodes, a line each, in the order of time; of a text that one of them read, the lines
    that speak most of each of `about`."""
    wanted = set(nodes)
    return [clean(_step(node, repo, about)) for node in trajectory.nodes if node.node_id in wanted]


def _step(node: Node, repo: ContextRepo, about: Sequence[str]) -> str:
    name = node.tool.name if node.tool is not None and node.tool.name else node.type
    told = [f"{node.node_id} (turn {node.turn_id}) {name}"]
    if node.tool is not None:
        told.append(ends(_asked(node.tool.input), ASKED))
    elif node.reasoning:
        told.append(ends(_line(node.reasoning), THOUGHT))
    back = _came_back(node, repo, about)
    return " ".join(filter(None, (*told, f"→ {back}" if back else "")))


def _asked(given: Any) -> str:
    values = given.values() if isinstance(given, dict) else [given]
    return _line(" ".join(_plain(v) for v in values if v))


def _came_back(node: Node, repo: ContextRepo, about: Sequence[str]) -> str:
    """The error; of a search the files that it found; of a text its nearest lines; else the
    answer itself."""
    tool = node.tool
    if tool is not None and (tool.error or tool.status != "ok"):
        return f"{tool.status}: {ends(_line(tool.error or _plain(tool.output)), GIVEN)}"
    if tool is None and node.type != "system_prompt":
        return ""
    shown = list(passages(node))
    found = dict.fromkeys(filter(None, (repo.resolve(path) for path, _ in shown if path)))
    given = _line(_plain(tool.output if tool is not None else node.output))
    if not found and node.type not in READING:
        return window(given, GIVEN, " ".join(about))
    lines = [line for _, text in shown for line in clean(text).splitlines()]
    quoted = " / ".join(f'"{line}"' for line in _nearest(lines, about))
    paths = ", ".join([*found][:PATHS]) if node.type == SEARCH else ""
    return " ".join(filter(None, (paths, quoted))) or ("nothing" if not lines else "")


def _nearest(lines: Sequence[str], about: Sequence[str]) -> list[str]:
    """The lines that share most with each of these, by words that few of the lines have; by a
    number most of all."""
    words = [frozenset(stems(line)) for line in lines]
    counts = Counter(word for found in words for word in found)
    best: set[int] = set()
    for text in about:
        wanted = set(stems(text))
        pull = [fsum(_weight(w) / counts[w] for w in found & wanted) for found in words]
        order = sorted(range(len(lines)), key=lambda n: (-pull[n], n))
        best.update(n for n in order[:LINES] if pull[n] > 0)
    return [window(_line(lines[n]), LINE, " ".join(about)) for n in sorted(best)]


def _weight(word: str) -> int:
    return NUMBER if any(map(str.isdigit, word)) else 1


def _plain(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _line(text: str) -> str:
    return " ".join(text.split())
