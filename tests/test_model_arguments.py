"""The flags of the model engine are what it takes, and say where they do nothing."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.arguments import SOURCES, parser
from bot.engines.llm.options import Detector, ModelOptions, Recommender, Strategy
from bot.model_arguments import FLAGS, METHODS, idle_flags
from bot.sources.opened import NAMES


def test_the_help_names_every_source() -> None:
    assert sorted(SOURCES) == sorted(NAMES)


def test_every_flag_is_an_option_of_the_engine() -> None:
    assert set(FLAGS) <= set(ModelOptions.__struct_fields__)


@pytest.mark.parametrize(
    ("name", "known"),
    [("strategy", Strategy), ("recommender", Recommender), ("detector", Detector)],
)
def test_every_method_can_be_chosen(name: str, known: object) -> None:
    assert sorted(METHODS[name][0]) == sorted(get_args(known))


@pytest.mark.parametrize(
    ("flags", "engine", "said"),
    [
        (["--model", "a/b"], "offline", "--model has no effect without --engine llm"),
        (
            ["--model", "a/b", "--max-cost-usd", "1"],
            "offline",
            "--model, --max-cost-usd have no effect without --engine llm",
        ),
        (["--model", "a/b"], "llm", ""),
        ([], "offline", ""),
    ],
)
def test_a_flag_without_effect_is_named(flags: list[str], engine: str, said: str) -> None:
    args = parser().parse_args(["dry-run", "--trajectories", "x", *flags])
    assert idle_flags(args, engine) == said
