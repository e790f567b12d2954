"""Tools that a model may call, with a hard cap, and a log of every look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from bot.engines.llm.clip import clip
from bot.engines.llm.fence import clean, cleaned, fenced
from bot.engines.llm.messages import Tool, ToolUse
from bot.engines.llm.parse import json_object
from bot.records.change import Exploration

SHOWN = 160
Look = Callable[[str], Any]


class Ability(msgspec.Struct, frozen=True):
    """One tool of one text argument: what it is for, and the function that looks.

    `look` gives any JSON value; a sentence in a string says that there is nothing there.
    """

    purpose: str
    argument: str
    meaning: str
    look: Look


class Toolbox:
    """Answers calls until the cap is reached, and keeps what was asked."""

    def __init__(self, abilities: Mapping[str, Ability], most: int) -> None:
        self.tools = tuple(_described(name, ability) for name, ability in abilities.items())
        self.log: list[Exploration] = []
        self._abilities = abilities
        self._left = most

    @property
    def spent(self) -> bool:
        """Whether no further call is allowed."""
        return self._left <= 0

    def answer(self, use: ToolUse) -> str:
        """The fenced answer to one call; an unusable call is answered with what was wrong."""
        ability = self._abilities.get(use.name)
        self._left -= 1
        if self._left < 0:
            found: Any = "No more calls are left; answer from what you have seen."
        elif ability is None:
            found = f"There is no such tool. Tools: {', '.join(self._abilities)}."
        else:
            argument = str((json_object(use.arguments) or {}).get(ability.argument, ""))
            found = ability.look(argument)
            asked = {ability.argument: argument}
            self.log.append(Exploration(use.name, cleaned(asked), _short(found)))
        return fenced("found", found)


def _described(name: str, ability: Ability) -> Tool:
    argument = {"type": "string", "description": ability.meaning}
    return Tool(
        name,
        ability.purpose,
        {
            "type": "object",
            "properties": {ability.argument: argument} if ability.argument else {},
            "required": [ability.argument] if ability.argument else [],
            "additionalProperties": False,
        },
    )


def _short(found: Any) -> str:
    """What a look brought, in a few words for the log."""
    if isinstance(found, list):
        places = dict.fromkeys(str(row["path"]) for row in found if "path" in row)
        text = f"{len(found)} found{': ' if places else ''}{', '.join(places)}"
    elif isinstance(found, dict):
        text = f"read {found.get('path', 'it')}"
    else:
        text = str(found)
    return clip(" ".join(clean(text).split()), SHOWN)
