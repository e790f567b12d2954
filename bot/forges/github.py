"""Publishing to GitHub. Every step looks first and writes only what is missing, so that a second
run writes nothing, and a run that was cut off anywhere is finished by the next."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import msgspec
from github.PullRequest import PullRequest
from msgspec.structs import replace

from bot.defang import log_line
from bot.errors import AccessError, CannotOpenPullRequest
from bot.forges.branch import base_moved, branch_digest, ensure_branch
from bot.forges.client import FORBIDDEN_TO_OPEN, BadToken, Declined, Unclear, ask
from bot.forges.decide import Tally, decide, evidence_rose
from bot.forges.decorate import decorate
from bot.forges.environment import access, refuse_reader_keys
from bot.forges.git import Refused
from bot.forges.held import held_back
from bot.forges.hub import Hub, enter
from bot.forges.pulls import Ours, our_pulls
from bot.forges.recheck import refusals
from bot.forges.site import Site
from bot.identity.marker import Marker, render
from bot.records.plan import Action, Plan, Publication, Published
from bot.records.report import Proposal
from bot.reports.body import refreshed, split, with_island

log = logging.getLogger("trace-bot")


class Done(msgspec.Struct, frozen=True):
    """What became of a unit, and what went wrong on the side."""

    unit: Published
    warnings: tuple[str, ...] = ()


class GitHubForge:
    """Opens the pull requests of a plan, and keeps those that stand.

    What GitHub declines of one unit is that unit's outcome, and the others go on. `publish`
    raises what `bot.errors` lists under 2, 3, 4, 5 and 75 for what stops every unit; whatever was
    done by then stands, and the next run goes on from there.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def publish(self, plan: Plan) -> Publication:
        """Unit by unit, in the order of the plan."""
        try:
            return self._publish(plan)
        except BadToken as refusal:
            variable = access(self._site.environment).variable
            raise AccessError(f"{refusal}; set {variable} anew") from refusal

    def _publish(self, plan: Plan) -> Publication:
        if not self._site.single_job:
            refuse_reader_keys(self._site.environment)
        hub = enter(plan, self._site)
        publishing = hub.settings.publishing
        days = hub.settings.lifecycle.look_back_days
        found = our_pulls(hub.repo, hub.logins, publishing.branch_prefix, days)
        done: list[Done] = []
        for proposal in plan.proposals:
            done.append(self._tried(hub, proposal, found.ours, done))
            log.info("%s: %s", done[-1].unit.unit_id, log_line(_outcome(done[-1].unit)))
        warnings = [warning for one in done for warning in one.warnings]
        if found.foreign:
            warnings.append(f"{found.foreign} pull requests look like ours and are not; ignored")
        return Publication(tuple(one.unit for one in done), tuple(warnings))

    def _tried(
        self, hub: Hub, proposal: Proposal, ours: Sequence[Ours], done: Sequence[Done]
    ) -> Done:
        try:
            return self._unit(hub, proposal, ours, done)
        except Declined as refusal:
            return _left(proposal, "failed", str(refusal))

    def _unit(
        self, hub: Hub, proposal: Proposal, ours: Sequence[Ours], done: Sequence[Done]
    ) -> Done:
        unit, branch = proposal.change_set, proposal.pull_request.branch
        held = held_back(unit, hub.settings)
        if held is not None:
            return _left(proposal, held.action, held.reason)
        refusal = next(refusals(proposal, self._site), None)
        if refusal is not None:
            return _left(proposal, "blocked", refusal)
        opened = sum(one.unit.action == "opened" for one in done)
        tally = Tally(sum(pull.state == "open" for pull in ours) + opened, opened)
        decision = decide(unit, branch, ours, tally, hub.settings.publishing)
        if decision.do == "open":
            return _open(hub, proposal)
        if decision.do == "keep" and decision.pull is not None:
            return _keep(hub, proposal, decision.pull)
        return _left(proposal, decision.action, decision.reason, decision.pull)


def _open(hub: Hub, proposal: Proposal) -> Done:
    """Branch, pull request, decoration: each is made only if it is not there."""
    pull = proposal.pull_request
    moved = base_moved(hub, proposal.change_set.files)
    if moved is not None:
        reason = f"{moved} has changed on {hub.base_branch} since the analysis"
        return _left(proposal, "skipped", reason)
    # Another publisher may move the branch between our look and our push: look once more.
    refused = ensure_branch(hub, proposal) and ensure_branch(hub, proposal)
    if refused is not None:
        return _left(proposal, "skipped", refused.reason)
    opened = _ensure_pull(hub, proposal)
    if isinstance(opened, Refused):
        return _left(proposal, "skipped", opened.reason)
    warnings = decorate(hub, opened, pull.labels, pull.reviewers)
    unit = proposal.change_set.unit_id
    return Done(Published(unit, "opened", pull.branch, opened.number, opened.html_url), warnings)


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


def _keep(hub: Hub, proposal: Proposal, ours: Ours) -> Done:
    """A pull request that stands: its branch is never pushed to, its evidence is kept up."""
    pull = proposal.pull_request
    marker = ours.marker
    if marker is None or branch_digest(hub, ours.head) != marker.patch:
        return _left(proposal, "unchanged", "frozen: the branch holds commits of a person", ours)
    new = set(proposal.change_set.finding_ids) - {*marker.findings, *marker.aliases}
    if new:
        return _left(
            proposal, "queued", f"{len(new)} new finding(s) wait for no.{ours.number}", ours
        )
    warnings = decorate(hub, ours.handle, marker.labels, pull.reviewers)
    if not evidence_rose(marker.count, len(proposal.change_set.sessions)):
        return Done(_published(proposal, "unchanged", "", ours), warnings)
    # Read again just before the write, so that nobody's words of this minute are lost.
    present = ask("read a pull request", lambda: hub.repo.get_pull(ours.number))
    body = _with_evidence(proposal, marker, present.body or "")
    if body is None:
        return Done(_published(proposal, "unchanged", "its text is a person's", ours), warnings)
    ask(f"update the evidence of no.{ours.number}", lambda: present.edit(body=body))
    return Done(_published(proposal, "updated", "there is more evidence", ours), warnings)


def _with_evidence(proposal: Proposal, marker: Marker, body: str) -> str | None:
    """The body with the evidence of now; None where a person took our part of it away."""
    island, news = split(body), split(proposal.pull_request.body)
    if island is None or news is None:
        return None
    unit = proposal.change_set
    risen = replace(marker, count=len(unit.sessions), evidence=unit.evidence_digest)
    return with_island(body, refreshed(island[1], news[1], render(risen)))


def _outcome(unit: Published) -> str:
    return f"{unit.action} {unit.url or unit.branch} {unit.reason}".strip()


def _left(proposal: Proposal, action: Action, reason: str, ours: Ours | None = None) -> Done:
    return Done(_published(proposal, action, reason, ours))


def _published(proposal: Proposal, action: Action, reason: str, ours: Ours | None) -> Published:
    return Published(
        unit_id=proposal.change_set.unit_id,
        action=action,
        branch=ours.branch if ours else proposal.pull_request.branch,
        number=ours.number if ours else None,
        url=ours.url if ours else None,
        reason=reason,
    )
