"""Words as search sees them: stems of words, parts of identifiers, pairs of ideographs."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import snowballstemmer  # type: ignore[import-untyped]

CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:[_'’.-][^\W_{CJK}]+)*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PART = re.compile(r"[_.'’-]")


def stems(text: str) -> tuple[str, ...]:
    """The search terms of a text, in order, repeats kept.

    `Statuses` gives `status`; `dry_run` gives itself and its parts; an ideographic run gives
    its pairs of neighbours. Accents are folded, so that `Gebühr` meets `Gebuhr`.
    """
    found: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if "\u3040" <= token[0] <= "\ud7af":
            found.extend(token[i : i + 2] for i in range(max(len(token) - 1, 1)))
            continue
        parts = [part for piece in _PART.split(token) for part in _CAMEL.split(piece) if part]
        if len(parts) > 1:
            found.append(folded(token))
        found.extend(_stem(part) for part in parts)
    return tuple(found)


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    # A stemmer holds the word that it works on, so that sessions side by side must not share one.
    return str(snowballstemmer.stemmer("english").stemWord(folded(word)))


@lru_cache(maxsize=100_000)
def folded(word: str) -> str:
    """A word without case and accents."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))
