"""A new pull request: branch, pull request, decoration, each made only if it is not there."""

from __future__ import annotations

from github.PullRequest import PullRequest
from msgspec.structs import replace

from bot.defang import fence
from bot.errors import CannotOpenPullRequest
from bot.forges.branch import base_moved, ensure_branch
from bot.forges.client import FORBIDDEN_TO_OPEN, Declined, Unclear, ask
from bot.forges.decorate import decorate
from bot.forges.git import Refused
from bot.forges.hub import Hub
from bot.identity.marker import Marker, parse, render
from bot.lifecycle.decide import Course
from bot.lifecycle.facts import Pull
from bot.records.plan import Published
from bot.records.report import Proposal
from bot.reports.body import split, with_earlier, with_island, with_marker

Opened = tuple[Published, tuple[str, ...]]
# How much of an earlier diff is shown again.
MOST_SHOWN = 4_000


def open_pull(hub: Hub, course: Course) -> Opened:
    """Opens the course's proposal. Returns what became of it, and warnings."""
    proposal = of_generation(course)
    pull = proposal.pull_request
    moved = base_moved(hub, proposal.change_set.files)
    if moved is not None:
        return _skipped(proposal, f"{moved} has changed on {hub.base_branch} since the analysis")
    # Another publisher may move the branch between our look and our push: look once more.
    refused = ensure_branch(hub, proposal) and ensure_branch(hub, proposal)
    if refused is not None:
        return _skipped(proposal, refused.reason)
    opened = _ensure_pull(hub, proposal)
    if isinstance(opened, Refused):
        return _skipped(proposal, opened.reason)
    warnings = decorate(hub, opened, pull.labels, pull.reviewers)
    unit = proposal.change_set.unit_id
    return Published(unit, "opened", pull.branch, opened.number, opened.html_url), warnings


def of_generation(course: Course) -> Proposal:
    """The proposal under its own branch name, with what was tried before. The first one of
    a unit is, byte for byte, what a dry run shows."""
    proposal, pull = course.proposal, course.proposal.pull_request
    marker, parts = parse(pull.body), split(pull.body)
    if course.generation == 1 or parts is None or not isinstance(marker, Marker):
        return proposal
    island = with_marker(parts[1], render(replace(marker, generation=course.generation)))
    if course.earlier:
        island = with_earlier(island, _tried(course))
    body = with_island(pull.body, island)
    branch = f"{pull.branch}-g{course.generation}"
    return replace(proposal, pull_request=replace(pull, branch=branch, body=body or pull.body))


def _tried(course: Course) -> str:
    """Which pull requests were merged and did not hold, and what they changed."""
    numbers = ", ".join(f"no.{pull.number}" for pull in course.earlier)
    sessions = len({s for pull in course.earlier for s in pull.fresh})
    told = (
        f"Tried before: {numbers}. The fault is back in sessions that ran with the merged text "
        f"({sessions} of this run's sessions did)."
    )
    return f"{told}\n\n{fence(_patch(course.earlier[-1]))}"


def _patch(pull: Pull) -> str:
    rows = []
    for hunk in pull.hunks:
        rows += [f"-{row}" for row in hunk.removed] + [f"+{row}" for row in hunk.added]
    return "\n".join(rows)[:MOST_SHOWN]


def _ensure_pull(hub: Hub, proposal: Proposal) -> PullRequest | Refused:
    """The open pull request of the branch, made if there is none.

    An error while creating says nothing: the list does.
    """
    branch = proposal.pull_request.branch
    standing = _standing(hub, branch)
    if standing is not None:
        return standing
    try:
        return ask("open a pull request", lambda: _create(hub, proposal))
    except Unclear:
        standing = _standing(hub, branch)
        if standing is None:
            raise
        return standing
    except Declined as refusal:
        return _standing(hub, branch) or _not_opened(hub, branch, refusal)


def _create(hub: Hub, proposal: Proposal) -> PullRequest:
    pull = proposal.pull_request
    return hub.repo.create_pull(
        base=hub.base_branch,
        head=pull.branch,
        title=pull.title,
        body=pull.body,
        draft=pull.draft,
        maintainer_can_modify=False,
    )


def _standing(hub: Hub, branch: str) -> PullRequest | None:
    head = f"{hub.repo.owner.login}:{branch}"
    found = ask("list pull requests", lambda: list(hub.repo.get_pulls(state="open", head=head)))
    return found[0] if found else None


def _not_opened(hub: Hub, branch: str, refusal: Declined) -> Refused:
    """Why it is left for now. Raises `CannotOpenPullRequest` where no other one could be opened
    either, and the refusal itself where the unit has failed."""
    if FORBIDDEN_TO_OPEN in refusal.said:
        link = f"{hub.repo.html_url}/compare/{hub.base_branch}...{branch}?quick_pull=1"
        raise CannotOpenPullRequest(
            "this repository does not let workflows open pull requests: allow it under Settings, "
            f"Actions, General, or open the pull request of the finished branch yourself: {link}"
        )
    if "draft pull requests are not supported" in refusal.said.lower():
        return Refused("the repository's plan has no drafts, and this is not ready for review")
    raise refusal


def _skipped(proposal: Proposal, reason: str) -> Opened:
    branch = proposal.pull_request.branch
    return Published(proposal.change_set.unit_id, "skipped", branch, reason=reason), ()
