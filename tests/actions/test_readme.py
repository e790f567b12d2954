"""The page on the actions says what the actions take and give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ACTIONS = Path(__file__).parents[2] / "actions"
ACTION = YAML(typ="safe").load((ACTIONS / "trace-bot" / "action.yml").read_text("utf-8"))
PAGE = (ACTIONS / "README.md").read_text("utf-8")


def named(heading: str) -> set[str]:
    table = PAGE.partition(f"## {heading} of `trace-bot`\n")[2].partition("\n## ")[0]
    firsts = re.findall(r"^\| (`.+?) \|", table, re.M)
    return {name for first in firsts for name in re.findall(r"`([\w-]+)`", first)}


@pytest.mark.parametrize("part", ["inputs", "outputs"])
def test_the_page_lists_what_the_action_has(part: str) -> None:
    assert named(part.title()) == set(ACTION[part])


def test_the_page_gives_the_defaults() -> None:
    for name, about in ACTION["inputs"].items():
        row = re.search(rf"^\| `{name}` \| (.*?) ?\|", PAGE, re.M)
        assert row is not None
        assert row[1].strip("`") == about["default"]
