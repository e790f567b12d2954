"""Lists that explain codes: `C checked in, S sorted`, `1 = whole site | 2 = line`."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from bot.context.everyday import everyday
from bot.context.search import meanings
from bot.provenance.values import values

_QUOTE = r"['\"`]?"
_WORDS = (
    r"is|are|und|and|or|oder|y|o|et|ou|e|en|of|from|to|von|bis|de|à|ist|sind|es|son|est|sont|são"
)
_BEFORE = rf"(?:^|[,;|/(:。、；，：（]\s*|[.…]\s+|(?<!\w)(?:{_WORDS})\s+)"
_MEANS = (
    r"means|stands for|is|are|bedeutet|steht für|heißt|ist|significa|es|signifie|est|betekent|é|è"
)
_CODE = r"(?P<code>[A-Z][A-Z0-9_]{0,11}|\d{1,3}|[a-z][\w-]{0,19})"
_LINK = (
    rf"(?P<link>\s*(?:=>?|[＝:：→–—])\s*|\s+-\s+|\s+(?:{_MEANS})\s+"
    r"|\s*[(（](?=\S)|\s+(?=[^\W\d_A-Z]))"
)
_ITEM = re.compile(rf"(?P<before>{_BEFORE}){_QUOTE}{_CODE}{_QUOTE}{_LINK}")
_EXPLICIT = re.compile(rf"\s*(?:=>?|＝|→)\s*|\s+(?:{_MEANS})\s+")
_STOP = re.compile(r"[.。](?=\s|$)|\.\.\.|…|\|")
_RANGE = re.compile(r"(?:to|through|bis|a|à|hasta|até|t/m|or|and|und|oder)\b")
_KEYWORDS = re.compile(
    r"NULL|NOT|CHECK|IN|PRIMARY|KEY|DEFAULT|REFERENCES|UNIQUE|TEXT|INT|INTEGER|SMALLINT|BIGINT"
    r"|BOOLEAN|DATE|TIMESTAMP|NUMERIC|DECIMAL|UTC|ISO|SQL|DISTINCT|SELECT|WHERE|ENUM|CHAR|VARCHAR"
    r"|TRUE|FALSE|FOREIGN"
)
_AMOUNTS = ("money", "percent", "duration", "measure")
SAME = 0.5  # share of the telling words of the shorter of two meanings, from which they agree


class Item(msgspec.Struct, frozen=True):
    """A code with its meaning, which stands at `start` to `end`; `code_at` is where the item
    begins, `before` what parts it from the one before, `link` what joins the two."""

    code: str
    meaning: str
    code_at: int
    start: int
    end: int
    before: str
    link: str


@lru_cache(maxsize=16_384)
def code_list(text: str) -> tuple[Item, ...]:
    """The longest run of explained codes in a text; one alone only where a word says that it
    means something."""
    runs: list[list[Item]] = [[]]
    for item in _items(text):
        run = runs[-1]
        between = text[run[-1].end : item.code_at] if run else ""
        rest = between.removesuffix(item.before).strip(" ,;|/.…。、；，()（）")
        ends = bool(run) and (bool(rest) or between.strip() in (".", "。"))
        if ends or any(item.code == other.code for other in run):
            runs.append([])
        runs[-1].append(item)
    best = max(runs, key=len)
    if len(best) == 1 and not _EXPLICIT.fullmatch(best[0].link):
        return ()
    return tuple(best)


@lru_cache(maxsize=65_536)
def alike(first: str, second: str) -> bool:
    """Whether two meanings of a code agree."""
    one, two = _telling(first), _telling(second)
    fewer = min(len(one), len(two))
    return fewer == 0 or len(one & two) >= SAME * fewer


@lru_cache(maxsize=65_536)
def differing(said: str, source: str) -> float:
    """The share of the codes explained in both of two texts that mean different things."""
    own = {item.code.casefold(): item.meaning for item in code_list(said)}
    theirs = {item.code.casefold(): item.meaning for item in code_list(source)} if own else {}
    shared = own.keys() & theirs.keys()
    if not shared:
        return 0.0
    return sum(not alike(own[code], theirs[code]) for code in shared) / len(shared)


def is_code(word: str) -> bool:
    """Whether a word may be a code: capitals or figures, and no word of SQL."""
    return bool(re.fullmatch(r"[A-Z][A-Z0-9_-]{0,11}|\d{1,3}", word)) and not is_keyword(word)


def is_keyword(word: str) -> bool:
    """Whether a word in capitals belongs to SQL."""
    return bool(_KEYWORDS.fullmatch(word))


def _telling(text: str) -> frozenset[str]:
    terms = {t for t in meanings(text) if not everyday(t.lstrip("~"))}
    return frozenset(terms or meanings(text))


def _items(text: str) -> list[Item]:
    found = [m for m in _matches(text) if _counts(m, text)]
    items: list[Item] = []
    for number, match in enumerate(found):
        after = found[number + 1].start() if number + 1 < len(found) else len(text)
        start = match.end()
        after = max(after, start)
        end = _end(text, match, start, after)
        separator = found[number + 1]["before"].strip() if number + 1 < len(found) else ""
        if separator in ("", ",", "，", "、") or number + 1 == len(found):
            wider = separator if separator else (match["before"].strip() or ",")
            semicolon = (
                re.search(r"[;；]", text[start:end]) if wider not in (";", "；", "|") else None
            )
            end = start + semicolon.start() if semicolon else end
        meaning = text[start:end].rstrip(" ,;|/.。、；，…")
        if meaning:
            before = match["before"]
            at = match.start("code")
            at -= text[at - 1 : at] in ("'", '"', "`") and at > 0
            items.append(
                Item(match["code"], meaning, at, start, start + len(meaning), before, match["link"])
            )
    return items


def _matches(text: str) -> list[re.Match[str]]:
    """Every place where an item may begin; one that begins inside another's link is none."""
    found: list[re.Match[str]] = []
    at = 0
    while match := _ITEM.search(text, at):
        found.append(match)
        at = max(match.end("code"), match.start() + 1)
    return found


def _counts(match: re.Match[str], text: str) -> bool:
    code, link, rest = match["code"], match["link"], text[match.end() :]
    if is_keyword(code) or not rest.strip():
        return False
    explicit = bool(_EXPLICIT.fullmatch(link)) or link.strip() in ("(", "（")
    if code[0].islower():
        return explicit and link.strip() not in ("is", "are", "ist", "es", "est", "é", "è")
    # `1 to 4` is a range, and `5 days` an amount.
    return explicit or not (code.isdigit() and (_RANGE.match(rest) or _amount(match, text)))


def _amount(match: re.Match[str], text: str) -> bool:
    at = match.start("code")
    return any(v.start <= at < v.end and v.kind in _AMOUNTS for v in values(text))


def _end(text: str, match: re.Match[str], start: int, after: int) -> int:
    if match["link"].strip() in ("(", "（"):
        closing = re.search(r"[)）]", text[start:])
        return start + closing.start() if closing else after
    stop = _STOP.search(text, start, after)
    return stop.start() if stop else after
