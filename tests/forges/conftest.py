"""A GitHub on loopback with a context repository, and a checkout of it.

The dashboard is off, so that what is written is about pull requests alone; `tests/lifecycle` is
about the rest.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from bot.context.read import read_repo
from bot.forges.github import GitHubForge
from bot.forges.site import Site
from bot.records.plan import Plan, Publication
from bot.settings import settings_of
from context_repo_schema.config import Config
from tests.github_fake import GitHubFake
from tests.github_fake.gitstore import clean_env
from tests.proposals import FILES

Publish = Callable[..., Publication]


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[GitHubFake]:
    with GitHubFake(tmp_path / "hub") as fake:
        fill(fake)
        yield fake


@pytest.fixture
def site(hub: GitHubFake, tmp_path: Path) -> Site:
    return checked_out(hub, tmp_path / "checkout")


@pytest.fixture
def publish(site: Site) -> Publish:
    """Publishes a plan; keywords replace fields of the configuration."""

    def run(plan: Plan, **config: object) -> Publication:
        settings = settings_of(msgspec.convert({"dashboard": False, **config}, Config))
        return GitHubForge(msgspec.structs.replace(site, settings=settings)).publish(plan)

    return run


def fill(hub: GitHubFake) -> None:
    hub.create_repo("acme/context", files=FILES)
    hub.permission("dev", "write")


def checked_out(hub: GitHubFake, root: Path, *options: str) -> Site:
    """A checkout at the base branch, the default settings, and a workflow's environment."""
    clone(hub, root, *options)
    settings = settings_of(Config(dashboard=False))
    return Site(read_repo(root), settings, environment(hub), clock=hub.clock.now)


def clone(hub: GitHubFake, root: Path, *options: str) -> None:
    """A checkout at the base branch that borrows its objects; with options, one with its own."""
    chosen = [*options, f"file://{hub.repo().git}"] if options else ["-s", str(hub.repo().git)]
    command = ["git", "clone", "-q", "--template=", *chosen, str(root)]
    subprocess.run(command, env=clean_env(), check=True)


def environment(hub: GitHubFake, token: str = "tok-bot") -> Mapping[str, str]:
    return {
        "GITHUB_TOKEN": token,
        "GITHUB_API_URL": hub.base_url,
        "GITHUB_SERVER_URL": hub.base_url,
        "GITHUB_REPOSITORY": "acme/context",
        **clean_env(),
    }
