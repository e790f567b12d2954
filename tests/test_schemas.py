"""The published schemas say what the records say."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import msgspec
import pytest

import context_repo_schema
from bot.records.trajectory import Trajectory, Turn
from bot.schemas import DESCRIBED, PUBLISHED, rendered, schemas, write
from context_repo_schema.config import Config

FOLDER = Path(context_repo_schema.__file__).parent / "schemas"


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_schema_is_what_the_records_say(name: str) -> None:
    published = (FOLDER / f"{name}.schema.json").read_text("utf-8")

    assert published == rendered(schemas()[name]), "run `python -m bot.schemas`"


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_schema_is_a_json_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schemas()[name])


@pytest.mark.parametrize("name", DESCRIBED)
def test_every_field_that_people_write_is_described(name: str) -> None:
    schema = schemas()[name]
    records = {PUBLISHED[name][0].__name__: schema, **schema["$defs"]}
    fields = {(r, field) for r, known in records.items() for field in known.get("properties", {})}
    words = tomllib.loads(DESCRIBED[name].read_text("utf-8"))
    told = {(r, field) for r in records for field in words.get(r, {})}

    assert told == fields, f"describe each field in {DESCRIBED[name].name}, and no other"


def test_write_leaves_one_file_a_schema(tmp_path: Path) -> None:
    write(tmp_path)

    assert {p.name for p in tmp_path.iterdir()} == {f"{name}.schema.json" for name in PUBLISHED}


def test_config_schema_takes_the_defaults_and_refuses_an_unknown_key() -> None:
    check = jsonschema.Draft202012Validator(schemas()["config"])

    assert check.is_valid(json.loads(msgspec.json.encode(Config())))
    assert check.is_valid({})
    assert not check.is_valid({"max_open_pr": 3})
    assert not check.is_valid({"max_open_prs": -1})
    assert not check.is_valid({"evidence": {"quote": "on"}})


def test_trajectory_schema_takes_a_session_and_refuses_another_version() -> None:
    check = jsonschema.Draft202012Validator(schemas()["trajectory"])
    session = json.loads(msgspec.json.encode(Trajectory("s", (Turn(1, "user", "hi"),))))

    assert check.is_valid(session)
    assert check.is_valid(session | {"schema": "trace-bot/trajectory/v1"})
    assert not check.is_valid(session | {"schema": "trace-bot/trajectory/v2"})
    assert not check.is_valid(session | {"turns": []})
