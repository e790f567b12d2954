"""What the dashboard remembers, as somebody reads it who may read issues and nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from bot.errors import AccessError, ConfigError
from bot.forges.cursor import record
from bot.forges.environment import access, refuse_write_token, secrets
from bot.forges.github import GitHubForge
from bot.forges.site import Site
from bot.records.plan import Reading
from bot.settings import settings_of
from context_repo_schema.config import Config
from tests.forges.conftest import checked_out
from tests.github_fake import Fault, GitHubFake
from tests.github_fake.gitstore import clean_env
from tests.proposals import plan_of

UNTIL = "2026-01-05T08:00:00Z"


def with_board(hub: GitHubFake, root: Path, until: str = UNTIL) -> Site:
    """A site of the bot, after a publication that wrote the dashboard."""
    site = msgspec.structs.replace(checked_out(hub, root), settings=settings_of(Config()))
    plan = plan_of([], site.repo)
    GitHubForge(site).publish(msgspec.structs.replace(plan, reading=Reading("", until)))
    return site


def looking(hub: GitHubFake, site: Site, login: str = "trace-bot[bot]", **config: object) -> Site:
    """The same checkout for a job that may read contents and issues."""
    hub.tokens["tok-read"] = login
    hub.grants["tok-read"] = {"contents": "read", "issues": "read"}
    environment: Mapping[str, str] = {
        "TRACE_BOT_READ_TOKEN": "tok-read",
        "GITHUB_API_URL": hub.base_url,
        "GITHUB_REPOSITORY": "acme/context",
        **clean_env(),
    }
    settings = settings_of(msgspec.convert(config, Config))
    return msgspec.structs.replace(site, environment=environment, settings=settings)


def test_a_reader_sees_how_far_runs_read_and_writes_nothing(
    hub: GitHubFake, tmp_path: Path
) -> None:
    site = with_board(hub, tmp_path / "work")
    done = len(hub.writes)
    assert record(looking(hub, site)).until == UNTIL
    assert len(hub.writes) == done


def test_the_reading_token_is_masked_and_is_no_token_to_write_with() -> None:
    environment = {"TRACE_BOT_READ_TOKEN": "tok-read"}
    assert secrets(environment) == ["tok-read"]
    refuse_write_token(environment)
    with pytest.raises(AccessError, match="set GITHUB_TOKEN"):
        access(environment)


def test_a_publication_that_read_nothing_anew_keeps_it(hub: GitHubFake, tmp_path: Path) -> None:
    site = with_board(hub, tmp_path / "work")
    hub.clock.advance(days=2)
    GitHubForge(site).publish(plan_of([], site.repo))
    assert record(looking(hub, site)).until == UNTIL


def test_a_publisher_with_another_login_is_named(hub: GitHubFake, tmp_path: Path) -> None:
    site = with_board(hub, tmp_path / "work")
    reader = looking(hub, site, "dev")
    assert record(reader).missing == "there is no dashboard by dev"
    named = looking(hub, site, "dev", bot_logins=["trace-bot[bot]"])
    assert record(named).until == UNTIL


def test_an_issue_that_somebody_forged_is_not_looked_at(hub: GitHubFake, tmp_path: Path) -> None:
    site = with_board(hub, tmp_path / "work")
    (board,) = hub.repo().issues.values()
    forged = (board.body or "").replace(UNTIL, "2026-01-05T08:59:59Z")
    hub.issue(board.number).login = "stranger"
    hub.issue(board.number).body = forged
    assert "there is no dashboard" in record(looking(hub, site)).missing


@pytest.mark.parametrize("forged", ['"t":7', '"t":{}', '"t":"x"', '"u":0'])
def test_a_memory_that_somebody_changed_is_no_error(
    hub: GitHubFake, tmp_path: Path, forged: str
) -> None:
    site = with_board(hub, tmp_path / "work")
    (board,) = hub.repo().issues.values()
    assert f'"t":"{UNTIL}"' in (board.body or "")
    board.body = (board.body or "").replace(f'"t":"{UNTIL}"', forged)
    assert record(looking(hub, site)).until in ("", "x")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(401, path="/repos/"), "could not be read"),
        (Fault(403, path="/issues"), "could not be read"),
        (Fault(404, path="/repos/acme/context$"), "TRACE_BOT_READ_TOKEN may not see it"),
        (Fault(500, path="/issues", times=9), "could not be read"),
        (Fault(drop=True, times=9), "could not be read"),
    ],
    ids=str,
)
def test_a_dashboard_that_cannot_be_read_is_told_and_ends_nothing(
    hub: GitHubFake, tmp_path: Path, fault: Fault, said: str
) -> None:
    site = looking(hub, with_board(hub, tmp_path / "work"))
    hub.faults = [fault]
    found = record(site)
    assert found.until == ""
    assert said in found.missing


def test_a_dashboard_that_is_off_is_not_looked_for(hub: GitHubFake, tmp_path: Path) -> None:
    site = looking(hub, checked_out(hub, tmp_path / "work"), dashboard=False)
    assert "dashboard: false" in record(site).missing
    assert hub.log == []


@pytest.mark.parametrize("scopes", ["repo", "read:org, public_repo"])
def test_a_classic_token_that_may_write_is_refused(
    hub: GitHubFake, tmp_path: Path, scopes: str
) -> None:
    site = looking(hub, with_board(hub, tmp_path / "work"))
    told = {"X-OAuth-Scopes": scopes}
    hub.faults = [Fault(200, headers=told, body={"login": "dev"}, path="/user$")]
    with pytest.raises(ConfigError, match="TRACE_BOT_READ_TOKEN has the scope"):
        record(site)


@pytest.mark.parametrize("scopes", ["", "read:org"])
def test_a_classic_token_that_only_reads_is_taken(
    hub: GitHubFake, tmp_path: Path, scopes: str
) -> None:
    site = looking(hub, with_board(hub, tmp_path / "work"), bot_logins=["trace-bot[bot]"])
    told = {"X-OAuth-Scopes": scopes}
    hub.faults = [Fault(200, headers=told, body={"login": "dev"}, path="/user$")]
    assert record(site).until == UNTIL
