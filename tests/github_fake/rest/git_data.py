"""Git data: refs, blobs, trees and commits, all of them real objects in the bare repository."""

from __future__ import annotations

import base64
import binascii
import fnmatch

from tests.github_fake import git_views, gitstore, views
from tests.github_fake.call import Call, Reply
from tests.github_fake.clock import moment, stamp
from tests.github_fake.ref_moves import moving_refs
from tests.github_fake.state import Problem, Repo, State

RULES = {
    "create": "Cannot create ref due to creations being restricted.",
    "update": "Cannot update this protected ref.",
    "delete": "Cannot delete this protected ref.",
}


def check_rules(repo: Repo, ref: str, doing: str) -> None:
    """The repository's rules as a ruleset would apply them: ref patterns nobody may touch."""
    if any(fnmatch.fnmatchcase(ref, pattern) for pattern in repo.forbidden_refs):
        raise Problem(422, f"Repository rule violations found\n\n{RULES[doing]}")


def create_ref(state: State, repo: Repo, login: str, ref: str, sha: str) -> None:
    check_rules(repo, ref, "create")
    if not ref.startswith("refs/") or ref.count("/") < 2 or not _well_formed(repo, ref):
        raise Problem(422, f"{ref} is not a valid ref name.")
    if ref in gitstore.refs(repo.git, "refs/"):
        raise Problem(422, "Reference already exists")
    if gitstore.resolve(repo.git, sha) != sha:
        raise Problem(422, "Object does not exist")
    if gitstore.blocked_by(repo.git, ref):
        raise Problem(422, "Reference update failed")
    with moving_refs(state, repo, login):
        gitstore.set_ref(repo.git, ref, sha, gitstore.ZERO)


def _well_formed(repo: Repo, ref: str) -> bool:
    return gitstore.succeeds(repo.git, "check-ref-format", ref)


def move_ref(state: State, repo: Repo, login: str, ref: str, sha: str, force: bool) -> None:
    check_rules(repo, ref, "update")
    old = gitstore.refs(repo.git, "refs/").get(ref)
    if old is None:
        raise Problem(422, "Reference does not exist")
    if gitstore.resolve(repo.git, sha) != sha:
        raise Problem(422, "Object does not exist")
    if not force and not gitstore.is_ancestor(repo.git, old, sha):
        raise Problem(422, "Update is not a fast forward")
    with moving_refs(state, repo, login):
        gitstore.set_ref(repo.git, ref, sha, old)


def remove_ref(state: State, repo: Repo, login: str, ref: str) -> None:
    check_rules(repo, ref, "delete")
    if ref not in gitstore.refs(repo.git, "refs/"):
        raise Problem(422, "Reference does not exist")
    if ref == f"refs/heads/{repo.default_branch}":
        raise Problem(422, "Cannot delete this protected ref.")
    with moving_refs(state, repo, login):
        gitstore.delete_ref(repo.git, ref)


def get_ref(call: Call) -> Reply:
    name = f"refs/{call.params['ref']}"
    sha = gitstore.refs(call.repo.git, "refs/").get(name)
    if sha is None:
        raise Problem(404, "Not Found")
    return 200, git_views.ref(call.state, call.repo, name, sha)


def matching_refs(call: Call) -> Reply:
    found = gitstore.refs(call.repo.git, f"refs/{call.params['ref']}")
    return 200, [git_views.ref(call.state, call.repo, name, sha) for name, sha in found.items()]


def post_ref(call: Call) -> Reply:
    ref, sha = call.body["ref"], call.body["sha"]
    create_ref(call.state, call.repo, call.actor, ref, sha)
    return 201, git_views.ref(call.state, call.repo, ref, sha)


def patch_ref(call: Call) -> Reply:
    ref, sha = f"refs/{call.params['ref']}", call.body["sha"]
    move_ref(call.state, call.repo, call.actor, ref, sha, call.body.get("force", False))
    return 200, git_views.ref(call.state, call.repo, ref, sha)


def delete_ref(call: Call) -> Reply:
    remove_ref(call.state, call.repo, call.actor, f"refs/{call.params['ref']}")
    return 204, None


def post_blob(call: Call) -> Reply:
    content = call.body["content"].encode()
    if call.body.get("encoding", "utf-8") == "base64":
        try:
            content = base64.b64decode(content)
        except binascii.Error as error:
            raise Problem(422, "content is not valid Base64") from error
    sha = gitstore.write_blob(call.repo.git, content)
    return 201, {"sha": sha, "url": f"{views.api(call.state, call.repo)}/git/blobs/{sha}"}


def get_blob(call: Call) -> Reply:
    sha = gitstore.resolve(call.repo.git, call.params["file_sha"], "blob")
    if sha is None:
        raise Problem(404, "Not Found")
    content = gitstore.git_bytes(call.repo.git, "cat-file", "blob", sha)
    return 200, {
        "sha": sha,
        "node_id": f"B_{sha}",
        "url": f"{views.api(call.state, call.repo)}/git/blobs/{sha}",
        "size": len(content),
        "encoding": "base64",
        "content": views.encoded(content),
    }


def _tree(call: Call, sha: str, recursive: bool = False) -> views.View:
    url = f"{views.api(call.state, call.repo)}/git"
    rows = []
    for entry in gitstore.entries(call.repo.git, sha, recursive):
        row = {
            "path": entry.path,
            "mode": entry.mode,
            "type": entry.kind,
            "sha": entry.sha,
            "url": f"{url}/{entry.kind}s/{entry.sha}",
        }
        rows.append(row if entry.size is None else row | {"size": entry.size})
    return {"sha": sha, "url": f"{url}/trees/{sha}", "truncated": False, "tree": rows}


def post_tree(call: Call) -> Reply:
    changes: list[tuple[str, str | None, str | None]] = []
    for item in call.body["tree"]:
        sha = item.get("sha")
        if "content" in item:
            sha = gitstore.write_blob(call.repo.git, item["content"].encode())
        elif "sha" not in item:
            raise Problem(422, "Must supply either tree.sha or tree.content")
        changes.append((item["path"], item["mode"] if sha else None, sha))
    base = call.body.get("base_tree")
    if base is not None and gitstore.resolve(call.repo.git, base, "tree") is None:
        raise Problem(422, "base_tree is not a valid tree oid")
    return 201, _tree(call, gitstore.write_tree(call.repo.git, base, changes))


def get_tree(call: Call) -> Reply:
    sha = gitstore.resolve(call.repo.git, call.params["tree_sha"], "tree")
    if sha is None:
        raise Problem(404, "Not Found")
    return 200, _tree(call, sha, "recursive" in call.query)


def post_commit(call: Call) -> Reply:
    body, repo = call.body, call.repo
    if gitstore.resolve(repo.git, body["tree"], "tree") is None:
        raise Problem(422, "Tree SHA does not exist")
    for parent in body.get("parents", []):
        if gitstore.resolve(repo.git, parent) is None:
            raise Problem(422, "Parent SHA does not exist or is not a commit object")
    own = gitstore.Ident.of(call.actor, call.state.clock)
    author = _ident(body.get("author"), own)
    committer = _ident(body.get("committer"), author)
    sha = gitstore.write_commit(
        repo.git, body["tree"], body.get("parents", []), body["message"], author, committer
    )
    if call.actor.endswith("[bot]") and repo.sign_api_commits and author == committer == own:
        # GitHub signs a bot's commit only if the bot names neither author nor committer.
        repo.signed.add(sha)
    return 201, git_views.git_commit(call.state, repo, sha)


def _ident(given: dict[str, str] | None, default: gitstore.Ident) -> gitstore.Ident:
    if not given:
        return default
    date = stamp(moment(given["date"])) if "date" in given else default.date
    return gitstore.Ident(given["name"], given["email"], date)


def get_commit(call: Call) -> Reply:
    sha = call.commit(call.params["commit_sha"])
    return 200, git_views.git_commit(call.state, call.repo, sha)
