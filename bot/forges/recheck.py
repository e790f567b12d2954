"""Before the first write, what `analyze` found is checked again, since a plan is only a file."""

from __future__ import annotations

from collections.abc import Iterator

from bot import redact
from bot.errors import ConfigError
from bot.forges.site import Site
from bot.gates.inputs import Inputs
from bot.gates.table import check
from bot.identity.names import branch_pattern
from bot.records.plan import Plan
from bot.records.report import Proposal


def require_same_ground(plan: Plan, site: Site) -> str:
    """The base commit of the plan. Raises `ConfigError` where the plan was made elsewhere."""
    if plan.config_sha != site.settings.config_sha:
        raise ConfigError("trace-bot.yaml has changed since the plan was made; run `analyze` again")
    if plan.base_sha is None:
        raise ConfigError(
            "the plan was made outside a git checkout; run `analyze` in one to publish"
        )
    return plan.base_sha


def refusals(proposal: Proposal, site: Site) -> Iterator[str]:
    """Why this proposal must not be published, in sentences; the copy gate needs the sessions
    and was run by `analyze` alone."""
    unit, pull = proposal.change_set, proposal.pull_request
    prefix = site.settings.publishing.branch_prefix
    if branch_pattern(prefix).fullmatch(pull.branch) is None:
        yield f"the branch does not start with `{prefix}`, the branch_prefix of trace-bot.yaml"
    results = check(unit, Inputs(site.repo, site.settings.limits))
    for result in results:
        if result.outcome in ("blocked", "dropped"):
            yield f"{result.gate}: {result.reason}"
        if result.outcome == "draft" and not pull.draft:
            yield f"{result.gate}: {result.reason}; it may open as a draft only"
    for text in (pull.title, pull.body, pull.commit_message):
        if redact.redact(text) != text:
            yield "G5/G12: the text of the pull request holds a secret or personal data"
