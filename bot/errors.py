"""The exception tree, and the exit code that each branch ends the program with.

TraceBotError
├── ConfigError          2   trace-bot.yaml, arguments, the checkout
├── AccessError          3   a token is missing, refused or may not do this
├── CannotOpenPullRequest 4  the repository forbids it; the branch is kept
├── GitHubError          5   GitHub failed and kept failing
├── SourceError          6   sessions could not be read
├── ModelError           7   every model call failed
├── TryLater            75   a rate limit; nothing is broken
└── EditRefused         70   an edit that would not be exact; a stage turns it into a note

`Rejected` stands beside the tree: a claim that is not proved ends no run, only the claim.

A failing session is no exception: it becomes a row of the report (exit code 8 at the end).
Exit code 70 is a bug of ours, 130 an interrupt; 10 is `dry-run --fail-on-findings` with findings.
"""

from __future__ import annotations


class TraceBotError(Exception):
    """An expected failure: one sentence that names the place and the cure."""

    exit_code = 70


class ConfigError(TraceBotError):
    """Bad configuration, arguments or checkout."""

    exit_code = 2


class AccessError(TraceBotError):
    """A token is missing, refused, or lacks a permission."""

    exit_code = 3


class CannotOpenPullRequest(TraceBotError):
    """The repository does not let this token open pull requests; the branch is kept."""

    exit_code = 4


class GitHubError(TraceBotError):
    """GitHub did not answer as it should, after the retries that were worth making."""

    exit_code = 5


class SourceError(TraceBotError):
    """Sessions could not be read, or too many records were bad."""

    exit_code = 6


class ModelError(TraceBotError):
    """Every model call failed."""

    exit_code = 7


class TryLater(TraceBotError):
    """A rate limit was reached; the next run goes on from here."""

    exit_code = 75


class EditRefused(TraceBotError):
    """An edit whose old text is not unique, or that would touch another byte."""

    exit_code = 70


class Rejected(Exception):
    """A claim that did not survive its checks; the sentence says which one."""
