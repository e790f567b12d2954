"""Real stores on loopback, each in a folder of its own, as `make test-live` installs them."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

BIN = Path(__file__).parents[2] / ".venv" / "live" / "bin"
PATIENCE = 240.0
QUIET = {"DO_NOT_TRACK": "true", "PYTHONDONTWRITEBYTECODE": "1"}


def program(name: str) -> str:
    """A program that `make test-live` installs."""
    path = BIN / name
    if not path.exists():
        pytest.fail(f"{path} is missing; run `make test-live`, which installs it")
    return str(path)


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, health: str
) -> Iterator[None]:
    """The server, from when it answers at `health` on, and ended afterwards."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            command,
            env={**kept, **QUIET, "PATH": path, **environment},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _await(server, health, folder / "server.log")
            yield
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await(server: subprocess.Popen[bytes], health: str, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(health, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    told = log.read_text("utf-8", "replace")[-2000:]
    pytest.fail(f"the server did not come up in {PATIENCE:.0f} s; its last words:\n{told}")
