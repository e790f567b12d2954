"""`init` says loudly whether pull requests will be opened, and what is left to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli import main
from context_repo_schema.load import parse_config

Capture = pytest.CaptureFixture[bytes]


def told(root: Path, capsysbinary: Capture) -> str:
    assert main(["init", str(root)]) == 0
    return capsysbinary.readouterr().out.decode()


def test_a_new_configuration_only_previews(tmp_path: Path, capsysbinary: Capture) -> None:
    text = told(tmp_path, capsysbinary)
    assert "`mode: preview`: nothing is opened. Keep that line" in text
    assert "allow Actions to create pull requests" in text
    assert parse_config((tmp_path / "trace-bot.yaml").read_text("utf-8")).config.mode == "preview"


@pytest.mark.parametrize(
    ("standing", "opens"),
    [("labels: [mine]\n", True), ("mode: propose\n", True), ("mode: preview\n", False)],
)
def test_a_standing_configuration_is_read_for_it(
    tmp_path: Path, capsysbinary: Capture, standing: str, opens: bool
) -> None:
    (tmp_path / "trace-bot.yaml").write_text(standing, "utf-8")
    assert ("does not say `mode: preview`" in told(tmp_path, capsysbinary)) == opens


def test_a_broken_configuration_does_not_keep_the_workflow_away(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    (tmp_path / "trace-bot.yaml").write_text("mod: x\n", "utf-8")
    assert "mode: p" not in told(tmp_path, capsysbinary)
    assert (tmp_path / ".github" / "workflows" / "trace-bot.yml").is_file()
