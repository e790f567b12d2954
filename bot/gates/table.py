"""The gates in the order of their numbers. G10, the evidence bar, stands in `bot.stages.plan`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.gates.applies import applies
from bot.gates.authority import authority
from bot.gates.contradiction import contradiction
from bot.gates.encoding import encoding
from bot.gates.hidden import hidden
from bot.gates.inputs import Inputs
from bot.gates.path import path
from bot.gates.secret import personal, secret
from bot.gates.size import deletion, size
from bot.gates.structure import structure
from bot.gates.verbatim import verbatim
from bot.records.change import ChangeSet
from bot.records.plan import GateResult

Gate = Callable[[ChangeSet, Inputs], GateResult]

GATES: Final[tuple[tuple[str, str, Gate], ...]] = (
    ("G1", "only plain context files are touched", path),
    ("G2", "the patch applies exactly to the recorded files", applies),
    ("G3", "encoding and line ends stay", encoding),
    ("G4", "nothing hidden is added", hidden),
    ("G5", "no secret is added", secret),
    ("G6", "no long run is copied from a session", verbatim),
    ("G7", "no power is widened and no guard weakened", authority),
    ("G8", "structure and links stay sound", structure),
    ("G9", "the change is small", size),
    ("DELETE", "whole files are removed only where that is allowed", deletion),
    ("G11", "no sentence that stays says otherwise", contradiction),
    ("G12", "no personal data is added", personal),
)


def check(change_set: ChangeSet, inputs: Inputs) -> tuple[GateResult, ...]:
    """Every gate's result, in the table's order."""
    return tuple(gate(change_set, inputs) for _, _, gate in GATES)
