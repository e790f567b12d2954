"""A GitHub for tests: start it, script its troubles, read what was done to it."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType

from . import access, api, graphql_api, smart_http
from .api import Answer, Request
from .faults import Fault, take
from .people import People
from .server import Dropped, Server


class GitHubFake(People):
    """The fake and its switches. As a context manager it serves on a free loopback port.

    `tokens` maps a token to its login; one ending in `[bot]` is an app's or a workflow's.
    `grants` maps a token to what a workflow's `permissions:` would give it; a token that is not
    there has them all. `log` holds every request as (method, path), `writes` those that changed
    something. After `stop_after` requests every connection is dropped: to the client's side that
    is a crash between two calls.
    """

    def __init__(self, root: Path | str, port: int = 0) -> None:
        super().__init__(root)
        self.tokens = {"tok-bot": "trace-bot[bot]", "tok-dev": "dev"}
        self.grants: dict[str, dict[str, str]] = {}
        self.log: list[tuple[str, str]] = []
        self.writes: list[tuple[str, str]] = []
        self.faults: list[Fault] = []
        self.stop_after: int | None = None
        self._server = Server(port, self._respond)

    def __enter__(self) -> GitHubFake:
        self.state.base_url = self._server.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.stop()
        if error is None and self._server.failures:
            raise self._server.failures[0]

    @property
    def base_url(self) -> str:
        return self.state.base_url

    def read_only(self, token: str) -> None:
        """Narrow a token to what `permissions: read-all` would give it."""
        self.grants[token] = {"contents": "read", "issues": "read", "pull_requests": "read"}

    def clone_url(self, repo: str | None = None, token: str | None = None) -> str:
        url = f"{self.base_url}/{self.repo(repo).full_name}.git"
        return url.replace("://", f"://x-access-token:{token}@") if token else url

    def _respond(self, request: Request) -> Answer:
        is_git = api.git_path(request.path) is not None
        if is_git and not request.authorization:
            # Git always asks without a token first; that is no call of the client's.
            return smart_http.serve(self.state, self._access(), self.root, request)
        with self._lock:
            path = request.path
            if path == "/graphql":
                path = graphql_api.path_of(request)
            index = len(self.log)
            if self.stop_after is not None and index >= self.stop_after:
                raise Dropped
            self.log.append((request.method, path))
            fault = take(self.faults, index, request.method, path)
            if fault and fault.act:
                fault.act()
            if fault and fault.harms and not fault.after:
                return _harm(fault)
            answer = self._perform(request, is_git)
            if answer.changed:
                self.writes.append((request.method, path))
            return _harm(fault) if fault and fault.harms else answer

    def _access(self) -> access.Tokens:
        return access.Tokens(self.tokens, self.grants)

    def _perform(self, request: Request, is_git: bool) -> Answer:
        if is_git:
            return smart_http.serve(self.state, self._access(), self.root, request)
        if request.path == "/graphql":
            return graphql_api.serve(self.state, self._access(), request)
        return api.serve(self.state, self._access(), request)


def _harm(fault: Fault) -> Answer:
    if fault.drop or fault.status is None:
        raise Dropped
    body = fault.body if fault.body is not None else {"message": "scripted fault"}
    headers = {"Content-Type": api.JSON} | fault.headers
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(fault.status, tuple(headers.items()), data)
