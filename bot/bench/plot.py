"""Three plots as inline SVG, drawn with the page's own colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import msgspec

from bot.bench.tables import Point

# Narrow, so that the letters stay legible where a phone shrinks the picture.
WIDTH, LABEL, ROW, PLOT = 450, 212, 30, 190


class Bar(msgspec.Struct, frozen=True):
    """One line of a plot: a share with its interval, and another's figure as a mark."""

    label: str
    value: float
    low: float
    high: float
    mark: float | None = None


class Spot(msgspec.Struct, frozen=True):
    """What a session costs in model calls, and what share that buys; `own` or another's."""

    label: str
    calls: float
    value: float
    own: bool = True


def intervals(title: str, bars: Sequence[Bar]) -> str:
    """Points with their intervals on a scale from 0 to 1, marks as open diamonds."""
    height = ROW * len(bars) + 34
    parts = [_grid(LABEL, PLOT, height - 24)]
    for number, bar in enumerate(bars):
        y = ROW * number + ROW / 2
        x, low, high = (LABEL + PLOT * value for value in (bar.value, bar.low, bar.high))
        parts.append(
            f'<text x="{LABEL - 8}" y="{y + 4}" class="end">{escape(bar.label)}</text>'
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" class="span"/>'
            f'<circle cx="{x:.1f}" cy="{y}" r="5" class="dot"/>'
            f'<text x="{LABEL + PLOT + 8}" y="{y + 4}">{bar.value:.2f}</text>'
        )
        if bar.mark is not None:
            at = LABEL + PLOT * bar.mark
            parts.append(
                f'<path d="M{at:.1f} {y - 6} l6 6 l-6 6 l-6 -6 z" class="mark">'
                f"<title>TRACE {bar.mark:.2f}</title></path>"
            )
    return _svg(title, height, parts)


LEFT, TOP, TALL = 44, 20, 240
WIDE = WIDTH - LEFT - 20


def coverage(title: str, points: Sequence[Point]) -> str:
    """Precision over coverage, as a line of steps from the surest proposal on."""
    ticks = [(tick, f"{tick:.2f}") for tick in (0.0, 0.25, 0.5, 0.75, 1.0)]
    line = " ".join(
        f"{LEFT + WIDE * p.coverage:.1f},{TOP + TALL * (1 - p.precision):.1f}" for p in points
    )
    drawn = f'<polyline points="{line}" class="line"/>'
    return _square(title, "share of dissatisfied sessions with a proposal", ticks, drawn)


def costs(title: str, spots: Sequence[Spot]) -> str:
    """Shares over model calls a session; the scale widens as calls grow few."""
    most = max(20.0, *(spot.calls for spot in spots))

    def at(calls: float) -> float:
        return math.log1p(calls) / math.log1p(most)

    drawn = []
    for spot in spots:
        x, y = LEFT + WIDE * at(spot.calls), TOP + TALL * (1 - spot.value)
        drawn.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="dot"/>'
            if spot.own
            else f'<path d="M{x:.1f} {y - 6:.1f} l6 6 l-6 6 l-6 -6 z" class="mark"/>'
        )
        # A label that would leave the picture stands on the other side of its spot.
        right = x > LEFT + WIDE / 2
        side = f'x="{x - 10:.1f}" class="end"' if right else f'x="{x + 10:.1f}"'
        drawn.append(f'<text y="{y - 10:.1f}" {side}>{escape(spot.label)} {spot.value:.2f}</text>')
    ticks = [(at(n), f"{n:g}") for n in (0, 1, 3, 10, most)]
    return _square(title, "model calls a session", ticks, "".join(drawn))


def _square(title: str, below: str, ticks: Sequence[tuple[float, str]], drawn: str) -> str:
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = TOP + TALL * (1 - tick)
        parts.append(
            f'<line x1="{LEFT}" x2="{LEFT + WIDE}" y1="{y}" y2="{y}" class="grid"/>'
            f'<text x="{LEFT - 8}" y="{y + 4}" class="end">{tick:.2f}</text>'
        )
    for share, label in ticks:
        x = LEFT + WIDE * share
        parts.append(f'<text x="{x:.1f}" y="{TOP + TALL + 18}" class="mid">{label}</text>')
    name = f'<text x="{LEFT + WIDE / 2}" y="{TOP + TALL + 38}" class="mid">{escape(below)}</text>'
    return _svg(title, TOP + TALL + 46, [*parts, drawn, name])


def _grid(left: int, wide: int, height: int) -> str:
    return "".join(
        f'<line x1="{x}" x2="{x}" y1="0" y2="{height}" class="grid"/>'
        f'<text x="{x}" y="{height + 16}" class="mid">{tick:.2f}</text>'
        for tick in (0.0, 0.25, 0.5, 0.75, 1.0)
        for x in (left + wide * tick,)
    )


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
