"""A GitHub on loopback whose clock moves only when a test says so, and runs against it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from bot.context.read import read_repo
from bot.forges.github import GitHubForge
from bot.forges.site import Site
from bot.lifecycle.dashboard import TITLE
from bot.lifecycle.traffic import observed
from bot.records.change import Edit
from bot.records.finding import FaultCategory
from bot.records.plan import Plan, Publication, Reading
from bot.records.report import SessionResult
from bot.settings import Settings, settings_of
from context_repo_schema.config import Config
from tests.forges.conftest import clone, environment, fill
from tests.github_fake import GitHubFake, gitstore
from tests.github_fake.clock import stamp
from tests.github_fake.gitstore import clean_env
from tests.github_fake.state import Comment, Issue
from tests.proposals import SKILL, THRESHOLD, plan_of, session

TRAVEL = Edit(SKILL, "UPDATE", "booked on Fridays", "booked on Mondays")
KINDS: tuple[FaultCategory, ...] = ("SKILL_FILE_STALE", "SYSTEM_PROMPT_GAP", "KB_CONTENT_STALE")


class World:
    """A repository with its people, and one run after another, each in a checkout of its own."""

    def __init__(self, root: Path, hub: GitHubFake) -> None:
        self.root = root
        self.hub = hub
        self._runs = 0

    def site(self, token: str = "tok-bot", **config: object) -> Site:
        """A checkout of its own at the base branch of now."""
        self._runs += 1
        root = self.root / f"checkout-{self._runs}"
        clone(self.hub, root)
        return self._site(root, token, config)

    def _site(self, root: Path, token: str, config: dict[str, object]) -> Site:
        chosen = settings(config)
        given, clock = environment(self.hub, token), self.hub.clock.now
        return Site(read_repo(root, chosen.config), chosen, given, clock=clock)

    def _again(self) -> Path:
        """The checkout of the runs, at the base branch of now: it borrows the objects of GitHub."""
        root = self.root / "checkout"
        if not root.exists():
            clone(self.hub, root)
        to = ["reset", "-q", "--hard", self.hub.head() or ""]
        subprocess.run(["git", "-C", str(root), *to], env=clean_env(), check=True)
        return root

    def run(
        self,
        *sessions: SessionResult,
        partial: bool = False,
        read: Reading | None = None,
        token: str = "tok-bot",
        **config: object,
    ) -> Publication:
        """Analysis and publishing at the time that it is; keywords are the configuration's."""
        site = self._site(self._again(), token, config)
        return GitHubForge(site).publish(self.plan(sessions, site, partial=partial, read=read))

    def plan(
        self,
        sessions: Sequence[SessionResult],
        site: Site,
        *,
        partial: bool = False,
        read: Reading | None = None,
    ) -> Plan:
        made = plan_of(sessions, site.repo, site.settings.limits)
        return msgspec.structs.replace(
            made,
            created_at=self.hub.clock.stamp(),
            observed=observed(sessions, "acme/context"),
            partial=partial,
            reading=read,
        )

    def failed(self, name: str, *edits: Edit, **more: object) -> SessionResult:
        """A session of now that failed."""
        given = {"started_at": self.hub.clock.stamp(), **more}
        return session(name, *(edits or (THRESHOLD,)), **given)  # type: ignore[arg-type]

    def satisfied(self, name: str) -> SessionResult:
        """A session of now that read the skill and was fine."""
        return SessionResult(name, name, started_at=self.hub.clock.stamp(), files=(SKILL,))

    @property
    def board(self) -> Issue:
        """The dashboard issue."""
        issues = self.hub.repo().issues.values()
        return next(i for i in issues if i.title == TITLE and i.pull is None)

    @property
    def dashboard(self) -> str:
        return self.board.body or ""

    def section(self, heading: str) -> str:
        """What the dashboard says under a heading."""
        rest = self.dashboard.partition(f"### {heading}\n")[2]
        return rest.partition("\n### ")[0].partition("\n<!--")[0]

    def body(self, number: int = 1) -> str:
        return self.hub.issue(number).body or ""

    def tick(self, action: str) -> None:
        """A person ticks the first box of an action."""
        body = self.dashboard
        assert f"- [ ] <!-- tb:{action}=" in body
        ticked = body.replace(f"- [ ] <!-- tb:{action}=", f"- [x] <!-- tb:{action}=", 1)
        self.hub.edit(self.board.number, "dev", body=ticked)

    def writes(self) -> int:
        return len(self.hub.writes)

    def replies(self) -> list[Comment]:
        """What we said in comments."""
        found = self.hub.repo().comments.values()
        return [comment for comment in found if comment.login == "trace-bot[bot]"]

    def restore(self, branch: str, sha: str) -> None:
        """Press "Restore branch"."""
        gitstore.set_ref(self.hub.repo().git, f"refs/heads/{branch}", sha)

    def message(self, branch: str) -> str:
        """The message of a branch's last commit."""
        git = self.hub.repo().git
        return gitstore.read_commit(git, self.hub.head(branch) or "").message

    def parents(self, branch: str) -> list[str]:
        """The commits that a branch's head stands on."""
        git = self.hub.repo().git
        return list(gitstore.read_commit(git, self.hub.head(branch) or "").parents)

    def push(self, branch: str, text: str, author: str = "dev", **more: bool) -> str:
        return self.hub.push_commit(branch, {SKILL: text}, "A commit", author, **more)

    @property
    def now(self) -> str:
        return stamp(self.hub.clock.now())


def settings(config: dict[str, object]) -> Settings:
    return settings_of(msgspec.convert(config, Config))


def otherwise(run: int) -> Edit:
    """The same fix as a model words it in another run."""
    return msgspec.structs.replace(THRESHOLD, new=f"above $25,000 (see PAY-1, {run}) go")


def actions(publication: Publication) -> list[str]:
    return [unit.action for unit in publication.units]


def state(hub: GitHubFake) -> object:
    """All of GitHub that a run may change, without the order of events."""
    issues = [
        (i.number, i.title, i.body, i.state, sorted(i.labels), i.pull and i.pull.head)
        for i in hub.repo().issues.values()
    ]
    comments = sorted(
        (c.number, c.body, sorted((r.login, r.content) for r in c.reactions))
        for c in hub.repo().comments.values()
    )
    return sorted(issues), comments, hub.branches()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with GitHubFake(tmp_path / "hub") as hub:
        fill(hub)
        hub.state.user("dev")
        yield World(tmp_path, hub)
