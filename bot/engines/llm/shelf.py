"""Answers kept on disk by the fingerprint of their request: a cache, or recordings to replay.

A recording is JSON that a person can read and write: long texts are lists of lines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from bot.atomic import write
from bot.engines.llm.messages import CallFailed, Complete, Message, Reply, Request, fingerprint


class _Kept(msgspec.Struct, frozen=True):
    reply: dict[str, Any]


def cached(inner: Complete, folder: Path) -> Complete:
    """Answers from the folder where they are there, else from `inner`, kept for the next time.

    A kept answer is free: no call, no tokens and no dollars are counted for it.
    """

    def complete(request: Request) -> Reply:
        known = _read(folder, request)
        if known is not None:
            return msgspec.structs.replace(known, kept=True)
        return _kept(folder, request, inner(request))

    return complete


def recorded(inner: Complete, folder: Path) -> Complete:
    """Every answer is also written to the folder, over what stood there."""

    def complete(request: Request) -> Reply:
        return _kept(folder, request, inner(request))

    return complete


def replayed(folder: Path) -> Complete:
    """Answers from the folder and from nowhere else.

    Raises `CallFailed` of kind `unrecorded` where there is none.
    """

    def complete(request: Request) -> Reply:
        known = _read(folder, request)
        if known is None:
            name = fingerprint(request)
            raise CallFailed("unrecorded", f"no recording {name}.json; record it with --record")
        return known

    return complete


def _kept(folder: Path, request: Request, reply: Reply) -> Reply:
    page = {"request": _page(request), "reply": _reply_page(reply)}
    text = msgspec.json.format(msgspec.json.encode(page), indent=1)
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / f"{fingerprint(request)}.json", text + b"\n")
    return reply


def _read(folder: Path, request: Request) -> Reply | None:
    try:
        raw = (folder / f"{fingerprint(request)}.json").read_bytes()
    except FileNotFoundError:
        return None
    try:
        kept = msgspec.json.decode(raw, type=_Kept).reply
        return msgspec.convert({**kept, "text": _joined(kept.get("text", ""))}, Reply)
    except (msgspec.DecodeError, msgspec.ValidationError) as problem:
        name = fingerprint(request)
        raise CallFailed("unrecorded", f"{name}.json is no recording: {problem}") from problem


def _page(request: Request) -> dict[str, Any]:
    page: dict[str, Any] = msgspec.to_builtins(request)
    return {**page, "messages": [_message_page(message) for message in request.messages]}


def _message_page(message: Message) -> dict[str, Any]:
    page: dict[str, Any] = msgspec.to_builtins(message)
    return {**page, "content": _lines(message.content)}


def _reply_page(reply: Reply) -> dict[str, Any]:
    page: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(reply, kept=False))
    return {**page, "text": _lines(reply.text)}


def _lines(text: str) -> list[str] | str:
    return text.split("\n") if "\n" in text else text


def _joined(text: list[str] | str) -> str:
    return text if isinstance(text, str) else "\n".join(text)
