"""What speaks for and against dissatisfaction in a user turn, as numbers between 0 and 1.

No feature knows a domain: cues of general language, typed values, form, and place.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from bot.signals import form, stance, worth
from bot.signals.place import Place

Measure = Callable[[Place], float]


class Feature(msgspec.Struct, frozen=True):
    """A measure between 0 and 1, and the log odds expected of it before any training.

    Its weight may count in the direction of `prior` only, or in either where that is 0.
    """

    prior: float
    measure: Measure


def _cue(cue: str) -> Measure:
    """How often the cue occurs in the turn; more than twice tells no more."""

    def measure(place: Place) -> float:
        return min(place.turn.count(cue), 2) / 2

    return measure


_CUES = {
    "wrong": 0.5,
    "contrast": 0.5,
    "changed": 0.5,
    "source": 0.5,
    "harm": 0.5,
    "doubt": 0.5,
    "repair": 0.5,
    "again": 0.5,
    "omitted": 0.5,
    "complaint": 0.5,
    "leaving": 0.5,
    "thanks": -0.5,
    "accept": -0.5,
    "own": -0.5,
    "mind": -0.5,
    "others": -0.5,
    "interest": -0.5,
    "they": 0.0,
    "negation": 0.5,
}
FEATURES: dict[str, Feature] = {
    **{f"cue {cue}": Feature(prior, _cue(cue)) for cue, prior in _CUES.items()},
    "value unlike the answer's": Feature(1.0, worth.other_value),
    "value put right": Feature(3.0, stance.put_right),
    "value of the answer": Feature(0.0, worth.same_value),
    "hardly more than a value": Feature(0.0, worth.bare_value),
    "short with another value": Feature(1.5, stance.terse_value),
    "first turn after an answer": Feature(0.0, form.first_turn),
    "plain contradiction": Feature(3.0, stance.contradicts),
    "value out of the blue": Feature(2.0, stance.pasted_value),
    "excuse": Feature(-1.0, stance.excuse),
    "apologises": Feature(-1.0, stance.apologises),
    "withdrawn later": Feature(-2.0, stance.withdrawn),
    "begins with an objection": Feature(1.5, stance.objects),
    "flat no": Feature(3.0, stance.flat_no),
    "begins pleased": Feature(-0.5, stance.starts_pleased),
    "thanks alone": Feature(-2.0, stance.only_thanks),
    "ends pleased": Feature(-0.5, stance.ends_pleased),
    "last turn is pleased": Feature(-0.5, stance.pleased_later),
    "last turn agrees": Feature(-0.5, stance.accepted_later),
    "agent owns up": Feature(0.5, stance.admitted),
    "agent is sorry": Feature(0.5, stance.sorry),
    "agent answers on": Feature(-0.5, stance.plain_reply),
    "answer has nothing": Feature(0.5, stance.failed_before),
    "moves on": Feature(-0.5, stance.moves_on),
    "answer asks back": Feature(-0.5, form.answer_asks),
    "says you in a statement": Feature(0.5, stance.addressed),
    "questions only": Feature(-0.5, form.only_asks),
    "exclamations": Feature(-0.5, form.exclaims),
    "sentences": Feature(0.0, form.sentences),
    "characters": Feature(0.0, form.characters),
    "a few words": Feature(-0.5, form.few_words),
    "minutes later": Feature(0.5, form.minutes_later),
    "days later": Feature(0.5, form.days_later),
    "repeats an earlier turn": Feature(0.5, form.repeated),
    "quotes another text": Feature(0.0, form.quotes_other),
    "words of the answer": Feature(0.0, form.echoes_answer),
    "shouts": Feature(0.5, form.shouts),
    "smile": Feature(-0.5, form.cheerful),
    "frown": Feature(0.5, form.gloomy),
}


def features(place: Place) -> tuple[float, ...]:
    """One number for each of `FEATURES`, in their order."""
    return tuple(feature.measure(place) for feature in FEATURES.values())
