"""What a turn says of the answer in words: thanks, denial, excuse, and how the talk goes on."""

from __future__ import annotations

import re

from bot.signals.form import CHEER, MARK, answer_asks, only_asks
from bot.signals.place import Place
from bot.signals.said import Said
from bot.signals.worth import MOSTLY, bare_value, conflicting, stated

_SOUR = ("complaint", "wrong", "omitted")
_BLAME = ("wrong", "repair", "omitted", "complaint", "leaving")
_DENIAL = ("negation", "wrong", "contrast", "changed", "source")
_TROUBLE = (*_BLAME, "harm", "doubt", "again", "source", "changed")
_KIND = frozenset({"thanks", "own", "others"})
_FEW = 40
_OBJECTION = frozenset({"wrong", "contrast", "complaint", "repair", "omitted", "doubt"})
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
    blamed = any(map(place.turn.count, _BLAME)) and not excused(place)
    return float(blamed and not angry_elsewhere(place))


def put_right(place: Place) -> float:
    """The turn denies, or names a source, and states another value."""
    denied = any(map(place.turn.count, _DENIAL)) and not only_asks(place)
    return float(denied and bool(conflicting(place)) and not excused(place))


def objects(place: Place) -> float:
    """The turn begins with what speaks against the answer, and excuses it in no way."""
    first = place.turn.sentences[0][0] if place.turn.sentences else 0
    at_once = any(h.start == first and h.cue in _OBJECTION for h in place.turn.hits)
    return float(at_once and not excused(place))


def flat_no(place: Place) -> float:
    """The turn is hardly more than a denial, another value, or both."""
    others = conflicting(place)
    if excused(place) or not (others or any(map(place.turn.count, _BLAME))):
        return 0.0
    spans = [(h.start, h.end) for h in place.turn.hits if h.cue in {*_BLAME, *_DENIAL}]
    said = {at for span in [*spans, *((v.start, v.end) for v in others)] for at in range(*span)}
    return float(len(said) >= MOSTLY * len(place.turn.text.strip()))


def excuse(place: Place) -> float:
    """One word that clears the agent is enough."""
    return float(any(map(place.turn.count, ("own", "others"))))


def apologises(place: Place) -> float:
    """The user is sorry, and not only out of politeness before an objection."""
    turn = place.turn
    polite = any(map(turn.count, (*_BLAME, "contrast", "source"))) or conflicting(place)
    return float(turn.count("regret") > 0 and not polite)


def angry_elsewhere(place: Place) -> float:
    """A complaint that speaks of others and not to the agent."""
    turn = place.turn
    blamed = any(map(turn.count, ("complaint", "wrong"))) and turn.count("they") > 0
    return float(blamed and not turn.count("you") and not conflicting(place))


def pasted_value(place: Place) -> float:
    """The turn is hardly more than a value, and the answer asked for none."""
    asked = answer_asks(place) or place.answer.count("asks")
    return 0.0 if asked or only_asks(place) or excused(place) else bare_value(place)


def terse_value(place: Place) -> float:
    """Another value and a few words, in a statement that nothing excuses and nothing asked for."""
    asks = only_asks(place) or answer_asks(place)
    terse = bool(conflicting(place)) and len(place.turn.text) - stated(place) < _FEW
    return float(terse and not asks and not excused(place))


def plain_reply(place: Place) -> float:
    """The agent answers on, and owns up to nothing."""
    return float(place.reply is not None and not place.reply.count("admission"))


def pleased_later(place: Place) -> float:
    """The user's last word is content, and the agent had nothing to own up to."""
    return float(bool(place.later) and pleased(place.later[-1]) and not _sorry(place))


def accepted_later(place: Place) -> float:
    """The user's last word agrees, or takes the mistake on itself."""
    last = place.later[-1] if place.later else None
    agreed = last is not None and bool(interjected(last, "accept", "own", "thanks"))
    return float(agreed and not _sorry(place))


def withdrawn(place: Place) -> float:
    """The user takes the mistake on itself in the last word."""
    return float(bool(place.later) and place.later[-1].count("own") > 0 and not _sorry(place))


def _sorry(place: Place) -> bool:
    return bool(admitted(place) or sorry(place))


def admitted(place: Place) -> float:
    """The agent owns up in its reply."""
    return float(place.reply is not None and place.reply.count("admission") > 0)


def sorry(place: Place) -> float:
    """The agent regrets in its reply."""
    return float(place.reply is not None and place.reply.count("regret") > 0)


def failed_before(place: Place) -> float:
    """The answer says that it has nothing to offer."""
    return float(place.answer.count("failure") > 0)


def moves_on(place: Place) -> float:
    """The turn opens another matter: blame opens none, nor does "also" inside a sentence."""
    blamed = any(map(place.turn.count, _BLAME))
    return float(bool(interjected(place.turn, "topic")) and not blamed)


def addressed(place: Place) -> float:
    """How often "you" stands in a statement that neither thanks nor clears the agent.

    In a question it asks for something.
    """
    turn = place.turn
    kind = [h.start for h in turn.hits if h.cue in _KIND]
    spans = [
        (a, b)
        for a, b in turn.sentences
        if not MARK.search(turn.text[b - 1]) and not any(a <= at < b for at in kind)
    ]
    said = [h for h in turn.hits if h.cue == "you" and any(a <= h.start < b for a, b in spans)]
    return min(len(said), 2) / 2


def only_thanks(place: Place) -> float:
    """Thanks, and not a word that denies, doubts, blames or asks."""
    turn = place.turn
    trouble = MARK.search(turn.text) or any(map(turn.count, _TROUBLE)) or conflicting(place)
    return float(bool(interjected(turn, "thanks")) and not trouble)
