"""The repository itself: branches, people, commits, files; who is calling; rate limit."""

from __future__ import annotations

from urllib.parse import quote

from tests.github_fake import git_views, gitstore, views
from tests.github_fake.call import Call, Reply
from tests.github_fake.state import Problem, User

RATE = {"limit": 5000, "remaining": 4999, "used": 1}


def rate_limit(call: Call) -> Reply:
    reset = int(call.state.clock.now().timestamp()) + 3600
    rate = RATE | {"reset": reset}
    return 200, {"rate": rate, "resources": dict.fromkeys(("core", "search", "graphql"), rate)}


def me(call: Call) -> Reply:
    if call.actor.endswith("[bot]"):
        # A workflow's or an app's token belongs to no user; GraphQL's `viewer` does answer it.
        raise Problem(403, "Resource not accessible by integration")
    return 200, _profile(call, call.state.user(call.actor))


def get_user(call: Call) -> Reply:
    login = call.params["username"]
    if login not in call.state.users:
        raise Problem(404, "Not Found")
    return 200, _profile(call, call.state.users[login])


def _profile(call: Call, user: User) -> views.View:
    return views.user(call.state, user.login) | {"user_view_type": "public", "name": user.login}


def get(call: Call) -> Reply:
    view = views.repo(call.state, call.repo)
    if call.repo.fork_of in call.state.repos:
        parent = views.repo(call.state, call.state.repos[call.repo.fork_of])
        view |= {"parent": parent, "source": parent}
    return 200, view


def _branch(call: Call, ref: str, sha: str) -> views.View:
    url = f"{views.api(call.state, call.repo)}/commits/{sha}"
    return {
        "name": ref.removeprefix("refs/heads/"),
        "protected": False,
        "commit": {"sha": sha, "url": url},
    }


def list_branches(call: Call) -> Reply:
    refs = gitstore.refs(call.repo.git)
    return 200, [_branch(call, ref, sha) for ref, sha in refs.items()]


def get_branch(call: Call) -> Reply:
    ref = f"refs/heads/{call.params['branch']}"
    sha = gitstore.refs(call.repo.git).get(ref)
    if sha is None:
        raise Problem(404, "Branch not found")
    url = f"{views.api(call.state, call.repo)}/branches/{quote(call.params['branch'])}"
    return 200, _branch(call, ref, sha) | {
        "commit": git_views.commit(call.state, call.repo, sha),
        "_links": {"self": url, "html": url},
        "protection": {"enabled": False},
        "protection_url": f"{url}/protection",
    }


def permission(call: Call) -> Reply:
    """A collaborator's permission: GitHub folds `maintain` and `triage` into the older words."""
    login, repo = call.params["username"], call.repo
    if login not in call.state.users:
        raise Problem(404, f"{login} is not a user")
    role = "admin" if login == repo.owner else repo.permissions.get(login, "")
    role = role or ("none" if repo.private else "read")
    level = {"maintain": "write", "triage": "read"}.get(role, role)
    user = views.user(call.state, login) | {"role_name": role}
    return 200, {"permission": level, "role_name": role, "user": user}


def list_commits(call: Call) -> Reply:
    query = call.query
    sha = call.commit(query.get("sha") or call.repo.default_branch)
    flags = [f"--{key}={query[key]}" for key in ("since", "until", "author") if key in query]
    paths = ["--", query["path"]] if "path" in query else []
    shas = gitstore.log(call.repo.git, *flags, sha, *paths)
    return 200, [git_views.commit(call.state, call.repo, item) for item in shas]


def get_commit(call: Call) -> Reply:
    sha = gitstore.resolve(call.repo.git, call.params["ref"])
    if sha is None:
        raise Problem(422, f"No commit found for SHA: {call.params['ref']}")
    return 200, git_views.commit(call.state, call.repo, sha, files=True)


def compare(call: Call) -> Reply:
    old, dots, new = call.params["basehead"].partition("...")
    if not dots:
        raise Problem(404, "Not Found")
    repo, base, head = call.repo, call.commit(old), call.commit(new.rpartition(":")[2])
    fork = gitstore.merge_base(repo.git, base, head)
    if fork is None:
        raise Problem(404, f"No common ancestor between {old} and {new}.")
    ahead = gitstore.log(repo.git, "--reverse", f"{base}..{head}")
    behind = gitstore.log(repo.git, f"{head}..{base}")
    status = {(True, False): "ahead", (False, True): "behind", (True, True): "diverged"}
    url = f"{views.api(call.state, repo)}/compare/{quote(call.params['basehead'])}"
    return 200, {
        "url": url,
        "html_url": url,
        "permalink_url": url,
        "diff_url": f"{url}.diff",
        "patch_url": f"{url}.patch",
        "base_commit": git_views.commit(call.state, repo, base),
        "merge_base_commit": git_views.commit(call.state, repo, fork),
        "status": status.get((bool(ahead), bool(behind)), "identical"),
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "commits": [git_views.commit(call.state, repo, sha) for sha in ahead],
        "files": [
            git_views.file_change(call.state, repo, head, item)
            for item in gitstore.changes(repo.git, fork, head)
        ],
    }


def contents(call: Call) -> Reply:
    """A file with its content, or a folder as a list."""
    sha = call.commit(call.query.get("ref") or call.repo.default_branch)
    path = call.params["path"].strip("/")
    found = gitstore.at_path(call.repo.git, sha, path, "tree")
    if found:
        rows = gitstore.entries(call.repo.git, found)
        return 200, [_entry(call, sha, f"{path}/{row.path}".strip("/"), row) for row in rows]
    folder, _, name = path.rpartition("/")
    parent = gitstore.at_path(call.repo.git, sha, folder, "tree")
    for row in gitstore.entries(call.repo.git, parent) if parent else []:
        if row.path == name and row.kind == "blob":
            content = gitstore.git_bytes(call.repo.git, "cat-file", "blob", row.sha)
            more = {"encoding": "base64", "content": views.encoded(content)}
            return 200, _entry(call, sha, path, row) | more
    raise Problem(404, "Not Found")


def _entry(call: Call, commit: str, path: str, row: gitstore.Entry) -> views.View:
    url = f"{views.api(call.state, call.repo)}/contents/{quote(path)}?ref={commit}"
    html = f"{call.state.base_url}/{call.repo.full_name}/blob/{commit}/{quote(path)}"
    git_url = f"{views.api(call.state, call.repo)}/git/{row.kind}s/{row.sha}"
    return {
        "type": {"blob": "file", "tree": "dir"}.get(row.kind, "submodule"),
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": row.sha,
        "size": row.size or 0,
        "url": url,
        "git_url": git_url,
        "html_url": html,
        "download_url": html if row.kind == "blob" else None,
        "_links": {"self": url, "git": git_url, "html": html},
    }
