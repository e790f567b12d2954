"""litellm behind the seam: the only module that imports it, and only when a call is made.

Importing it looks nothing up on the network and reads no `.env` file of the working folder, which
is a checkout of other people's files.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from bot.engines.llm.messages import (
    CallFailed,
    Complete,
    Message,
    Reply,
    Request,
    Tool,
    ToolUse,
    Trouble,
    worst_case,
)
from bot.engines.llm.meter import Prices
from bot.errors import AccessError, ConfigError

OFFLINE = {
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_TELEMETRY": "False",
}
# Below these levels they write whole prompts into the log.
QUIET = {
    "LiteLLM": logging.CRITICAL,
    "openai": logging.WARNING,
    "httpx": logging.WARNING,
    "httpcore": logging.WARNING,
}
# Servers of one's own want a key in the header, whatever it says.
ANY_KEY = "none"
TROUBLE: Mapping[int, Trouble] = {
    401: "denied",
    402: "denied",
    403: "denied",
    404: "unknown",
    408: "failing",
    409: "failing",
    429: "limited",
}


def imported() -> Any:
    """litellm, set up. Raises `ConfigError` where the extra is not installed."""
    os.environ.update(OFFLINE)
    try:
        litellm: Any = import_module("litellm")
    except ImportError as missing:
        raise ConfigError(
            "the model engine needs litellm; install it with: pip install 'trace-bot[llm]'"
        ) from missing
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.telemetry = False
    return litellm


def prices(model: str) -> Prices:
    """What litellm's own table says a token costs; zero for a model that it does not know."""
    table = imported().model_cost
    row = table.get(model) or table.get(model.partition("/")[2]) or {}
    return Prices(
        float(row.get("input_cost_per_token") or 0.0),
        float(row.get("output_cost_per_token") or 0.0),
    )


def provider(api_base: str | None, timeout: Callable[[], float], known: Prices) -> Complete:
    """Calls through litellm, one try each; `timeout` says how many seconds the next may take.

    Raises `CallFailed`; never the provider's own words, since they may repeat the prompt.
    """
    promised = [True]

    def complete(request: Request) -> Reply:
        litellm = imported()
        arguments = _arguments(litellm, request, api_base, schema=promised[0])
        try:
            response = _call(litellm, arguments, timeout())
        except CallFailed as failure:
            # A server that knows no schemas says so once; the prompt describes the answer too.
            if failure.trouble != "refused" or "response_format" not in arguments:
                raise
            promised[0] = False
            del arguments["response_format"]
            response = _call(litellm, arguments, timeout())
        return _reply(response, request, known)

    return complete


def require_key(model: str, api_base: str | None) -> None:
    """Raises `AccessError` that names the variable where the provider's key is not set."""
    if api_base is not None:
        return
    missing = imported().validate_environment(model=model).get("missing_keys") or []
    if missing:
        raise AccessError(f"{model}: set {' or '.join(missing)} in the environment")


def _call(litellm: Any, arguments: dict[str, Any], seconds: float) -> Any:
    expected = import_module("openai").OpenAIError
    try:
        return litellm.completion(**arguments, timeout=seconds, num_retries=0, max_retries=0)
    except expected as error:
        raise _failure(litellm, error) from None


def _failure(litellm: Any, error: Exception) -> CallFailed:
    kind = type(error).__name__
    if isinstance(error, litellm.ContextWindowExceededError):
        return CallFailed("too_long", "the session is too long for this model")
    if isinstance(error, litellm.ContentPolicyViolationError):
        return CallFailed("refused", "the provider's content filter refused the session")
    if isinstance(error, litellm.Timeout):
        return CallFailed("failing", "the model took too long to answer")
    status = int(getattr(error, "status_code", 0) or 0)
    trouble = TROUBLE.get(status, "failing" if status >= 500 or not status else "refused")
    return CallFailed(trouble, f"the model's server answered {status} ({kind})", _wait(error))


def _wait(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def _arguments(
    litellm: Any, request: Request, api_base: str | None, *, schema: bool
) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "model": request.model,
        "messages": [_message(message) for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }
    if api_base is not None:
        arguments["api_base"] = api_base
        if "OPENAI_API_KEY" not in os.environ:
            arguments["api_key"] = ANY_KEY
    if request.tools:
        arguments["tools"] = [_tool(tool) for tool in request.tools]
        arguments["tool_choice"] = "none" if request.final else "auto"
    able = api_base is not None or litellm.supports_response_schema(model=request.model)
    if request.schema is not None and schema and able:
        named = {"name": "answer", "schema": request.schema, "strict": True}
        arguments["response_format"] = {"type": "json_schema", "json_schema": named}
    return arguments


def _message(message: Message) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.uses:
        out["tool_calls"] = [
            {
                "id": use.id,
                "type": "function",
                "function": {"name": use.name, "arguments": use.arguments},
            }
            for use in message.uses
        ]
    if message.answers is not None:
        out["tool_call_id"] = message.answers
    return out


def _tool(tool: Tool) -> dict[str, Any]:
    described = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": described}


def _reply(response: Any, request: Request, known: Prices) -> Reply:
    if not response.choices:
        raise CallFailed("failing", "the model's server answered without a choice")
    choice = response.choices[0]
    if choice.finish_reason == "content_filter":
        raise CallFailed("refused", "the provider's content filter stopped the answer")
    uses = tuple(
        ToolUse(call.id or f"call_{n}", call.function.name or "", _text(call.function.arguments))
        for n, call in enumerate(choice.message.tool_calls or ())
    )
    usage = getattr(response, "usage", None)
    prompt = int(getattr(usage, "prompt_tokens", 0) or 0) or worst_case(request)[0]
    completion = int(getattr(usage, "completion_tokens", 0) or 0)
    return Reply(
        choice.message.content or "",
        uses,
        choice.finish_reason == "length",
        prompt,
        completion,
        known.of(prompt, completion),
    )


def _text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
