"""Arguments in, exit code out: the only module that prints or exits."""

from __future__ import annotations

import importlib
import logging
import os
import sys
import traceback
from collections.abc import Sequence

from bot.arguments import parser
from bot.errors import TraceBotError

log = logging.getLogger("trace-bot")

INTERRUPTED, BUG = 130, 70


def main(argv: Sequence[str] | None = None) -> int:
    """Execute one command. Results go to stdout, everything else to stderr."""
    args = parser().parse_args(argv)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="trace-bot: %(message)s")
    if os.environ.get("GITHUB_ACTIONS") == "true":
        _mask_tokens()
    command = importlib.import_module(f"bot.commands.{args.command.replace('-', '_')}")
    try:
        outcome = command.execute(args)
        sys.stdout.write(outcome.text)
        sys.stdout.flush()
    except TraceBotError as failure:
        log.error("%s", failure)
        _tell_workflow_of_failure()
        return failure.exit_code
    except KeyboardInterrupt:
        log.error("interrupted; nothing was left half done")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has left, which is no failure; keep the interpreter quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as bug:  # noqa: BLE001 - the last word: a person gets a sentence and a code
        # A message may quote a session, so only the kind and the places are told.
        places = traceback.extract_tb(bug.__traceback__)
        where = "\n".join(f"  {p.filename}:{p.lineno} in {p.name}" for p in places)
        log.error("a bug in trace-bot: %s; please report it with\n%s", type(bug).__name__, where)
        return BUG
    return int(outcome.exit_code)


def _mask_tokens() -> None:
    """The runner hides a token itself, but not what HTTP makes of it (S-9)."""
    from bot.forges.environment import TOKEN_VARIABLES
    from bot.reports.actions import mask

    for name in TOKEN_VARIABLES:
        sys.stderr.write(mask(os.environ.get(name, "")))


def _tell_workflow_of_failure() -> None:
    if "GITHUB_OUTPUT" in os.environ:
        from bot.reports.actions import write_outputs

        write_outputs(os.environ, {"status": "failed"})


if __name__ == "__main__":
    sys.exit(main())
