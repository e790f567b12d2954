"""Whether a file was changed after a session read it: then what misled the session may be mended
already, and a second mending would hit what is right (life of a change, fix already in base)."""

from __future__ import annotations

import re

from bot.context.everyday import everyday
from bot.context.repo import ContextRepo
from bot.context.words import stems
from bot.provenance.reads import unnumbered
from bot.provenance.seen import passages
from bot.provenance.value import Value, same
from bot.provenance.values import values
from bot.records.finding import Case

_READS = ("kb_read", "skill_lookup")  # a search shows pieces, which need not stand as they are
_WORD = re.compile(r"\w+")
LONGEST = 20_000  # characters of what an agent said
SHORT = 4  # words; less is a title, a path or a mark
ECHOED = 0.6  # share of a line's telling words that the answer repeats


def changed_since(case: Case, repo: ContextRepo) -> str | None:
    """A sentence where a line that an answer rests on no longer stands in its file, or the file
    can no longer be read; None where all that the session read still stands."""
    answer = " ".join(t.content for t in case.trajectory.turns if t.role == "assistant")[:LONGEST]
    said, told = values(answer), frozenset(stems(answer))
    for node in case.trajectory.nodes:
        if node.type not in _READS:
            continue
        for path, content in passages(node):
            ours = repo.resolve(path) if path else None
            if content == path or (ours is None and not _was_ours(path, repo)):
                continue
            text = _words(repo.texts[ours]) if ours is not None else ""
            for line in unnumbered(content).splitlines():
                if not _stands(line, text) and _rests_on(line, said, told):
                    return _told(path, ours)
    return None


def _was_ours(path: str, repo: ContextRepo) -> bool:
    """Whether a path that no file has now is one of this repository: left out, or beside others."""
    tail = path.replace("\\", "/").strip("/")
    if any(s.where == tail or tail.endswith(f"/{s.where}") for s in repo.skipped):
        return True
    folder = tail.rpartition("/")[0].partition("/")[0]
    return bool(folder) and any(known.startswith(f"{folder}/") for known in repo.texts)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _stands(line: str, text: str) -> bool:
    """Whether a line's words stand in a text; its first and last may have been cut."""
    whole = _words(line)
    if whole.count(" ") <= SHORT:
        return True
    inner = whole.strip().partition(" ")[2].rpartition(" ")[0]
    return whole in text or (bool(inner) and f" {inner} " in text)


def _rests_on(line: str, said: tuple[Value, ...], told: frozenset[str]) -> bool:
    if any(same(v, w) for v in values(line) for w in said):
        return True
    telling = {s for w in _WORD.findall(line) if not everyday(w) for s in stems(w)}
    return len(telling) > 3 and len(telling & told) >= ECHOED * len(telling)


def _told(path: str, ours: str | None) -> str:
    if ours is None:
        return f"{path} can no longer be read: what the answer rests on cannot be checked"
    return f"{ours} has changed since the session read it: what the answer rests on is gone"
