"""Run by the environment that holds the stores' clients: rows against the clients' own models.

Usage: python shapes.py < {"langfuse observations": […], …}; it says how many of each hold.

The models take unknown fields, so that a misnamed one would hold: Opik's, whose fields have the
names of the API, are asked for them.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import Any

from langfuse.api import GetScoresV3Response, ObservationsV2Response
from langfuse.api.core.pydantic_utilities import parse_obj_as
from langsmith import schemas
from langsmith.types import Run
from pydantic import BaseModel

# The package as a whole imports what is not installed; its models stand alone.
found = importlib.util.find_spec("opik")
opik = ModuleType("opik")
opik.__path__ = list((found and found.submodule_search_locations) or ())
sys.modules["opik"] = opik
from opik.rest_api.types.span_page_public import SpanPagePublic  # noqa: E402
from opik.rest_api.types.span_public import SpanPublic  # noqa: E402
from opik.rest_api.types.trace_page_public import TracePagePublic  # noqa: E402
from opik.rest_api.types.trace_public import TracePublic  # noqa: E402


def exact(model: type[BaseModel], row: Any) -> None:
    """Raises `ValueError` where a row does not hold, or has a field that the model lacks."""
    if unknown := set(unknown_fields(model.model_validate(row))):
        raise ValueError(f"{model.__name__} has no {', '.join(sorted(unknown))}")


def unknown_fields(value: Any) -> Iterator[str]:
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        for name in type(value).model_fields:
            yield from unknown_fields(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from unknown_fields(item)


CHECKS = {
    "langfuse observations": partial(parse_obj_as, ObservationsV2Response),
    "langfuse scores": partial(parse_obj_as, GetScoresV3Response),
    "langsmith runs v1": schemas.Run.model_validate,
    "langsmith runs v2": Run.model_validate,
    "langsmith feedback": schemas.Feedback.model_validate,
    "opik traces": partial(exact, TracePagePublic),
    "opik spans": partial(exact, SpanPagePublic),
    "opik exported traces": partial(exact, TracePublic),
    "opik exported spans": partial(exact, SpanPublic),
}

for name, rows in json.load(sys.stdin).items():
    for row in rows:
        CHECKS[name](row)
    sys.stdout.write(f"{len(rows)} {name}\n")
