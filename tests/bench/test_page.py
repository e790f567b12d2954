"""The page: it loads nothing, follows the reader's colours, and fits a phone."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import escape
from pathlib import Path
from typing import Any

import pytest

from bot.bench import page
from bot.bench.result import made, result
from bot.bench.run import Lineup, run_all
from bot.bench.suite import load

PHONE = 360
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
MEASURE = """
<!doctype html><iframe id=f style="width:{width}px;height:600px;border:0" srcdoc="{page}"></iframe>
<script>onload = () => {{
  const inner = document.getElementById('f').contentDocument;
  const text = [...inner.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height);
  document.title = inner.scrollingElement.scrollWidth + ' ' + Math.min(...text);
}}</script>
"""


@pytest.fixture
def html(folder: Any, scripted: Any, tmp_path: Path) -> str:
    suite = load(folder.write(tmp_path / ("a-suite-with-a-long-name-" * 3)))
    parts = run_all([suite], lambda suite: Lineup(scripted, {"authority": scripted}))
    return page.page((result(made("scripted", "trace-bot bench run " + "suite " * 60), parts),))


def test_the_page_needs_nothing_from_elsewhere(html: str) -> None:
    assert not re.search(r"<(script|link|img|iframe|object)\b|@import|url\(|\b(src|href)=", html)
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html


def test_every_colour_has_one_for_the_dark() -> None:
    css = (Path(page.__file__).parent / "page.css").read_text("utf-8")
    light, dark = re.findall(r":root \{([^}]*)\}", css)
    names = re.compile(r"(--\w+):")
    assert set(names.findall(light)) == set(names.findall(dark))
    rest = css.replace(light, "").replace(dark, "")
    assert not re.search(r"#[0-9a-f]{3,6}\b|: *(white|black|rgb)\b", rest)


def test_wide_tables_scroll_by_themselves_and_by_the_keyboard(html: str) -> None:
    assert html.count("<table>") == html.count("<div class=wide tabindex=0><table>")
    assert len(re.findall(r'<svg [^>]*role="img" aria-label="[^"]+"', html)) == html.count("<svg ")


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: install chromium")
def test_a_phone_shows_the_page_without_scrolling_sideways(html: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        MEASURE.format(width=PHONE, page=escape(html, quote=True)), "utf-8"
    )
    done = subprocess.run(
        (
            str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
            f"--user-data-dir={tmp_path / 'profile'}", (tmp_path / "page.html").as_uri(),
        ),
        capture_output=True, check=True, timeout=120,
    )  # fmt: skip
    shown = re.search(rb"<title>(\d+) ([\d.]+)</title>", done.stdout)
    assert shown is not None, done.stderr[-500:]
    assert int(shown[1]) <= PHONE
    assert float(shown[2]) >= 9.0  # pixels of height of the smallest letters in a plot
