"""JSON over HTTP from a trace store: patient with limits, never following a redirect with a key.

No error here shows an answer's body, a query or a header, since they may hold sessions and keys.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from bot.errors import AccessError, ConfigError, SourceError, TryLater

TRIES = 4
TIMEOUT = 60.0
LONGEST_WAIT = 60.0
LARGEST_ANSWER = 256 * 1024 * 1024
DENIED, LIMITED = (401, 403), 429
GONE = (404, 410)
PASSING = (408, 425, 500, 502, 503, 504)

Query = Mapping[str, Any] | Sequence[tuple[str, Any]]


class NotThere(SourceError):
    """The store has nothing at that address: it was deleted, or never was."""


class Http:
    """One store. `wait` is how long to pause, in seconds; tests hand in their own."""

    def __init__(
        self,
        base: str,
        headers: Mapping[str, str],
        *,
        timeout: float = TIMEOUT,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.base = _checked(base)
        self._headers = {"accept": "application/json", "user-agent": "trace-bot", **headers}
        self._timeout = timeout
        self._wait = wait
        self._opener = urllib.request.build_opener(_NoRedirect())

    def get(self, path: str, query: Query = ()) -> dict[str, Any]:
        """The JSON object at a path; a list is given as its `data`.

        Raises `AccessError` for a refused key, `NotThere`, `TryLater` for a limit that lasts, and
        `SourceError` for a store that fails.
        """
        pairs = query.items() if isinstance(query, Mapping) else query
        told = urlencode([(key, value) for key, value in pairs if value is not None])
        return self._asked(path, f"{path}?{told}" if told else path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON answer to a search, which changes nothing and may be asked twice."""
        kept = {key: value for key, value in body.items() if value is not None}
        return self._asked(path, path, json.dumps(kept).encode())

    def _asked(self, path: str, target: str, body: bytes | None) -> dict[str, Any]:
        headers = {**self._headers, **({"content-type": "application/json"} if body else {})}
        request = urllib.request.Request(f"{self.base}{target}", body, headers)
        for tried in range(1, TRIES + 1):
            try:
                return self._answer(request)
            except urllib.error.HTTPError as refusal:
                refusal.close()
                pause = self._pause(refusal, path, tried)
            except (OSError, http.client.HTTPException, ValueError) as failure:
                if tried == TRIES:
                    reason = "its answer broke off" if _broken(failure) else "it did not answer"
                    raise SourceError(
                        f"{self.base}{path}: {reason} in {TRIES} tries; is the address right?"
                    ) from None
                pause = float(2 ** (tried - 1))
            self._wait(pause)
        raise AssertionError("the last try returns or raises")

    def _answer(self, request: urllib.request.Request) -> dict[str, Any]:
        with self._opener.open(request, timeout=self._timeout) as response:
            raw = response.read(LARGEST_ANSWER + 1)
        if len(raw) > LARGEST_ANSWER:
            raise SourceError(f"{self.base}: one answer is larger than 256 MiB; narrow the window")
        answer = json.loads(raw)
        if isinstance(answer, list):
            return {"data": answer}
        if not isinstance(answer, dict):
            raise SourceError(f"{self.base} answers with no object; is it the store's address?")
        return answer

    def _pause(self, refusal: urllib.error.HTTPError, path: str, tried: int) -> float:
        """How long to wait before the next try; raises where there is no sense in one."""
        where = f"{self.base}{path}"
        if refusal.code in DENIED:
            raise AccessError(f"{where} refused the key ({refusal.code}); set the right one")
        if refusal.code in GONE:
            raise NotThere(f"{where} is not there ({refusal.code})")
        asked = retry_after(refusal.headers.get("retry-after"), time.time())
        if refusal.code == LIMITED or (refusal.code in PASSING and asked is not None):
            pause = asked if asked is not None else float(2**tried)
            if tried == TRIES or pause > LONGEST_WAIT:
                raise TryLater(f"{where}: its rate limit was reached; try again later")
            return pause
        if refusal.code in PASSING and tried < TRIES:
            return float(2 ** (tried - 1))
        raise SourceError(f"{where} answered {refusal.code}, which is no answer to go on with")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key would go along to wherever the answer points."""

    def redirect_request(self, *_: Any) -> None:
        return None


def retry_after(value: str | None, present: float) -> float | None:
    """The seconds that a server asks to wait, given in seconds or as a date; None for neither."""
    if value is None:
        return None
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(value).timestamp() - present, 0.0)
    except ValueError:
        return None


def cursored(ask: Callable[[Any], tuple[list[Any], Any]]) -> Iterator[Any]:
    """Every row of a listing: `ask` gives a page's rows and the next cursor, None at the end.

    Raises `SourceError` for a store that names the same next page again and again.
    """
    seen: set[Any] = set()
    cursor = None
    while True:
        rows, cursor = ask(cursor)
        yield from rows
        if not cursor:
            return
        if cursor in seen:
            raise SourceError("the store names the same next page twice; its listing has no end")
        seen.add(cursor)


def _broken(failure: Exception) -> bool:
    return isinstance(failure, ValueError | http.client.IncompleteRead)


def _checked(base: str) -> str:
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError("a source's `url` is no http(s) address; write https://host[:port]")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError("a source's `url` holds more than an address; keys go to the environment")
    return base.rstrip("/")
