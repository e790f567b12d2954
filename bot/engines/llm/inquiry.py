"""One dissatisfied session as the strategies get it: what is known, and whom to ask."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.context.unit import Unit
from bot.engines.llm.dialogue import Dialogue, Style
from bot.engines.llm.kept import Keep, made
from bot.engines.llm.messages import Complete
from bot.engines.llm.options import ModelOptions
from bot.engines.llm.sources import search
from bot.engines.llm.toolbox import Toolbox
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case
from bot.records.trajectory import Trajectory


class Inquiry(msgspec.Struct, frozen=True):
    """A case over a repository, the seam to the model, and what the offline engine thinks.

    `index` gives the repository's search index, made when it is first asked for. `offline` is
    the offline engine's attribution with up to twelve hypotheses, None where it abstains;
    strategies other than `shortlist` show it only where hints are wanted. `keep` holds what
    search found.
    """

    case: Case
    repo: ContextRepo
    complete: Complete
    options: ModelOptions
    index: Callable[[], Index]
    offline: Attribution | None = None
    keep: Keep = made

    @property
    def trajectory(self) -> Trajectory:
        """The session itself."""
        return self.case.trajectory

    def search(self, query: str, within: tuple[str, ...] = ()) -> tuple[Unit, ...]:
        """The units of the repository that speak of something, nearest first; of each file in
        `within` one at least."""
        about = ("found", self.trajectory, (query, *within) if within else query)
        return self.keep(about, tuple[Unit, ...], lambda: search(self.index(), query, within))

    def talk(
        self,
        rules: str,
        toolbox: Toolbox | None = None,
        *,
        temperature: float = 0.0,
        sample: int = 0,
    ) -> Dialogue:
        """A new conversation under these rules."""
        style = Style(self.options.model, self.options.max_tokens, temperature, sample)
        return Dialogue(self.complete, style, rules, toolbox)


Attribute = Callable[[Inquiry], Attribution]
Recommend = Callable[[Inquiry, Attribution], Recommendation]
