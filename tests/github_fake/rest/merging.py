"""Merging pull requests: real merges of real commits in the bare repository."""

from __future__ import annotations

from tests.github_fake import gitstore
from tests.github_fake.call import Call, Reply
from tests.github_fake.ref_moves import mark_merged, moving_refs
from tests.github_fake.state import Issue, Problem, Pull, Repo, State


def merge(
    state: State,
    repo: Repo,
    issue: Issue,
    pull: Pull,
    login: str,
    method: str = "merge",
    title: str | None = None,
    message: str | None = None,
) -> str:
    """Merge as the green button does; the id of the commit the base is at then."""
    if issue.state != "open" or pull.draft:
        raise Problem(405, "Pull Request is not mergeable")
    base = gitstore.refs(repo.git)[f"refs/heads/{pull.base}"]
    author = gitstore.Ident.of(login, state.clock)
    if method == "rebase":
        sha = _rebase(repo, base, pull, author)
    else:
        tree = gitstore.merged_tree(repo.git, base, pull.head_sha)
        if tree is None:
            raise Problem(405, "Pull Request is not mergeable")
        parents = [base] if method == "squash" else [base, pull.head_sha]
        first = title or _title(repo, issue, pull, method)
        rest = message if message is not None else "" if method == "squash" else issue.title
        text = f"{first}\n\n{rest}".rstrip() + "\n"
        flow = gitstore.Ident("GitHub", "noreply@github.com", state.clock.stamp())
        sha = gitstore.write_commit(repo.git, tree, parents, text, author, flow)
    repo.signed.add(sha)
    # Marked before the base moves: the move would otherwise be taken for somebody's push.
    mark_merged(state, repo, issue, sha, login)
    with moving_refs(state, repo, login):
        gitstore.set_ref(repo.git, f"refs/heads/{pull.base}", sha, base)
        if repo.delete_branch_on_merge and pull.head_repo == repo.full_name:
            gitstore.delete_ref(repo.git, f"refs/heads/{pull.head}")
    return sha


def _title(repo: Repo, issue: Issue, pull: Pull, method: str) -> str:
    if method == "squash":
        return f"{issue.title} (#{issue.number})"
    owner = pull.head_repo.split("/")[0]
    return f"Merge pull request #{issue.number} from {owner}/{pull.head}"


def _rebase(repo: Repo, base: str, pull: Pull, committer: gitstore.Ident) -> str:
    """Replay the commits one by one.

    A three-way merge needs the replayed commit's parent as merge base, so each step merges with
    a throw-away commit that has our tree on top of that parent.
    """
    onto = base
    for sha in gitstore.log(repo.git, "--reverse", "--no-merges", f"{base}..{pull.head_sha}"):
        commit = gitstore.read_commit(repo.git, sha)
        tree = gitstore.read_commit(repo.git, onto).tree
        ours = gitstore.write_commit(repo.git, tree, commit.parents, "step", committer, committer)
        merged = gitstore.merged_tree(repo.git, ours, sha)
        if merged is None:
            raise Problem(405, "Pull Request is not mergeable")
        onto = gitstore.write_commit(
            repo.git, merged, [onto], commit.message, commit.author, committer
        )
    return onto


def is_merged(call: Call) -> Reply:
    _, pull = call.pull()
    if pull.merged_at is None:
        raise Problem(404, "Not Found")
    return 204, None


def create(call: Call) -> Reply:
    issue, pull = call.pull()
    body = call.body or {}
    if body.get("sha", pull.head_sha) != pull.head_sha:
        raise Problem(409, "Head branch was modified. Review and try the merge again.")
    sha = merge(
        call.state,
        call.repo,
        issue,
        pull,
        call.actor,
        body.get("merge_method", "merge"),
        body.get("commit_title"),
        body.get("commit_message"),
    )
    return 200, {"sha": sha, "merged": True, "message": "Pull Request successfully merged"}
