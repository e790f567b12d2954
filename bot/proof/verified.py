"""Whether a recommendation is verified: a judgement that decides what one session may propose,
so no engine is believed about it."""

from __future__ import annotations

import re

from bot.context.authority import prefers, standing
from bot.context.everyday import everyday
from bot.context.repo import ContextRepo
from bot.context.units import cut
from bot.faults.catalog import catalog
from bot.proof.ending import ends, replaced
from bot.proof.routing import routed
from bot.proof.subject import differ, few, meant, same_subject, words
from bot.provenance.value import same
from bot.provenance.values import values
from bot.provenance.words import fields, strings
from bot.records.change import Edit, Recommendation
from bot.records.finding import Attribution, Case, RepoQuote

# Shares of words: a correction keeps what it does not correct, and adds what its source says.
KEPT, DRAWN = 0.5, 0.6
# Chosen on suites held out; BENCHMARKS.md says how often what it lets through is right.
SURE = 0.6
SPOKEN = 2  # telling words of an edit that the session has to hold
SENTENCE = 3  # words from which a line says something
COPIED = 0.5  # share of the lines that make a file a copy of another


def verified(
    claim: Recommendation, attribution: Attribution, case: Case, repo: ContextRepo
) -> bool:
    """Whether the repository itself, a schema or a tool's own error proves the fault.

    `claim.evidence` holds only quotes that stand. Wrong text needs a source that outranks it; text
    that is missing needs a source in force that holds it. New values and words must come from the
    source. That both speak of one thing, and the session of what changes, is shown by the text
    margin of an engine that was measured on sessions held out; for any other by their words.
    """
    authority, target = claim.authoritative_source, claim.target_path
    if claim.operation == "NO_ACTION" or target is None:
        return False
    if attribution.fault_category == "RETRIEVAL_FAILURE":
        quotes = [q for q in claim.evidence if q.path == authority]
        told = _keeps_the_rest(claim, repo) and routed(claim, quotes, case, repo)
        return told and _of_one_thing(claim, attribution, told=told)
    if attribution.fault_category == "TOOL_PROMPT_ERROR" and _tool_said_so(
        claim, attribution, case
    ):
        return _of_one_thing(claim, attribution, told=_keeps_the_rest(claim, repo))
    if authority is None or authority == target:
        return False
    quotes = [quote for quote in claim.evidence if quote.path == authority]
    if not quotes or not _values_come_from(claim, quotes) or not _drawn_from(claim, quotes):
        return False
    component = repo.component(authority)
    source = component.type if component is not None else None
    if source == "tool_prompt" and claim.operation != "DELETE":
        return False
    if source != "schema_hint" and not _outranks(claim, attribution, repo, authority):
        return False
    if claim.operation == "DELETE":
        return ends(repo, target, quotes)
    return _of_one_thing(claim, attribution, told=_told(claim, quotes, case, repo))


def _told(claim: Recommendation, quotes: list[RepoQuote], case: Case, repo: ContextRepo) -> bool:
    """Whether the words of target, source and session show that they are about one thing."""
    component = repo.component(quotes[0].path)
    if not _keeps_the_rest(claim, repo) or not all(differ(edit, quotes) for edit in claim.edits):
        return False
    spoken = _spoken_of(claim, case, repo)
    if component is not None and component.type == "schema_hint":
        return spoken or _called_by(claim, quotes, case, repo)
    return spoken and all(same_subject(edit, quotes, case, repo) for edit in claim.edits)


def _of_one_thing(claim: Recommendation, attribution: Attribution, *, told: bool) -> bool:
    """Whether target, source and session are about one thing: by the text margin of an engine
    that has one, by their words (`told`) for any other.

    An engine is sure of the line that misled; what else is to change in other files, its margin
    says nothing of.
    """
    if attribution.text_margin is None:
        return told
    one_file = len({edit.path for edit in claim.edits}) == 1
    return attribution.text_margin >= SURE and (told or one_file)


def _outranks(
    claim: Recommendation, attribution: Attribution, repo: ContextRepo, authority: str
) -> bool:
    """Whether the source is in force, and where text is wrong, to be believed before the target.

    A page may lack what another page of its own rank says: then the search failed, not the page.
    A page that says all that its source says is an old copy: it should go, not be corrected.
    """
    target = claim.target_path or ""
    source, component = standing(repo, authority), repo.component(authority)
    side, _ = prefers(repo, source, standing(repo, target))
    if claim.operation != "DELETE" and replaced(repo, target):
        return False  # what was replaced should go, not be mended
    if attribution.fault_category == "SYSTEM_PROMPT_GAP" and source.rank > 0:
        return False  # what holds for every answer stands in a policy, not in a description
    # A recommender that read the repository may see an absence where the attribution did not.
    if claim.operation == "CREATE" or catalog()[attribution.fault_category].kind == "absence":
        searchable = component is not None and component.type == "kb_entry"
        gap = attribution.fault_category == "KB_CONTENT_GAP"
        in_force = source.status in ("approved", "unknown")
        return in_force and (side > 0 or not (gap and searchable))
    copies = claim.operation == "UPDATE" and _copy_of(repo, target, authority)
    return side > 0 and not copies


def _copy_of(repo: ContextRepo, target: str, source: str) -> bool:
    """Whether half of the lines of a file stand in another one, word for word."""
    own = [line for line in _lines(repo.texts.get(target, "")) if line.count(" ") >= SENTENCE]
    other = set(_lines(repo.texts.get(source, "")))
    return len(own) > 1 and sum(line in other for line in own) >= COPIED * len(own)


def _lines(text: str) -> list[str]:
    """The words of each line, those of an article inside a JSON string as well."""
    return [" ".join(words(line)) for line in re.split(r"\n|\\n", text)]


def _tool_said_so(claim: Recommendation, attribution: Attribution, case: Case) -> bool:
    """Whether a failed call's own error is among the quotes, or holds all that the edits bring."""
    failed = [n for n in case.trajectory.nodes if n.tool is not None and n.tool.status != "ok"]
    errors = [(n.node_id, n.tool.error) for n in failed if n.tool is not None and n.tool.error]
    quoted = any(
        quote.node_id == node_id and quote.quote in error
        for quote in attribution.evidence
        for node_id, error in errors
    )
    said = {word for _, error in errors for word in words(error)}
    brought = {w for e in claim.edits for w in set(words(e.new or "")) - set(words(e.old or ""))}
    return quoted or (bool(brought) and brought <= said)


def _values_come_from(claim: Recommendation, quotes: list[RepoQuote]) -> bool:
    """Whether every value that the edits bring in stands in what the authority says."""
    old = [v for edit in claim.edits for v in values(edit.old or "")]
    new = [v for edit in claim.edits for v in values(edit.new or "")]
    brought = [v for v in new if not any(same(v, w) for w in old)]
    said = [v for quote in quotes for v in values(quote.quote)]
    hard = [v for v in brought if v.kind in ("money", "percent", "duration", "measure")]
    return all(any(same(v, w) for w in said) for v in hard)


def _keeps_the_rest(claim: Recommendation, repo: ContextRepo) -> bool:
    """Whether every correction leaves most words of the lines that it corrects standing."""
    for edit in claim.edits:
        if edit.operation != "UPDATE" or edit.old is None:
            continue
        text = repo.texts.get(edit.path, "")
        start = text.find(edit.old)
        end = start + len(edit.old)
        head = text.rfind("\n", 0, start) + 1
        tail = text.find("\n", end)
        rest = text[end : tail if tail >= 0 else len(text)]
        old = words(text[head:end] + rest)
        new = set(words(text[head:start] + (edit.new or "") + rest))
        if sum(w in new for w in old) < KEPT * len(old):
            return False
    return True


def _drawn_from(claim: Recommendation, quotes: list[RepoQuote]) -> bool:
    """Whether the edits bring in little that the source does not say."""
    said = {word for quote in quotes for word in words(quote.quote)}
    said |= {word for quote in quotes for word in words(quote.path)}
    for edit in claim.edits:
        old = set(words(edit.old or ""))
        brought = [word for word in words(edit.new or "") if word not in old]
        if sum(word in said for word in brought) < DRAWN * len(brought):
            return False
    return True


def _spoken_of(claim: Recommendation, case: Case, repo: ContextRepo) -> bool:
    """Whether the session speaks of what changes: a value that goes or comes, or some telling
    words that come. An edit that nobody spoke of may be true, but it mends something else.

    Of what is missing the user speaks: the agent had nothing to say about it.
    """
    if claim.operation == "DELETE":
        return True
    users = claim.operation == "CREATE"
    turns = (t for t in case.trajectory.turns if not users or t.role == "user")
    said = " ".join(turn.content for turn in turns)
    heard, told = values(said), meant(said)
    for edit in claim.edits:
        before, after = values(edit.old or ""), values(edit.new or "")
        gone = [v for v in before if not any(same(v, w) for w in after)]
        come = [v for v in after if not any(same(v, w) for w in before)]
        if any(same(v, w) for v in (*gone, *come) for w in heard):
            return True
        old = set(words(edit.old or ""))
        brought = {w for w in words(edit.new or "") if w not in old and not everyday(w)}
        shared = {_telling(word, told, repo) for word in brought} - {None}
        if len(shared) >= SPOKEN:
            return True
    return False


def _called_by(
    claim: Recommendation, quotes: list[RepoQuote], case: Case, repo: ContextRepo
) -> bool:
    """Whether a call of the session used what an edit and its schema are about: a parameter or a
    column that it sent, a field that came back."""
    tools = [node.tool for node in case.trajectory.nodes if node.tool is not None]
    sent = {w for tool in tools for text in strings(tool.input) for w in words(text)}
    used = sent | {w for tool in tools for w in (*fields(tool.input), *fields(tool.output))}
    shown = {w for quote in quotes for w in words(quote.quote)}

    def named(edit: Edit) -> set[str]:
        said = words(f"{edit.old or ''} {_parameter(repo, edit)}")
        return {w for w in said if not everyday(w)} & shown & used

    return any(named(edit) for edit in claim.edits)


def _parameter(repo: ContextRepo, edit: Edit) -> str:
    """The parameter whose description an edit changes; empty where it is none's."""
    component, text = repo.component(edit.path), repo.texts.get(edit.path, "")
    at = text.find(edit.old or "\n")
    if component is None or component.type != "tool_prompt" or at < 0:
        return ""
    found = (u.parameter for u in cut(component, text) if u.start <= at < u.end)
    return next(found, "")


def _telling(word: str, told: frozenset[str], repo: ContextRepo) -> str | None:
    """What a word has in common with the session, its stem or a concept, if few files of the
    repository have that: what all of them speak of tells nothing."""
    most = few(repo)
    for term in sorted(meant(word) & told):
        if sum(term in meant(text) for text in repo.texts.values()) <= most:
            return term
    return None
