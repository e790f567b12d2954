"""What is installed is what is here: the wheel is whole, the locks are what was asked for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot import __version__

ROOT = Path(__file__).parents[1]
LOCKS = tuple(sorted((ROOT / "requirements").glob("*.txt")))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PIN = re.compile(r"(?P<name>[a-z0-9.-]+)==(?P<version>\S+)(?: ; .+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def run(*command: str | Path, **more: str) -> str:
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | more, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    listed = run("git", "ls-files", "-z", "--", "bot", "context_repo_schema").split("\0")
    here = {name for name in listed if name and (ROOT / name).is_file()}
    assert {"bot/commands/templates/workflow.yml", "bot/cli.py"} <= here
    assert here - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_wheel_holds_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"bot", "context_repo_schema", f"trace_bot-{__version__}.dist-info"}


def test_wheel_works_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "install", "--no-deps", "--no-index", "--target", tmp_path / "site", wheel)
    program, site = tmp_path / "site" / "bin" / "trace-bot", str(tmp_path / "site")
    assert run(program, "--version", PYTHONPATH=site).strip() == f"trace-bot {__version__}"
    place = run(sys.executable, "-P", "-c", "import bot; print(bot.__file__)", PYTHONPATH=site)
    assert place.startswith(site)
    written = run(program, "init", tmp_path, PYTHONPATH=site)
    assert written.count("wrote") == 2


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_locks_hold_pins_and_hashes_alone(lock: Path) -> None:
    lines = lock.read_text("utf-8").splitlines()
    wrong = [s for s in lines if not (PIN.fullmatch(s) or HASH.fullmatch(s) or s.startswith("#"))]
    assert lines
    assert wrong == []


def pins(name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for line in (ROOT / "requirements" / f"{name}.txt").read_text("utf-8").splitlines():
        if match := PIN.fullmatch(line):
            found.setdefault(canonicalize_name(match["name"]), set()).add(match["version"])
    return found


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("core", [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["build"]]),
        *PROJECT["project"]["optional-dependencies"].items(),
        *((name, PROJECT["dependency-groups"][name]) for name in ("dev", "node", "lock")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_locks_satisfy_what_the_project_asks(lock: str, wanted: list[str]) -> None:
    locked = pins(lock)
    for requirement in map(Requirement, wanted):
        versions = locked.get(canonicalize_name(requirement.name), set())
        assert versions, f"{requirement.name} is not in {lock}.txt; run `make lock`"
        assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_locks_agree_since_they_are_installed_into_one_environment() -> None:
    found: dict[str, set[frozenset[str]]] = {}
    for lock in LOCKS:
        for name, versions in pins(lock.stem).items():
            found.setdefault(name, set()).add(frozenset(versions))
    assert {name: pinned for name, pinned in found.items() if len(pinned) > 1} == {}
