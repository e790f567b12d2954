"""A trace store on loopback: answers from a table of routes, and misbehaves where it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

Query = Mapping[str, list[str]]
# What a store answers to a path, a query and a body; None for nothing there.
Answer = Callable[[str, Query, Any], Any]


@dataclass(frozen=True)
class Fault:
    """What a request gets instead of its answer; `cut` breaks off in the middle of a body."""

    status: int = 500
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b"<html>Bad Gateway</html>"
    hang: bool = False
    cut: bool = False


class StoreServer:
    """A store that wants these headers. `faults` are used up first, then requests are answered;
    from the request `broken_from` on, every one gets `broken`."""

    def __init__(self, answer: Answer, headers: Mapping[str, str]) -> None:
        self.answer = answer
        self.headers = {key.lower(): value for key, value in headers.items()}
        self.faults: list[Fault] = []
        self.broken_from: int | None = None
        self.broken = Fault()
        self.asked: list[str] = []
        self._quiet = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> StoreServer:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._quiet.set()
        self._server.shutdown()
        self._server.server_close()

    def fault(self) -> Fault | None:
        """What the present request gets instead of an answer."""
        if self.broken_from is not None and len(self.asked) >= self.broken_from:
            return self.broken
        return self.faults.pop(0) if self.faults else None

    def hang(self) -> None:
        """Until the test is over, or longer than any client of a test waits."""
        self._quiet.wait(5)


def _handler(store: StoreServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply(None)

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            self._reply(json.loads(self.rfile.read(length)))

        def _reply(self, body: Any) -> None:
            parts = urlsplit(self.path)
            fault = store.fault()
            store.asked.append(self.path)
            if fault is not None and fault.hang:
                store.hang()
            elif fault is not None:
                self._write(fault.status, fault.body, fault.headers, cut=fault.cut)
            elif any(self.headers.get(key) != value for key, value in store.headers.items()):
                self._write(401, b"Invalid token", {})
            else:
                answer = store.answer(parts.path, parse_qs(parts.query), body)
                told = json.dumps(answer).encode()
                self._write(404 if answer is None else 200, told, {})

        def _write(
            self, status: int, body: bytes, headers: Mapping[str, str], *, cut: bool = False
        ) -> None:
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("content-length", str(len(body) + 10 if cut else len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = cut

        def log_message(self, *_: Any) -> None:
            """Tests read what was asked from `asked`."""

    return Handler
