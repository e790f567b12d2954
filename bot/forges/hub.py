"""A repository on GitHub, ready for publishing: who we are, the base, the checkout."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from github import GithubException
from github.Repository import Repository
from github.Requester import Requester

from bot.context.repo import ContextRepo
from bot.errors import AccessError, ConfigError
from bot.forges.client import ask, connect, find
from bot.forges.environment import TOKEN_VARIABLES, Access, access, repository_name
from bot.forges.git import Checkout
from bot.forges.recheck import require_same_ground
from bot.forges.site import Site
from bot.forges.wording import require_own_words
from bot.records.plan import Plan
from bot.settings import Settings

VIEWER = "query { viewer { login } }"


class Hub(msgspec.Struct, frozen=True):
    """Everything that publishing one unit needs. `tip` is the base branch's commit at `now`,
    `context` the repository as the checkout has it, at `base_sha`."""

    repo: Repository
    access: Access
    checkout: Checkout
    context: ContextRepo
    settings: Settings
    login: str
    base_branch: str
    base_sha: str
    tip: str
    date: str
    now: datetime

    @property
    def logins(self) -> frozenset[str]:
        """Whose pull requests count as ours, in lower case."""
        former = self.settings.publishing.bot_logins
        return frozenset(name.lower() for name in (self.login, *former))

    @property
    def push_url(self) -> str:
        """Where git pushes to; it never holds the token."""
        return f"{self.access.server_url}/{self.repo.full_name}.git"


def enter(plan: Plan, site: Site) -> Hub:
    """The preflight: nothing is written. Raises `ConfigError` for a wrong plan or checkout,
    `AccessError` for a wrong token or a repository that takes no changes."""
    entry = access(site.environment)
    base_sha = require_same_ground(plan, site)
    checkout = Checkout(site.repo.root, site.environment)
    checkout.require(base_sha)
    name = repository_name(site.environment, plan.repository, checkout.remote())
    require_own_words(plan, site, f"{entry.server_url}/{name}/actions/runs/")
    repo = _repository(plan, entry, name)
    client = repo.requester
    login = ask("say whose the token is", lambda: _login(client))
    base = plan.base_branch or site.settings.publishing.base_branch or repo.default_branch
    branch = find("read the base branch", lambda: repo.get_branch(base))
    if branch is None:
        raise ConfigError(f"{name} has no branch {base}; see `base_branch` in trace-bot.yaml")
    return Hub(
        repo=repo,
        access=entry,
        checkout=checkout,
        context=site.repo,
        settings=site.settings,
        login=login,
        base_branch=base,
        base_sha=base_sha,
        tip=branch.commit.sha,
        date=plan.created_at,
        now=site.clock(),
    )


def visit(site: Site, variables: Sequence[str] = TOKEN_VARIABLES) -> Hub:
    """The way in without a plan, for the dashboard alone, with the token of the first of the
    variables that is set. Raises as `enter` does."""
    entry = access(site.environment, variables)
    checkout = Checkout(site.repo.root, site.environment)
    name = repository_name(site.environment, None, checkout.remote())
    repo = _found(entry, name)
    client = repo.requester
    return Hub(
        repo=repo,
        access=entry,
        checkout=checkout,
        context=site.repo,
        settings=site.settings,
        login=ask("say whose the token is", lambda: _login(client)),
        base_branch=repo.default_branch,
        base_sha="",
        tip="",
        date="",
        now=site.clock(),
    )


def _found(entry: Access, name: str) -> Repository:
    github = connect(entry)
    repo = find("read the repository", lambda: github.get_repo(name))
    if repo is None:
        raise AccessError(f"there is no {name}, or the token in {entry.variable} may not see it")
    return repo


def _repository(plan: Plan, entry: Access, name: str) -> Repository:
    repo = _found(entry, name)
    if plan.repository_id is not None and plan.repository_id != repo.id:
        raise ConfigError(f"the plan was made for another repository than {name}")
    if repo.full_name.lower() != name.lower():
        raise AccessError(f"{name} has moved to {repo.full_name}; set GITHUB_REPOSITORY to that")
    if repo.archived:
        raise AccessError(f"{name} is archived and takes no changes")
    return repo


def _login(client: Requester) -> str:
    """The token's login. A workflow's or an app's token has no user, but it has a viewer."""
    try:
        _, user = client.requestJsonAndCheck("GET", "/user")
        return str(user["login"])
    except GithubException as refusal:
        if refusal.status != 403:
            raise
    _, answer = client.graphql_query(VIEWER, {})
    login = str(answer["data"]["viewer"]["login"])
    return login if login.endswith("[bot]") else f"{login}[bot]"
