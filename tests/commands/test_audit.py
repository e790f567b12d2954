"""`audit` shows both sides, and fails only where it is asked to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import main

RULES = "---\nauthority: policy\n---\n# Kiln rules\n\nThe glaze kiln is fired at 1,040 °C.\n"
SHEET = "# Kiln sheet\n\nFire the glaze kiln at 1,180 °C.\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "knowledge_base").mkdir()
    (tmp_path / "knowledge_base" / "rules.md").write_text(RULES, "utf-8")
    (tmp_path / "knowledge_base" / "sheet.md").write_text(SHEET, "utf-8")
    return tmp_path


def told(root: Path, capsysbinary: pytest.CaptureFixture[bytes], *options: str) -> str:
    assert main(["audit", "--context", str(root), *options]) == 0
    return capsysbinary.readouterr().out.decode()


def test_text_has_both_quotes_and_what_decides(
    checkout: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert told(checkout, capsysbinary).splitlines() == [
        "knowledge_base/sheet.md:3: '1,180 °C' here, '1,040 °C' in knowledge_base/rules.md:6; "
        "take over what knowledge_base/rules.md says [values]",
        "    Fire the glaze kiln at 1,180 °C.",
        "    knowledge_base/rules.md:6: The glaze kiln is fired at 1,040 °C.",
        "    knowledge_base/rules.md is to be believed: it stands higher",
        "1 finding",
    ]


def test_json_and_annotations(checkout: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (found,) = json.loads(told(checkout, capsysbinary, "--format", "json"))["findings"]
    assert found["here"]["line"] == 3
    assert found["outweighs"] == "knowledge_base/rules.md"
    first, total = told(checkout, capsysbinary, "--format", "github").splitlines()
    assert first.startswith("::warning file=knowledge_base/sheet.md,line=3,title=audit-values::")
    assert total == "0 errors, 1 warning"


def test_exit_codes(checkout: Path) -> None:
    command = ["audit", "--context", str(checkout), "--fail-on-findings"]
    assert main(command) == 10
    (checkout / "knowledge_base" / "sheet.md").unlink()
    assert main(command) == 0
    assert main(["audit", "--context", str(checkout / "nowhere")]) == 2
    (checkout / "knowledge_base" / "rules.md").unlink()
    assert main(command) == 2
