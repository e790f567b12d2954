"""One scale for unbounded measures."""

from __future__ import annotations

import math


def squash(z: float) -> float:
    """Standard deviations on a scale where the tenth counts less than the first."""
    return math.copysign(math.log1p(abs(z)), z)
