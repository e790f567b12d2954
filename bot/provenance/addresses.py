"""Values that say where: URLs, mail addresses, paths, network addresses, telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.provenance.text import Text
from bot.provenance.value import Value

_STOP = r"\s<>\"'`|)\]}、。，「」"
_URL = re.compile(
    rf"\b(?:https?|wss?|ftp|s3|git|ssh)://[^{_STOP}]+|\bwww\.[^{_STOP}]+", re.IGNORECASE
)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_SUFFIX = (
    r"(?:md|mdx|mdc|markdown|txt|rst|jsonl?|jsonc|ya?ml|toml|ini|cfg|csv|tsv|sql|py|js|ts|tsx|sh|"
    r"html?|css|xml|pdf|docx?|xlsx?|pptx?|png|jpe?g|svg|log|lock|prompty?|java|go|rs|rb|c|h|cpp)"
)
_PATH = re.compile(
    # a file, whatever its folder
    r"(?<![\w/.@:{}+\\-])(?:(?:~|\.{1,2})?/(?=[\w{:.-])|[A-Za-z]:\\)?"
    rf"(?:[\w.{{}}:@+-]+[/\\])*[\w.{{}}:@+-]*\w\.{_SUFFIX}(?!\w)"
    # an absolute path or route
    r"|(?<![\w/.<@:)])(?:~|\.{1,2})?/(?:[A-Za-z_{:][\w.{}:@+-]*/)*[A-Za-z_{:][\w.{}:@+-]*[\w}]/?"
    # folders
    r"|(?<![\w/.@:<-])(?:[a-z_.][\w.-]*/){2,}[\w.{}-]*"
    r"|(?<![\w/.@:<-])[a-z_.][\w-]*[a-z_]/(?=[\s`'\",;)]|$)"
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"  # "000" is a group of thousands
_NETWORK = re.compile(
    rf"(?<![\w.])(?:{_OCTET}\.){{3}}{_OCTET}(?:/\d{{1,2}})?(?!\w|[.,]\d|[ ]?[€$£%])"
)
_EXTENSION = re.compile(
    r"\b(?:extension|ext\.?|durchwahl|nebenstelle|poste|interno|anexo|ramal|toestel)\s?(?P<n>\d{2,6})\b"
    r"|内線\s?(?P<ja>\d{2,6})",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w.,+/-])(?<!\d )(?:"
    r"\+\d{1,3}[ ./-]?(?:\(0?\d{1,4}\)[ ./-]?)?\d{1,4}(?:[ ./-]?\d{2,4}){1,4}"
    r"|\(\d{2,5}\)[ -]?\d{3,4}[ -]?\d{2,5}"
    r"|(?:1-)?\d{3}-\d{3}-\d{4}"
    r"|0\d{2,4}[ /-]\d{3,8}(?:[ -]\d{2,4}){0,3}"
    r")(?![\w-]|[.,]\d)"
)


def addresses(text: Text) -> Iterator[Value]:
    """URLs, mail addresses and paths, in that order of claim; then network addresses."""
    for match in _URL.finditer(text.folded):
        raw = match.group().rstrip(".,;:!?*_")
        yield text.value("url", raw.rstrip("/"), _span(match, raw))
    for match in _EMAIL.finditer(text.folded):
        raw = match.group().rstrip(".")
        yield text.value("email", raw.lower(), _span(match, raw))
    for match in _PATH.finditer(text.folded):
        raw = match.group().rstrip(".")
        canonical = raw.replace("\\", "/").removeprefix("./").rstrip("/") or raw
        yield text.value("path", canonical, _span(match, raw))
    for match in _NETWORK.finditer(text.folded):
        yield text.value("identifier", match.group(), match.span(), "network")


def phones(text: Text) -> Iterator[Value]:
    """Telephone numbers and extensions, as digits alone."""
    for match in _EXTENSION.finditer(text.folded):
        yield text.value("phone", match["n"] or match["ja"], match.span(), "extension")
    for match in _PHONE.finditer(text.folded):
        digits = re.sub(r"\D", "", match.group())
        if 7 <= len(digits) <= 15:
            yield text.value("phone", digits, match.span())


def _span(match: re.Match[str], raw: str) -> tuple[int, int]:
    """Where a match stands without the punctuation that ends its sentence."""
    return match.start(), match.start() + len(raw)
