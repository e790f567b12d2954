"""A terminal's output as the SVG that the README shows: coloured text in, a picture out."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 100


def main(out: str, title: str) -> None:
    """Read coloured text from stdin and write it as a picture."""
    console = Console(record=True, width=WIDTH, file=sys.stderr, force_terminal=True)
    console.print(Text.from_ansi(sys.stdin.read().rstrip()))
    # Without the clip ids that rich draws at random, the same text gives the same file.
    svg = console.export_svg(title=title, unique_id="trace-bot")
    # A picture loads nothing from anywhere.
    Path(out).write_text(re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
