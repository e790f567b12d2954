"""The second look: where the pick is unsure, or none of the explanations fits, the files that most
likely matter are opened and one dearer call settles cause and fix together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.engines.llm.clip import excerpt
from bot.engines.llm.conversation import disputed, opening
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.listing import Listing, rows
from bot.engines.llm.proposal import FORM, Proposal, claim
from bot.engines.llm.repo_tools import RepoTools
from bot.engines.llm.strategies.shortlist import NONE, Picked, done, led_by, matters
from bot.engines.llm.toolbox import Toolbox
from bot.errors import Rejected
from bot.prompts.template import prompt
from bot.proof import attribution
from bot.provenance.words import node_strings, stands_in_node
from bot.records.change import Exploration, Recommendation
from bot.records.finding import (
    Attribution,
    FaultCategory,
    Hypothesis,
    NodeQuote,
    Operation,
)
from bot.records.trajectory import Node

OPENED = 4
# Characters of one file.
LENGTH = 3200
STEPS = 14
QUOTE = 160
BY_TYPE: Mapping[str, FaultCategory] = {
    "skill": "SKILL_FILE_STALE",
    "kb_entry": "KB_CONTENT_STALE",
    "tool_prompt": "TOOL_PROMPT_ERROR",
    "system_prompt": "SYSTEM_PROMPT_GAP",
    "synonym_map": "RETRIEVAL_FAILURE",
}


class Look(msgspec.Struct, frozen=True):
    """The answer: at which node the fault came in, and the fix."""

    node: str
    fix: Proposal


def second_look(inquiry: Inquiry, picked: Picked) -> tuple[Attribution, Recommendation]:
    """Cause and fix by what the files say. Raises `Rejected`, and `CallFailed`."""
    paths = tuple(islice(_paths(inquiry, picked), OPENED))
    opened = tuple(Exploration("open", {"path": path}, f"read {path}") for path in paths)
    toolbox = Toolbox(RepoTools(inquiry).abilities(), inquiry.options.max_explorations)
    case = inquiry.case
    asked = prompt(
        "second_look",
        talk=fenced("talk", [*opening(case), *disputed(case)]),
        files=fenced("files", rows(picked.listed, inquiry.repo)),
        reading=fenced("first_reading", _reading(picked)),
        steps=fenced("steps", done(inquiry, picked.listed.nodes, STEPS)),
        opened=fenced("opened", [_content(inquiry, picked, path) for path in paths]),
    )
    nodes = tuple(node.node_id for node in inquiry.trajectory.nodes)

    def conclude(look: Look) -> tuple[Attribution, Recommendation]:
        cause = _cause(look, inquiry, picked.listed)
        log = (*opened, *toolbox.log)
        fix = claim(look.fix, inquiry, cause, "second-look", log)
        return replace(cause, margin=fix.confidence), fix

    talk = inquiry.talk(asked.rules, toolbox)
    return talk.ask(asked.question, Form(Look, {**FORM.choices, "node": nodes}), conclude)


def _paths(inquiry: Inquiry, picked: Picked) -> Iterator[str]:
    """The files of what was picked, of what settles it, of the next best, and of the nearest texts
    and best explanations by turns; each once."""
    listed, pick = picked.listed, picked.pick
    named = (listed.entry(pick.id), listed.entry(pick.second))
    right = listed.quotes.get(pick.right)
    chosen = [e.hypothesis.component_path for e in named if e is not None]
    causes = [e.hypothesis.component_path for e in listed.entries]
    texts = [quote.path for quote in listed.texts.values()]
    by_turns = (path for pair in zip_longest(texts, causes) for path in pair)
    ordered = dict.fromkeys((*chosen[:1], right.path if right else None, *chosen[1:], *by_turns))
    yield from (path for path in ordered if path is not None and path in inquiry.repo.texts)


def _content(inquiry: Inquiry, picked: Picked, path: str) -> dict[str, Any]:
    """A file, or of a long one what speaks of the matter and of the texts that were listed."""
    quotes = (quote.quote for quote in picked.listed.quotes.values() if quote.path == path)
    about = "\n".join((*matters(inquiry), *quotes))
    return {"path": path, "content": excerpt(inquiry.repo.texts[path], LENGTH, about)}


def _reading(picked: Picked) -> dict[str, Any]:
    pick = picked.pick
    told = {"id": pick.id, "second": pick.second, "why": pick.why, "confidence": pick.confidence}
    return told if pick.exact or pick.id == NONE else {**told, "note": "other words must change"}


def _cause(look: Look, inquiry: Inquiry, listed: Listing) -> Attribution:
    """The attribution that the fix comes down to; a listed explanation of the same fix is it."""
    offline = inquiry.offline
    if offline is None:
        raise Rejected("there is no list to look at again")
    fix = look.fix
    path = inquiry.repo.resolve(fix.target_path) if fix.target_path else None
    path = None if fix.operation == "NO_ACTION" else path
    same = next(
        (
            entry.hypothesis
            for entry in listed.entries
            if (entry.hypothesis.operation, entry.hypothesis.component_path)
            == (fix.operation, path)
        ),
        None,
    )
    first = replace(same or _explained(fix.operation, path, inquiry), node_id=look.node)
    quotes = _quotes(inquiry.trajectory.node(look.node), first)
    first = replace(first, session_quotes=quotes)
    made = replace(led_by(offline, first), gradient_description=fix.recommended_change[:600])
    return attribution.proved(made, inquiry.case, inquiry.repo)


def _explained(operation: Operation, path: str | None, inquiry: Inquiry) -> Hypothesis:
    """An explanation that nobody listed: its category follows from what the fix does to what."""
    if operation == "NO_ACTION":
        return Hypothesis("NONE", operation, "none", None, "", 0.0, "", classification="INCIDENTAL")
    component = inquiry.repo.component(path) if path else None
    kind = component.type if component is not None else "kb_entry"
    missing = operation == "CREATE" and kind in ("kb_entry", "skill")
    category = "KB_CONTENT_GAP" if missing else BY_TYPE.get(kind)
    if category is None:
        raise Rejected(f"{path} is no file that may be changed")
    return Hypothesis(category, operation, kind, path, "", 0.0, "")


def _quotes(node: Node | None, first: Hypothesis) -> tuple[NodeQuote, ...]:
    """What the node shows of the fault: the text at fault, or how its output begins."""
    if node is None:
        return ()
    own = tuple(q for q in first.session_quotes if q.node_id == node.node_id)
    if own:
        return own
    if first.faulty is not None and stands_in_node(node, first.faulty.quote):
        return (NodeQuote(node.node_id, first.faulty.quote),)
    said = next((text for text in node_strings(node) if text.strip()), "")
    return (NodeQuote(node.node_id, said[:QUOTE]),) if said else ()
