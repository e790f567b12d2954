"""Answers to commands: eyes before, a thumb after, words only where there is something to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.forges.client import ask
from bot.forges.hub import Hub
from bot.forges.inbox import DONE, NOT_ALLOWED, REFUSED, SEEN, Inbox, Letter, mark
from bot.forges.inspect import HOLD
from bot.forges.reading import Snapshot
from bot.forges.rewrite import Done
from bot.forges.say import say_once
from bot.lifecycle.commands import HELP
from bot.lifecycle.decide import Step
from bot.lifecycle.state import state_of

NEEDS_LEAVE = "The branch holds others' commits: `/trace-bot rebuild --discard-edits` drops them."
NOTHING = "There is no newer proposal, and the standing one does not fit its base exactly."


def seen(hub: Hub, inbox: Inbox) -> None:
    """Every new command is acknowledged, and labels say who wants to be left alone."""
    for letter in inbox.letters:
        mark(letter, SEEN)
        if letter.said is None or letter.said.command.verb not in ("hold", "resume"):
            continue
        _label(hub, letter.number, letter.said.command.verb == "hold")


def answered(hub: Hub, read: Snapshot, steps: Sequence[Step], done: Mapping[int, Done]) -> None:
    """Every new command gets its thumb; why not, where it was refused."""
    for letter in read.inbox.letters:
        refusal = letter.refusal or _failure(letter, steps, done)
        text = refusal or _text(letter, read)
        if text and refusal != NOT_ALLOWED:
            # The comment's number lets a run that was cut off see that it has answered.
            about = f"Re {letter.comment.id}:"
            say_once(hub, letter.number, f"{about} {text}", about)
        mark(letter, REFUSED if refusal else DONE)


def _failure(letter: Letter, steps: Sequence[Step], done: Mapping[int, Done]) -> str:
    """Why a rebuild was not made, or nothing."""
    if letter.said is None or letter.said.command.verb != "rebuild":
        return ""
    here = next((s for s in steps if s.scene.pull.number == letter.number), None)
    if here is not None and here.scene.state == "frozen" and not letter.said.command.discard:
        return NEEDS_LEAVE
    was = done.get(letter.number)
    if here is None or here.row.number != "R3" or was is None:
        return NOTHING
    return was.reason if was.action in ("skipped", "failed") else ""


def _text(letter: Letter, read: Snapshot) -> str:
    verb = letter.said.command.verb if letter.said else None
    if verb == "help":
        return HELP
    if verb != "why":
        return ""
    pull = next((p for p in read.present.pulls if p.number == letter.number), None)
    if pull is None or pull.marker is None:
        return "The dashboard lists every finding with its reason."
    return (
        f"This one is {state_of(pull)}. It rests on {pull.marker.count} failed runs; the evidence, "
        "the checks and the best other explanation stand in the description above."
    )


def _label(hub: Hub, number: int, wanted: bool) -> None:
    issue = ask("read an issue", lambda: hub.repo.get_issue(number))
    has = any(label.name == HOLD for label in issue.labels)
    if wanted and not has:
        ask("set a label", lambda: issue.add_to_labels(HOLD))
    if has and not wanted:
        ask("remove a label", lambda: issue.remove_from_labels(HOLD))
