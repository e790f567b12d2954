"""An OpenAI-compatible server on loopback that answers from a script: the fake of a provider.

    with ScriptedServer([Step(content='{"id": "H1"}')]) as server:
        options = ModelOptions(model="openai/scripted", api_base=server.url, hosts=("127.0.0.1",))

Every request that came is kept in `server.seen`, as it was sent.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

import msgspec

Body = dict[str, Any]


class Step(msgspec.Struct, frozen=True):
    """One answer: text, tool calls as (name, arguments), or an HTTP error with its `message`.

    `raw` is sent instead of any JSON; `delay` is waited before, in seconds.
    """

    content: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    status: int = 200
    message: str = "scripted"
    code: str | None = None
    headers: dict[str, str] = {}
    finish: str | None = None
    raw: bytes | None = None
    delay: float = 0.0


Script = Callable[[Body], Step]


class ScriptedServer:
    """Serves steps in their order, or whatever a function makes of each request; of requests that
    come at once the function is asked at once.

    When the steps are used up it answers 500, so that a call too many is seen.
    """

    def __init__(self, script: Sequence[Step] | Script) -> None:
        self.seen: list[Body] = []
        self._steps = iter(()) if callable(script) else iter(script)
        self._script = script if callable(script) else self._next
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True

    @property
    def url(self) -> str:
        """The address to give as `api_base`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def prompts(self) -> list[str]:
        """All the text of each request that came, in order."""
        return [json.dumps(body, ensure_ascii=False) for body in self.seen]

    def answer(self, body: Body) -> Step:
        """Keep the request and choose its answer."""
        with self._lock:
            self.seen.append(body)
        return self._script(body)

    def _next(self, body: Body) -> Step:
        with self._lock:
            return next(self._steps, Step(status=500, message="the script has no more steps"))

    def __enter__(self) -> ScriptedServer:
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()


def completion(body: Body, step: Step) -> Body:
    """A step as the provider's JSON. Usage counts four characters a token."""
    calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for number, (name, arguments) in enumerate(step.calls)
    ]
    message = {"role": "assistant", "content": step.content or None}
    used = len(json.dumps(body.get("messages"))) // 4
    made = max(1, (len(step.content) + len(json.dumps(calls))) // 4)
    finish = step.finish or ("tool_calls" if calls else "stop")
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [
            {
                "index": 0,
                "message": {**message, **({"tool_calls": calls} if calls else {})},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": used,
            "completion_tokens": made,
            "total_tokens": used + made,
        },
    }


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Silence: the requests are kept, not printed."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            step = server.answer(body)
            time.sleep(step.delay)
            self._send(step, step.raw if step.raw is not None else _encoded(body, step))

        def _send(self, step: Step, data: bytes) -> None:
            try:
                self.send_response(step.status)
                for name, value in step.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except ConnectionError:
                # The client gave up first, as it does where a time-out is being tested.
                self.close_connection = True

    return Handler


def _encoded(body: Body, step: Step) -> bytes:
    if step.status == 200:
        return json.dumps(completion(body, step)).encode()
    error = {"message": step.message, "type": "scripted", "code": step.code}
    return json.dumps({"error": error}).encode()
