"""The strategies that read the trace, by name. `offline` and `shortlist` start from the rules."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engines.llm.inquiry import Attribute
from bot.engines.llm.strategies.baselines import passive, self_consistency
from bot.engines.llm.strategies.continual import continual
from bot.engines.llm.strategies.holistic import holistic
from bot.engines.llm.strategies.iterative import iterative

STRATEGIES: Mapping[str, Attribute] = {
    "holistic": holistic,
    "iterative": iterative,
    "continual": continual,
    "passive": passive,
    "self-consistency": self_consistency,
}
