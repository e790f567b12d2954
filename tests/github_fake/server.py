"""The HTTP side: reading requests, faults on the way, writing answers, dropping connections."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from .api import Answer, Request


class Dropped(Exception):
    """The connection is to be closed without an answer."""


class Handler(BaseHTTPRequestHandler):
    """One connection. Answers go out in one piece: two small ones cost 40 ms on loopback."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr: `hub.log` is the log."""

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        request = Request(self.command, parts.path, query, self.headers, self._read())
        try:
            answer = self.server.respond(request)  # type: ignore[attr-defined]
        except Dropped:
            self.close_connection = True
            return
        self.send_response(answer.status)
        for key, value in answer.headers:
            self.send_header(key, value)
        if answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def _read(self) -> bytes:
        """The body; git sends pushes over 1 MiB in chunks."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline() not in (b"\r\n", b"\n", b""):
            continue
        return b"".join(parts)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # A test closes its fake with clients' idle connections still open.
    block_on_close = False

    def __init__(self, port: int, respond: Callable[[Request], Answer]) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.respond = respond
        self.failures: list[BaseException] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep a bug in the fake for the end of the test; a client that went away is none."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, ConnectionError):
            self.failures.append(error)

    def start(self) -> str:
        """Serve in the background; the base URL."""
        # The default poll of 0.5 s is how long each test would wait for the end.
        kwargs = {"poll_interval": 0.02}
        threading.Thread(target=self.serve_forever, kwargs=kwargs, daemon=True).start()
        return f"http://127.0.0.1:{self.server_port}"

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
