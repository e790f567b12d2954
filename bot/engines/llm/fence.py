"""Foreign text on its way into a prompt: cleaned, then fenced with marks it cannot know.

Prompts are written with two placeholders whose brackets no cleaned text can hold. They get
random values only at the provider's door, so that recordings and cache keys do not depend on
them, and the same values are taken out of the answer again.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from bot.defang import ANSI, CONTROL, INVISIBLE, JOINERS
from bot.engines.llm.messages import CallFailed, Complete, Reply, Request
from bot.redact import redact, without_names

FENCE = "⟦fence⟧"
CANARY = "⟦canary⟧"
_BRACKETS = str.maketrans({"⟦": "[", "⟧": "]"})


def clean(text: str) -> str:
    """The text without hidden characters, secrets and personal data, and without our brackets."""
    text = CONTROL.sub("", ANSI.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return redact(INVISIBLE.sub("", JOINERS.sub("", text)).translate(_BRACKETS))


def cleaned(value: Any) -> Any:
    """Any value as JSON with every string in it cleaned, keys included; dates become strings."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(key)): cleaned(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int | float) else clean(str(value))


def fenced(label: str, value: Any) -> str:
    """A block of data: one JSON value a line for a list, else one value; `label` is our word."""
    rows = value if isinstance(value, list | tuple) else [value]
    lines = [json.dumps(cleaned(row), ensure_ascii=False) for row in rows]
    return "\n".join((f"<{label} {FENCE}>", *lines, f"</{label} {FENCE}>"))


def unnamed(inner: Complete, names: tuple[str, ...]) -> Complete:
    """No message that holds a name of the list, wherever in the repository it came from."""

    def complete(request: Request) -> Reply:
        told = (replace(m, content=without_names(m.content, names)) for m in request.messages)
        return inner(replace(request, messages=tuple(told)))

    return complete if names else inner


def sealed(inner: Complete, draw: Callable[[], str] = lambda: secrets.token_hex(8)) -> Complete:
    """Fresh marks for every call. Raises `CallFailed` for an answer that gives the canary away:
    something in the data made the model recite its instructions."""

    def complete(request: Request) -> Reply:
        fence, canary = draw(), draw()

        def marked(text: str) -> str:
            return text.replace(FENCE, fence).replace(CANARY, canary)

        messages = tuple(replace(m, content=marked(m.content)) for m in request.messages)
        reply = inner(replace(request, messages=messages))
        if canary in reply.text or any(canary in use.arguments for use in reply.uses):
            raise CallFailed("refused", "the answer recited its instructions and was thrown away")
        uses = tuple(
            replace(use, arguments=use.arguments.replace(fence, FENCE)) for use in reply.uses
        )
        return replace(reply, text=reply.text.replace(fence, FENCE), uses=uses)

    return complete
