"""The branch of a unit: is it there, is it ours, and does it hold exactly the proposal."""

from __future__ import annotations

import base64

import msgspec
from github.Comparison import Comparison
from github.ContentFile import ContentFile

from bot.context.diff import blob_sha, file_change, patch_digest
from bot.forges.client import ask, find
from bot.forges.git import Commit, Refused
from bot.forges.hub import Hub
from bot.identity.marker import from_trailers
from bot.records.change import FileChange
from bot.records.report import Proposal

# A proposal of ours is small: more files than this are not ours, and need not be read.
MOST_FILES = 50


def base_moved(hub: Hub, files: tuple[FileChange, ...]) -> str | None:
    """The first touched file that has another content on the base branch by now."""
    if hub.tip == hub.base_sha:
        return None
    for file in files:
        if blob_sha(text_at(hub, file.path, hub.tip)) != file.base_sha:
            return file.path
    return None


def ensure_branch(hub: Hub, proposal: Proposal) -> Refused | None:
    """The branch holds the proposal afterwards. Why not, where somebody else's work stands there.

    A branch that a former run left behind is taken as it is if it holds the same patch, and
    replaced if it holds another one that nobody has touched.
    """
    unit, pull = proposal.change_set, proposal.pull_request
    commit = Commit(hub.base_sha, pull.commit_message, hub.login, hub.date)
    sha = hub.checkout.commit(commit, unit.files)
    head = _head(hub, pull.branch)
    if head is not None and head != sha:
        digest = content(hub, head, hub.tip).digest
        if digest == unit.patch_digest:
            return None
        if not _untouched(hub, head, digest, unit.unit_id):
            return Refused(f"{pull.branch} holds commits that are not trace-bot's")
    if head == sha:
        return None
    refused = hub.checkout.push(sha, pull.branch, head, hub.push_url, hub.access)
    if refused is not None and _head(hub, pull.branch) == sha:
        return None
    return refused


class Content(msgspec.Struct, frozen=True):
    """What a commit changes against where it left the base; `files` is None for a change that is
    none of ours by its form."""

    base: str
    paths: frozenset[str]
    files: tuple[FileChange, ...] | None

    @property
    def digest(self) -> str | None:
        """The digest of the patch; None if it cannot be ours."""
        return None if self.files is None else patch_digest(self.files)


def content(hub: Hub, head: str, base: str) -> Content:
    """What `head` changes, as seen from a commit of the base branch."""
    fork, paths, ours = ask("compare branches", lambda: _compared(hub.repo.compare(base, head)))
    if not ours:
        return Content(fork, frozenset(paths), None)
    changes = tuple(
        file_change(path, text_at(hub, path, fork), text_at(hub, path, head)) for path in paths
    )
    return Content(fork, frozenset(paths), changes)


def _compared(comparison: Comparison) -> tuple[str, list[str], bool]:
    """The merge base, the changed paths, and whether the change may be ours by its form.

    PyGithub asks only when a field is read, so this belongs inside one call.
    """
    files = list(comparison.files)
    ours = len(files) <= MOST_FILES and all(file.status != "renamed" for file in files)
    return comparison.merge_base_commit.sha, [file.filename for file in files], ours


def _untouched(hub: Hub, head: str, digest: str | None, unit: str) -> bool:
    """Whether the commit is ours for this unit and says itself that it holds just this patch."""
    message = ask("read a commit", lambda: hub.repo.get_git_commit(head).message)
    told = from_trailers(message)
    return told is not None and told.unit == unit and told.patch == digest


def _head(hub: Hub, branch: str) -> str | None:
    return find("read a branch", lambda: hub.repo.get_git_ref(f"heads/{branch}").object.sha)


def text_at(hub: Hub, path: str, commit: str) -> str | None:
    """A file's text at a commit, bytes that are no UTF-8 marked; None where there is no file."""
    found = find("read a file", lambda: hub.repo.get_contents(path, ref=commit))
    if not isinstance(found, ContentFile):
        return None
    if found.encoding == "base64":
        return found.decoded_content.decode("utf-8", "surrogateescape")
    # Files of more than 1 MB come without content.
    content = ask("read a file", lambda: hub.repo.get_git_blob(found.sha).content)
    return base64.b64decode(content).decode("utf-8", "surrogateescape")
