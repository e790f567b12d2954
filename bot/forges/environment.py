"""What the environment says of GitHub: the token, the addresses, and keys that must not be here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import msgspec

from bot.errors import AccessError, ConfigError

TOKEN_VARIABLES = ("TRACE_BOT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
# The token of whoever only looks at the dashboard.
READ_TOKEN = "TRACE_BOT_READ_TOKEN"

# Keys of models and of trace stores: whoever writes to GitHub has no use for them.
READER_KEYS = re.compile(
    r"(?:OPENAI|ANTHROPIC|AZURE|AZURE_OPENAI|GEMINI|GOOGLE|VERTEX|MISTRAL|COHERE|GROQ|TOGETHER"
    r"|TOGETHERAI|DEEPSEEK|OPENROUTER|XAI|FIREWORKS|PERPLEXITY|PERPLEXITYAI|REPLICATE|HUGGINGFACE"
    r"|NVIDIA_NIM|CEREBRAS|SAMBANOVA|DATABRICKS|LITELLM|TRACE_BOT_LLM|LANGSMITH|LANGCHAIN"
    r"|PHOENIX|ARIZE|BRAINTRUST|HELICONE|HONEYHIVE|OPIK|WEAVE|WANDB|DD|DATADOG)_API_KEY"
    r"|LANGFUSE_(?:SECRET|PUBLIC)_KEY|AWS_BEARER_TOKEN_BEDROCK|HF_TOKEN|DD_APP(?:LICATION)?_KEY"
    r"|MLFLOW_TRACKING_(?:TOKEN|PASSWORD)"
)
# What can stand in the header of a request.
TOKEN = re.compile(r"[!-~]+")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+")
REMOTE = re.compile(r"(?:[/:])(?P<name>[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+?)(?:\.git)?/?$")

PUBLIC_API, PUBLIC_SERVER = "https://api.github.com", "https://github.com"


class Access(msgspec.Struct, frozen=True):
    """Where GitHub is and how to get in; printing it never shows the token."""

    token: str
    variable: str
    api_url: str
    server_url: str

    def __repr__(self) -> str:
        return f"Access({self.variable}, {self.api_url})"

    @property
    def is_local(self) -> bool:
        """A server on this machine, which needs no pause between calls."""
        return urlsplit(self.api_url).hostname in ("127.0.0.1", "::1", "localhost")


def access(environment: Mapping[str, str], variables: Sequence[str] = TOKEN_VARIABLES) -> Access:
    """The token, of the first of the variables that is set, and the addresses.

    Raises `AccessError` without a token or for what can be none, `ConfigError` for an address
    that is not https (a server on this machine may be http).
    """
    variable = next((name for name in variables if environment.get(name)), None)
    if variable is None:
        raise AccessError(
            "publishing needs a GitHub token: set GITHUB_TOKEN, with `contents: write` and "
            "`pull-requests: write`"
        )
    api = environment.get("GITHUB_API_URL", PUBLIC_API).rstrip("/")
    server = environment.get("GITHUB_SERVER_URL", _server_of(api)).rstrip("/")
    found = Access(environment[variable].strip(), variable, api, server)
    if TOKEN.fullmatch(found.token) is None:
        raise AccessError(
            f"{variable} holds no token: there is a space, a line break or a sign in it that no "
            "token has; set it anew"
        )
    for address in (api, server):
        if not address.startswith("https://") and not found.is_local:
            raise ConfigError(f"GITHUB_API_URL and GITHUB_SERVER_URL must be https, not {address}")
    return found


def secrets(environment: Mapping[str, str]) -> list[str]:
    """The values that no log may show: tokens, and keys of models and trace stores."""
    return [
        value
        for name, value in environment.items()
        if name in (*TOKEN_VARIABLES, READ_TOKEN) or READER_KEYS.fullmatch(name)
    ]


def refuse_reader_keys(environment: Mapping[str, str]) -> None:
    """Raises `ConfigError` where a key of a model or a trace store stands in the environment."""
    present = sorted(name for name in environment if READER_KEYS.fullmatch(name))
    if present:
        raise ConfigError(
            f"`publish` does not start where {', '.join(present)} is set: the job that can write "
            "must not hold keys of models or trace stores; use `analyze` and `publish` as two jobs"
        )


def refuse_write_token(environment: Mapping[str, str]) -> None:
    """Raises `ConfigError` where a token that may write stands in the environment."""
    present = [name for name in TOKEN_VARIABLES if environment.get(name)]
    if present:
        raise ConfigError(
            f"`analyze` does not start where {', '.join(present)} is set: what reads untrusted "
            "sessions must not hold a token that can write; unset it here and give it to "
            "`publish`, or use `run` to accept one job for both"
        )


def repository_name(environment: Mapping[str, str], planned: str | None, remote: str) -> str:
    """`owner/name`: the plan's, which must be the one that the job runs for, or the checkout's."""
    here = environment.get("GITHUB_REPOSITORY")
    if planned and here and planned.lower() != here.lower():
        raise ConfigError(f"the plan was made for {planned}, this job runs for {here}")
    match = REMOTE.search(remote)
    name = planned or here or (match["name"] if match else "")
    if not NAME.fullmatch(name):
        raise ConfigError("which repository? set GITHUB_REPOSITORY to `owner/name`")
    return name


def _server_of(api: str) -> str:
    if api == PUBLIC_API:
        return PUBLIC_SERVER
    # GitHub Enterprise Server answers under /api/v3, GitHub Enterprise Cloud at api.<name>.ghe.com.
    return re.sub(r"^https://api\.(?=[\w-]+\.ghe\.com$)", "https://", api).removesuffix("/api/v3")
