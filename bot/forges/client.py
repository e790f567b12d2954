"""Calls to GitHub through PyGithub: patient with limits, never blind, errors as sentences.

PyGithub by itself repeats POST after a 5xx, which makes two pull requests of one, and waits for
an hour on a limit. Here only reads are repeated, and whoever writes looks before it tries again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeVar

import requests
from github import Auth, Github, GithubException
from urllib3 import Retry

from bot.defang import log_line
from bot.errors import AccessError, GitHubError, TraceBotError, TryLater
from bot.forges.environment import Access

T = TypeVar("T")
log = logging.getLogger("trace-bot")

MAX_WAIT = 60.0
NOT_FOUND = 404
READS = Retry(
    total=3,
    backoff_factor=0.5,
    backoff_jitter=0.5,
    status_forcelist=(500, 502, 503, 504),
    allowed_methods=frozenset({"GET", "HEAD"}),
    respect_retry_after_header=False,
    raise_on_status=False,
)
MISSING = "not accessible by"
FORBIDDEN_TO_OPEN = "not permitted to create or approve pull requests"


class BadToken(AccessError):
    """GitHub does not know the token."""


class Declined(GitHubError):
    """GitHub understood one call and refused it (404, 409, 410, 422); `said` is its sentence."""

    def __init__(self, what: str, refusal: GithubException) -> None:
        self.status, self.said = refusal.status, message(refusal)
        super().__init__(f"GitHub would not {what} ({self.status}): {self.said}")


class Unclear(GitHubError):
    """A write without a clear answer: it may have been done. Look before trying again."""


def connect(access: Access) -> Github:
    """A client that pauses between calls as GitHub asks for."""
    pauses = (None, None) if access.is_local else (0.25, 1.0)
    reads = READS.new(backoff_factor=0, backoff_jitter=0) if access.is_local else READS
    return Github(
        base_url=access.api_url,
        auth=Auth.Token(access.token),
        user_agent="trace-bot",
        per_page=100,
        retry=reads,
        seconds_between_requests=pauses[0],
        seconds_between_writes=pauses[1],
    )


def ask(what: str, call: Callable[[], T]) -> T:
    """The answer to a call. A rate limit of up to a minute is waited for once.

    `what` completes "GitHub would not ...". Raises `BadToken`, `AccessError`, `TryLater`,
    `Unclear` where a server failed or did not answer, and `Declined` for every other refusal.
    """
    try:
        return call()
    except GithubException as refusal:
        wait = _wait(refusal)
        if wait is None:
            raise _told(refusal, what) from refusal
        if wait > MAX_WAIT:
            raise TryLater(f"GitHub's rate limit was reached; try again in {wait:.0f} s") from None
    except requests.RequestException as failure:
        raise Unclear(f"GitHub did not answer when asked to {what}") from failure
    log.info("a rate limit of GitHub was reached; waiting %.0f s", wait)
    time.sleep(wait)
    return _once_more(what, call)


def find(what: str, call: Callable[[], T]) -> T | None:
    """As `ask`, but None for what does not exist."""
    try:
        return ask(what, call)
    except Declined as refusal:
        if refusal.status != NOT_FOUND:
            raise
        return None


def message(refusal: GithubException) -> str:
    """What GitHub says, its list of errors included, as one harmless line."""
    data = refusal.data if isinstance(refusal.data, dict) else {}
    errors = data.get("errors")
    parts = [str(data.get("message", ""))]
    if isinstance(errors, list):
        parts += [
            str(e.get("message", e.get("code", ""))) if isinstance(e, dict) else str(e)
            for e in errors
        ]
    return log_line(" ".join(parts))


def _once_more(what: str, call: Callable[[], T]) -> T:
    try:
        return call()
    except GithubException as refusal:
        if _wait(refusal) is not None:
            raise TryLater("GitHub's rate limit was reached again; try later") from None
        raise _told(refusal, what) from refusal
    except requests.RequestException as failure:
        raise Unclear(f"GitHub did not answer when asked to {what}") from failure


def _wait(refusal: GithubException) -> float | None:
    """Seconds until a rate limit ends; None where it is none. A silent limit lasts a minute."""
    headers = {key.lower(): value for key, value in (refusal.headers or {}).items()}
    after, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    limited = refusal.status == 429 or (
        refusal.status == 403
        and ("retry-after" in headers or "rate limit" in message(refusal).lower())
    )
    if not limited:
        return None
    if after.isdigit():
        return float(after)
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return max(0.0, float(reset) - time.time()) + 1
    return MAX_WAIT


def _told(refusal: GithubException, what: str) -> TraceBotError:
    said = message(refusal)
    if refusal.status == 401:
        return BadToken(f"GitHub refused the token when asked to {what}: it is wrong or expired")
    if refusal.status >= 500:
        return Unclear(f"GitHub failed ({refusal.status}) when asked to {what}")
    if refusal.status in (403, 404) and MISSING in said.lower():
        return AccessError(f"the token may not {what}; {PERMISSIONS}")
    if refusal.status == 403 and FORBIDDEN_TO_OPEN not in said:
        return AccessError(f"GitHub does not let this token {what}: {said}")
    return Declined(what, refusal)


PERMISSIONS = "give the job `permissions: contents: write, pull-requests: write, issues: write`"
