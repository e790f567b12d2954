"""Git objects as the REST interface shows them."""

from __future__ import annotations

from urllib.parse import quote

from . import gitstore
from .state import Repo, State
from .views import View, api, user


def ref(state: State, repo: Repo, name: str, sha: str) -> View:
    url = api(state, repo)
    return {
        "ref": name,
        "node_id": f"REF_{name}",
        "url": f"{url}/git/{name}",
        "object": {"type": "commit", "sha": sha, "url": f"{url}/git/commits/{sha}"},
    }


def ident(who: gitstore.Ident) -> View:
    return {"name": who.name, "email": who.email, "date": who.date}


def verification(repo: Repo, sha: str) -> View:
    signed = sha in repo.signed
    return {
        "verified": signed,
        "reason": "valid" if signed else "unsigned",
        "signature": "-----BEGIN PGP SIGNATURE-----" if signed else None,
        "payload": f"tree of {sha}" if signed else None,
        "verified_at": None,
    }


def login_of(state: State, who: gitstore.Ident) -> str | None:
    name, _, host = who.email.partition("@")
    return name if host == "users.noreply.github.com" else None


def git_commit(state: State, repo: Repo, sha: str) -> View:
    """A commit as the Git data calls show it."""
    commit, url = gitstore.read_commit(repo.git, sha), api(state, repo)
    html = f"{state.base_url}/{repo.full_name}/commit"
    return {
        "sha": sha,
        "node_id": f"C_{sha}",
        "url": f"{url}/git/commits/{sha}",
        "html_url": f"{html}/{sha}",
        "author": ident(commit.author),
        "committer": ident(commit.committer),
        "message": commit.message,
        "tree": {"sha": commit.tree, "url": f"{url}/git/trees/{commit.tree}"},
        "parents": [
            {"sha": p, "url": f"{url}/git/commits/{p}", "html_url": f"{html}/{p}"}
            for p in commit.parents
        ],
        "verification": verification(repo, sha),
    }


def commit(state: State, repo: Repo, sha: str, files: bool = False) -> View:
    """A commit as the repository calls show it."""
    found, url = gitstore.read_commit(repo.git, sha), api(state, repo)
    html = f"{state.base_url}/{repo.full_name}/commit"
    inner = git_commit(state, repo, sha)
    author, committer = login_of(state, found.author), login_of(state, found.committer)
    view: View = {
        "sha": sha,
        "node_id": f"C_{sha}",
        "url": f"{url}/commits/{sha}",
        "html_url": f"{html}/{sha}",
        "comments_url": f"{url}/commits/{sha}/comments",
        "commit": {
            "url": inner["url"],
            "author": inner["author"],
            "committer": inner["committer"],
            "message": inner["message"],
            "tree": inner["tree"],
            "comment_count": 0,
            "verification": inner["verification"],
        },
        "author": user(state, author) if author else None,
        "committer": user(state, committer) if committer else None,
        "parents": [
            {"sha": p, "url": f"{url}/commits/{p}", "html_url": f"{html}/{p}"}
            for p in found.parents
        ],
    }
    if files:
        old = found.parents[0] if found.parents else gitstore.EMPTY_TREE
        changed = gitstore.changes(repo.git, old, sha)
        view["files"] = [file_change(state, repo, sha, change) for change in changed]
        added, removed = (sum(c.count(sign) for c in changed) for sign in "+-")
        view["stats"] = {"additions": added, "deletions": removed, "total": added + removed}
    return view


def file_change(state: State, repo: Repo, sha: str, change: gitstore.FileChange) -> View:
    html, path = f"{state.base_url}/{repo.full_name}", quote(change.path)
    view: View = {
        "sha": change.sha,
        "filename": change.path,
        "status": change.status,
        "additions": change.count("+"),
        "deletions": change.count("-"),
        "changes": change.count("+") + change.count("-"),
        "blob_url": f"{html}/blob/{sha}/{path}",
        "raw_url": f"{html}/raw/{sha}/{path}",
        "contents_url": f"{api(state, repo)}/contents/{path}?ref={sha}",
    }
    if change.patch is not None:
        view["patch"] = change.patch
    if change.previous:
        view["previous_filename"] = change.previous
    return view
