"""What a turn says of the answer in words: thanks, denial, excuse, and how the talk goes on."""

from __future__ import annotations

import re

from bot.signals.form import CHEER, MARK, only_asks
from bot.signals.place import Place
from bot.signals.said import Said
from bot.signals.worth import MOSTLY, conflicting

_SOUR = ("complaint", "wrong", "omitted")
_BLAME = ("wrong", "repair", "omitted", "complaint", "leaving")
_DENIAL = ("negation", "wrong", "contrast", "changed", "source")
_TROUBLE = (*_BLAME, "harm", "doubt", "again", "source", "changed")
_EXCUSE = ("own", "mind", "others", "interest")
_CLAUSE_START = re.compile(r"(?:^|[^\w\s'])\s*(?:\w{1,4}\s+)?$")
_CLAUSE_END = re.compile(r"\s*(?:[^\w\s'&]|$)")


def interjected(message: Said, *cues: str) -> list[int]:
    """Where a cue stands as a clause's first or last words.

    In the middle of one they praise nothing: "did exactly the same", "a lovely evening".
    """
    text = message.text
    return [
        hit.start
        for hit in message.hits
        if hit.cue in cues
        and (
            _CLAUSE_START.search(text, max(0, hit.start - 12), hit.start)
            or _CLAUSE_END.match(text, hit.end)
        )
    ]


def pleased(message: Said) -> bool:
    """Thanks or a smile in the last two sentences, with neither complaint nor "but" after it."""
    start = message.sentences[-2:][0][0] if message.sentences else 0
    good = [at for at in interjected(message, "thanks") if at >= start]
    good += [match.start() for match in CHEER.finditer(message.text, start)]
    return bool(good) and not any(message.count(cue, max(good)) for cue in _SOUR)


def ends_pleased(place: Place) -> float:
    return float(pleased(place.turn))


def starts_pleased(place: Place) -> float:
    first = place.turn.sentences[0][1] if place.turn.sentences else 0
    return float(any(at < first for at in interjected(place.turn, "thanks", "accept")))


def excused(place: Place) -> bool:
    """It is the user's own doing or somebody else's, or there is thanks beside it."""
    turn = place.turn
    return any(map(turn.count, _EXCUSE)) or bool(interjected(turn, "thanks"))


def contradicts(place: Place) -> float:
    """Says that something is wrong, and excuses it in no way."""
    return float(any(map(place.turn.count, _BLAME)) and not excused(place))


def put_right(place: Place) -> float:
    """The turn denies, or names a source, and states another value."""
    denied = any(map(place.turn.count, _DENIAL)) and not only_asks(place)
    return float(denied and bool(conflicting(place)) and not excused(place))


def flat_no(place: Place) -> float:
    """The turn is hardly more than a denial, another value, or both."""
    others = conflicting(place)
    if excused(place) or not (others or any(map(place.turn.count, _BLAME))):
        return 0.0
    spans = [(h.start, h.end) for h in place.turn.hits if h.cue in {*_BLAME, *_DENIAL}]
    said = {at for span in [*spans, *((v.start, v.end) for v in others)] for at in range(*span)}
    return float(len(said) >= MOSTLY * len(place.turn.text.strip()))


def plain_reply(place: Place) -> float:
    """The agent answers on, and owns up to nothing."""
    return float(place.reply is not None and not place.reply.count("admission"))


def pleased_later(place: Place) -> float:
    return float(bool(place.later) and pleased(place.later[-1]))


def accepted_later(place: Place) -> float:
    """The user's last word agrees, or takes the mistake on itself."""
    last = place.later[-1] if place.later else None
    return float(last is not None and bool(interjected(last, "accept", "own", "thanks")))


def admitted(place: Place) -> float:
    """The agent owns up in its reply."""
    return float(place.reply is not None and place.reply.count("admission") > 0)


def failed_before(place: Place) -> float:
    """The answer says that it has nothing to offer."""
    return float(place.answer.count("failure") > 0)


def moves_on(place: Place) -> float:
    """The turn opens another matter; "also" inside a sentence opens none."""
    return float(bool(interjected(place.turn, "topic")))


def addressed(place: Place) -> float:
    """How often "you" stands in a statement; in a question it asks for something."""
    turn = place.turn
    spans = [span for span in turn.sentences if not MARK.search(turn.text[span[1] - 1])]
    said = [h for h in turn.hits if h.cue == "you" and any(a <= h.start < b for a, b in spans)]
    return min(len(said), 2) / 2


def only_thanks(place: Place) -> float:
    """Thanks, and not a word that denies, doubts, blames or asks."""
    turn = place.turn
    trouble = MARK.search(turn.text) or any(map(turn.count, _TROUBLE)) or conflicting(place)
    return float(bool(interjected(turn, "thanks")) and not trouble)
