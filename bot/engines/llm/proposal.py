"""A model's recommendation as an answer, and the claim that plain code makes of it."""

from __future__ import annotations

import json
import re
from typing import Literal, get_args

import msgspec

from bot.context.authority import prefers, standing
from bot.context.edit import apply_all
from bot.context.edits.splice import Splice, newline_of, with_newlines
from bot.context.repo import ContextRepo
from bot.engines.llm.calibration import calibrated
from bot.engines.llm.form import Form
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.verbatim import found_in, repo_quote
from bot.errors import Rejected
from bot.proof import recommendation
from bot.records.change import Check, Diagnosis, Edit, Exploration, Recommendation
from bot.records.finding import Attribution, Classification, Operation, RepoQuote

Action = Literal["replace", "insert_after", "create_file", "delete_file"]
SENTENCE = 400
_MARKER = re.compile(r"\s*([|*+-])")


class Change(msgspec.Struct, frozen=True):
    """One exact edit of one file."""

    path: str
    action: Action
    old: str | None
    new: str | None


class Answered(msgspec.Struct, frozen=True):
    """One question of the diagnosis."""

    passed: bool
    evidence: str


class Questions(msgspec.Struct, frozen=True):
    """The four of them."""

    existence: Answered
    accessibility: Answered
    correctness: Answered
    consistency: Answered


class Source(msgspec.Struct, frozen=True):
    """What a file is quoted to hold."""

    path: str
    quote: str


class Proposal(msgspec.Struct, frozen=True):
    """The answer of every recommender."""

    diagnosis: Questions
    operation: Operation
    target_path: str | None
    edits: tuple[Change, ...]
    recommended_change: str
    authoritative_source: str | None
    evidence: tuple[Source, ...]
    classification: Classification
    confidence: float


FORM: Form[Proposal] = Form(
    Proposal,
    {
        "operation": get_args(Operation),
        "classification": get_args(Classification),
        "action": get_args(Action),
    },
)


def claim(
    proposal: Proposal,
    inquiry: Inquiry,
    attribution: Attribution,
    recommender: str,
    log: tuple[Exploration, ...] = (),
) -> Recommendation:
    """The recommendation with exact edits and quotes. Raises `Rejected` or `EditRefused`.

    Whether the repository itself proves the fault is decided here, by authority, not by the model.
    """
    repo = inquiry.repo
    edits = tuple(_edit(change, repo) for change in proposal.edits)
    still = proposal.operation == "NO_ACTION"
    target = _path(proposal.target_path, repo) if proposal.target_path and not still else None
    evidence = tuple(q for s in proposal.evidence if (q := _quote(s, repo)) is not None)
    source = _path(proposal.authoritative_source or "", repo)
    if not still:
        _parses(apply_all(edits, repo.texts))
    return recommendation.proved(
        Recommendation(
            operation=proposal.operation,
            target_path=target,
            recommended_change=_sentence(proposal.recommended_change),
            classification=proposal.classification,
            confidence=calibrated(recommender, proposal.confidence),
            authoritative_source=source if source in repo.texts else None,
            verified=not still and _outranks(repo, source, target, evidence),
            anchor=_anchor(repo, target, edits),
            edits=() if still else edits,
            diagnosis=_diagnosis(proposal.diagnosis),
            exploration_log=log,
            evidence=evidence,
        ),
        inquiry.case,
        attribution,
        repo,
    )


def _edit(change: Change, repo: ContextRepo) -> Edit:
    path = _path(change.path, repo)
    match change.action:
        case "create_file":
            return Edit(path, "CREATE", change.new or "")
        case "delete_file":
            return Edit(path, "DELETE")
        case "replace":
            return Edit(path, "UPDATE", change.new or "", _standing(change, path, repo))
        case "insert_after":
            return _inserted(change, path, repo)


def _inserted(change: Change, path: str, repo: ContextRepo) -> Edit:
    """New lines below the line in which the old text ends; the breaks around them are put in."""
    text, old = repo.texts[path], _standing(change, path, repo)
    if text.count(old) > 1:
        raise Rejected(f"the old text of the edit stands in {path} more than once; take more of it")
    at = text.find(old) + len(old.rstrip("\r\n"))
    at += len(text[at:].partition("\n")[0].rstrip("\r"))
    new = with_newlines(change.new or "", "\n").removesuffix("\n")
    above = _MARKER.match(text[text.rfind("\n", 0, at) + 1 : at])
    if above and (below := _MARKER.match(new.lstrip("\n"))) and above[1] == below[1]:
        # A row of a table or an item goes on with what stands above: an empty line would end that.
        new = new.lstrip("\n")
    return Splice(at, at, with_newlines(f"\n{new}", newline_of(text))).edit(path, text)


def _standing(change: Change, path: str, repo: ContextRepo) -> str:
    """The old text as it stands: a model folds lines and straightens quotation marks."""
    if path not in repo.texts:
        raise Rejected(f"there is no file {path}; name it as the tools do")
    text = repo.texts[path]
    if change.old and change.old in text:
        return change.old
    found = found_in(change.old or "", text)
    if found is None:
        raise Rejected(f"the old text of the edit does not stand in {path}; copy it exactly")
    return found


def _parses(texts: dict[str, str | None]) -> None:
    for path, text in texts.items():
        if path.endswith(".json") and text is not None:
            try:
                json.loads(text.removeprefix("\ufeff"))
            except ValueError as problem:
                raise Rejected(f"after the edit {path} is no valid JSON: {problem}") from problem


def _path(said: str, repo: ContextRepo) -> str:
    return repo.resolve(said) or said.strip().lstrip("/")


def _quote(source: Source, repo: ContextRepo) -> RepoQuote | None:
    return repo_quote(repo.texts, _path(source.path, repo), source.quote)


def _outranks(
    repo: ContextRepo, source: str, target: str | None, evidence: tuple[RepoQuote, ...]
) -> bool:
    """Whether a quoted file settles the matter against the target: it outranks a standing one, or
    is in force where there is none."""
    quoted = any(quote.path == source for quote in evidence)
    if not quoted or target is None or source == target:
        return False
    above = standing(repo, source)
    if target not in repo.texts:
        return above.status not in ("draft", "dead")
    return prefers(repo, above, standing(repo, target))[0] > 0


def _anchor(repo: ContextRepo, target: str | None, edits: tuple[Edit, ...]) -> str:
    """The section that the first edit of the target is in, as a slug."""
    component = repo.component(target) if target is not None else None
    old = next((e.old for e in edits if e.path == target and e.old), None)
    if component is None or old is None:
        return "file"
    text = repo.texts[component.path]
    line = text.count("\n", 0, text.find(old)) + 1
    inside = [s for s in component.sections if s.first_line <= line <= s.last_line]
    return max(inside, key=lambda s: s.level).slug if inside else "file"


def _diagnosis(said: Questions) -> Diagnosis:
    return Diagnosis(
        _check(said.existence),
        _check(said.accessibility),
        _check(said.correctness),
        _check(said.consistency),
    )


def _check(said: Answered) -> Check:
    return Check(said.passed, _sentence(said.evidence))


def _sentence(text: str) -> str:
    return " ".join(text.split())[:SENTENCE]
