"""A repository made of a few texts, audited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bot.audit.finding import Finding
from bot.audit.table import audit
from bot.context.read import read_repo

Audited = Callable[[Mapping[str, str]], tuple[Finding, ...]]


@pytest.fixture
def audited(tmp_path: Path) -> Audited:
    def run(files: Mapping[str, str]) -> tuple[Finding, ...]:
        for path, text in files.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8", newline="")
        return audit(read_repo(tmp_path))

    return run
