"""The branch of a unit: is it there, is it ours, and does it hold exactly the proposal."""

from __future__ import annotations

import base64

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
        if blob_sha(_text(hub, file.path, hub.tip)) != file.base_sha:
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
        digest = branch_digest(hub, head)
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


def branch_digest(hub: Hub, head: str) -> str | None:
    """The digest of what a commit changes against its merge base; None if that cannot be ours."""
    base, paths = ask("compare branches", lambda: _compared(hub.repo.compare(hub.tip, head)))
    if paths is None:
        return None
    texts = ((path, _text(hub, path, base), _text(hub, path, head)) for path in paths)
    return patch_digest(file_change(path, old, new) for path, old, new in texts)


def _compared(comparison: Comparison) -> tuple[str, list[str] | None]:
    """The merge base and the changed paths; None for a change that is none of ours by its form.

    PyGithub asks only when a field is read, so this belongs inside one call.
    """
    files = list(comparison.files)
    ours = len(files) <= MOST_FILES and all(file.status != "renamed" for file in files)
    paths = [file.filename for file in files] if ours else None
    return comparison.merge_base_commit.sha, paths


def _untouched(hub: Hub, head: str, digest: str | None, unit: str) -> bool:
    """Whether the commit is ours for this unit and says itself that it holds just this patch."""
    message = ask("read a commit", lambda: hub.repo.get_git_commit(head).message)
    told = from_trailers(message)
    return told is not None and told.unit == unit and told.patch == digest


def _head(hub: Hub, branch: str) -> str | None:
    return find("read a branch", lambda: hub.repo.get_git_ref(f"heads/{branch}").object.sha)


def _text(hub: Hub, path: str, commit: str) -> str | None:
    """A file's text at a commit, bytes that are no UTF-8 marked; None where there is no file."""
    found = find("read a file", lambda: hub.repo.get_contents(path, ref=commit))
    if not isinstance(found, ContentFile):
        return None
    if found.encoding == "base64":
        return found.decoded_content.decode("utf-8", "surrogateescape")
    # Files of more than 1 MB come without content.
    content = ask("read a file", lambda: hub.repo.get_git_blob(found.sha).content)
    return base64.b64decode(content).decode("utf-8", "surrogateescape")
