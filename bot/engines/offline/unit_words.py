"""Words and signs for units of measure, by dimension and language, and where a text says in which
unit a figure is. General words of each language, kept as data."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from bot.provenance.language import language_of
from bot.provenance.lexicon import alternatives
from bot.provenance.values import values

_HAN = r"\u3040-\u30ff\u3400-\u9fff"
_OPENS = re.compile(r"(?:^|[,;:=(\[（【：、,|-])\s*$")
_ENCLOSED = re.compile(r"[(\[（【]\s*$")
_CLOSES = re.compile(r"\s*(?:$|[.,;:)\]）】。；、|])")
_AS_UNIT = re.compile(r"\s*(?:単位|[为為]单位|[)\]）】])")
_OR = re.compile(r"(?<!\w)(?:or|oder|ou|o|of|and|und|et|y|e|en)\s+$")
_PARTS_CLAUSES = re.compile(r"[,;.:(（、。；：]")
_PARTS = re.compile(r"[A-Z]?[^\W\d_]+\d?|\d+")


class Spelling(msgspec.Struct, frozen=True):
    """How one unit is written: signs, endings of identifiers, and by language groups of forms,
    each the singular, the plural and further cases of one word."""

    signs: tuple[str, ...]
    suffixes: tuple[str, ...]
    words: dict[str, tuple[tuple[str, ...], ...]]


class Lexicon(msgspec.Struct, frozen=True):
    """Every unit by dimension; `introduced` are words before a unit, `whole` adjectives of one."""

    introduced: dict[str, tuple[str, ...]]
    whole: dict[str, tuple[str, ...]]
    dimensions: dict[str, dict[str, Spelling]]


class Mention(msgspec.Struct, frozen=True):
    """A place of a text that says in which unit a figure is."""

    dimension: str
    unit: str
    start: int
    end: int
    text: str


class Clash(msgspec.Struct, frozen=True):
    """Two units of one dimension for one figure: a mention in a description, and the source's."""

    old: Mention
    new: Mention


@cache
def lexicon() -> Lexicon:
    """The packaged words."""
    data = files(__package__).joinpath("unit_words.json").read_bytes()
    return msgspec.json.decode(data, type=Lexicon)


@lru_cache(maxsize=16_384)
def mentions(text: str) -> tuple[Mention, ...]:
    """Where a text names a unit by itself: not behind a number, and not a day or a foot as such."""
    found: list[Mention] = []
    counted = values(text)
    for match in _pattern().finditer(text):
        start, end = match.span()
        held = [v for v in counted if v.start < start and end <= v.end]
        if any(not _whole().fullmatch(text[v.start : start]) for v in held):
            continue
        meant = _meant(match[0])
        found += [
            Mention(dimension, unit, start, end, match[0])
            for dimension, unit in meant
            if _stands(text, match, dimension)
        ]
    return tuple(found)


@lru_cache(maxsize=16_384)
def of_name(name: str) -> tuple[Mention, ...]:
    """The units that the end of an identifier names: `amount_cent`, `readAtUtc`, `volume_m3`."""
    parts = _PARTS.findall(name)
    if not parts:
        return ()
    last = parts[-1]
    at = len(name) - len(last)
    meant = dict.fromkeys((*_suffixes().get(last.casefold(), ()), *_plurals(last)))
    return tuple(Mention(dimension, unit, at, len(name), last) for dimension, unit in meant)


@lru_cache(maxsize=65_536)
def clash(said: str, name: str, comment: str) -> Clash | None:
    """The unit that a text gives for a figure, and the other one that a source gives for it: by
    its comment, else by its name. None where either names no unit, several, or the same."""
    own = mentions(said)
    if not own:
        return None
    written = mentions(comment)
    told = {m.dimension for m in written}
    theirs = (*written, *(m for m in of_name(name) if m.dimension not in told))
    for dimension in dict.fromkeys(m.dimension for m in own):
        first = [m for m in own if m.dimension == dimension]
        second = [m for m in theirs if m.dimension == dimension]
        second = _leading(second, comment)
        if len(first) != 1 or len({m.unit for m in second}) != 1:
            continue
        if all(m.unit != first[0].unit for m in second):
            return Clash(first[0], second[0])
    return None


def _leading(found: list[Mention], comment: str) -> list[Mention]:
    """Of several units the one that a comment begins with, if a sign parts it from the others:
    then they are said of something else."""
    first = [m for m in found if not m.start]
    others = [m for m in found if m.start]
    parted = first and all(_PARTS_CLAUSES.search(comment[first[0].end : m.start]) for m in others)
    return first if parted else found


def spelt(clash: Clash, around: str) -> str:
    """The new unit in the language and the form of the place where the old one stands: the word of
    the source where it is one of that language, a sign for a sign."""
    new = lexicon().dimensions[clash.new.dimension][clash.new.unit]
    place = _form(clash.old)
    if place is None:
        if clash.new.text in new.signs or not new.signs:
            return clash.new.text
        spoken = language_of(around)
        foreign = spoken is not None and spoken not in _languages(clash.new)
        return new.signs[0] if foreign or _form(clash.new) is None else clash.new.text
    language, group, form = place
    told = language_of(around)
    languages = _languages(clash.old)
    same = [lang for lang in languages if _group(new, lang, clash.new.text) is not None]
    preferred = told if told in languages else (same or [language])[0]
    groups = new.words.get(preferred, ())
    if not groups:
        return new.signs[0] if new.signs else clash.new.text
    own = _group(new, preferred, clash.new.text)
    # Where the source does not say which word, the spelling that the place has: metre or meter.
    chosen = groups[own if own is not None else min(group, len(groups) - 1)]
    return _cased(chosen[min(form, len(chosen) - 1)], clash.old.text)


def whole_before(text: str, start: int) -> int:
    """Where an adjective begins that says that a figure has no decimals: it goes with its unit."""
    match = _whole().search(text[:start])
    return match.start() if match else start


def _stands(text: str, match: re.Match[str], dimension: str) -> bool:
    """Whether a word for a unit stands where a text says in which unit something is."""
    word, before, after = match[0], text[: match.start()], text[match.end() :]
    introduced = bool(_introduced().search(before)) or bool(_ENCLOSED.search(before))
    closed = bool(_CLOSES.match(after))
    if re.match(rf"[{_HAN}]", word):
        loose = dimension in ("time", "money") or len(word) == 1
        marked = bool(_AS_UNIT.match(after)) or (introduced and closed)
        return marked or not loose
    if any(word in s.signs for s in lexicon().dimensions[dimension].values()):
        if len(word) == 1 and word.isalpha():
            return introduced and closed
        plain = word.isalpha() and word.islower()
        return not plain or introduced or bool(_OPENS.search(before) and closed)
    compound = " " in word and dimension != "time"
    if compound or dimension == "clock":
        return True
    if word.casefold() not in _plural_words():
        return introduced and closed
    return introduced or bool(_OPENS.search(before)) or bool(_OR.search(before))


def _meant(word: str) -> tuple[tuple[str, str], ...]:
    return _signs().get(word) or _words().get(word.casefold(), ())


def _plurals(word: str) -> tuple[tuple[str, str], ...]:
    low = word.casefold()
    return _words().get(low, ()) if low in _plural_words() else ()


def _form(mention: Mention) -> tuple[str, int, int] | None:
    """The language, the group and the form of a word; None for a sign."""
    spelling = lexicon().dimensions[mention.dimension][mention.unit]
    for language, groups in spelling.words.items():
        for number, group in enumerate(groups):
            low = [word.casefold() for word in group]
            if mention.text.casefold() in low:
                # What is said of a figure is said of several: the plural, where there is one.
                last = max(n for n, word in enumerate(low) if word == mention.text.casefold())
                return language, number, max(last, 1)
    return None


def _languages(mention: Mention) -> list[str]:
    spelling = lexicon().dimensions[mention.dimension][mention.unit]
    return [lang for lang in spelling.words if _group(spelling, lang, mention.text) is not None]


def _group(spelling: Spelling, language: str, word: str) -> int | None:
    groups = spelling.words.get(language, ())
    low = word.casefold()
    return next((n for n, group in enumerate(groups) if low in [w.casefold() for w in group]), None)


def _cased(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


@cache
def _signs() -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for dimension, units in lexicon().dimensions.items():
        for unit, spelling in units.items():
            for sign in spelling.signs:
                found[sign] = (*found.get(sign, ()), (dimension, unit))
    return found


@cache
def _suffixes() -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for dimension, units in lexicon().dimensions.items():
        for unit, spelling in units.items():
            for suffix in spelling.suffixes:
                found[suffix] = (*found.get(suffix, ()), (dimension, unit))
    return found


@cache
def _words() -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for dimension, units in lexicon().dimensions.items():
        for unit, spelling in units.items():
            low = {w.casefold() for g in spelling.words.values() for group in g for w in group}
            for word in low:
                found[word] = (*found.get(word, ()), (dimension, unit))
    return found


@cache
def _plural_words() -> frozenset[str]:
    """Words that can stand for several: a plural, or the only form that there is."""
    spellings = (s for units in lexicon().dimensions.values() for s in units.values())
    groups = (g for s in spellings for groups in s.words.values() for g in groups)
    return frozenset(w.casefold() for g in groups for w in (g[1:] or g))


@cache
def _pattern() -> re.Pattern[str]:
    words = [w for w in _words() if not re.match(rf"[{_HAN}]", w)]
    han = [w for w in _words() if re.match(rf"[{_HAN}]", w)]
    signs = alternatives(list(_signs()))
    return re.compile(
        rf"(?<![\w.])(?:(?:{signs})(?![\w/])|(?i:{alternatives(words)})(?![\w/]))"
        rf"|(?:{alternatives(han)})"
    )


@cache
def _introduced() -> re.Pattern[str]:
    spaced = alternatives([w for words in lexicon().introduced.values() for w in words])
    whole = alternatives([w for words in lexicon().whole.values() for w in words])
    return re.compile(rf"(?:(?<!\w)(?i:{spaced}))\s*(?:(?i:{whole})\s+)?$")


@cache
def _whole() -> re.Pattern[str]:
    whole = alternatives([w for words in lexicon().whole.values() for w in words])
    return re.compile(rf"(?<!\w)(?i:{whole})\s+$")
