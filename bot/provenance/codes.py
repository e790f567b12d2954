"""Values that are recognised by their shape: addresses, paths, versions, codes and names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bot.provenance.value import Kind, Value

_URL = re.compile(
    r"\b(?:https?|wss?|ftp|s3|git|ssh)://[^\s<>\"'`|)\]}、。，「」]+|\bwww\.[^\s<>\"'`|)\]}]+", re.I
)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_EXTENSION = (
    r"(?:md|mdx|mdc|markdown|txt|rst|json|jsonl|jsonc|ya?ml|toml|ini|cfg|csv|tsv|sql|py|js|ts|tsx|"
    r"sh|html?|css|xml|pdf|docx?|xlsx?|pptx?|png|jpe?g|svg|log|lock|prompty?|java|go|rs|rb|c|h|cpp)"
)
_PATH = re.compile(
    rf"(?<![\w/.@:])(?:(?:~|\.{{1,2}})?/(?=[\w{{:.-])|[A-Za-z]:\\)?"
    rf"(?:[\w.{{}}:@+-]+[/\\])*[\w.{{}}:@+-]*\w\.{_EXTENSION}(?![\w])"
    r"|(?<![\w/.<@:)])(?:~|\.{1,2})?/(?:[A-Za-z_{:][\w.{}:@+-]*/)*[A-Za-z_{:][\w.{}:@+-]*[\w}]/?"
    r"|(?<![\w/.@:<])(?:[a-z_.][\w.-]*/){2,}[\w.{}-]*"
    r"|(?<![\w/.@:<])[a-z_.][\w-]*[a-z_]/(?=[\s`'\",;)]|$)"
)
_VERSION = re.compile(
    r"(?<![\w.-])(?:[vV](?:ersion )?(?P<marked>\d+(?:\.\d+)*)|[Vv]ersion (?P<named>\d+(?:\.\d+)*)"
    r"|(?P<bare>\d+\.\d+\.\d+))(?P<tail>-(?:alpha|beta|rc|pre|dev)[.\d]*)?(?![\w]|\.\d|-\d)"
)
_PHONE = re.compile(
    r"(?<![\w.,+/-])(?:\+\d{1,3}[ ./-]?(?:\(0?\d{1,4}\)[ ./-]?)?\d{1,4}(?:[ ./-]?\d{2,4}){1,4}"
    r"|\(\d{2,5}\)[ -]?\d{3,4}[ -]?\d{2,5}|\d{3}-\d{3}-\d{4}|0\d{2,4}[ /-]\d{3,8}(?:[ -]\d{2,4}){0,3}"
    r"|1-8\d\d-\d{3}-\d{4})(?![\w-]|[.,]\d)"
)
_EXTENSION_NUMBER = re.compile(
    r"\b(?:extension|ext\.?|durchwahl|nebenstelle|poste|interno|anexo|ramal|toestel|内線)\s?(?P<number>\d{2,6})\b",
    re.I,
)
_CODE = re.compile(
    r"(?<![\w/-])(?:[A-Z][A-Z0-9]*(?:[-_./][A-Z0-9]+)+"  # POL-12, CR-PORT, MTG-26-03
    r"|[A-Z]{1,6}\d+[A-Z0-9]*"  # WP10, D14
    r"|[A-Z][a-z]?[A-Z]*\d{2,}[A-Z0-9]*"
    r"|[a-z]{1,8}(?:[-_][0-9a-z]+)*[-_](?=[0-9a-f]*\d)[0-9a-f]{4,}(?:-[0-9a-z]+)*"  # wm-2026-44d9
    r"|\d[xX]{2}"  # 4xx
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}"
    r"|\d{1,3}[A-Z]{1,4}\d*|[A-Z]{2,6})(?![\w]|-\w)"
)
_MIXED = re.compile(r"(?<![\w/.-])(?:[A-Za-z][a-z]{0,3}[- ]?)?[A-Za-z]*\d[\w]*-[\w-]*\w(?![\w])")
_ENUM = re.compile(
    r"`(?P<ticked>[A-Za-z][\w.-]*)`"
    r"|(?<![\w/.-])(?:(?P<snake>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)"
    r"|(?P<camel>[a-z]+(?:[A-Z][a-z0-9]+)+))(?![\w])"
)
_NAME = re.compile(
    r"(?<![\w-])[A-ZÀ-ÖØ-Þ][\w'’&-]*[a-zà-ÿ](?:[ ](?:of|and|the|for|de|la|del|du|des|der|für|und|di|do|da|van|&)"
    r"(?:[ ](?:the|la|los|las|den))?)?(?:[ ][A-ZÀ-ÖØ-Þ][\w'’&-]*[a-zà-ÿ])+"
    r"(?:[ ](?:of|and|de|der|für)(?:[ ]the)?[ ][A-ZÀ-ÖØ-Þ][\w'’&-]*[a-zà-ÿ](?:[ ][A-ZÀ-ÖØ-Þ][\w'’&-]*[a-zà-ÿ])*)?"
)


def addresses(text: str, folded: str) -> Iterator[Value]:
    """URLs, mail addresses, paths and versions, in that order of claim."""
    for match in _URL.finditer(folded):
        raw = match.group().rstrip(".,;:!?*_")
        yield _value("url", text, match.start(), match.start() + len(raw), raw.rstrip("/"))
    for match in _EMAIL.finditer(folded):
        raw = match.group().rstrip(".")
        yield _value("email", text, match.start(), match.start() + len(raw), raw.lower())
    for match in _PATH.finditer(folded):
        raw = match.group().rstrip(".")
        canonical = raw.replace("\\", "/").removeprefix("./").rstrip("/") or raw
        yield _value("path", text, match.start(), match.start() + len(raw), canonical)


def versions(text: str, folded: str) -> Iterator[Value]:
    """`v2`, `v2.3.1`, `version 2.3`, `2.3.1-rc1`, without the leading letter."""
    for match in _VERSION.finditer(folded):
        number = match.group("marked") or match.group("named") or match.group("bare")
        canonical = number + (match.group("tail") or "")
        yield _value("version", text, match.start(), match.end(), canonical)


def phones(text: str, folded: str) -> Iterator[Value]:
    """Telephone numbers and extensions, as digits alone."""
    for match in _EXTENSION_NUMBER.finditer(folded):
        number = match.group("number")
        yield _value("phone", text, match.start(), match.end(), number, "extension")
    for match in _PHONE.finditer(folded):
        digits = re.sub(r"\D", "", match.group())
        if 7 <= len(digits) <= 15:
            yield _value("phone", text, match.start(), match.end(), digits)


def identifiers(text: str, folded: str) -> Iterator[Value]:
    """Codes in capitals or with digits. `unit` is their series (`POL` of POL-12) or their shape."""
    shouted = _is_shouted(folded)
    for match in _CODE.finditer(folded):
        code = match.group()
        if shouted and code.isalpha():
            continue
        yield _value("identifier", text, match.start(), match.end(), code, _series(code))


def members(text: str, folded: str) -> Iterator[Value]:
    """Enum members, columns and fields: in backticks, snake_case, CONST_CASE or camelCase."""
    for match in _ENUM.finditer(folded):
        for style in ("ticked", "snake", "camel"):
            if word := match.group(style):
                start = match.start(style)
                yield _value("enum", text, start, start + len(word), word.lower())


def names(text: str, folded: str) -> Iterator[Value]:
    """Two or more capitalised words in a row, as one name."""
    for match in _NAME.finditer(folded):
        canonical = " ".join(match.group().lower().split())
        yield _value("name", text, match.start(), match.end(), canonical)


def _value(
    kind: Kind, text: str, start: int, end: int, canonical: str, unit: str | None = None
) -> Value:
    return Value(kind, canonical, start, end, text[start:end], unit)


def _series(code: str) -> str:
    """The letters that a code shares with its like, else its shape (`AAA`, `9xx`)."""
    head = re.match(r"[A-Za-z]+(?=[-_./]|\d)", code)
    if head:
        return head.group()
    return re.sub(r"\d", "9", re.sub(r"[A-Z]", "A", code)) if len(code) < 12 else "hash"


def _is_shouted(folded: str) -> bool:
    words = re.findall(r"[A-Za-z]{2,}", folded)
    return sum(w.isupper() for w in words) * 2 > max(len(words), 2)
