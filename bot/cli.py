"""Arguments in, exit code out: the only module that prints or exits."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from collections.abc import Sequence

from bot.commands.streams import open_standard_error, standard_output
from bot.errors import TraceBotError

log = logging.getLogger("trace-bot")

INTERRUPTED, BUG = 130, 70


def main(argv: Sequence[str] | None = None) -> int:
    """Execute one command. Results go to stdout, everything else to stderr."""
    try:
        _open_log()
        return _execute(argv)
    except TraceBotError as failure:
        _told(str(failure))
        code = failure.exit_code
    except KeyboardInterrupt:
        _told("interrupted; the next run goes on from here")
        code = INTERRUPTED
    except Exception as bug:  # noqa: BLE001 - the last word: a person gets a sentence and a code
        import traceback

        # A message may quote a session, so only the kind and the places are told.
        places = traceback.extract_tb(bug.__traceback__)
        where = "\n".join(f"  {p.filename}:{p.lineno} in {p.name}" for p in places)
        _told(f"a bug in trace-bot: {type(bug).__name__}; please report it with\n{where}")
        code = BUG
    _tell_workflow_of_failure()
    return code


def _open_log() -> None:
    open_standard_error()
    # Before a record on a terminal, the line that shows the progress is cleared.
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""
    handler = logging.StreamHandler(sys.stderr)
    # What a library logs may hold words of a session or of a server.
    handler.addFilter(logging.Filter(log.name))
    form = f"{clear}trace-bot: %(message)s"
    logging.basicConfig(handlers=[handler], level=logging.INFO, format=form)


def _execute(argv: Sequence[str] | None) -> int:
    # What takes its time is imported where an interrupt is caught.
    from bot.arguments import parser

    args = parser().parse_args(argv)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        _mask_secrets()
    command = importlib.import_module(f"bot.commands.{args.command.replace('-', '_')}")
    outcome = command.execute(args)
    if outcome.text:
        with standard_output() as stream:
            stream.write(outcome.text.encode("utf-8", "backslashreplace"))
    return int(outcome.exit_code)


def _told(failure: str) -> None:
    """To the log, made harmless: a message may hold words of a session or of a server."""
    from bot.defang import inert, visible
    from bot.redact import redact

    log.error("%s", inert(visible(redact(failure))))


def _mask_secrets() -> None:
    """The runner hides a secret itself, but not what HTTP makes of it."""
    from bot.forges.environment import secrets
    from bot.reports.actions import mask

    for secret in secrets(os.environ):
        sys.stderr.write(mask(secret))


def _tell_workflow_of_failure() -> None:
    if "GITHUB_OUTPUT" in os.environ:
        from bot.reports.actions import write_outputs

        try:
            write_outputs(os.environ, {"status": "failed"})
        except TraceBotError as refused:
            _told(str(refused))


if __name__ == "__main__":
    sys.exit(main())
