"""Values that name things by their shape: versions, codes, enum members, proper names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.provenance.lexicon import table
from bot.provenance.text import Text
from bot.provenance.value import Value

_VERSION = re.compile(
    r"(?<![\w.-])(?:[vV](?:ersion )?(?P<marked>\d+(?:\.\d+)*)|[Vv]ersion (?P<named>\d+(?:\.\d+)*)"
    r"|(?P<bare>(?!\d{1,3}(?:\.\d{3})+(?!\d))\d+\.\d+\.\d+))(?P<tail>-(?:alpha|beta|rc|pre|dev)[.\d]*)?(?!\w|\.\d|-\d)"
)
_CODE = re.compile(
    r"(?<![\w/-])(?:"
    r"[A-Z][A-Z0-9]*(?:[-_./][A-Z0-9]+)+"  # POL-12, AB-CD, ABC-26-03
    r"|[A-Z]{1,6}\d+[A-Z0-9]*"  # WP10, D14
    r"|[A-Z][A-Z0-9]*\d{2,}[A-Z0-9]*"
    r"|[a-z]{1,8}(?:[-_][0-9a-z]+)*[-_](?=[0-9a-f]*\d)[0-9a-f]{4,}(?:-[0-9a-z]+)*"  # wm-2026-44d9
    r"|[a-z]{2,8}-\d{1,3}[a-z]?"  # eu-1
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}"
    r"|\d[xX]{2}"  # 4xx
    r"|(?!\d+[KM]\b)\d{1,3}[A-Z]{1,4}\d*"
    r"|[A-Z]{2,3}"  # EUR, EE
    r")(?!\w|-\w)"
    r"|(?<!\w)@[a-z0-9][\w-]*/[\w.-]*\w"  # @scope/package
)
_MEMBER = re.compile(
    r"`(?P<ticked>[A-Za-z][\w.-]*)`"
    r"|(?<![\w/.-])(?:(?P<snake>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)"
    r"|(?P<camel>[a-z]+(?:[A-Z][a-z0-9]+)+)"
    r"|(?P<scope>[a-z][a-z_-]+:[a-z][a-z_-]+)"
    r"|(?P<capitals>[A-Z]{4,16}))(?![\w/-])"
)
_CAPITALISED = r"(?!I')[A-ZÀ-ÖØ-Þ][\w'’&-]*[a-zß-ÿ]"
_LINK = (
    r"(?:[ ](?:of|and|the|for|de|la|del|du|des|der|für|di|do|da|van|&)"
    r"(?:[ ](?:the|la|los|las|den))?)"
)
_NAME = re.compile(
    rf"(?<![\w-]){_CAPITALISED}{_LINK}?(?:[ ]{_CAPITALISED})+"
    rf"(?:{_LINK}[ ]{_CAPITALISED}(?:[ ]{_CAPITALISED})*)?"
)

_TWO = re.compile(rf"{_CAPITALISED}{_LINK}?[ ]{_CAPITALISED}")


def versions(text: Text) -> Iterator[Value]:
    """`v2`, `v2.3.1`, `version 2.3`, `2.3.1-rc1`, without the leading letter."""
    for match in _VERSION.finditer(text.folded):
        number = match["marked"] or match["named"] or match["bare"]
        yield text.value("version", number + (match["tail"] or ""), match.span())


def identifiers(text: Text) -> Iterator[Value]:
    """Codes in capitals or with digits. `unit` is their series (`POL` of POL-12) or their shape."""
    shouted = _is_shouted(text.folded)
    for match in _CODE.finditer(text.folded):
        code = match.group()
        if not code.isalpha() or not (shouted or code in _emphasis()):
            yield text.value("identifier", code, match.span(), _series(code))


def members(text: Text) -> Iterator[Value]:
    """Enum members, columns and fields: in backticks, snake_case, CAPITALS, camelCase, a:scope."""
    shouted = _is_shouted(text.folded)
    for match in _MEMBER.finditer(text.folded):
        style = match.lastgroup or "ticked"
        if style != "capitals" or not (shouted or match[style] in _emphasis()):
            yield text.value("enum", match[style].lower(), match.span(style))


def names(text: Text) -> Iterator[Value]:
    """Two or more capitalised words in a row, as one name, without a leading "The"."""
    for match in _NAME.finditer(text.folded):
        first, _, rest = match.group().partition(" ")
        start = match.start()
        if first.lower() in _function_words():
            start += len(first) + 1
            if not _TWO.match(rest):
                continue
        canonical = " ".join(text.lowered[start : match.end()].split())
        yield text.value("name", canonical, (start, match.end()))


def _series(code: str) -> str:
    """The letters that a code shares with its like, else its shape (`AAA`, `9xx`)."""
    head = re.match(r"@?[A-Za-z]+(?=[-_./]|\d)", code)
    if head:
        return head.group()
    return re.sub(r"\d", "9", re.sub(r"[A-Z]", "A", code)) if len(code) < 12 else "hash"


def _is_shouted(folded: str) -> bool:
    """Whether capitals are but the writer's loud voice."""
    words = re.findall(r"[A-Za-z]{2,}", folded)
    loud = sum(1 for word in words if word.isupper())
    return loud * 3 > max(len(words), 3) * 2


@cache
def _emphasis() -> frozenset[str]:
    return frozenset(table("emphasis")) | {word.upper() for word in _function_words()}


@cache
def _function_words() -> frozenset[str]:
    return frozenset(word for words in table("languages").values() for word in words)
