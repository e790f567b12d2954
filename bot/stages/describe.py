"""Describe: a change set as a pull request, in our own words and the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.context.repo import ContextRepo
from bot.identity import names
from bot.identity.names import FOLDERS, SENSITIVE, SEVERAL, UNVERIFIED
from bot.records.change import ChangeSet, PullRequest
from bot.records.plan import GateResult, RunInfo, Trial
from bot.records.report import SessionResult
from bot.reports.body import render
from bot.reports.sections import body
from bot.reports.story import Story, authority, verified

PLAIN = RunInfo()


def describe(
    change_set: ChangeSet,
    results: Sequence[SessionResult],
    repo: ContextRepo,
    gates: Sequence[GateResult] = (),
    run: RunInfo = PLAIN,
    trials: Sequence[Trial] = (),
) -> PullRequest:
    """The pull request of a change set: branch, title, body, commit message, labels, reviewers.

    `results` are the sessions of the run; those of the change set are its evidence. `gates` are
    what `bot.gates.table.check` gave; a check without a result is stated as not run. `trials`
    are those of `bot.stages.replay`.
    """
    own = set(change_set.sessions)
    seen = sorted(
        (result for result in results if result.session_id in own),
        key=lambda result: (result.started_at or "", result.session_id),
    )
    primary = _primary(change_set, seen)
    findings = len(change_set.finding_ids)
    story = Story(
        change_set=change_set,
        sessions=tuple(seen),
        repo=repo,
        gates=tuple(gates),
        trials=tuple(trials),
        run=run,
        primary=primary,
        title=names.title(
            change_set.operation, primary, change_set.kind, findings, run.title_prefix
        ),
        labels=_labels(change_set, gates, run),
    )
    return PullRequest(
        unit_id=change_set.unit_id,
        branch=names.branch(
            _folder(change_set, repo), primary, change_set.unit_id, prefix=run.branch_prefix
        ),
        title=story.title,
        body=render(body(story)),
        commit_message=_commit_message(story),
        labels=story.labels,
        reviewers=tuple(dict.fromkeys((*change_set.reviewers, *run.reviewers))),
        draft=change_set.state != "ready",
        files=change_set.files,
    )


def _primary(change_set: ChangeSet, seen: Sequence[SessionResult]) -> str:
    """The file that a pull request is named by: the first target among those it touches."""
    touched = {file.path for file in change_set.files}
    targets = (result.recommendation.target_path for result in seen if result.recommendation)
    return min((path for path in targets if path in touched), default=min(touched))


def _folder(change_set: ChangeSet, repo: ContextRepo) -> str:
    """`skill`, `kb`, `prompt` or `tool` by the type of the one file; `multi` for several."""
    if len(change_set.files) > 1:
        return SEVERAL
    path = change_set.files[0].path
    component = repo.component(path)
    if component is not None:
        return FOLDERS[component.type]
    beside = [c for c in repo.components if c.path.split("/")[0] == path.split("/")[0]]
    return FOLDERS[beside[0].type] if beside else "kb"


def _labels(change_set: ChangeSet, gates: Sequence[GateResult], run: RunInfo) -> tuple[str, ...]:
    labels = list(run.labels)
    if change_set.state != "ready":
        labels.append(UNVERIFIED)
    if any(result.gate == "G7" and result.outcome != "passed" for result in gates):
        labels.append(SENSITIVE)
    return tuple(dict.fromkeys(labels))


def _commit_message(story: Story) -> str:
    change_set = story.change_set
    return names.commit_message(
        story.title,
        tuple(_commit_lines(story)),
        change_set.unit_id,
        change_set.finding_ids,
        (change_set.patch_digest, len(change_set.sessions)),
    )


def _commit_lines(story: Story) -> Iterator[str]:
    failed = names.counted(len(story.sessions), "failed session", "failed sessions")
    yield f"Proposed by trace-bot from {failed}."
    source = authority(story)
    if source and verified(story):
        yield f"{source} settles the matter."
    elif not verified(story):
        yield "It rests on what users said and is not verified."
