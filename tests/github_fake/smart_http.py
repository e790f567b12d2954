"""Git's smart HTTP by git's own `http-backend`, with GitHub's answers to who may do what."""

from __future__ import annotations

import subprocess
from pathlib import Path

from . import access, gitstore
from .api import Answer, Request, git_path
from .ref_moves import moving_refs
from .state import Problem, Repo, State

CHALLENGE = (("WWW-Authenticate", 'Basic realm="GitHub"'),)


def is_push(request: Request) -> bool:
    return request.method == "POST" and request.path.endswith("/git-receive-pack")


def serve(state: State, tokens: access.Tokens, root: Path, request: Request) -> Answer:
    name, rest = git_path(request.path) or ("", "")
    pushing = "git-receive-pack" in (rest, request.query.get("service"))
    try:
        login = access.login_of(tokens, request.authorization)
        repo = state.repos.get(state.moved.get(name, name))
        if login is None and (repo is None or repo.private or pushing):
            return Answer(401, CHALLENGE)
        if repo is None or not access.may_read(repo, login):
            raise Problem(404, "Repository not found.")
        access.check_token(tokens, request.authorization, ("contents",), pushing)
        access.check_repo(repo, login, ("contents",), pushing)
    except Problem as problem:
        return Answer(problem.status, (("Content-Type", "text/plain"),), problem.message.encode())
    if not is_push(request):
        return _backend(root, repo, rest, request, login)
    with moving_refs(state, repo, login or ""):
        return _backend(root, repo, rest, request, login)


def _backend(root: Path, repo: Repo, rest: str, request: Request, login: str | None) -> Answer:
    env = gitstore.clean_env() | {
        "GIT_PROJECT_ROOT": str(root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{repo.git.relative_to(root)}/{rest}",
        "QUERY_STRING": "&".join(f"{key}={value}" for key, value in request.query.items()),
        "REQUEST_METHOD": request.method,
        "CONTENT_TYPE": request.headers.get("Content-Type", ""),
        "CONTENT_LENGTH": str(len(request.body)),
        "REMOTE_USER": login or "",
        "REMOTE_ADDR": "127.0.0.1",
        "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        # Git gzips some bodies; the backend unpacks them only if told.
        "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
    }
    # Removes the caller's identity check of file owners, which no server has.
    command = ["git", "-c", "safe.directory=*", "http-backend"]
    done = subprocess.run(command, input=request.body, env=env, capture_output=True, check=False)
    gitstore.forget(repo.git)
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    pairs = [line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if line]
    headers = dict(pairs)
    status = int(headers.pop("Status", "200")[:3])
    # "ng" is the report of a refused ref; a push of nothing but refusals changed nothing.
    changed = is_push(request) and status == 200 and b"ok refs/" in body
    return Answer(status, tuple(headers.items()), body, changed)
