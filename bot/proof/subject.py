"""Whether two statements are about one thing, by the words that only one of them has."""

from __future__ import annotations

import re
from functools import lru_cache

from bot.context.everyday import everyday
from bot.context.repo import ContextRepo
from bot.context.search import meanings
from bot.context.words import CJK
from bot.provenance.polarity import opposed, polarity
from bot.provenance.value import Value, comparable, same
from bot.provenance.values import values
from bot.records.change import Edit
from bot.records.finding import Case, RepoQuote

_WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
# What a sentence is made of; a mark between digits belongs to a number.
_PARTS = re.compile(r"[;:。；：、，]|(?<!\d)[.,]|[.,](?!\d)")
KEPT = 0.6  # share of a clause's telling words, from which it is about what the source is about
CONFIRMED = 0.7  # share of the telling words of a line that one which says the same has
RARE = 0.2  # share of the files above which a word is a common one
LIKE = 3  # of so many words of a sentence at most one differs in a like one


def same_subject(edit: Edit, quotes: list[RepoQuote], case: Case, repo: ContextRepo) -> bool:
    """Whether a corrected line and its source speak of one thing, as far as the session tells.

    Where the session names what the line is about and the source does not, and nothing of what
    the source is about instead, the source settles another case: large for small, members for
    guests. Words of headings count for both.
    """
    if edit.operation != "UPDATE" or edit.old is None:
        return True
    text = repo.texts.get(edit.path, "")
    line, number = _line_of(text, edit.old)
    if _other_row(line, edit.old, quotes):
        return False
    own = f"{line} {headings(repo, edit.path, number)}"
    exchanged = _exchanged(edit)
    if exchanged is not None:
        line = _clause(line, edit.old)
        if not _aligned(line, exchanged, quotes, case):
            return False
    theirs = " ".join(f"{q.quote} {headings(repo, q.path, q.line)}" for q in quotes)
    said = meant(" ".join(turn.content for turn in case.trajectory.turns))
    missing = _lacking(line, theirs)
    instead = _lacking(" ".join(quote.quote for quote in quotes), own)
    if exchanged is not None and not instead and _kept(line, missing) >= KEPT:
        return True
    pairs = [(_telling(missing), _telling(instead))]
    # Small and large are everyday words, as the and is are: those tell in like sentences only.
    if LIKE * len(missing) <= len(set(words(line))):
        pairs.append((_meaning(missing), _meaning(instead)))
    return all(
        not any(meant(w) & said for w in ours) or any(meant(w) & said for w in others)
        for ours, others in pairs
    )


def _kept(line: str, missing: set[str]) -> float:
    """The share of a line's telling words that are not missing elsewhere."""
    telling = _telling(set(words(line)))
    return 1 - len(telling & missing) / len(telling) if telling else 0.0


def _meaning(found: set[str]) -> set[str]:
    """The words with a meaning of their own, everyday ones too, but not the small ones."""
    return {word for word in found if any(term.startswith("~") for term in meant(word))}


def _other_row(line: str, old: str, quotes: list[RepoQuote]) -> bool:
    """Whether a row is to be corrected by the row of something else, by the code or number that
    each has in its first cell; the first cell itself says what a row is about."""
    key, theirs = _first_cell(line), [_first_cell(quote.quote) for quote in quotes]
    if key is None:
        return False
    if old in key:
        return True
    codes = _codes(key)
    others = [_codes(cell) for cell in theirs if cell is not None]
    return bool(codes) and any(other and not codes & other for other in others)


def _codes(cell: str) -> set[str]:
    return {w for w in cell.casefold().split() if any(sign.isdigit() for sign in w)}


def _first_cell(line: str) -> str | None:
    """What a row of a table is about; None for a line that is no row."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    return cells[0] if line.lstrip().startswith("|") and len(cells) > 1 else None


def differ(edit: Edit, quotes: list[RepoQuote]) -> bool:
    """Whether a source says something else than the line that is to be corrected by it.

    One that has most of its telling words, no other value and the same side confirms it.
    """
    if edit.operation != "UPDATE" or edit.old is None:
        return True
    theirs = " ".join(quote.quote for quote in quotes)
    before, after = values(edit.old), values(theirs)
    gone = [v for v in before if not any(same(v, w) for w in after)]
    come = [v for v in after if not any(same(v, w) for w in before)]
    if any(comparable(v, w) for v in gone for w in come):
        return True
    if opposed(polarity(edit.old), polarity(theirs)):
        return True
    told = meant(theirs)
    telling = [word for word in set(words(edit.old)) if not everyday(word)]
    held = sum(bool(meant(word) & told) for word in telling)
    return held < CONFIRMED * len(telling) if telling else True


def _exchanged(edit: Edit) -> Value | None:
    """The new value of an edit that exchanges one value for another; None for any other edit."""
    old, new = values(edit.old or ""), values(edit.new or "")
    if len(old) != 1 or len(new) != 1:
        return None
    rests = (
        (text[: value.start].split(), text[value.end :].split())
        for text, value in ((edit.old or "", old[0]), (edit.new or "", new[0]))
    )
    return new[0] if next(rests) == next(rests) else None


def _clause(line: str, old: str) -> str:
    """The part of a line that a value stands in: of a row its key and its own cell.

    The rest of the line may be of something else, and stays as it is.
    """
    cells = [cell for cell in line.split("|") if cell.strip()]
    if len(cells) > 1:
        return " ".join(dict.fromkeys((cells[0], *(cell for cell in cells if old in cell))))
    return next((part for part in _PARTS.split(line) if old in part), line)


def _aligned(clause: str, new: Value, quotes: list[RepoQuote], case: Case) -> bool:
    """Whether a value may take the place of the one in a clause: the source has it in a sentence
    with a telling word of the clause, or the user said it."""
    said = (v for t in case.trajectory.turns if t.role == "user" for v in values(t.content))
    if any(same(v, new) for v in said):
        return True
    own = _telling({word for word in words(_without_values(clause)) if word.isalpha()})
    for quote in quotes:
        near = meant(_without_values(quote.quote))
        stated = any(same(value, new) for value in values(quote.quote))
        if stated and any(meant(word) & near for word in own):
            return True
    return False


def _without_values(text: str) -> str:
    for value in reversed(values(text)):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def _lacking(text: str, other: str) -> set[str]:
    """The words of a text that another lacks, by stem and by concept."""
    told = meant(other)
    return {w for w in set(words(text)) if w.isalpha() and not meant(w) & told}


def _telling(found: set[str]) -> set[str]:
    return {word for word in found if not everyday(word)}


def _line_of(text: str, old: str) -> tuple[str, int]:
    """The whole lines that hold some text, and the number of the first."""
    start = text.find(old)
    if start < 0:
        return old, 1
    end = text.find("\n", start + len(old))
    head = text.rfind("\n", 0, start) + 1
    return text[head : end if end >= 0 else len(text)], text.count("\n", 0, start) + 1


def few(repo: ContextRepo) -> float:
    """How many files of a repository may hold a word that still tells something."""
    return max(RARE * len(repo.texts), 2)


def headings(repo: ContextRepo, path: str, number: int) -> str:
    """The headings over a line of a file, as one text."""
    component = repo.component(path)
    sections = component.sections if component is not None else ()
    inside = [s for s in sections if s.first_line <= number <= s.last_line]
    return " ".join(heading for section in inside for heading in section.headings)


@lru_cache(maxsize=5000)
def meant(text: str) -> frozenset[str]:
    """The stems of a text and the concepts of its words."""
    return frozenset(meanings(text))


def words(text: str) -> list[str]:
    """The words and numbers of a text, without case; of a script without spaces its signs."""
    return _WORD.findall(text.casefold())
