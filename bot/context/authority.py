"""Which of two sources is to be believed: supersession, status, hierarchy, recency, ownership."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from pathspec import GitIgnoreSpec

from bot.context.repo import ContextRepo
from context_repo_schema.config import Authority

Status = Literal["dead", "draft", "approved", "unknown"]
Reason = Literal["supersession", "status", "hierarchy", "recency", "ownership", "equal"]

# Lower stands above. Schemas and data come last as prose, but they are what the machine does.
RANKS = {"policy": 0, "sop": 1, "reference": 2, "note": 3}
_WORDS = (
    (0, re.compile(r"polic|regulat|directive|circular|standard|statute|bylaw|terms", re.I)),
    (1, re.compile(r"\bsops?\b|procedure|runbook|playbook|skills?\b|agents?\b", re.I)),
    (2, re.compile(r"reference|handbook|guide|manual|spec", re.I)),
    (3, re.compile(r"faq|note|draft|proposal|tips|wiki|blog", re.I)),
)
_DEAD = ("superseded", "deprecated", "withdrawn", "obsolete", "archived", "retired", "replaced")
_DRAFT = ("draft", "proposed", "proposal", "review", "pending")
# What the words of the contract mean here.
MEANT: dict[str, Status] = {
    "draft": "draft",
    "approved": "approved",
    "deprecated": "dead",
    "superseded": "dead",
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINE = re.compile(r"^[>*_\s|-]*([A-Za-z][A-Za-z _]{2,24})[*_]*\s*[:|]\s*[*_]*\s*(.+?)[\s*_|]*$")


class Standing(msgspec.Struct, frozen=True):
    """What a file says about its own authority, and the configuration where the file is silent.

    Dates are ISO, empty where unknown. `place` counts from 0 at the top of the hierarchy that is
    configured; None where none names the file, or the file declares its own authority.
    """

    path: str
    rank: int
    declared: bool
    status: Status
    effective: str
    touched: str
    owner: str
    supersedes: tuple[str, ...]
    superseded_by: tuple[str, ...]
    place: int | None = None


def standing(repo: ContextRepo, path: str) -> Standing:
    """The standing of one file, from frontmatter, its first lines, its path and its history."""
    component = repo.component(path)
    facts = _flat(component.meta if component is not None else {})
    for key, value in _head_lines(repo.texts.get(path, "")).items():
        facts.setdefault(key, value)
    rank, declared = _rank(path, facts)
    commits = repo.history.get(path, ())
    dates = (
        facts.get(key, "") for key in ("effective_date", "effective", "last_updated", "updated")
    )
    effective = next((m[0] for d in dates if (m := _DATE.search(d))), "")
    return Standing(
        path,
        rank,
        declared,
        _status(path, facts, repo.authority),
        effective,
        commits[0].date[:10] if commits else "",
        facts.get("owner", owner(path, repo.authority)).casefold(),
        _names(facts.get("supersedes", "")),
        _names(facts.get("superseded_by", "")),
        None if declared else _place(path, repo.authority.hierarchy),
    )


def owner(path: str, authority: Authority) -> str:
    """Whom the configuration names as the owner of a path, the last pattern that matches; or ''."""
    named = (who for glob, who in reversed(authority.owners.items()) if _matches(glob, path))
    return next(named, "")


def prefers(repo: ContextRepo, first: Standing, second: Standing) -> tuple[int, Reason]:
    """1 where the first source outweighs the second, -1 the other way round, 0 for a draw."""
    if replaces(repo, first, second):
        return 1, "supersession"
    if replaces(repo, second, first):
        return -1, "supersession"
    steps: tuple[tuple[int, Reason], ...] = (
        (_alive(first) - _alive(second), "status"),
        (_above(first, second), "hierarchy"),
        (_later(first.effective, second.effective), "recency"),
        (_later(first.touched, second.touched), "recency"),
        (bool(first.owner) - bool(second.owner), "ownership"),
    )
    for difference, reason in steps:
        if difference:
            return (1 if difference > 0 else -1), reason
    return 0, "equal"


def _flat(meta: Mapping[str, Any]) -> dict[str, str]:
    """Frontmatter as text, one level of nesting opened (Agent Skills keep it in `metadata`)."""
    flat: dict[str, str] = {}
    for key, value in meta.items():
        name = str(key).casefold().replace("-", "_").replace(" ", "_")
        if isinstance(value, Mapping):
            for inner, text in _flat(value).items():
                flat.setdefault(inner, text)
        elif isinstance(value, (list, tuple)):
            flat[name] = "\n".join(str(v) for v in value)
        elif value is not None:
            flat[name] = str(value)
    return flat


def _head_lines(text: str) -> dict[str, str]:
    """`Status: approved` and the like among the first lines of a file."""
    found: dict[str, str] = {}
    for line in text.splitlines()[:25]:
        match = _LINE.match(line)
        if match:
            found.setdefault(match[1].strip().casefold().replace(" ", "_"), match[2])
    return found


def _rank(path: str, facts: Mapping[str, str]) -> tuple[int, bool]:
    declared = RANKS.get(facts.get("authority", "").casefold())
    if declared is not None:
        return declared, True
    for text in (path, facts.get("title", "")):
        for rank, word in _WORDS:
            if word.search(text):
                return rank, False
    return 2, False


def _place(path: str, hierarchy: Sequence[str]) -> int | None:
    return next((n for n, glob in enumerate(hierarchy) if _matches(glob, path)), None)


def _matches(glob: str, path: str) -> bool:
    return GitIgnoreSpec.from_lines([glob]).match_file(path)


def _above(first: Standing, second: Standing) -> int:
    """How far the first stands above the second: as configured where both are, else by kind."""
    if first.place is not None and second.place is not None:
        return second.place - first.place
    return second.rank - first.rank


def _status(path: str, facts: Mapping[str, str], authority: Authority) -> Status:
    status = facts.get("status", "").casefold()
    for meant, words in authority.status.items():
        if status.strip() in (word.casefold() for word in words):
            return MEANT[meant]
    if facts.get("superseded_by") or any(word in status for word in _DEAD):
        return "dead"
    if any(word in status for word in _DRAFT) or re.search(r"(^|/)(drafts?|proposals?)/", path):
        return "draft"
    return "approved" if status else "unknown"


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"[\n,]", text) if part.strip())


def _alive(standing: Standing) -> int:
    return {"dead": 0, "draft": 0, "unknown": 1, "approved": 1}[standing.status]


def _later(first: str, second: str) -> int:
    return (first > second) - (first < second) if first and second else 0


def replaces(repo: ContextRepo, first: Standing, second: Standing) -> bool:
    """Whether frontmatter says that the first source supersedes the second."""
    named = first.supersedes
    return any(_means(repo, name, second.path) for name in named) or any(
        _means(repo, name, first.path) for name in second.superseded_by
    )


def successors(repo: ContextRepo, standings: Mapping[str, Standing]) -> dict[str, tuple[str, ...]]:
    """For each file that is superseded the files that do so, as `replaces` has it of every two,
    in the order of the standings. A name is looked up once, not once for every file."""
    found: dict[str, set[str]] = {}
    for one in standings.values():
        for name in one.supersedes:
            for path in _meant(repo, name, standings):
                found.setdefault(path, set()).add(one.path)
        for name in one.superseded_by:
            found.setdefault(one.path, set()).update(_meant(repo, name, standings))
    return {
        path: tuple(p for p in standings if p in others and p != path)
        for path, others in found.items()
    }


def _meant(repo: ContextRepo, name: str, paths: Iterable[str]) -> list[str]:
    at = repo.resolve(name)
    return [path for path in paths if path == at or _called(name, path)]


def _means(repo: ContextRepo, name: str, path: str) -> bool:
    """Whether a name in frontmatter means that file: a path, or the start of the file's name."""
    return repo.resolve(name) == path or _called(name, path)


def _called(name: str, path: str) -> bool:
    parts = path.casefold().rsplit("/", 2)
    stem = parts[-1].rsplit(".", 1)[0]
    if stem == "skill" and len(parts) > 1:  # Agent Skills are called by their folder
        stem = parts[-2]
    return len(name) > 3 and (stem == name.casefold() or stem.startswith(name.casefold() + "-"))
