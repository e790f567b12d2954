"""What the README shows is so: its session is read, its commands, keys and links exist."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import get_args

import pytest

from bot.arguments import parser
from bot.cli import main
from bot.lifecycle.commands import Verb
from context_repo_schema.config import Config

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = ("README.md", "actions/README.md", ".github/SECURITY.md", "context_repo_schema/README.md")
SHOP = {
    "AGENTS.md": "# Shop assistant\n\nAnswer from the pages.\n",
    "docs/returns.md": "---\nauthority: note\n---\n# Returns\n\n"
    "Shoes can be returned within 14 days.\n",
    "docs/policy.md": "---\nauthority: policy\nstatus: approved\n---\n# Return policy\n\n"
    "Shoes can be returned within 30 days.\n",
}


def commands(known: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (found,) = (a for a in known._actions if isinstance(a, argparse._SubParsersAction))
    return dict(found.choices)


def test_the_sample_session_leads_to_a_diff(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    sample = re.search(r"```json\n(.*?)```", README, re.S)
    assert sample is not None
    (tmp_path / "session.json").write_text(sample[1], "utf-8")
    for path, text in SHOP.items():
        (tmp_path / "shop" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shop" / path).write_text(text, "utf-8")
    sessions = str(tmp_path / "session.json")
    assert main(["dry-run", "--context", str(tmp_path / "shop"), "--trajectories", sessions]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert "-Shoes can be returned within 14 days.\n+Shoes can be returned within 30 days." in shown


def test_every_command_is_listed_and_every_listed_one_exists() -> None:
    table = README.partition("\n## Commands\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", table, re.M)
    listed = {name for row in rows for name in re.findall(r"[`, ]([a-z][a-z-]+)", row)}
    known = commands(parser())
    assert set(known) | set(commands(known["bench"])) == listed


def test_every_command_for_comments_is_told() -> None:
    told = set(re.findall(r"`/trace-bot ([a-z]+)", README)) | {"unignore"}
    assert told == set(get_args(Verb))
    assert "`unignore`" in README


def test_keys_that_are_named_are_keys() -> None:
    named = set(re.findall(r"`((?:max|min)_\w+)`", README))
    assert named
    assert named <= set(Config.__struct_fields__)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    targets = re.findall(r"\]\(([^)#]+?)(?:#[\w-]*)?\)", text)
    missing = [
        target
        for target in targets
        if "://" not in target and not ((ROOT / page).parent / target).exists()
    ]
    assert missing == []
