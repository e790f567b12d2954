"""What goes to a model and what comes back, apart from any provider."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Literal

import msgspec

# `limited` and `failing` pass by themselves and are worth another try; the others are not.
Trouble = Literal[
    "limited", "failing", "denied", "unknown", "too_long", "refused", "budget", "unrecorded"
]


class ToolUse(msgspec.Struct, frozen=True):
    """One call of a tool as the model wrote it; `arguments` is JSON as text, not yet read."""

    id: str
    name: str
    arguments: str


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message. `uses` are the tools an assistant called, `answers` the call a tool answers."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    uses: tuple[ToolUse, ...] = ()
    answers: str | None = None


class Tool(msgspec.Struct, frozen=True):
    """A tool that the model may call; `parameters` is a closed JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call, whole: the same request always has the same fingerprint.

    `schema` asks for an answer of that form where the provider can promise one. `final` forbids
    further tool calls. `sample` tells repeated draws of one question apart.
    """

    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float = 0.0
    schema: dict[str, Any] | None = None
    tools: tuple[Tool, ...] = ()
    final: bool = False
    sample: int = 0


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer with what it cost.

    `cut` says that the provider stopped it for its length, `kept` that it comes out of the cache
    and nothing was spent on it.
    """

    text: str = ""
    uses: tuple[ToolUse, ...] = ()
    cut: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    kept: bool = False


class CallFailed(Exception):
    """A call without an answer: what sort of trouble, in one sentence without foreign text."""

    def __init__(self, trouble: Trouble, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.trouble = trouble
        self.wait = wait


Complete = Callable[[Request], Reply]


def fingerprint(request: Request) -> str:
    """The first 24 hex digits of the SHA-256 of the request as canonical JSON."""
    canonical = msgspec.json.encode(request, order="deterministic")
    return hashlib.sha256(canonical).hexdigest()[:24]


def tokens(text: str) -> int:
    """How many tokens a text has at worst, at two bytes each: tokenizers in use need three to five
    for prose, tables and JSON in any script."""
    return (len(text.encode("utf-8", "replace")) + 1) // 2


def worst_case(request: Request) -> tuple[int, int]:
    """At most how many tokens a request takes in and puts out."""
    schema = msgspec.json.encode((request.schema, request.tools)).decode()
    said = sum(
        tokens(m.content) + sum(tokens(use.arguments) + 24 for use in m.uses) + 8
        for m in request.messages
    )
    return said + tokens(schema), request.max_tokens
