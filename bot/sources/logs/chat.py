"""Plain chats without tools: a conversation a line, or a message a line with its conversation.

A conversation stands under `conversations` (ShareGPT), `conversation`, `messages` or `turns`; a
message says who (`role`, `from`, `speaker`, `sender`) and what (`content`, `value`, `text`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from bot.records.report import Skipped
from bot.records.trajectory import Feedback, Trajectory
from bot.sources.logs.feedback import feedback
from bot.sources.logs.json_files import Record, documents
from bot.sources.steps import Answered, MessagesError, Prompt, Said, Step, session, text_of

TALKS = ("conversations", "conversation", "messages", "turns")
IDENTITIES = ("conversation_id", "session_id", "thread_id", "chat_id")
SPEAKERS = ("role", "from", "speaker", "sender", "author")
WORDS = ("content", "value", "text", "message")
TIMES = ("timestamp", "created_at", "time", "date")
OWN = ("id", "message_id", "uuid")
USER = frozenset({"user", "human", "customer", "client", "visitor", "prompter"})
PROMPT = frozenset({"system", "developer"})
TOOL = frozenset({"tool", "function", "observation"})


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every conversation below a path. Messages of one conversation may lie apart; they are
    joined, and given when everything was read."""
    loose: dict[str, list[Record]] = {}
    for record in documents(path):
        if isinstance(record, Skipped):
            yield record
            continue
        several = record.value if isinstance(record.value, list) else [record.value]
        for part, value in enumerate(several, 1):
            named = _named(value, IDENTITIES)
            if _talk(value) is not None:
                yield _conversation(value, record, part)
            elif named is not None and _named(value, SPEAKERS) is not None:
                message = msgspec.structs.replace(record, value=value)
                loose.setdefault(named, []).append(message)
            else:
                yield Skipped(record.where, "neither a conversation nor a message of one")
    for name, records in loose.items():
        yield _joined(name, list(_once(r.value for r in records)), {}, records[0])


def _once(messages: Iterable[Any]) -> Iterator[Any]:
    """Messages without those that a later export holds again: the same ones of the same time. A
    message that names neither time nor id may have been said twice."""
    seen: set[str] = set()
    for message in messages:
        if _named(message, (*TIMES, *OWN)) is not None:
            whole = json.dumps(message, sort_keys=True)
            if whole in seen:
                continue
            seen.add(whole)
        yield message


def _conversation(value: dict[str, Any], record: Record, part: int) -> Trajectory | Skipped:
    name = _named(value, (*IDENTITIES, "id")) or record.derived(part)
    return _joined(name, _talk(value) or [], value, record)


def _joined(
    name: str, messages: Sequence[Any], known: dict[str, Any], record: Record
) -> Trajectory | Skipped:
    metadata = record.metadata("chat")
    users = (known, *(m for m in messages if isinstance(m, dict)))
    user = next((u["user_id"] for u in users if isinstance(u.get("user_id"), str)), None)
    if user is not None:
        metadata["user_id"] = user
    try:
        said = [(message, _step(message, n)) for n, message in enumerate(messages, 1)]
        votes = (*feedback(known.get("feedback")), *_votes(said))
        return session(name, (step for _, step in said), feedback=votes, metadata=metadata)
    except MessagesError as problem:
        return Skipped(record.where, str(problem))


def _votes(said: Sequence[tuple[Any, Step]]) -> Iterator[Feedback]:
    """Feedback that stands at a message, with the turn that it is about."""
    turn_id = 0
    for message, step in said:
        turn_id += isinstance(step, Said) and bool(step.text.strip())
        yield from feedback(message.get("feedback"), turn_id or None)


def _step(message: Any, number: int) -> Step:
    who = _named(message, SPEAKERS)
    if who is None:
        raise MessagesError(f"message {number} does not say who spoke")
    text = next((text for key in WORDS if (text := text_of(message.get(key)))), "")
    at, kind = _named(message, TIMES), who.lower()
    if kind in PROMPT:
        return Prompt(text, at)
    if kind in TOOL:
        return Answered("", text, at=at)
    return Said("user" if kind in USER else "assistant", text, at)


def _talk(value: Any) -> list[Any] | None:
    found = (value.get(key) for key in TALKS) if isinstance(value, dict) else ()
    return next((talk for talk in found if isinstance(talk, list)), None)


def _named(value: Any, keys: Sequence[str]) -> str | None:
    """The first of the keys that holds a word, or a number as one."""
    found = (value.get(key) for key in keys) if isinstance(value, dict) else ()
    return next((str(v) for v in found if isinstance(v, str | int) and str(v)), None)
