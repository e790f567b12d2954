"""The recommenders that ask a model, by name; `offline` is the offline engine's own."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engines.llm.inquiry import Recommend
from bot.engines.llm.recommenders.explore import explore
from bot.engines.llm.recommenders.passive import passive

RECOMMENDERS: Mapping[str, Recommend] = {"explore": explore, "passive": passive}
