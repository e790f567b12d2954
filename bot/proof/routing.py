"""Whether a session proves that a search should have led to a document, and by which words."""

from __future__ import annotations

from bot.context.everyday import everyday
from bot.context.repo import ContextRepo
from bot.context.search import title
from bot.proof.subject import few, headings, meant, words
from bot.provenance.value import same
from bot.provenance.values import values
from bot.provenance.words import stands_in_node, strings
from bot.records.change import Recommendation
from bot.records.finding import Case, RepoQuote

HEARD = 3  # telling words of an answer that the user has to say


def routed(claim: Recommendation, quotes: list[RepoQuote], case: Case, repo: ContextRepo) -> bool:
    """Whether no search of the session showed the quoted answer, the user speaks of it, and the
    edit leads words that were said, and that the document lacks, to words that it has."""
    path = claim.authoritative_source or ""
    component = repo.component(path)
    if component is None or component.type not in ("kb_entry", "skill") or not claim.edits:
        return False
    shown = any(stands_in_node(n, q.quote) for n in case.trajectory.nodes for q in quotes)
    return not shown and _heard(quotes, case, repo) and _leads(claim, path, quotes, case, repo)


def _heard(quotes: list[RepoQuote], case: Case, repo: ContextRepo) -> bool:
    """Whether the user says a value of the answer, or some telling words of it."""
    said = " ".join(turn.content for turn in case.trajectory.turns if turn.role == "user")
    answer = " ".join(f"{q.quote} {headings(repo, q.path, q.line)}" for q in quotes)
    if any(same(v, w) for v in values(answer) for w in values(said)):
        return True
    told = meant(said)
    telling = {w for w in words(answer) if not everyday(w) and meant(w) & told}
    return sum(_rare(word, repo) for word in telling) >= HEARD


def _rare(word: str, repo: ContextRepo) -> bool:
    return sum(bool(meant(word) & meant(text)) for text in repo.texts.values()) <= few(repo)


def _leads(
    claim: Recommendation, path: str, quotes: list[RepoQuote], case: Case, repo: ContextRepo
) -> bool:
    held = frozenset(words(f"{title(repo, path)} {repo.texts.get(path, '')}"))
    turns = [turn.content for turn in case.trajectory.turns if turn.role == "user"]
    tools = [node.tool for node in case.trajectory.nodes if node.tool is not None]
    asked = [text for tool in tools for text in strings(tool.input)]
    said = frozenset(w for text in (asked or turns) for w in words(text))
    for edit in claim.edits:
        old = frozenset(words(edit.old or ""))
        brought = [w for w in words(edit.new or "") if w not in old and not everyday(w)]
        fresh = [w for w in brought if w in said and w not in held]
        if not fresh or not all(w in said or w in held for w in brought):
            return False
    return True
