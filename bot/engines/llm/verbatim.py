"""From what a model quotes to the text that really stands there, or to nothing.

A model sees cleaned text, folds white space, straightens quotation marks and leaves out the
middle. A quote is found again when its words stand in that order with nothing between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from bot.provenance.words import node_strings
from bot.records.finding import NodeQuote, RepoQuote
from bot.records.trajectory import Trajectory

LONGEST = 600
SHORTEST_PART = 16
_ELLIPSIS = re.compile(r"\s*(?:\.{3}|…|\[\.\.\.\])\s*")
_REDACTED = re.compile(r"\\\[redacted:[A-Z_]+\\\]")
_ALIKE = str.maketrans("‘’‚“”„–—\u00a0", "'''\"\"\"-- ")


def found_in(quote: str, text: str) -> str | None:
    """The part of `text` that a quote means, or None where it does not stand there."""
    quote = quote.strip()
    if not quote or len(quote) > LONGEST:
        return None
    if quote in text:
        return quote
    for wanted in (quote, _unescaped(quote), _longest_part(quote)):
        hit = _pattern(wanted).search(text.translate(_ALIKE)) if wanted.strip() else None
        if hit:
            return text[hit.start() : hit.end()]
    return None


def node_quote(trajectory: Trajectory, node_id: str, quote: str) -> NodeQuote | None:
    """A quote of a node, or of the turn that the node belongs to."""
    node = trajectory.node(node_id)
    if node is None:
        return None
    turns = (turn.content for turn in trajectory.turns if turn.turn_id == node.turn_id)
    values = (json.dumps(v, ensure_ascii=False) for v in (node.input, node.output) if v)
    tool = node.tool
    asked = (
        (json.dumps(v, ensure_ascii=False) for v in (tool.input, tool.output) if v) if tool else ()
    )
    words = _first(quote, (*node_strings(node), *turns, *values, *asked))
    return NodeQuote(node_id, words) if words is not None else None


def turn_quote(trajectory: Trajectory, turn_id: int, quote: str) -> str | None:
    """The words of that turn that a quote means."""
    return _first(quote, (t.content for t in trajectory.turns if t.turn_id == turn_id))


def repo_quote(texts: Mapping[str, str], path: str, quote: str) -> RepoQuote | None:
    """A quote of a file with its line."""
    text = texts.get(path, "")
    words = found_in(quote, text)
    if words is None:
        return None
    return RepoQuote(path, text.count("\n", 0, text.find(words)) + 1, words)


def _first(quote: str, texts: Iterable[str]) -> str | None:
    return next((words for text in texts if (words := found_in(quote, text)) is not None), None)


def _pattern(quote: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in quote.translate(_ALIKE).split()]
    return re.compile(r"\s+".join(_REDACTED.sub(r"\\S.{0,300}?", word) for word in words))


def _unescaped(quote: str) -> str:
    """A quote copied out of JSON, as the text it encodes."""
    try:
        return str(json.loads(f'"{quote}"', strict=False))
    except ValueError:
        return quote


def _longest_part(quote: str) -> str:
    part = max(_ELLIPSIS.split(quote), key=len)
    return part if SHORTEST_PART <= len(part) < len(quote) else ""
