"""Before the first write, what `analyze` found is checked again, since a plan is only a file."""

from __future__ import annotations

from collections.abc import Iterator

from bot import redact
from bot.context.repo import ContextRepo
from bot.errors import ConfigError
from bot.forges.site import Site
from bot.gates.authority import authority
from bot.gates.inputs import Inputs
from bot.gates.size import removes_a_file
from bot.gates.table import check
from bot.identity.names import branch_pattern
from bot.records.change import ChangeSet
from bot.records.plan import Plan
from bot.records.report import Proposal
from bot.settings import Settings

STOPS = frozenset({"blocked", "dropped"})


def require_same_ground(plan: Plan, site: Site) -> str:
    """The base commit of the plan. Raises `ConfigError` where the plan was made elsewhere."""
    if plan.config_sha != site.settings.config_sha:
        raise ConfigError("trace-bot.yaml has changed since the plan was made; run `analyze` again")
    if plan.base_sha is None:
        raise ConfigError(
            "the plan was made outside a git checkout; run `analyze` in one to publish"
        )
    return plan.base_sha


def refusals(proposal: Proposal, repo: ContextRepo, settings: Settings) -> Iterator[str]:
    """Why this proposal must not be published, in sentences; the copy gate needs the sessions
    and was run by `analyze` alone."""
    pull, prefix = proposal.pull_request, settings.publishing.branch_prefix
    if branch_pattern(prefix).fullmatch(pull.branch) is None:
        yield f"the branch does not start with `{prefix}`, the branch_prefix of trace-bot.yaml"
    for result in check(proposal.change_set, Inputs(repo, settings.limits)):
        if result.outcome in STOPS:
            yield f"{result.gate}: {result.reason}"
        if result.outcome == "draft" and not pull.draft:
            yield f"{result.gate}: {result.reason}; it may open as a draft only"
    for text in (pull.title, pull.body, pull.commit_message):
        # The ids of sessions stand there, and those may look random.
        if redact.redact_id(text, settings.privacy) != text:
            yield "G5/G12: the text of the pull request holds a secret or personal data"


def stops(unit: ChangeSet, repo: ContextRepo, settings: Settings) -> Iterator[str]:
    """Why a change must not be pushed, whatever is said of it: what the gates stop."""
    for result in check(unit, Inputs(repo, settings.limits)):
        if result.outcome in STOPS:
            yield f"{result.gate}: {result.reason}"


def needs_leave(unit: ChangeSet, repo: ContextRepo, settings: Settings) -> str:
    """What a person has to approve on the dashboard before a pull request is opened, or nothing:
    another power of an agent, a weaker guard, a file that goes as a whole (G7, limits)."""
    if removes_a_file(unit):
        return "a whole file would be removed"
    result = authority(unit, Inputs(repo, settings.limits))
    return result.reason if result.outcome != "passed" else ""
