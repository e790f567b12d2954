"""Run by the environment that holds the stores' clients: rows against the clients' own models.

Usage: python shapes.py < {"langfuse observations": […], …}; it says how many of each hold.
"""

from __future__ import annotations

import json
import sys
from functools import partial

from langfuse.api import GetScoresV3Response, ObservationsV2Response
from langfuse.api.core.pydantic_utilities import parse_obj_as
from langsmith import schemas
from langsmith.types import Run

CHECKS = {
    "langfuse observations": partial(parse_obj_as, ObservationsV2Response),
    "langfuse scores": partial(parse_obj_as, GetScoresV3Response),
    "langsmith runs v1": schemas.Run.model_validate,
    "langsmith runs v2": Run.model_validate,
    "langsmith feedback": schemas.Feedback.model_validate,
}

for name, rows in json.load(sys.stdin).items():
    for row in rows:
        CHECKS[name](row)
    sys.stdout.write(f"{len(rows)} {name}\n")
