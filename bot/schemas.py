"""The published JSON Schemas, made from the records; `python -m bot.schemas` writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

import context_repo_schema
from bot.records import plan, report, trajectory
from bot.reports.report import Report
from context_repo_schema.config import Config

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Name to the record, and to the version that its `schema` field must state.
PUBLISHED: Mapping[str, tuple[type[msgspec.Struct], str | None]] = {
    "config": (Config, None),
    "trajectory": (trajectory.Trajectory, trajectory.SCHEMA),
    "report": (Report, report.SCHEMA),
    "plan": (plan.Plan, plan.SCHEMA),
}


def schemas() -> Mapping[str, dict[str, Any]]:
    """Every published schema by name, as JSON values."""
    return {name: _schema(name, *truth) for name, truth in PUBLISHED.items()}


def write(folder: Path) -> None:
    """Writes `NAME.schema.json` for each into the folder."""
    for name, schema in schemas().items():
        (folder / f"{name}.schema.json").write_text(rendered(schema), "utf-8", newline="\n")


def rendered(schema: Mapping[str, Any]) -> str:
    """The text of a schema file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _schema(name: str, record: type[msgspec.Struct], version: str | None) -> dict[str, Any]:
    _, known = msgspec.json.schema_components([record], ref_template="#/$defs/{name}")
    body = known.pop(record.__name__)
    if version:
        body["properties"]["schema"] = {"const": version}
    head = {"$schema": DIALECT, "$id": f"urn:{version or f'trace-bot/{name}/v1'}".replace("/", ":")}
    return {**head, **body, "$defs": {key: known[key] for key in sorted(known)}}


if __name__ == "__main__":
    write(Path(context_repo_schema.__file__).parent / "schemas")
