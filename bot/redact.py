"""Secrets and personal data out of a text: `[redacted:KIND]` in their place, the rest verbatim.

A text is read twice: as a reader puts it together, without hidden characters, so that whatever
removes those later rebuilds nothing, and as it stands.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from bot.defang import bare

Proof = Callable[[str], bool]


def redact(text: str) -> str:
    """The text with every secret and every piece of personal data replaced by its kind."""
    for kind, pattern, proof in (*SECRETS, *PERSONAL):
        text = _replaced(text, kind, pattern, proof)
    return text


def secrets(text: str) -> tuple[str, ...]:
    """The kinds of secret that a text holds, random-looking tokens among them; no values."""
    seen, _ = bare(text)
    found = [
        kind
        for kind, pattern, proof in SECRETS
        if _hits(text, pattern, proof) or _hits(seen, pattern, proof)
    ]
    if any(_random(token) for token in (*TOKEN.findall(text), *TOKEN.findall(seen))):
        found.append("HIGH_ENTROPY")
    return tuple(dict.fromkeys(found))


def personal(text: str) -> tuple[str, ...]:
    """Every piece of personal data as it stands in the text."""
    seen, places = bare(text)
    found = []
    for _, pattern, proof in PERSONAL:
        found += [match[0] for match in _matches(text, pattern, proof)]
        spans = (match.span() for match in _matches(seen, pattern, proof))
        found += [text[places[start] : places[end - 1] + 1] for start, end in spans]
    return tuple(dict.fromkeys(found))


def _replaced(text: str, kind: str, pattern: re.Pattern[str], proof: Proof | None) -> str:
    kept = "keep" if "keep" in pattern.groupindex else None
    for read in (bare, _as_it_stands):
        seen, places = read(text)
        pieces, after = [], 0
        for match in _matches(seen, pattern, proof):
            start = match.end(kept) if kept else match.start()
            pieces += [text[after : places[start]], f"[redacted:{kind}]"]
            after = places[match.end() - 1] + 1
        text = "".join((*pieces, text[after:]))
    return text


def _as_it_stands(text: str) -> tuple[str, Sequence[int]]:
    return text, range(len(text))


def _matches(text: str, pattern: re.Pattern[str], proof: Proof | None) -> Iterator[re.Match[str]]:
    return (match for match in pattern.finditer(text) if proof is None or proof(match[0]))


def _hits(text: str, pattern: re.Pattern[str], proof: Proof | None) -> bool:
    return any(True for _ in _matches(text, pattern, proof))


def _luhn(text: str) -> bool:
    """The check digit of payment cards (ISO/IEC 7812-1, annex B)."""
    digits = [int(char) for char in reversed(text) if char.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + doubled) % 10 == 0 and len(set(digits)) > 1


def _mod97(text: str) -> bool:
    """The check digits of an IBAN (ISO 13616)."""
    compact = "".join(text.split()).upper()
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def _phone(text: str) -> bool:
    return 9 <= sum(char.isdigit() for char in text) <= 15


def _real_value(text: str) -> bool:
    """Not a placeholder such as `<your-key>`, `${TOKEN}` or `xxxx`."""
    value = re.split(r"[:=]", text, maxsplit=1)[-1].strip(" \t'\"")
    return not re.match(r"[<$\[{(*%]", value) and len(set(value)) > 3


def _random(token: str) -> bool:
    """Long, mixed and dense enough that no person wrote it (more than 4 bits a character)."""
    mixed = any(map(str.isupper, token)) and any(map(str.islower, token))
    numbers = len(re.findall(r"[0-9]+", token))
    counts = Counter(token)
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    return mixed and numbers >= 3 and entropy > 4.0


TOKEN = re.compile(r"(?<![\w/+-])(?<!\w\.)[A-Za-z0-9+_-]{24,256}={0,2}(?![\w/+-]|\.\w)")

SECRETS: tuple[tuple[str, re.Pattern[str], Proof | None], ...] = (
    (
        "PRIVATE_KEY",
        re.compile(
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,20000}"
            r"(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
        ),
        None,
    ),
    ("JWT", re.compile(r"\beyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{0,4096}"), None),
    ("GITHUB_TOKEN", re.compile(r"\b(?:gh[pousr]_\w{20,255}|github_pat_\w{20,255})"), None),
    ("GITLAB_TOKEN", re.compile(r"\bgl(?:pat|ptt|dt|rt)-[\w-]{16,64}"), None),
    ("AWS_KEY", re.compile(r"\b(?:AKIA|ASIA|AGPA|AROA)[A-Z0-9]{16}\b"), None),
    ("GOOGLE_KEY", re.compile(r"\bAIza[\w-]{30,45}|\bya29\.[\w-]{20,512}"), None),
    ("SLACK_TOKEN", re.compile(r"\bxox[abeoprs]-[\w-]{10,250}|\bxapp-\d-[\w-]{10,250}"), None),
    ("SLACK_WEBHOOK", re.compile(r"https://hooks\.slack\.com/services/[\w/]{20,120}"), None),
    ("STRIPE_KEY", re.compile(r"\b(?:sk|rk|pk)_(?:live|test)_\w{16,128}"), None),
    ("MODEL_KEY", re.compile(r"\bsk-(?:ant-|proj-|or-|lf-)?[\w-]{20,256}"), None),
    ("PACKAGE_TOKEN", re.compile(r"\b(?:pypi-[\w-]{32,256}|npm_\w{30,64}|hf_\w{30,64})"), None),
    ("MAIL_KEY", re.compile(r"\bSG\.[\w-]{16,32}\.[\w-]{32,64}"), None),
    (
        "CONNECTION_STRING",
        re.compile(
            r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"]{1,128}:[^\s/@'\"]{1,256}@[^\s'\"]+", re.I
        ),
        None,
    ),
    (
        "TOKEN",
        re.compile(r"(?P<keep>\b(?:Bearer|Basic)\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,4096}"),
        None,
    ),
    ("COOKIE", re.compile(r"(?P<keep>\b(?:Set-)?Cookie:\s*)[^\r\n]{4,4096}", re.I), None),
    (
        "SECRET",
        re.compile(
            r"(?P<keep>\b[\w-]{0,40}(?:passw(?:or)?d|passwort|secret|api[_-]?key|access[_-]?token"
            r"|auth[_-]?token|client[_-]?secret|private[_-]?key)['\"]?\s{0,4}[:=]\s{0,4}['\"]?)"
            r"(?=[^\s'\"]{0,200}\d)[^\s'\",;]{8,200}",
            re.I,
        ),
        _real_value,
    ),
)

PERSONAL: tuple[tuple[str, re.Pattern[str], Proof | None], ...] = (
    (
        "EMAIL",
        re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}\b"),
        None,
    ),
    ("IBAN", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"), _mod97),
    ("CARD", re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])"), _luhn),
    (
        "PHONE",
        re.compile(
            r"(?<![\w+.-])(?:\+\d{1,3}[ .-]?(?:\(0?\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,5}"
            r"|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4})(?![\w-])"
        ),
        _phone,
    ),
)
