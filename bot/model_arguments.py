"""The flags that only a model needs, and what they come to. Nothing heavy is imported here."""

from __future__ import annotations

import argparse
import math

METHODS = {
    "strategy": (
        (
            "offline",
            "shortlist",
            "holistic",
            "iterative",
            "continual",
            "passive",
            "self-consistency",
        ),
        "how the cause is found (default: shortlist, one call: the rules write the explanations "
        "out and the model picks one; offline: the rules alone)",
    ),
    "recommender": (
        ("offline", "explore", "passive"),
        "how the change is found: rules, the model with looks into the repository, or one call "
        "(default: offline after shortlist, else explore)",
    ),
    "detector": (
        ("screened", "taxonomy", "vanilla", "offline"),
        "how dissatisfaction is found (default: screened, the model where the rules doubt)",
    ),
}
FOLDERS = {
    "record": "write every answer of the model there",
    "replay": "take the answers from there and call no model",
    "cache": "keep answers there and ask no question twice",
}
LIMITS = ("max_llm_calls", "max_cost_usd", "max_runtime_min")
FLAGS = (
    "model",
    "api_base",
    *METHODS,
    "hints",
    "samples",
    *FOLDERS,
    *LIMITS,
    "timeout",
    "concurrency",
)


def engine_arguments(command: argparse.ArgumentParser) -> None:
    """Who judges, and how a model is asked."""
    command.add_argument(
        "--engine", choices=("offline", "llm"), help="who judges; offline needs no key"
    )
    model = _model(command)
    for name, (choices, text) in METHODS.items():
        model.add_argument(f"--{name}", choices=choices, help=text)
    model.add_argument(
        "--hints",
        action="store_true",
        default=None,
        help="show the model what the offline engine found",
    )
    model.add_argument(
        "--samples",
        type=positive,
        metavar="N",
        help="how many passes vote with self-consistency (default: 5)",
    )


def wording_arguments(command: argparse.ArgumentParser) -> None:
    """Who words made-up sessions, and how a model is asked to."""
    command.add_argument(
        "--engine",
        choices=("offline", "llm"),
        help="who words the users' turns: offline takes set phrases, llm has a model say them anew",
    )
    _model(command)


def model_flags(args: argparse.Namespace) -> dict[str, object]:
    """The model engine's flags by name; None where one was not given."""
    return {name: getattr(args, name, None) for name in FLAGS}


def idle_flags(args: argparse.Namespace, engine: str) -> str:
    """A sentence on the flags that this engine takes no notice of, or nothing."""
    given = [name for name, value in model_flags(args).items() if value is not None]
    if engine == "llm" or not given:
        return ""
    names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
    return f"{names} {'has' if len(given) == 1 else 'have'} no effect without --engine llm"


def _model(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    group = command.add_argument_group("model engine", "only with --engine llm")
    add = group.add_argument
    add("--model", metavar="PROVIDER/NAME", help="any model that litellm knows")
    add("--api-base", metavar="URL", help="a server that speaks the OpenAI API")
    for name, text in FOLDERS.items():
        add(f"--{name}", metavar="DIR", help=text)
    add("--max-llm-calls", type=positive, metavar="N", help="make no more calls than that")
    add("--max-cost-usd", type=amount, metavar="USD", help="spend no more than that")
    add("--max-runtime-min", type=amount, metavar="MINUTES", help="ask nothing after that time")
    add("--timeout", type=positive, metavar="SECONDS", help="wait no longer for one answer")
    add("--concurrency", type=positive, metavar="N", help="ask so much at once (default: 4)")
    return group


def positive(text: str) -> int:
    """A whole number from 1 on."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def amount(text: str) -> float:
    """A number from 0 on that is not without end."""
    number = float(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not an amount of 0 or more")
    return number
