"""Two plots as inline SVG, drawn with the page's own colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from bot.bench.tables import Point

WIDTH, LABEL, ROW, PLOT = 540, 222, 30, 262


class Bar(msgspec.Struct, frozen=True):
    """One line of a plot: a share with its interval, and another's figure as a mark."""

    label: str
    value: float
    low: float
    high: float
    mark: float | None = None


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


def coverage(title: str, points: Sequence[Point]) -> str:
    """Precision over coverage, as a line of steps from the surest proposal on."""
    left, top, size = 60, 12, 260
    wide = WIDTH - left - 40
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = left + wide * tick, top + size * (1 - tick)
        parts.append(
            f'<line x1="{left}" x2="{left + wide}" y1="{y}" y2="{y}" class="grid"/>'
            f'<text x="{left - 8}" y="{y + 4}" class="end">{tick:.2f}</text>'
            f'<text x="{x}" y="{top + size + 18}" class="mid">{tick:.2f}</text>'
        )
    line = " ".join(
        f"{left + wide * p.coverage:.1f},{top + size * (1 - p.precision):.1f}" for p in points
    )
    parts.append(f'<polyline points="{line}" class="line"/>')
    parts.append(
        f'<text x="{left + wide / 2}" y="{top + size + 38}" class="mid">'
        "share of dissatisfied sessions with a proposal</text>"
    )
    return _svg(title, top + size + 46, parts)


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
