"""Dates, whole or in part: days, months, years, quarters, fiscal periods, weekdays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.provenance.language import lower, named
from bot.provenance.lexicon import alternatives, table
from bot.provenance.number_words import vocabularies
from bot.provenance.text import TOKEN, Text
from bot.provenance.value import Value

_Y = r"(?P<year>\d{4})"
_ISO = re.compile(
    rf"(?<![\w/.-])(?:{_Y}(?P<s>[-/.])(?P<month>0?[1-9]|1[0-2])(?P=s)(?P<day>0?[1-9]|[12]\d|3[01])"
    r"(?![\d/-]|\.\d)|(?P<year_only>(?:19|20)\d\d)-(?P<month_only>0[1-9]|1[0-2])(?![\w-]))"
)
_NUMERIC = re.compile(
    r"(?<![\w/.-])(?P<first>\d{1,2})(?P<s>[./-])(?P<then>\d{1,2})(?P=s)(?P<year>\d{4}|\d\d)(?![\w/]|[-.]\d)"
    r"|(?<![\w/.-])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?![\w]|\d)"
)
_MONTH_YEAR = re.compile(r"(?<![\w/.-])(?P<month>0?[1-9]|1[0-2])/(?P<year>20\d\d)(?![\w/]|[-.]\d)")
_CJK_YEAR = r"(?:(?P<{0}>\d{{4}})|令和(?P<{0}_reiwa>\d{{1,2}}|元))年"
_CJK = re.compile(
    rf"(?:{_CJK_YEAR.format('year')}度?[ ]?)?"
    r"(?P<month>\d{1,2})月[ ]?(?:(?P<day>\d{1,2})[日号])?"
    rf"|{_CJK_YEAR.format('lone')}(?!間)"
)
_PERIOD = re.compile(
    r"(?<![\w-])(?:(?P<fiscal>FY|fiscal(?: year)? |fy ?|GJ ?|Geschäftsjahr )(?P<fy>20\d\d|\d\d)"
    r"(?:[ -]?(?P<fq>[QH][1-4]))?"
    r"|(?P<part>[QTH][1-4])(?:[ /-]{1,2}(?P<pfiscal>FY)?[ ]?(?P<year>20\d\d|'?\d\d))?"
    r"|(?P<lead>20\d\d)[ -]?(?P<lq>[QH][1-4])|(?P<nq>[1-4])Q(?P<ny>\d\d))(?![\w])"
)
_COUNTED = re.compile(r"[ ][a-zà-ÿ]{4,}")
_ORDINAL_QUARTER = r"(?P<nth>[1-4])(?:st|nd|rd|th|\.|er|º|e|°)?"
_YEAR = re.compile(
    r"(?<![\w.,/#$€£-])(?<![$€£] )(?P<year>(?:19[5-9]|20[0-6])\d)(?![\w%]|[.,/-]\d| ?[%€$£°])"
)


def dates(text: Text) -> Iterator[Value]:
    """Every date expression of the text, the most specific patterns first."""
    if text.digits:
        yield from _iso(text)
        yield from _numeric(text)
        yield from _months_of_years(text)
        yield from _cjk(text)
    if not text.words.isdisjoint(_months()):
        yield from _written(text)
    if text.digits:
        yield from _periods(text)
    if not text.words.isdisjoint(table("calendar")["quarters"]):
        yield from _quarters(text)
    yield from _weekdays(text)


def years(text: Text) -> Iterator[Value]:
    """Four digits that read as a year: after a word such as "since", or with no noun to count."""
    for match in _YEAR.finditer(text.folded):
        led = _year_lead().search(text.folded, max(0, match.start() - 12), match.start())
        counted = _COUNTED.match(text.folded, match.end())
        if led or (not counted and match.group("year")[2:] != "00"):
            yield text.value("date", match.group(), match.span(), "year")


def _iso(text: Text) -> Iterator[Value]:
    for match in _ISO.finditer(text.folded):
        if match.group("year"):
            day = int(match.group("day"))
            yield _date(text, match, match.group("year"), int(match.group("month")), day)
        else:
            year, month = match.group("year_only"), int(match.group("month_only"))
            yield _date(text, match, year, month, None)


def _numeric(text: Text) -> Iterator[Value]:
    """`1.4.2026` has the day first, `4/1/2026` leaves it open unless the language settles it."""
    for match in _NUMERIC.finditer(text.folded):
        if match.group("day"):
            first, then, year = int(match.group("day")), int(match.group("month")), None
        else:
            first, then = int(match.group("first")), int(match.group("then"))
            year = _full_year(match.group("year"))
        orders = [(first, then), (then, first)]
        if match.group("s") in (".", None) or text.language not in ("en", None):
            orders = orders[:1]
        found = [
            _date(text, match, year, month, day)
            for day, month in dict.fromkeys(orders)
            if 1 <= month <= 12 and 1 <= day <= 31
        ]
        if found:
            canonical = "|".join(date.canonical for date in found)
            yield text.value("date", canonical, match.span(), "day")


def _months_of_years(text: Text) -> Iterator[Value]:
    for match in _MONTH_YEAR.finditer(text.folded):
        yield _date(text, match, match["year"], int(match["month"]), None)


def _cjk(text: Text) -> Iterator[Value]:
    for match in _CJK.finditer(text.folded):
        year = match.group("year") or match.group("lone")
        era = match.group("year_reiwa") or match.group("lone_reiwa")
        if era:
            year = str(2018 + (1 if era == "元" else int(era)))
        if match.group("month") is None:
            yield _date(text, match, year, None, None)
        elif 1 <= int(match.group("month")) <= 12:
            day = int(match.group("day")) if match.group("day") else None
            if day is None or 1 <= day <= 31:
                yield _date(text, match, year, int(match.group("month")), day)


def _written(text: Text) -> Iterator[Value]:
    """ "1 April 2026", "April 1st", "el 1 de abril", "avril 2026", "April"."""
    for match in _written_pattern().finditer(text.folded):
        if _is_month(match, text):
            day = _day(match.group("before") or match.group("after"))
            month = named(_months(), match.group("month"))
            if month is not None:
                yield _date(text, match, match.group("year"), month, day)


def _is_month(match: re.Match[str], text: Text) -> bool:
    """Whether "may", "march" or "set" is a month here: beside a number, or led by "in"."""
    name, before = match.group("month"), match.group("before")
    if lower(name) not in table("calendar")["months_only_beside_a_number"]:
        return True
    if match.group("year") or (before and before[0].isdigit()):
        return True
    if name[0].islower():
        return False
    led = _year_lead().search(text.folded, max(0, match.start() - 12), match.start())
    return bool(before or match.group("after") or led)


def _day(raw: str | None) -> int | None:
    if raw is None:
        return None
    digits = re.match(r"\d+", raw)
    return int(digits.group()) if digits else named(_ordinal_days(), raw)


def _periods(text: Text) -> Iterator[Value]:
    for match in _PERIOD.finditer(text.folded):
        if match.group("fiscal"):
            part = f"-{match.group('fq')}" if match.group("fq") else ""
            canonical = f"FY{_full_year(match.group('fy'))}{part}"
        else:
            part = match.group("part") or match.group("lq") or f"Q{match.group('nq')}"
            year = match.group("year") or match.group("lead") or match.group("ny")
            fiscal = "FY" if match.group("pfiscal") else ""
            full = _full_year(year.lstrip("'")) if year else ""
            canonical = f"{fiscal}{full}-{part.replace('T', 'Q')}"
        yield text.value("date", canonical, match.span(), "period")


def _quarters(text: Text) -> Iterator[Value]:
    """ "second quarter of 2026", "2. Quartal"."""
    for match in _quarter_pattern().finditer(text.folded):
        nth = match.group("nth") or named(_ordinal_days(), match.group("word"))
        year = match.group("year") or ""
        if nth is not None:
            yield text.value("date", f"{year}-Q{nth}", match.span(), "period")


def _weekdays(text: Text) -> Iterator[Value]:
    if text.lowered.isascii() and text.words.isdisjoint(_weekday_words()):
        return
    for match in _weekday_pattern().finditer(text.folded):
        number = named(_weekday_numbers(), match.group())
        if number is not None:
            yield text.value("date", f"W{number}", match.span(), "weekday")


def _date(
    text: Text, match: re.Match[str], year: str | None, month: int | None, day: int | None
) -> Value:
    canonical = (year or "-") + (f"-{month:02}" if month else "") + (f"-{day:02}" if day else "")
    return text.value(
        "date", canonical, match.span(), "day" if day else "month" if month else "year"
    )


def _full_year(digits: str) -> str:
    return digits if len(digits) == 4 else f"20{digits}"


@cache
def _months() -> dict[str, int]:
    return {
        word: int(number) for number, words in table("calendar")["months"].items() for word in words
    }


@cache
def _weekday_numbers() -> dict[str, int]:
    calendar = table("calendar")
    return {
        lower(word): int(n)
        for listed in ("weekdays", "weekday_abbreviations")
        for n, words in calendar[listed].items()
        for word in words
    }


@cache
def _weekday_words() -> frozenset[str]:
    return frozenset(word for name in _weekday_numbers() for word in TOKEN.findall(name))


@cache
def _ordinal_days() -> dict[str, int]:
    return {w: n for v in vocabularies().values() for w, n in v.ordinals.items()}


@cache
def _written_pattern() -> re.Pattern[str]:
    months = alternatives(list(_months()))
    nth = alternatives([word for word, n in _ordinal_days().items() if n <= 31])
    day = r"(?:0?[1-9]|[12]\d|3[01])(?!\d)"
    no_quantity = r"(?![\w:%]|[.,]\d|[ ]?(?:[%€$£]|Uhr|am|pm|h)\b)"
    return re.compile(
        rf"(?<![\w.,-])(?:(?P<before>{day}|(?i:{nth}))(?:st|nd|rd|th|er|º|°|\.)?[ ]?"
        r"(?:of |de |d'|di )?)?"
        rf"(?<![A-Za-zÀ-ɏ-])(?P<month>(?i:{months}))\.?(?![A-Za-zÀ-ɏ0-9_])"
        rf"(?:[ ](?:the )?(?P<after>{day})(?:st|nd|rd|th)?{no_quantity})?"
        r"(?:,?[ ](?:of |de |del |do )?(?P<year>(?:19|20)\d\d)(?!\w|[.,]\d))?"
    )


@cache
def _quarter_pattern() -> re.Pattern[str]:
    words = alternatives(table("calendar")["quarters"])
    nth = alternatives([word for word, n in _ordinal_days().items() if n <= 4])
    return re.compile(
        rf"(?<![\w.])(?:{_ORDINAL_QUARTER}|(?P<word>(?i:{nth})))[ ](?i:{words})(?![A-Za-z])"
        r"(?:[ ](?:of |de |del |do )?(?P<year>20\d\d))?"
    )


@cache
def _weekday_pattern() -> re.Pattern[str]:
    calendar = table("calendar")
    full = [word for words in calendar["weekdays"].values() for word in words]
    latin = alternatives([word for word in full if TOKEN.match(word)])
    other = alternatives([word for word in full if not TOKEN.match(word)])
    short = alternatives([w for words in calendar["weekday_abbreviations"].values() for w in words])
    # "Sun" and "Sat" are words too: they count before a date or beside another one.
    beside = rf"(?=\.?[ ,]*(?:\d|[-–/]|(?:to|and|through) (?:{short})\b))"
    led = rf"(?<=[A-Z][a-z][a-z][-–/])(?:{short})(?![\w-])|(?<= to )(?:{short})(?![\w-])"
    return re.compile(
        rf"(?<![\w-])(?i:{latin})(?![\w-])|{other}|(?<![\w-])(?:{short}){beside}|{led}"
    )


@cache
def _year_lead() -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-zÀ-ɏ])(?i:{alternatives(table('calendar')['year_leads'])})[ ]\Z")
