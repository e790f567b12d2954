"""Acting on the fake as people do: none of this shows among the client's calls."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from . import gitstore
from .clock import Clock
from .ref_moves import check_reopen, close, moving_refs
from .rest import comments, issues, labels, merging, pulls, reviews
from .state import Comment, Issue, Pull, Repo, Review, ReviewComment, State

Files = Mapping[str, str | bytes | None]


class People:
    """What anybody can do on this GitHub. `repo` names a repository, or means the first made."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)
        self.clock = Clock()
        self.state = State(self.clock)
        self._lock = threading.RLock()

    def create_repo(
        self,
        full_name: str,
        folder: Path | str | None = None,
        files: Files | None = None,
        history: Sequence[tuple[str, Files]] = (),
        **switches: object,
    ) -> Repo:
        """A repository whose first commit holds `folder` and `files`, then one per `history` row.

        `history` rows are (message, files), a file of None being removed. `switches` are fields
        of `Repo`: private, archived, default_branch, ...
        """
        owner, name = full_name.split("/")
        repo = Repo(
            self.state.next_id(), owner, name, self.root / f"{full_name}.git", self.clock.stamp()
        )
        for key, value in switches.items():
            if not hasattr(repo, key):
                raise TypeError(f"a repository has no {key}")
            setattr(repo, key, value)
        self.state.user(owner)
        gitstore.init(repo.git, repo.default_branch)
        first = _folder_files(Path(folder)) if folder else {}
        head: str | None = None
        for message, change in [("Initial commit", first | dict(files or {})), *history]:
            author = gitstore.Ident.of(owner, self.clock)
            head = gitstore.commit_files(repo.git, head, change, f"{message}\n", author)
        gitstore.set_ref(repo.git, f"refs/heads/{repo.default_branch}", str(head))
        self.state.repos[full_name] = repo
        return repo

    def fork(self, login: str, repo: str | None = None) -> Repo:
        """A fork of a repository under another owner."""
        source = self.repo(repo)
        target = self.root / login / f"{source.name}.git"
        gitstore.copy(source.git, target)
        self.state.user(login)
        made = Repo(
            self.state.next_id(),
            login,
            source.name,
            target,
            self.clock.stamp(),
            default_branch=source.default_branch,
            private=source.private,
            fork_of=source.full_name,
        )
        self.state.repos[made.full_name] = made
        return made

    def rename_repo(self, old: str, new: str) -> None:
        repo = self.state.repos.pop(old)
        repo.owner, repo.name = new.split("/")
        self.state.repos[new] = repo
        self.state.moved[old] = new

    def repo(self, full_name: str | None = None) -> Repo:
        """The named repository, or the first one made."""
        return self.state.repos[full_name] if full_name else next(iter(self.state.repos.values()))

    def permission(self, login: str, level: str, repo: str | None = None) -> None:
        """Make somebody a collaborator: read, triage, write, maintain or admin."""
        self.state.user(login)
        self.repo(repo).permissions[login] = level

    def issue(self, number: int, repo: str | None = None) -> Issue:
        return self.repo(repo).issues[number]

    def pull(self, number: int, repo: str | None = None) -> Pull:
        pull = self.issue(number, repo).pull
        if pull is None:
            raise KeyError(f"number {number} is an issue")
        return pull

    def pulls(self, repo: str | None = None) -> list[Issue]:
        return [issue for issue in self.repo(repo).issues.values() if issue.pull]

    def head(self, branch: str | None = None, repo: str | None = None) -> str | None:
        """The commit a branch is at; None if there is no such branch."""
        found = self.repo(repo)
        return gitstore.refs(found.git).get(f"refs/heads/{branch or found.default_branch}")

    def branches(self, repo: str | None = None) -> dict[str, str]:
        refs = gitstore.refs(self.repo(repo).git)
        return {name.removeprefix("refs/heads/"): sha for name, sha in refs.items()}

    def read_file(self, path: str, ref: str | None = None, repo: str | None = None) -> str | None:
        """A file's text at a branch or commit; None if it is not there."""
        found = self.repo(repo)
        commit = gitstore.resolve(found.git, ref or found.default_branch)
        blob = gitstore.at_path(found.git, commit, path, "blob") if commit else None
        return gitstore.git_bytes(found.git, "cat-file", "blob", blob).decode() if blob else None

    def push_commit(
        self,
        branch: str,
        files: Files,
        message: str,
        author: str,
        repo: str | None = None,
        start: str | None = None,
        amend: bool = False,
    ) -> str:
        """Somebody's commit on a branch, made at `start` (or the default branch) if it is new."""
        found = self.repo(repo)
        ident = gitstore.Ident.of(author, self.clock)
        ref = f"refs/heads/{branch}"
        old = gitstore.refs(found.git).get(ref)
        parent = old or gitstore.resolve(found.git, start or found.default_branch)
        with self._lock, moving_refs(self.state, found, author):
            sha = gitstore.commit_files(found.git, parent, files, f"{message}\n", ident)
            if amend and old:
                commit = gitstore.read_commit(found.git, sha)
                above = gitstore.read_commit(found.git, old).parents
                sha = gitstore.write_commit(
                    found.git, commit.tree, above, f"{message}\n", ident, ident
                )
            gitstore.set_ref(found.git, ref, sha)
        return sha

    def update_branch(self, number: int, login: str, repo: str | None = None) -> str:
        """Press "Update branch": merge the base into a pull request's branch."""
        found, pull = self.repo(repo), self.pull(number, repo)
        base = gitstore.refs(found.git)[f"refs/heads/{pull.base}"]
        tree = gitstore.merged_tree(found.git, pull.head_sha, base)
        if tree is None:
            raise ValueError(f"number {number} conflicts with its base")
        ident = gitstore.Ident.of(login, self.clock)
        text = f"Merge branch '{pull.base}' into {pull.head}\n"
        with self._lock, moving_refs(self.state, found, login):
            parents = [pull.head_sha, base]
            sha = gitstore.write_commit(found.git, tree, parents, text, ident, ident)
            gitstore.set_ref(found.git, f"refs/heads/{pull.head}", sha)
        return sha

    def delete_branch(self, branch: str, login: str, repo: str | None = None) -> None:
        found = self.repo(repo)
        with self._lock, moving_refs(self.state, found, login):
            gitstore.delete_ref(found.git, f"refs/heads/{branch}")

    def open_pull(
        self,
        login: str,
        head: str,
        title: str,
        body: str | None = None,
        base: str | None = None,
        draft: bool = False,
        repo: str | None = None,
    ) -> int:
        """Somebody's pull request; `head` is a branch, or `owner:branch` of a fork."""
        found = self.repo(repo)
        into = base or found.default_branch
        with self._lock:
            return pulls.open_pull(self.state, found, login, head, into, title, body, draft).number

    def open_issue(
        self,
        login: str,
        title: str,
        body: str | None = None,
        labels: Sequence[str] = (),
        repo: str | None = None,
    ) -> int:
        with self._lock:
            found = self.repo(repo)
            return issues.open_issue(self.state, found, login, title, body, labels).number

    def edit(self, number: int, login: str, repo: str | None = None, **changes: object) -> None:
        """Change title, body, labels, assignees or state as somebody."""
        with self._lock:
            issues.edit(self.state, self.repo(repo), self.issue(number, repo), login, changes)

    def comment(self, number: int, login: str, body: str, repo: str | None = None) -> Comment:
        with self._lock:
            found, issue = self.repo(repo), self.issue(number, repo)
            return comments.write_comment(self.state, found, issue, login, body)

    def edit_comment(self, comment: Comment, body: str, repo: str | None = None) -> None:
        with self._lock:
            comments.edit_comment(self.state, self.repo(repo), comment, body)

    def react(self, comment: Comment, login: str, content: str) -> None:
        with self._lock:
            comments.react(self.state, comment, login, content)

    def label(self, number: int, login: str, *names: str, repo: str | None = None) -> None:
        with self._lock:
            found, issue = self.repo(repo), self.issue(number, repo)
            labels.set_labels(self.state, found, issue, [*issue.labels, *names], login)

    def unlabel(self, number: int, login: str, name: str, repo: str | None = None) -> None:
        with self._lock:
            found, issue = self.repo(repo), self.issue(number, repo)
            kept = [label for label in issue.labels if label != name]
            labels.set_labels(self.state, found, issue, kept, login)

    def close(self, number: int, login: str, repo: str | None = None) -> None:
        with self._lock:
            close(self.state, self.issue(number, repo), login)

    def reopen(self, number: int, login: str, repo: str | None = None) -> None:
        with self._lock:
            issue = self.issue(number, repo)
            check_reopen(self.repo(repo), issue)
            issues.reopen(self.state, issue, login)

    def set_draft(self, number: int, login: str, draft: bool, repo: str | None = None) -> None:
        with self._lock:
            issue = self.issue(number, repo)
            pulls.set_draft(self.state, issue, self.pull(number, repo), draft, login)

    def merge(self, number: int, login: str, method: str = "merge", repo: str | None = None) -> str:
        """Merge as somebody by `merge`, `squash` or `rebase`; the merge commit's id."""
        with self._lock:
            found, issue = self.repo(repo), self.issue(number, repo)
            return merging.merge(self.state, found, issue, self.pull(number, repo), login, method)

    def review(
        self, number: int, login: str, event: str, body: str = "", repo: str | None = None
    ) -> Review:
        """A review: APPROVE, REQUEST_CHANGES or COMMENT."""
        with self._lock:
            issue = self.issue(number, repo)
            return reviews.review(self.state, issue, self.pull(number, repo), login, event, body)

    def review_comment(
        self, number: int, login: str, body: str, path: str, line: int, repo: str | None = None
    ) -> ReviewComment:
        """An open review thread; set `resolved` on it to resolve it."""
        with self._lock:
            issue, pull = self.issue(number, repo), self.pull(number, repo)
            return reviews.comment_line(self.state, issue, pull, login, body, path, line)


def _folder_files(folder: Path) -> dict[str, bytes]:
    """The files of a folder, without the git directory a checkout would bring along."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }
