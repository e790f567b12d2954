"""A job on a stand-in for GitHub's runner: it runs the steps of composite actions for real."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
WHEELS = ROOT / ".venv" / "wheels"


class Job:
    """One job: its actions share `RUNNER_TEMP`. Packages come from `make test`, not the network."""

    def __init__(self, temp: Path) -> None:
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(temp),
            "RUNNER_TEMP": str(temp),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": WHEELS.as_uri(),
        }

    def use(
        self, action: str, workspace: Path, environment: dict[str, str] | None = None, **inputs: str
    ) -> dict[str, Any]:
        """What the action gives back: `job`, `outputs`, `steps`, `summary`, and its `log`.

        Underscores in the names of `inputs` stand for hyphens.
        """
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        done = subprocess.run(
            ("node", HERE / "run_composite.mjs", ROOT / "actions" / action, workspace),
            input=json.dumps({"inputs": given}),
            env=self.environment | (environment or {}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
        result: dict[str, Any] = json.loads(done.stdout)
        return result | {"log": done.stderr}


@pytest.fixture(scope="session")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    missing = [place for place in (HERE / "node_modules", WHEELS) if not place.is_dir()]
    if missing or shutil.which("node") is None:
        reason = f"Node.js and {missing} are needed; `make test` installs them"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return Job(tmp_path_factory.mktemp("runner"))
