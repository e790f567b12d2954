"""A served fake with one repository, and the bot's view of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from github.Repository import Repository

from tests.github_fake import GitHubFake
from tests.github_fake.clients import FILES, client


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[GitHubFake]:
    with GitHubFake(tmp_path / "hub") as fake:
        fake.create_repo("acme/context", files=FILES)
        fake.permission("dev", "write")
        yield fake


@pytest.fixture
def repo(hub: GitHubFake) -> Repository:
    return client(hub).get_repo("acme/context")
