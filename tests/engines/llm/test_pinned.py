"""litellm comes as it was locked: by hash, and never as one of the two poisoned releases."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
POISONED = ("1.82.7", "1.82.8")


@pytest.fixture(scope="module")
def locked() -> str:
    return (ROOT / "requirements" / "llm.txt").read_text("utf-8")


def test_the_lock_names_one_version_that_is_not_poisoned(locked):
    (version,) = re.findall(r"^litellm==(\S+)", locked, re.M)
    assert version not in POISONED


def test_every_package_is_pinned_by_hash(locked):
    entries = re.split(r"\n(?=[a-z0-9])", re.sub(r"^ *#.*\n", "", locked, flags=re.M).strip())
    assert len(entries) > 20
    assert [e for e in entries if "==" not in e or "--hash=sha256:" not in e] == []


def test_the_extra_keeps_the_poisoned_releases_out():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (wanted,) = project["optional-dependencies"]["llm"]
    assert [version for version in POISONED if f"!={version}" not in wanted] == []


def test_telemetry_is_off():
    pytest.importorskip("litellm", reason="pip install -r requirements/llm.txt")
    from bot.engines.llm import provider

    assert provider.imported().telemetry is False
