"""Ids that never depend on a model's wording: findings, units, evidence."""

from __future__ import annotations

import base64
import hashlib
import json
import unicodedata
from collections.abc import Iterable

VERSION = 1


def finding_id(kind: str, path: str, anchor: str) -> str:
    """`tb-` and 10 characters: the SHA-256 of `[1, kind, path, anchor]` in lower-case base32."""
    named = [VERSION, kind, unicodedata.normalize("NFC", path), anchor]
    canonical = json.dumps(named, ensure_ascii=False, separators=(",", ":"))
    encoded = base64.b32encode(_sha256(canonical)).decode("ascii")
    return f"tb-{encoded[:10].lower()}"


def unit_id(primary: str) -> str:
    """8 hex digits: the SHA-256 of the path that a unit is named by."""
    return _sha256(unicodedata.normalize("NFC", primary)).hex()[:8]


def evidence_digest(sessions: Iterable[str]) -> str:
    """The SHA-256 of the sorted session ids, as 64 hex digits."""
    return _sha256("\n".join(sorted(set(sessions)))).hex()


def short_hash(text: str) -> str:
    """12 hex digits that stand for a text which must not be shown itself."""
    return _sha256(text).hex()[:12]


def _sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
