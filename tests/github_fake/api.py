"""One API request in, one answer out: find the call, check it, let a handler work, check again."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from email.message import Message
from typing import Any
from urllib.parse import urlencode

from . import access, description
from .call import Call
from .description import Operation
from .routes import ROUTES
from .state import Problem, Repo, State

DOCS = "https://docs.github.com/rest"
JSON = "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: Message
    body: bytes

    @property
    def authorization(self) -> str:
        return str(self.headers.get("Authorization", ""))


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    changed: bool = False


def json_answer(status: int, payload: Any, *headers: tuple[str, str]) -> Answer:
    return Answer(status, (("Content-Type", JSON), *headers), json.dumps(payload).encode())


def refusal(problem: Problem) -> Answer:
    body: dict[str, Any] = {"message": problem.message, "documentation_url": DOCS}
    if problem.errors is not None:
        body["errors"] = problem.errors
    return json_answer(problem.status, body | {"status": str(problem.status)})


def serve(state: State, tokens: access.Tokens, request: Request) -> Answer:
    operation = description.find(request.method, request.path)
    if operation is None or (operation.method, operation.template) not in ROUTES:
        text = f"the fake does not know {request.method} {request.path}"
        return json_answer(501, {"message": text})
    try:
        return _serve(state, tokens, request, operation)
    except Problem as problem:
        answer = refusal(problem)
        wrong = description.response_problems(operation, answer.status, json.loads(answer.body))
        return _drifted(operation, answer.status, wrong) if wrong else answer


def _serve(state: State, tokens: access.Tokens, request: Request, operation: Operation) -> Answer:
    write = request.method != "GET"
    login = access.login_of(tokens, request.authorization)
    moved = _moved(state, operation)
    if moved:
        return moved
    repo = _repo(state, operation, login)
    scopes = _scopes(operation, repo)
    access.check_token(tokens, request.authorization, scopes, write)
    if repo:
        access.check_repo(repo, login, scopes, write)
    body = _body(request)
    wrong = description.request_problems(operation, request.query, _checkable(operation, body))
    if wrong:
        errors = [{"resource": "Request", "code": "invalid", "message": text} for text in wrong]
        raise Problem(422, f"Invalid request.\n\n{'; '.join(wrong)}", errors)
    call = Call(state, login, repo, operation.params, request.query, body)
    status, view = ROUTES[operation.method, operation.template].handler(call)
    return _answer(state, request, operation, status, view)


def _answer(state: State, request: Request, operation: Operation, status: int, view: Any) -> Answer:
    changed = request.method != "GET"
    headers = [*rate_headers(state)]
    if description.paginated(operation):
        view, links = _page(state, request, view)
        headers += links
    schema = description.response_schema(operation, status)
    if schema is None:
        return Answer(status, tuple(headers), changed=changed)
    payload = description.fill(schema, view, f"{state.base_url}/not-served")
    wrong = description.response_problems(operation, status, payload)
    if wrong:
        return _drifted(operation, status, wrong)
    body = json.dumps(payload).encode()
    tag = f'W/"{hashlib.sha256(body).hexdigest()}"'
    headers.append(("ETag", tag))
    if request.method == "GET" and request.headers.get("If-None-Match") == tag:
        return Answer(304, tuple(headers))
    return Answer(status, (("Content-Type", JSON), *headers), body, changed)


def rate_headers(state: State) -> tuple[tuple[str, str], ...]:
    reset = int(state.clock.now().timestamp()) + 3600
    return (
        ("X-RateLimit-Limit", "5000"),
        ("X-RateLimit-Remaining", "4999"),
        ("X-RateLimit-Reset", str(reset)),
    )


def _drifted(operation: Operation, status: int, wrong: list[str]) -> Answer:
    """The fake's own fault, said so loudly that no test takes it for GitHub's answer."""
    text = f"the fake's answer {status} to {operation.method} {operation.template} is not GitHub's"
    return json_answer(599, {"message": text, "errors": wrong})


def _repo(state: State, operation: Operation, login: str | None) -> Repo | None:
    if "repo" not in operation.params:
        return None
    repo = access.find_repo(state, operation.params["owner"], operation.params["repo"])
    if repo is None or not access.may_read(repo, login):
        raise Problem(404, "Not Found")
    return repo


def _moved(state: State, operation: Operation) -> Answer | None:
    """A renamed repository's old name leads on to the new one."""
    params = operation.params
    new = state.moved.get(f"{params.get('owner')}/{params.get('repo')}")
    if new is None:
        return None
    owner, name = new.split("/")
    url = state.base_url + operation.template.format(**params | {"owner": owner, "repo": name})
    body = {"message": "Moved Permanently", "url": url, "documentation_url": DOCS}
    return json_answer(301, body, ("Location", url))


def _scopes(operation: Operation, repo: Repo | None) -> tuple[str, ...]:
    """The permissions any one of which allows the call."""
    scope = ROUTES[operation.method, operation.template].scope
    number = operation.params.get("issue_number")
    on_pull = repo and number and (issue := repo.issues.get(int(number))) and issue.pull
    if scope == "issues" and (on_pull or "issues/comments" in operation.template):
        return "issues", "pull_requests"
    return (scope,)


def _body(request: Request) -> Any:
    if not request.body:
        return None
    try:
        return json.loads(request.body)
    except ValueError as error:
        raise Problem(400, "Problems parsing JSON") from error


def _checkable(operation: Operation, body: Any) -> Any:
    """The body in the form the description knows, where GitHub takes more than it describes.

    Issue labels may come as a bare array, and replaced by an empty one: allowed in its prose.
    """
    if operation.template.endswith("{issue_number}/labels") and isinstance(body, list):
        return {"labels": body} if body else None
    return body


def _page(state: State, request: Request, view: Any) -> tuple[Any, list[tuple[str, str]]]:
    """One page of a list, or of a search's items, and the Link header to the others."""
    items = view if isinstance(view, list) else view.get("items")
    if items is None:
        return view, []
    size = max(1, min(100, int(request.query.get("per_page", 30))))
    page = max(1, int(request.query.get("page", 1)))
    last = max(1, -(-len(items) // size))
    targets = {"prev": page - 1, "next": page + 1, "first": 1, "last": last}
    wanted = [
        name
        for name, there in (
            ("prev", page > 1),
            ("next", page < last),
            ("last", page < last),
            ("first", page > 1),
        )
        if there
    ]
    links = []
    for name in wanted:
        query = urlencode(request.query | {"page": str(targets[name])})
        links.append(f'<{state.base_url}{request.path}?{query}>; rel="{name}"')
    part = items[(page - 1) * size : page * size]
    header = [("Link", ", ".join(links))] if links else []
    return (part if isinstance(view, list) else view | {"items": part}), header


def git_path(path: str) -> tuple[str, str] | None:
    """(owner/name, the rest) of a smart HTTP path."""
    match = re.match(r"/([^/]+/[^/]+?)(?:\.git)?/(info/refs|git-[a-z-]+)$", path)
    return (match[1], match[2]) if match else None
