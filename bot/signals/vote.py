"""Whether a piece of feedback is a person's negative judgement, whatever scale it is on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.records.trajectory import Feedback, Trajectory
from bot.signals.lexicon import hits

# Annotator kinds of Phoenix, MLflow, Langfuse and LangSmith that are no person.
MACHINES = frozenset({"code", "llm", "llm_judge", "eval", "auto_eval", "model", "evaluator"})
_DOWN = frozenset(
    {"thumbsdown", "down", "👎", "bad", "negative", "dissatisfied", "unsatisfied", "incorrect"}
    | {"wrong", "no", "false", "unhelpful", "nothelpful", "poor", "dislike", "disliked", "fail"}
)
_SCALES = ((0.0, 1.0), (1.0, 5.0), (0.0, 10.0), (0.0, 100.0))
_BAD = ("complaint", "wrong", "repair", "omitted", "harm", "doubt", "contrast", "changed")
_GOOD = ("thanks", "accept")


def negative(feedback: Feedback, trajectory: Trajectory) -> bool:
    """Whether a person voted it down; a vote that can be read both ways is none."""
    if (feedback.source or "").lower() in MACHINES:
        return False
    value = feedback.value
    match feedback.type:
        case "comment":
            return _blames(value if isinstance(value, str) else feedback.comment or "")
        case _ if isinstance(value, str):
            return _label(value) in _DOWN
        case _ if isinstance(value, bool):
            return value is False
        case "score" if value is not None:
            return _low(feedback.name, value, trajectory)
        case _:
            return value is not None and value <= 0


def _label(text: str) -> str:
    return "".join(c for c in text.lower() if c not in " -_:")


def _blames(comment: str) -> bool:
    """More cues of blame than of thanks; a bare "not" counts for blame, too."""
    cues = [hit.cue for hit in hits(comment, ())]
    bad, good = (sum(cues.count(c) for c in group) for group in (_BAD, _GOOD))
    return bad + bool(cues.count("negation")) > good


def _low(name: str | None, value: float, trajectory: Trajectory) -> bool:
    """Whether a score lies in the lower half of its scale, which scores of one name share."""
    scores = [f.value for f in trajectory.feedback if (f.type, f.name) == ("score", name)]
    known = [float(v) for v in scores if isinstance(v, int | float) and not isinstance(v, bool)]
    scale = stated_scale(trajectory.metadata) or guessed_scale(known)
    return scale is not None and value < sum(scale) / 2


def stated_scale(metadata: dict[str, Any]) -> tuple[float, float] | None:
    """`metadata.score_scale` as [low, high] or {"min": low, "max": high}, where it is there."""
    match metadata.get("score_scale"):
        case [int() | float() as low, int() | float() as high] if low < high:
            return float(low), float(high)
        case {"min": int() | float() as low, "max": int() | float() as high} if low < high:
            return float(low), float(high)
    return None


def guessed_scale(values: Sequence[float]) -> tuple[float, float] | None:
    """The usual scale that holds all values; None for a lone 1, the best of 0/1, worst of 1-5."""
    if not values or (min(values) == max(values) == 1):
        return None
    if min(values) < 0:
        return -max(map(abs, values)), max(map(abs, values))
    return next((s for s in _SCALES if s[0] <= min(values) and max(values) <= s[1]), None)
