"""Commands in comments: read once a run, accepted from people who may write, and answered once.

That a comment was answered is told by our own reaction to it, so that no run acts twice: eyes
when it was seen, a thumb up when it was done, a thumb down when it was refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache

import msgspec
from github.IssueComment import IssueComment

from bot.forges.client import ask, find
from bot.forges.hub import Hub
from bot.forges.inspect import aware
from bot.forges.pulls import Ours, is_person
from bot.identity.names import kind_named
from bot.lifecycle.commands import Command, Said, read

SEEN, DONE, REFUSED = "eyes", "+1", "-1"
WRITERS = frozenset({"write", "maintain", "admin"})
EDITED = "An edited comment is not read: please post a new one."
NOT_ALLOWED = "This needs write access to the repository."
ELSEWHERE = "On the dashboard a command names its finding: `ignore finding ID`."
NO_KIND = "The kind of this one is not known: name its findings."


class Letter(msgspec.Struct, frozen=True):
    """A command comment that is not answered yet: accepted, or refused with a sentence."""

    comment: IssueComment
    number: int
    said: Said | None
    refusal: str = ""


class Inbox(msgspec.Struct, frozen=True):
    """`words` are all accepted commands, old and new; `letters` wait for an answer; `spoken` maps
    an issue's number to when a person last commented there."""

    words: tuple[Said, ...]
    letters: tuple[Letter, ...]
    spoken: Mapping[int, datetime]


def collect(hub: Hub, ours: Iterable[Ours], board: int | None, since: datetime) -> Inbox:
    """The comments on our pull requests and on the dashboard since then."""
    places = {one.number: one for one in ours}
    comments = ask(
        "read comments", lambda: list(hub.repo.get_issues_comments(sort="created", since=since))
    )
    may_write = _writers(hub)
    words: list[Said] = []
    letters: list[Letter] = []
    spoken: dict[int, datetime] = {}
    for comment in comments:
        number = int(comment.issue_url.rpartition("/")[2])
        if number not in places and number != board:
            continue
        if is_person(comment.user, hub.logins):
            spoken[number] = aware(comment.created_at)
        command = read(comment.body or "")
        if command is None or comment.user.login.lower() in hub.logins:
            continue
        marks = _our_marks(hub, comment)
        said = _said(command, comment, number, places.get(number), DONE not in marks)
        edited = comment.updated_at != comment.created_at
        if DONE in marks and not edited and isinstance(said, Said):
            words.append(said)
        elif not marks & {DONE, REFUSED}:
            refusal = EDITED if edited else _refusal(said, comment, hub, may_write)
            letters.append(Letter(comment, number, None if refusal else _accepted(said), refusal))
    accepted = [letter.said for letter in letters if letter.said is not None]
    return Inbox((*words, *accepted), tuple(letters), spoken)


def mark(letter: Letter, reaction: str) -> None:
    """Our reaction to a comment; the same one twice is one."""
    ask("react to a comment", lambda: letter.comment.create_reaction(reaction))


def _accepted(said: Said | str) -> Said | None:
    return said if isinstance(said, Said) else None


def _said(
    command: Command | str, comment: IssueComment, number: int, place: Ours | None, new: bool
) -> Said | str:
    if isinstance(command, str):
        return command
    named = command.scope == "finding" or command.verb in ("why", "help")
    if place is None and not named:
        return ELSEWHERE
    paths: tuple[str, ...] = ()
    if place is not None and command.scope == "file":
        files = ask("list changed files", lambda: list(place.handle.get_files()))
        paths = tuple(file.filename for file in files)
    kind = kind_named(place.handle.title) if place and command.scope == "kind" else None
    if command.scope == "kind" and kind is None:
        return NO_KIND
    return Said(
        command=command,
        number=number,
        who=comment.user.login,
        when=aware(comment.created_at),
        findings=place.findings if place else (),
        paths=paths,
        kind=kind or "",
        new=new,
    )


def _refusal(
    said: Said | str, comment: IssueComment, hub: Hub, may_write: Callable[[str], bool]
) -> str:
    user = comment.user
    trusted = {name.lower() for name in hub.settings.publishing.command_bots}
    if not is_person(user, hub.logins) and user.login.lower() not in trusted:
        return NOT_ALLOWED
    if user.login.lower() not in trusted and not may_write(user.login):
        return NOT_ALLOWED
    return said if isinstance(said, str) else ""


def _writers(hub: Hub) -> Callable[[str], bool]:
    @cache
    def may_write(login: str) -> bool:
        what = "read a permission"
        return find(what, lambda: hub.repo.get_collaborator_permission(login)) in WRITERS

    return may_write


def _our_marks(hub: Hub, comment: IssueComment) -> frozenset[str]:
    """Our own reactions; who else reacted is asked only where somebody did."""
    if not comment.reactions.get("total_count"):
        return frozenset()
    found = ask("read reactions", lambda: list(comment.get_reactions()))
    return frozenset(r.content for r in found if r.user.login.lower() in hub.logins)
