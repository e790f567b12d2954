"""MLflow over its REST API (checked against the server 3.17), and what `Trace.to_dict` writes."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from bot.records.report import Skipped
from bot.sources.http import Http, NotThere, cursored
from bot.sources.query import Query, sampled, stamp
from bot.sources.spans.ids import parent_id, span_id, trace_id
from bot.sources.spans.otlp import STATUS, span_of
from bot.sources.spans.span import Event, NotReadable, Session, Span, Vote
from bot.sources.spans.times import instant
from bot.sources.spans.votes import score
from bot.sources.store import Door, Environment, Store, assembled, decoded, first, listed

SESSION, USER = "mlflow.trace.session", "mlflow.trace.user"
PAGE = 500
# A filter has no way to write these.
UNQUOTABLE = ("'", '"', "\\", "`")


class _Value(msgspec.Struct):
    value: Any = None


class _Judge(msgspec.Struct):
    source_type: str | None = None


class _Assessment(msgspec.Struct):
    assessment_name: str = ""
    source: _Judge | None = None
    feedback: _Value | None = None
    expectation: _Value | None = None
    rationale: str | None = None
    span_id: str | None = None
    last_update_time: str | None = None
    valid: bool | None = True


class _Info(msgspec.Struct):
    trace_id: str
    trace_metadata: dict[str, Any] = {}
    tags: dict[str, Any] = {}
    assessments: tuple[_Assessment, ...] = ()

    @property
    def session(self) -> str | None:
        return str(self.trace_metadata.get(SESSION) or "").strip() or None


class _Status(msgspec.Struct, frozen=True):
    code: Any = None
    message: str | None = None


class _Event(msgspec.Struct):
    name: str = ""
    attributes: dict[str, Any] = {}


class _Span(msgspec.Struct):
    trace_id: str
    span_id: str
    attributes: dict[str, Any]
    parent_span_id: str | None = None
    name: str = ""
    start_time_unix_nano: int | None = None
    end_time_unix_nano: int | None = None
    status: _Status = _Status()
    events: tuple[_Event, ...] = ()


class _Trace(msgspec.Struct):
    trace_info: _Info
    spans: tuple[dict[str, Any], ...] = ()


class _Listed(msgspec.Struct):
    trace: _Trace


class _Data(msgspec.Struct):
    spans: tuple[dict[str, Any], ...] = ()


class _Written(msgspec.Struct):
    info: _Info
    data: _Data


class _Experiment(msgspec.Struct):
    experiment_id: str


class _Named(msgspec.Struct):
    experiment: _Experiment


def door(environment: Environment) -> Door:
    """`MLFLOW_TRACKING_TOKEN`, or `MLFLOW_TRACKING_USERNAME` and `_PASSWORD`, where needed."""
    token = first(environment, "MLFLOW_TRACKING_TOKEN")
    user = first(environment, "MLFLOW_TRACKING_USERNAME")
    password = first(environment, "MLFLOW_TRACKING_PASSWORD")
    key = f"Bearer {token}" if token else None
    if not key and user and password:
        key = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
    return Door(
        first(environment, "MLFLOW_TRACKING_URI") or "http://127.0.0.1:5000",
        {"authorization": key} if key else {},
        first(environment, "MLFLOW_EXPERIMENT_NAME") or "Default",
    )


def pull(http: Http, query: Query) -> Iterator[Session | Skipped]:
    """Sessions by their first trace in the window; each is then read in whole."""
    named = http.get(
        "/api/2.0/mlflow/experiments/get-by-name", {"experiment_name": query.project or "Default"}
    )
    experiment = decoded(named, _Named).experiment.experiment_id
    conditions = _conditions(query)
    found: dict[tuple[str, bool], list[str]] = {}
    for info in _infos(http, experiment, conditions):
        if isinstance(info, Skipped):
            yield info
            continue
        key = (info.session or trace_id(info.trace_id), info.session is None)
        found.setdefault(key, []).append(info.trace_id)
    for (name, derived), traces in found.items():
        if not sampled(name, query.sample):
            continue
        whole: list[str] = []
        if conditions and not derived and not any(mark in name for mark in UNQUOTABLE):
            filters = [f"metadata.`{SESSION}` = '{name}'"]
            infos = _infos(http, experiment, filters)
            whole = [info.trace_id for info in infos if isinstance(info, _Info)]
        yield from assembled(name, _rows(http, whole or traces), read, derived=derived)


def _conditions(query: Query) -> list[str]:
    start = instant(stamp(query.oldest))
    return [
        *([f"timestamp_ms >= {start // 1_000_000}"] if start else []),
        *(["span.status = 'ERROR'"] if query.only_errors else []),
    ]


def _infos(http: Http, experiment: str, conditions: Sequence[str]) -> Iterator[_Info | Skipped]:
    """What is known of traces without their spans, the oldest first."""
    place = {"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": experiment}}

    def page(token: Any) -> tuple[list[Any], Any]:
        body = {
            "locations": [place],
            "filter": " AND ".join(conditions) or None,
            "max_results": PAGE,
            "order_by": ["timestamp_ms ASC"],
            "page_token": token,
        }
        answer = http.post("/api/3.0/mlflow/traces/search", body)
        return answer.get("traces") or [], answer.get("next_page_token")

    return listed(cursored(page), _Info)


def _rows(http: Http, traces: Sequence[str]) -> Iterator[Any]:
    """The traces in whole; one that was deleted since it was listed is none that can be read."""
    for trace in traces:
        try:
            yield http.get("/api/3.0/mlflow/traces/get", {"trace_id": trace})
        except NotThere:
            yield None


def read(row: Any) -> Iterator[Span | Vote]:
    """A trace with its spans and assessments, as the API or the client's `to_dict` gives it."""
    match row:
        case {"trace": _}:
            whole = decoded(row, _Listed).trace
            info, spans = whole.trace_info, whole.spans
        case {"info": _}:
            written = decoded(row, _Written)
            info, spans = written.info, written.data.spans
        case None:
            raise NotReadable("the trace is gone from the store")
        case _:
            raise NotReadable("it is no trace of MLflow")
    for assessment in info.assessments:
        if assessment.valid is not False:
            yield _vote(assessment, trace_id(info.trace_id))
    yield from _spans(spans, _resource(info))


def _spans(spans: Sequence[dict[str, Any]], resource: dict[str, Any]) -> Iterator[Span]:
    """All that can be read; the first that cannot is told afterwards. The API answers in OTLP's
    JSON, the client writes attributes as an object of JSON texts."""
    refused: list[NotReadable] = []
    for span in spans:
        try:
            if isinstance(span.get("attributes"), list):
                yield span_of(span, resource)
            else:
                yield _span(decoded(span, _Span), resource)
        except NotReadable as problem:
            refused.append(problem)
    if refused:
        raise refused[0]


def _resource(info: _Info) -> dict[str, Any]:
    """What MLflow keeps of a trace and not of its spans: session, user, and the user's own tags."""
    own = {k: v for k, v in info.tags.items() if not k.startswith("mlflow.")}
    told = {k: v for k, v in info.trace_metadata.items() if not k.startswith("mlflow.")}
    kept = {k: v for k, v in info.trace_metadata.items() if k in (SESSION, USER)}
    named = {f"metadata.{key}": value for key, value in {**told, **own}.items()}
    return {**kept, **named, "tags": [f"{key}={value}" for key, value in own.items()]}


def _span(row: _Span, resource: dict[str, Any]) -> Span:
    return Span(
        trace_id(row.trace_id),
        span_id(row.span_id),
        row.name,
        parent_id(row.parent_span_id),
        row.start_time_unix_nano,
        row.end_time_unix_nano,
        STATUS.get(row.status.code, "unset"),
        row.status.message or "",
        row.attributes,
        resource,
        tuple(Event(event.name, event.attributes) for event in row.events),
    )


def _vote(row: _Assessment, trace: str) -> Vote:
    """A verdict; an answer that somebody expected is told as a comment."""
    value = row.feedback.value if row.feedback else None
    expected = row.expectation.value if row.expectation else None
    return Vote(
        row.assessment_name,
        value if isinstance(value, str) else None,
        score(value),
        row.rationale if expected is None else f"expected: {expected}",
        row.source.source_type if row.source else None,
        row.last_update_time,
        span_id(row.span_id) if row.span_id else None,
        trace,
    )


STORE = Store(door, pull, read)
