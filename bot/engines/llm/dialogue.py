"""One conversation with the model, from a question to a claim that plain code accepts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from bot.engines.llm.fence import clean
from bot.engines.llm.form import Form, Malformed
from bot.engines.llm.messages import CallFailed, Complete, Message, Reply, Request
from bot.engines.llm.toolbox import Toolbox
from bot.errors import EditRefused, Rejected
from bot.prompts.template import part

# Some providers refuse a conversation in which somebody said nothing.
NOTHING = "(no answer)"

A = TypeVar("A")
C = TypeVar("C")


class Style(msgspec.Struct, frozen=True):
    """Which model answers and how; `sample` tells repeated draws of one question apart."""

    model: str
    max_tokens: int
    temperature: float = 0.0
    sample: int = 0


class Dialogue:
    """What has been said so far; every question adds to it."""

    def __init__(
        self, complete: Complete, style: Style, rules: str, toolbox: Toolbox | None = None
    ) -> None:
        self._complete = complete
        self._style = style
        self._toolbox = toolbox
        self._messages = [Message("system", rules)]

    def ask(self, question: str, form: Form[A], conclude: Callable[[A], C]) -> C:
        """The claim that `conclude` makes of the answer.

        An answer that is malformed, or that `conclude` refuses with `Rejected` or `EditRefused`,
        gets one more turn with the reason. Raises `Rejected` after that, and `CallFailed`.
        """
        self._messages.append(Message("user", question))
        try:
            return conclude(form.read(self._answer(form)))
        except (Malformed, Rejected, EditRefused) as refusal:
            reason = clean(str(refusal)).rstrip(".")
        self._messages.append(Message("user", part("_repair", reason=reason)))
        try:
            return conclude(form.read(self._answer(form)))
        except (Malformed, EditRefused) as refusal:
            raise Rejected(f"the model's answer was not usable: {refusal}") from refusal

    def _answer(self, form: Form[A]) -> Reply:
        """The next reply that calls no tool; the tools called before it have been answered."""
        while True:
            box = self._toolbox
            reply = self._complete(self._request(form))
            said = reply.text or ("" if reply.uses else NOTHING)
            self._messages.append(Message("assistant", said, reply.uses))
            if not reply.uses:
                return reply
            if box is None or box.spent:
                raise CallFailed("refused", "the model went on calling tools past its limit")
            for use in reply.uses:
                self._messages.append(Message("tool", box.answer(use), answers=use.id))

    def _request(self, form: Form[A]) -> Request:
        """Where tools may still be called the form is only described, since few providers promise
        a schema and offer tools at once."""
        box = self._toolbox
        style = self._style
        return Request(
            model=style.model,
            messages=tuple(self._messages),
            max_tokens=style.max_tokens,
            temperature=style.temperature,
            sample=style.sample,
            schema=form.schema() if box is None else None,
            tools=box.tools if box is not None else (),
            final=box is not None and box.spent,
        )
