"""Options: the configuration, and over it what was given on the command line."""

from pathlib import Path

import pytest

from bot.engines.llm.options import ModelOptions, model_options
from bot.errors import ConfigError
from context_repo_schema.config import Config, Llm


def test_without_anything_the_defaults_hold():
    made = model_options(Config(), {}, {})
    assert made == ModelOptions()
    assert (made.strategy, made.detector, made.recommender) == ("shortlist", "screened", None)


def test_the_configuration_stands_below_the_flags():
    config = Config(llm=Llm("a/b", "https://models.example.org/v1"), max_llm_calls=7)
    environment = {"TRACE_BOT_LLM_HOSTS": "models.example.org"}
    flags = {"model": "c/d", "strategy": "holistic", "replay": "kept", "hints": None}
    made = model_options(config, environment, flags)
    assert (made.model, made.api_base) == ("c/d", "https://models.example.org/v1")
    assert (made.strategy, made.replay, made.max_llm_calls) == ("holistic", Path("kept"), 7)
    assert made.hosts == ("models.example.org",)
    assert made.hints is False


@pytest.mark.parametrize("flags", [{"strategy": "guess"}, {"concurrency": "many"}])
def test_a_value_that_does_not_fit_is_named(flags):
    with pytest.raises(ConfigError, match=next(iter(flags))):
        model_options(Config(), {}, flags)
