"""Sources, engine and forge joined: a request becomes a finished analysis."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from bot import __version__
from bot.context.read import read_repo
from bot.context.repo import ContextRepo
from bot.context.shown import shelf
from bot.engines.llm.options import model_options
from bot.engines.table import ENGINES
from bot.errors import ConfigError, SourceError
from bot.forges.site import Site
from bot.forges.table import FORGES
from bot.lifecycle.traffic import observed
from bot.propose import propose
from bot.records.plan import Plan, Publication, Reading, RunInfo
from bot.records.report import RunResult, Skipped
from bot.records.trajectory import Trajectory
from bot.redact import Privacy
from bot.redact.session import guarded, safe_id
from bot.run import Diagnosed, diagnose_all
from bot.settings import Settings, load_settings
from bot.sources.joined import Joined, joined
from bot.sources.recognise import format_of
from bot.stages.retype import retype
from bot.utc import present, stamp

Progress = Callable[[int], None]
Environment = Mapping[str, str]


class Request(msgspec.Struct, frozen=True):
    """What a command asks for: a checkout, sessions, an engine, and where to stop.

    `engine` None takes the configured one; `model` holds the flags of the model engine by name;
    `since` leaves out older sessions of every kind, `window` stands in for it with trace stores;
    `only` is the id of the one session that is wanted.
    """

    context: Path
    trajectories: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    config: Path | None = None
    engine: str | None = None
    model: Mapping[str, Any] = {}
    limit: int | None = None
    since: datetime | None = None
    window: datetime | None = None
    only: str | None = None


class Analysis(msgspec.Struct, frozen=True):
    """A run that is finished up to publishing."""

    result: RunResult
    plan: Plan
    repo: ContextRepo
    settings: Settings


def analyze(request: Request, environment: Environment, progress: Progress) -> Analysis:
    """Sessions in, checked proposals out; nothing is written and no remote is asked.

    Raises `ConfigError` for a bad configuration or a checkout without components, `SourceError`
    where nothing could be read or too many records were bad.
    """
    settings = load_settings(request.context, request.config)
    repo = read_repo(request.context, settings.config)
    if not repo.components:
        raise ConfigError(
            f"{request.context}: no context file was found; map them under `components:` in "
            "trace-bot.yaml, or run `trace-bot validate` to see what was looked for"
        )
    started = stamp(present())
    name = request.engine or settings.config.engine
    asked, configured = (request.trajectories, request.sources), settings.config.sources
    source = joined(*asked, configured, environment)
    queued: list[Skipped] = []
    pulled = _guarded(source.pull(request.since, request.window), settings.privacy)
    engine = ENGINES[name](model_options(settings.config, environment, request.model))
    found = diagnose_all(
        _typed(_asked(pulled, request, settings, queued), repo, settings),
        engine,
        repo,
        threshold=settings.config.detection.threshold,
        limit=request.limit,
        progress=progress,
    )
    _refuse_bad_source(found, settings, request)
    info = _run_info(name, settings, environment)
    proposed = propose(found, repo, settings, info, engine)
    result = RunResult(
        engine=name,
        context_commit=repo.commit,
        started_at=started,
        finished_at=stamp(present()),
        sessions=proposed.sessions,
        proposals=proposed.proposals,
        prompts=getattr(engine, "prompts", ""),
        quotes=info.quotes or _is_private(settings.config.evidence.quotes, environment),
        skipped=(*found.skipped, *queued, *source.repeated, *found.repeated, *repo.skipped),
    )
    cut = bool(queued) or (request.limit is not None and len(found.sessions) >= request.limit)
    made = _plan(result, settings, environment, partial=cut or _is_partial(result))
    reading = _reading(source, request, started, is_cut=bool(queued))
    return Analysis(result, msgspec.structs.replace(made, reading=reading), repo, settings)


def publish(analysis: Analysis, environment: Environment, *, single_job: bool) -> Publication:
    """The plan's pull requests on GitHub. Raises what `bot.errors` lists under 2 to 5 and 75."""
    site = Site(analysis.repo, analysis.settings, environment, single_job=single_job)
    return FORGES["github"](site).publish(analysis.plan)


def _guarded(
    pulled: Iterable[Trajectory | Skipped], privacy: Privacy
) -> Iterator[Trajectory | Skipped]:
    """The sessions as everything from here on may know them."""
    for item in pulled:
        yield item if isinstance(item, Skipped) else guarded(item, privacy)


def _asked(
    pulled: Iterable[Trajectory | Skipped],
    request: Request,
    settings: Settings,
    queued: list[Skipped],
) -> Iterable[Trajectory | Skipped]:
    """The one session that is wanted, as many as the request says, or as a run may take."""
    if request.only is not None:
        return _only(pulled, safe_id(request.only, settings.privacy))
    if request.limit is not None:
        return pulled
    return _within(pulled, settings.budget.max_trajectories_per_run, queued)


def _within(
    pulled: Iterable[Trajectory | Skipped], limit: int, queued: list[Skipped]
) -> Iterator[Trajectory | Skipped]:
    """The sessions up to a limit; `queued` gets the first one for which there is no room."""
    taken = 0
    for item in pulled:
        taken += isinstance(item, Trajectory)
        if isinstance(item, Trajectory) and taken > limit:
            reason = (
                f"queued: limit max_trajectories_per_run ({limit}); neither this session nor those "
                "after it were read: raise the limit, or give fewer, such as with --since"
            )
            queued.append(Skipped(item.session_id, reason))
            return
        yield item


def _only(pulled: Iterable[Trajectory | Skipped], wanted: str) -> Iterator[Trajectory | Skipped]:
    """The one session, and nothing after it is read."""
    for item in pulled:
        if isinstance(item, Trajectory) and item.session_id == wanted:
            yield item
            return


def _typed(
    pulled: Iterable[Trajectory | Skipped], repo: ContextRepo, settings: Settings
) -> Iterator[Trajectory | Skipped]:
    """The sessions with their nodes typed against the repository, by the user's rules first."""
    known, rules = shelf(repo), settings.config.node_types
    for item in pulled:
        yield item if isinstance(item, Skipped) else retype(item, known, rules)


def _refuse_bad_source(found: Diagnosed, settings: Settings, request: Request) -> None:
    """A source that is mostly broken is a fault of the source, not a run with few sessions."""
    bad, good = len(found.skipped), len(found.sessions)
    if bad and bad * 100 > settings.config.max_bad_records * (bad + good):
        first = "\n".join(f"{item.where}: {item.reason}" for item in found.skipped[:5])
        raise SourceError(
            f"{bad} of {bad + good} records could not be read, more than max_bad_records "
            f"{settings.config.max_bad_records} %\n{first}{_other_formats(request.trajectories)}"
        )


def _other_formats(paths: Sequence[str]) -> str:
    """What files that were taken for canonical sessions are instead, and what to do with them."""
    known = ((path, format_of(path)) for path in paths)
    return "".join(
        f"\n{path} holds sessions of {kind}: `trace-bot convert --source {kind}` makes them "
        f"canonical; or list it under `sources:` in trace-bot.yaml with `type: {kind}`"
        for path, kind in known
        if kind
    )


def _run_info(engine: str, settings: Settings, environment: Environment) -> RunInfo:
    config = settings.config
    return RunInfo(
        engine=f"the {engine} engine",
        branch_prefix=config.branch_prefix,
        title_prefix=config.title_prefix,
        labels=config.labels,
        reviewers=config.reviewers,
        quotes=_may_quote(config.evidence.quotes, environment),
        run_url=_run_url(environment),
        config_sha=settings.config_sha,
        privacy=settings.privacy,
    )


def _is_private(choice: str, environment: Environment) -> bool:
    """Whether only the one who runs it sees the terminal and the files; `off` holds there too."""
    return choice == "auto" and environment.get("GITHUB_ACTIONS") != "true"


def _may_quote(choice: str, environment: Environment) -> bool:
    """`auto` quotes only where the event that started the run says that the repository is private;
    anything unknown counts as public."""
    event = environment.get("GITHUB_EVENT_PATH")
    if choice != "auto" or not event or not Path(event).is_file():
        return choice == "on"
    try:
        repository = msgspec.json.decode(Path(event).read_bytes(), type=_Event).repository
    except msgspec.DecodeError:
        return False
    return repository.visibility == "private"


def _is_partial(result: RunResult) -> bool:
    """Whether sessions are missing that nobody knows: a source broke off, or a stage did. A record
    that cannot be read is left out and named, and the others are all there."""
    broke_off = any(item.rest for item in result.skipped)
    return broke_off or any(session.error is not None for session in result.sessions)


class _Repository(msgspec.Struct, frozen=True):
    visibility: str = "public"


class _Event(msgspec.Struct, frozen=True):
    repository: _Repository = _Repository()


def _reading(source: Joined, request: Request, started: str, *, is_cut: bool) -> Reading | None:
    """What was read of all stores, for the dashboard to remember."""
    since = request.since or request.window
    begun = stamp(since) if since else ""
    if is_cut and source.covers:
        return Reading(begun, "")
    return Reading(begun, started) if source.is_whole else None


def _plan(
    result: RunResult, settings: Settings, environment: Environment, *, partial: bool
) -> Plan:
    run_id = environment.get("GITHUB_RUN_ID", "")
    number = environment.get("GITHUB_REPOSITORY_ID", "")
    return Plan(
        tool_version=__version__,
        engine=result.engine,
        repository=environment.get("GITHUB_REPOSITORY"),
        base_branch=settings.config.base_branch or "",
        base_sha=result.context_commit,
        config_sha=settings.config_sha,
        run_id=run_id or hashlib.sha256(result.started_at.encode()).hexdigest()[:12],
        created_at=result.finished_at,
        proposals=result.proposals,
        repository_id=int(number) if number.isdigit() else None,
        observed=observed(result.sessions, environment.get("GITHUB_REPOSITORY", "")),
        partial=partial,
        run_url=_run_url(environment),
        cost_usd=sum(session.usage.cost_usd for session in result.sessions),
    )


def _run_url(environment: Environment) -> str:
    """Where the workflow's run can be looked at; nothing outside of one."""
    server, repository = environment.get("GITHUB_SERVER_URL"), environment.get("GITHUB_REPOSITORY")
    run = environment.get("GITHUB_RUN_ID")
    return f"{server}/{repository}/actions/runs/{run}" if server and run else ""
