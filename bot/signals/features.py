"""What speaks for and against dissatisfaction in a user turn, as numbers between 0 and 1.

No feature knows a domain: cues of general language, typed values, form, and place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import msgspec

from bot.provenance.values import Value, comparable, same
from bot.signals.place import Place
from bot.signals.said import Said

Measure = Callable[[Place], float]


class Feature(msgspec.Struct, frozen=True):
    """A measure between 0 and 1, and the `sign` that its weight may have (0: either)."""

    sign: Sign
    measure: Measure


# With the direction in which each may count.
Sign = Literal[-1, 0, 1]
CUES: dict[str, Sign] = {
    "wrong": 1,
    "contrast": 1,
    "changed": 1,
    "source": 1,
    "harm": 1,
    "doubt": 1,
    "repair": 1,
    "again": 1,
    "omitted": 1,
    "complaint": 1,
    "leaving": 1,
    "thanks": -1,
    "accept": -1,
    "own": -1,
    "mind": -1,
    "others": -1,
    "interest": -1,
    "topic": -1,
    "you": 1,
    "they": 0,
    "negation": 1,
}
_CHEER = re.compile(r"[:;]-?[)D]|[😀-😍🙂😊🙏👍👌❤🎉]")
_GLOOM = re.compile(r"[:;]-?[(/]|[😞-😭🙁☹👎💔🤬🤦🙄]")
_SHOUT = re.compile(r"(?<![\w-])[A-Z]{3,}(?![\w-])")
_QUOTED = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』\n]{4,120})[\"”“»」』]")
_MARK = re.compile(r"[?？]")
_SOUR = ("complaint", "wrong", "contrast", "omitted", "harm")
_BLAME = ("wrong", "contrast", "repair", "omitted", "complaint", "leaving", "harm")
_EXCUSE = ("own", "mind", "others")
_CLAUSE_START = re.compile(r"(?:^|[^\w\s'])\s*(?:\w{1,4}\s+)?$")
_CLAUSE_END = re.compile(r"\s*(?:[^\w\s'&]|$)")
_HOUR = 3600.0


def _cue(cue: str) -> Measure:
    def measure(place: Place) -> float:
        return min(place.turn.count(cue), 2) / 2

    return measure


def _values_of(messages: tuple[Said, ...]) -> list[Value]:
    return [value for message in messages for value in message.values]


def _fresh(place: Place) -> list[Value]:
    """The values of the turn that nobody said before."""
    if not place.turn.values:
        return []
    known = [*_values_of(place.earlier), *place.answer.values]
    return [v for v in place.turn.values if not any(same(v, k) for k in known)]


def conflicting(place: Place) -> list[Value]:
    """The fresh values of the turn that are of one kind with a value of the answer."""
    return [v for v in _fresh(place) if any(comparable(v, a) for a in place.answer.values)]


def _fresh_value(place: Place) -> float:
    return min(len(_fresh(place)), 2) / 2


def _conflict(place: Place) -> float:
    return float(bool(conflicting(place)))


def _same_value(place: Place) -> float:
    """The turn takes up a value of the answer."""
    return float(any(same(v, a) for v in place.turn.values for a in place.answer.values))


def _bare_value(place: Place) -> float:
    """The turn is hardly more than a value that nobody said before."""
    stated = sum(value.end - value.start for value in _fresh(place))
    return float(stated > 0 and stated >= 0.4 * len(place.turn.text.strip()))


def _interjected(message: Said, *cues: str) -> list[int]:
    """Where a cue stands as a clause's first or last words.

    In the middle of one they praise nothing: "did exactly the same", "a lovely evening".
    """
    text = message.text
    return [
        hit.start
        for hit in message.hits
        if hit.cue in cues
        and (_CLAUSE_START.search(text, 0, hit.start) or _CLAUSE_END.match(text, hit.end))
    ]


def _pleased(message: Said) -> bool:
    """Thanks or a smile in the last two sentences, with neither complaint nor "but" after it."""
    start = message.sentences[-2:][0][0] if message.sentences else 0
    good = [at for at in _interjected(message, "thanks") if at >= start]
    good += [match.start() for match in _CHEER.finditer(message.text, start)]
    return bool(good) and not any(message.count(cue, max(good)) for cue in _SOUR)


def _ends_pleased(place: Place) -> float:
    return float(_pleased(place.turn))


def _starts_pleased(place: Place) -> float:
    first = place.turn.sentences[0][1] if place.turn.sentences else 0
    return float(any(at < first for at in _interjected(place.turn, "thanks", "accept")))


def _last(place: Place) -> float:
    """The user's last word, and no kind one."""
    return float(not place.later and not _pleased(place.turn))


def _contradicts(place: Place) -> float:
    """Says that something is wrong, of nobody else and not in the user's own words."""
    blame = any(place.turn.count(cue) for cue in _BLAME)
    return float(blame and not _pleased(place.turn) and not any(map(place.turn.count, _EXCUSE)))


def _pleased_later(place: Place) -> float:
    return float(bool(place.later) and _pleased(place.later[-1]))


def _accepted_later(place: Place) -> float:
    """The user's last word agrees, or takes the mistake on itself."""
    last = place.later[-1] if place.later else None
    return float(last is not None and bool(_interjected(last, "accept", "own", "thanks")))


def _admitted(place: Place) -> float:
    """The agent owns up in its reply."""
    return float(place.reply is not None and place.reply.count("admission") > 0)


def _failed_before(place: Place) -> float:
    """The answer says that it has nothing to offer."""
    return float(place.answer.count("failure") > 0)


def _answer_asks(place: Place) -> float:
    """The answer ends with a question, so that the turn is likely to reply to it."""
    return float(bool(_MARK.search(place.answer.text[-3:])))


def _asks(place: Place) -> float:
    return float(bool(_MARK.search(place.turn.text.rstrip()[-2:])))


def _only_asks(place: Place) -> float:
    spans = place.turn.sentences
    return float(bool(spans) and all(_MARK.search(place.turn.text[e - 1 : e]) for _, e in spans))


def _exclaims(place: Place) -> float:
    return min(len(re.findall("[!！]", place.turn.text)), 2) / 2


def _length(place: Place) -> float:
    """Sentences, up to five: reports of what went wrong are longer than thanks."""
    return min(len(place.turn.sentences), 5) / 5


def _long(place: Place) -> float:
    return min(_size(place.turn.text), 300) / 300


def _size(text: str) -> int:
    """Characters, an ideograph counting as three."""
    return len(text) + 2 * len(re.findall(r"[぀-ヿ一-鿿]", text))


def _short(place: Place) -> float:
    return float(_size(place.turn.text) < 40)


def _hours_later(place: Place) -> float:
    return float(place.gap > _HOUR / 4)


def _days_later(place: Place) -> float:
    return float(place.gap > 12 * _HOUR)


def repeated(place: Place) -> float:
    """The share of an earlier turn's words that the turn says again."""
    mine = place.turn.stems
    return max(
        (len(mine & e.stems) / len(e.stems) for e in place.earlier if len(e.stems) > 2), default=0.0
    )


def _quotes_answer(place: Place) -> float:
    quotes = (match[1].strip(" .,!?").lower() for match in _QUOTED.finditer(place.turn.text))
    return float(any(quote in place.answer.text.lower() for quote in quotes))


def _echoes_answer(place: Place) -> float:
    """The share of the turn's words that the answer has said."""
    mine = place.turn.stems
    return len(mine & place.answer.stems) / len(mine) if mine else 0.0


def _quotes_other(place: Place) -> float:
    quotes = [match[1].strip(" .,!?").lower() for match in _QUOTED.finditer(place.turn.text)]
    return float(any(quote not in place.answer.text.lower() for quote in quotes))


def _shouts(place: Place) -> float:
    known = "".join(message.text for message in (*place.earlier, place.answer))
    return float(any(word not in known for word in _SHOUT.findall(place.turn.text)))


def _cheerful(place: Place) -> float:
    return float(bool(_CHEER.search(place.turn.text)))


def _gloomy(place: Place) -> float:
    return float(bool(_GLOOM.search(place.turn.text)))


def _beginning(place: Place) -> float:
    return float(len(place.earlier) == 1)


FEATURES: dict[str, Feature] = {
    **{f"cue {cue}": Feature(sign, _cue(cue)) for cue, sign in CUES.items()},
    "fresh value": Feature(1, _fresh_value),
    "value unlike the answer's": Feature(1, _conflict),
    "value of the answer": Feature(0, _same_value),
    "hardly more than a value": Feature(1, _bare_value),
    "last turn of the user": Feature(1, _last),
    "first turn after an answer": Feature(0, _beginning),
    "plain contradiction": Feature(1, _contradicts),
    "begins pleased": Feature(-1, _starts_pleased),
    "ends pleased": Feature(-1, _ends_pleased),
    "last turn is pleased": Feature(-1, _pleased_later),
    "last turn agrees": Feature(-1, _accepted_later),
    "agent owns up": Feature(1, _admitted),
    "answer has nothing": Feature(1, _failed_before),
    "answer asks back": Feature(-1, _answer_asks),
    "ends with a question": Feature(0, _asks),
    "questions only": Feature(-1, _only_asks),
    "exclamations": Feature(-1, _exclaims),
    "sentences": Feature(0, _length),
    "characters": Feature(0, _long),
    "a few words": Feature(-1, _short),
    "minutes later": Feature(1, _hours_later),
    "days later": Feature(1, _days_later),
    "repeats an earlier turn": Feature(1, repeated),
    "quotes the answer": Feature(1, _quotes_answer),
    "quotes another text": Feature(0, _quotes_other),
    "words of the answer": Feature(0, _echoes_answer),
    "shouts": Feature(1, _shouts),
    "smile": Feature(-1, _cheerful),
    "frown": Feature(1, _gloomy),
}


def features(place: Place) -> tuple[float, ...]:
    """One number for each of `FEATURES`, in their order."""
    return tuple(feature.measure(place) for feature in FEATURES.values())
