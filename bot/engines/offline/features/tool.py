"""Whether a tool's description misled its caller: parameters, columns, values sent, errors."""

from __future__ import annotations

import re

from bot.context.unit import Unit
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.code_lists import differing, is_code
from bot.engines.offline.comment import comment_of, name_of
from bot.engines.offline.scene import Scene
from bot.engines.offline.unit_words import clash
from bot.provenance.seen import asked_of, names_word

_NAME = re.compile(r"[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*")


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """How the call, the description and the truth name one another; for tool faults only."""
    if candidate.shape != "tool" or candidate.faulty is None:
        return {}
    unit = scene.index.units[candidate.faulty]
    node = scene.trajectory.nodes[candidate.node]
    asked = asked_of(node)
    name = unit.parameter.split(".")[0]
    errors = node.tool.error or "" if node.tool is not None else ""
    sent, output = scene.exchange(candidate.node)
    own = scene.index.words[candidate.faulty]
    found = {
        "tool_parameter": float(bool(name)),
        "tool_used": float(bool(name) and names_word(asked, name)),
        "tool_sent_in_text": float(bool(sent & own)),
        "tool_answer_in_text": float(bool(output & own)),
        "tool_error_names": float(any(names_word(errors, n) for n in _NAME.findall(unit.text))),
        "tool_last_of_round": float(candidate.node == _last_call(scene, candidate)),
    }
    if candidate.truth is not None:
        truth = scene.index.units[candidate.truth]
        around = f"{truth.key} {truth.reading} {' '.join(truth.headings)}"
        found["tool_truth_names_parameter"] = float(bool(name) and names_word(around, name))
        found["tool_truth_key_in_text"] = float(
            bool(truth.key) and truth.kind == "column" and names_word(unit.text, truth.key)
        )
        found["tool_truth_table"] = float(
            any(names_word(asked, h) or h == name for h in truth.headings if truth.kind == "column")
        )
        same_field = found["tool_truth_names_parameter"] or found["tool_truth_key_in_text"]
        accord = scene.library.accords.of(candidate.faulty, candidate.truth)
        found["tool_truth_differs"] = same_field * (1 - accord.held)
        found["tool_truth_returned"] = float(
            bool(truth.key) and truth.key.casefold() in scene.returned(candidate.node)
        )
        found["tool_truth_comment"] = float("--" in truth.text or "#" in truth.text)
        found["tool_truth_in_tools"] = float(bool(truth.tool))
        comment, column = comment_of(truth), name_of(truth)
        found["tool_unit_differs"] = float(clash(unit.text, column, comment) is not None)
        found["tool_code_differs"] = _recoded(unit, truth, comment)
    return found


def _recoded(unit: Unit, truth: Unit, comment: str) -> float:
    """The share of the codes that both explain which mean different things; a row explains one."""
    if not truth.cells:
        return differing(unit.text, comment)
    pairs = zip(truth.cells, truth.cells[1:], strict=False)
    return max((differing(unit.text, f"{c} = {m}") for c, m in pairs if is_code(c)), default=0.0)


def _last_call(scene: Scene, candidate: Candidate) -> int:
    """The last node of the hypothesis's round that called a tool of the repository; -1 for none."""
    called = scene.seen.calls.keys() & set(scene.rounds[candidate.round].round.nodes)
    return max(called, default=-1)
