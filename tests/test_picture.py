"""The README's picture shows what the demo says, but for figures that learning moves."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from pathlib import Path

import pytest

from bot.bench.checkout import checkout
from bot.cli import main
from bot.context.history import read_history

ROOT = Path(__file__).parents[1]
SCENARIO = ROOT / "fixtures" / "scenarios" / "vendor-invoice"
TEXT = re.compile(r'<text class="trace-bot-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')
LEARNED = re.compile(r"\d\.\d\d|\d+%")


def pictured() -> list[str]:
    rows: dict[float, list[tuple[float, str]]] = defaultdict(list)
    for x, y, text in TEXT.findall((ROOT / ".github" / "demo.svg").read_text("utf-8")):
        rows[float(y)].append((float(x), html.unescape(text)))
    return ["".join(text for _, text in sorted(row)) for _, row in sorted(rows.items())]


def plain(lines: list[str]) -> list[str]:
    return [LEARNED.sub("#", "".join(line.split())) for line in lines if line.strip()]


def test_the_picture_is_what_the_demo_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    context = tmp_path / "context"
    checkout(SCENARIO / "context", read_history(SCENARIO / "history.jsonl"), context)
    args = ["--context", str(context), "--trajectories", str(SCENARIO / "sessions.jsonl")]
    assert main(["dry-run", *args]) == 0
    shown = capsysbinary.readouterr().out.decode().splitlines()
    assert plain(pictured()) == plain(shown), "run `make picture`"
