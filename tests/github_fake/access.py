"""Who is calling, and what the token and the repository let them do."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

from .state import Problem, Repo, State

INTEGRATION = "Resource not accessible by integration"
PERSONAL = "Resource not accessible by personal access token"
WRITERS = ("write", "maintain", "admin")


@dataclass(slots=True)
class Tokens:
    """Tokens and their owners; `grants` narrows a token to what its `permissions:` would give."""

    logins: dict[str, str] = field(default_factory=dict)
    grants: dict[str, dict[str, str]] = field(default_factory=dict)


def token_in(header: str) -> str | None:
    """The token of an Authorization header: Bearer or token for the API, Basic for git."""
    kind, _, value = header.partition(" ")
    if kind.lower() in ("bearer", "token"):
        return value.strip()
    if kind.lower() == "basic":
        _, _, secret = base64.b64decode(value).decode().partition(":")
        return secret
    return None


def login_of(tokens: Tokens, header: str) -> str | None:
    """The caller's login; None for a call without a token."""
    token = token_in(header)
    if token is None:
        return None
    if token not in tokens.logins:
        raise Problem(401, "Bad credentials")
    return tokens.logins[token]


def find_repo(state: State, owner: str, name: str) -> Repo | None:
    wanted = f"{owner}/{name}".lower()
    return next((r for key, r in state.repos.items() if key.lower() == wanted), None)


def may_read(repo: Repo, login: str | None) -> bool:
    if not repo.private:
        return True
    return login is not None and (
        login.endswith("[bot]") or login == repo.owner or login in repo.permissions
    )


def check_token(tokens: Tokens, header: str, scopes: tuple[str, ...], write: bool) -> None:
    """Refuse a token whose grants lack every one of these scopes."""
    token = token_in(header)
    grants: Mapping[str, str] | None = tokens.grants.get(token or "")
    if grants is None or "" in scopes:
        return
    enough = ("write",) if write else ("read", "write")
    known = {scope.replace("-", "_"): level for scope, level in grants.items()}
    if not any(known.get(s) in enough or (s == "metadata" and not write) for s in scopes):
        is_bot = tokens.logins.get(token or "", "").endswith("[bot]")
        raise Problem(403, INTEGRATION if is_bot else PERSONAL)


def check_repo(repo: Repo, login: str | None, scopes: tuple[str, ...], write: bool) -> None:
    """Refuse what the repository's state or the caller's role forbids."""
    if repo.disabled and scopes != ("metadata",):
        raise Problem(403, "Repository access blocked")
    if not write:
        return
    if login is None:
        raise Problem(401, "Requires authentication")
    if repo.archived:
        raise Problem(403, "Repository was archived so is read-only.")
    writer = login.endswith("[bot]") or login == repo.owner
    if scopes == ("contents",) and not writer and repo.permissions.get(login) not in WRITERS:
        raise Problem(403, PERSONAL)
