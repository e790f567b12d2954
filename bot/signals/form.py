"""How a turn looks, whatever its words: length, marks, quotes, repetition, and when it came."""

from __future__ import annotations

import re

from bot.signals.place import Place
from bot.signals.said import QUOTED

CHEER = re.compile(r"[:;]-?[)D]|[😀-😍🙂😊🙏👍👌❤🎉]")
_GLOOM = re.compile(r"[:;]-?[(/]|[😞-😭🙁☹👎💔🤬🤦🙄]")
_SHOUT = re.compile(r"(?<![\w-])[A-Z]{3,}(?![\w-])")
MARK = re.compile(r"[?？]")
_HOUR = 3600.0


def answer_asks(place: Place) -> float:
    """The answer asks something near its end, so that the turn is likely to reply to it."""
    ends = place.answer.sentences
    return float(bool(ends) and bool(MARK.search(place.answer.text, ends[-3:][0][0])))


def only_asks(place: Place) -> float:
    spans = place.turn.sentences
    return float(bool(spans) and all(MARK.search(place.turn.text[e - 1 : e]) for _, e in spans))


def exclaims(place: Place) -> float:
    return min(len(re.findall("[!！]", place.turn.text)), 2) / 2


def sentences(place: Place) -> float:
    """Sentences, up to five: reports of what went wrong are longer than thanks."""
    return min(len(place.turn.sentences), 5) / 5


def characters(place: Place) -> float:
    return min(_size(place.turn.text), 300) / 300


def _size(text: str) -> int:
    """Characters, an ideograph counting as three."""
    return len(text) + 2 * len(re.findall(r"[぀-ヿ一-鿿]", text))


def few_words(place: Place) -> float:
    return float(_size(place.turn.text) < 40)


def minutes_later(place: Place) -> float:
    return float(place.gap > _HOUR / 4)


def days_later(place: Place) -> float:
    return float(place.gap > 12 * _HOUR)


def repeated(place: Place) -> float:
    """The share of an earlier turn's words that the turn says again."""
    mine = place.turn.stems
    return max(
        (len(mine & e.stems) / len(e.stems) for e in place.earlier if len(e.stems) > 2), default=0.0
    )


def echoes_answer(place: Place) -> float:
    """The share of the turn's words that the answer has said."""
    mine = place.turn.stems
    return len(mine & place.answer.stems) / len(mine) if mine else 0.0


def quotes_other(place: Place) -> float:
    quotes = [match[1].strip(" .,!?").lower() for match in QUOTED.finditer(place.turn.text)]
    return float(any(quote not in place.answer.text.lower() for quote in quotes))


def shouts(place: Place) -> float:
    known = "".join(message.text for message in (*place.earlier, place.answer))
    return float(any(word not in known for word in _SHOUT.findall(place.turn.text)))


def cheerful(place: Place) -> float:
    return float(bool(CHEER.search(place.turn.text)))


def gloomy(place: Place) -> float:
    return float(bool(_GLOOM.search(place.turn.text)))


def first_turn(place: Place) -> float:
    return float(len(place.earlier) == 1)
