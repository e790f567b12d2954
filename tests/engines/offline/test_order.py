"""What is measured must not hang on the order of sets, which no two runs share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SUITE = Path(__file__).parents[3] / "fixtures" / "bench" / "finance"
MEASURED = (
    "import sys; from itertools import islice; from pathlib import Path\n"
    "from bot.engines.offline.examples import examples\n"
    "found = islice(examples(Path(sys.argv[1]), None, frozenset()), 2)\n"
    "print([(e.rows, e.names, e.vector, e.values.tobytes()) for e in found])"
)


def test_every_run_measures_the_same_to_the_last_digit() -> None:
    made = {
        subprocess.run(
            (sys.executable, "-c", MEASURED, str(SUITE)),
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(made) == 1
