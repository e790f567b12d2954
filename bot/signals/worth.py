"""What a turn's typed values say of the values in the answer."""

from __future__ import annotations

from bot.provenance.values import Value, comparable, same
from bot.signals.place import Place
from bot.signals.said import Said

MOSTLY = 0.4


def _values_of(messages: tuple[Said, ...]) -> list[Value]:
    return [value for message in messages for value in message.values]


def fresh(place: Place) -> list[Value]:
    """The values of the turn that nobody said before."""
    if not place.turn.values:
        return []
    known = [*_values_of(place.earlier), *place.answer.values]
    return [v for v in place.turn.values if not any(same(v, k) for k in known)]


def conflicting(place: Place) -> list[Value]:
    """The fresh values of the turn that are of one kind with a value of the answer."""
    return [v for v in fresh(place) if any(comparable(v, a) for a in place.answer.values)]


def other_value(place: Place) -> float:
    return float(bool(conflicting(place)))


def same_value(place: Place) -> float:
    """The turn takes up a value of the answer."""
    return float(any(same(v, a) for v in place.turn.values for a in place.answer.values))


def stated(place: Place) -> int:
    """How many characters of the turn state values that nobody said before."""
    return sum(value.end - value.start for value in fresh(place))


def bare_value(place: Place) -> float:
    """The turn is hardly more than a value that nobody said before."""
    size = stated(place)
    return float(size > 0 and size >= MOSTLY * len(place.turn.text.strip()))
