"""The published JSON Schemas, made from the records; `python -m bot.schemas` writes them.

What a field means stands beside its record, in a data file.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

import context_repo_schema
from bot import records
from bot.records import plan, report, trajectory
from bot.reports.report import Report
from context_repo_schema.config import Config
from context_repo_schema.reference import KEYS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Name to the record, and to the version that its `schema` field must state.
PUBLISHED: Mapping[str, tuple[type[msgspec.Struct], str | None]] = {
    "config": (Config, None),
    "trajectory": (trajectory.Trajectory, trajectory.SCHEMA),
    "report": (Report, report.SCHEMA),
    "plan": (plan.Plan, plan.SCHEMA),
}
# Where the fields of a schema are described, by record and field.
DESCRIBED: Mapping[str, Path] = {
    "config": KEYS,
    "trajectory": Path(records.__file__).with_name("trajectory.toml"),
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
    if version:
        known[record.__name__]["properties"]["schema"] = {"const": version}
    if name in DESCRIBED:
        _describe(known, tomllib.loads(DESCRIBED[name].read_text("utf-8")))
    body = known.pop(record.__name__)
    head = {"$schema": DIALECT, "$id": f"urn:{version or f'trace-bot/{name}/v1'}".replace("/", ":")}
    return {**head, **body, "$defs": {key: known[key] for key in sorted(known)}}


def _describe(known: Mapping[str, dict[str, Any]], words: Mapping[str, Any]) -> None:
    """Put what a field means into its schema."""
    for record, schema in known.items():
        for field, told in words.get(record, {}).items():
            schema["properties"][field]["description"] = told


if __name__ == "__main__":
    write(Path(context_repo_schema.__file__).parent / "schemas")
