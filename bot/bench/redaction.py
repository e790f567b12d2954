"""How much of the secrets and personal data of a made-up set is found, and how much else.

`python -m bot.bench.redaction fixtures/redaction/*.jsonl` prints recall and precision by kind.
"""

from __future__ import annotations

import random
import re
import string
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from bot.redact import redact

OPEN, CLOSE = "⟦", "⟧"
SHAPE = re.compile(r"\{(\d{1,3}):([adhub])\}")
ALPHABETS = {
    "a": string.ascii_letters + string.digits,
    "d": string.digits,
    "h": "0123456789abcdef",
    "u": string.ascii_uppercase + "234567",
    "b": string.ascii_letters + string.digits + "+/",
}
# So often a text with random parts is drawn.
DRAWS = 5
NOTHING = "NOTHING"
REPLACED = re.compile(r"\[redacted:[A-Z_]+\]")


class Sample(msgspec.Struct, frozen=True):
    """A text with its secrets between `⟦` and `⟧`; `{36:a}` stands for 36 random characters, so
    that no file holds anything that looks like a real key. `kind` is `NOTHING` without secrets."""

    kind: str
    language: str
    text: str


class Outcome(msgspec.Struct, frozen=True):
    """Of one kind: how many there are, how many of them went as a whole, and how many stretches
    of text went that are none (`wrong`)."""

    kind: str
    total: int
    found: int
    wrong: int

    @property
    def recall(self) -> float:
        """The share of what there is that was found."""
        return self.found / self.total if self.total else 1.0

    @property
    def precision(self) -> float:
        """The share of what went that had to."""
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 1.0


def samples(paths: Iterable[Path]) -> list[Sample]:
    """The samples of JSON lines files."""
    lines = (line for path in paths for line in path.read_bytes().splitlines() if line.strip())
    return [msgspec.json.decode(line, type=Sample) for line in lines]


def outcomes(read: Sequence[Sample]) -> tuple[Outcome, ...]:
    """By kind, in the order in which the kinds come."""
    return tuple(
        _outcome(kind, [sample for sample in read if sample.kind == kind])
        for kind in dict.fromkeys(sample.kind for sample in read)
    )


def missed(read: Sequence[Sample]) -> Iterator[tuple[str, str]]:
    """The texts that came out otherwise than they should, before and after."""
    for sample in read:
        for text in _drawn(sample):
            total, found, wrong = _judged(text)
            if found < total or wrong:
                yield text, redact(_plain(text))


def table(found: Sequence[Outcome]) -> str:
    """Recall and precision by kind, and of all together."""
    total = Outcome(
        "all", *(sum(getattr(o, n) for o in found) for n in ("total", "found", "wrong"))
    )
    rows = [f"{'kind':14} {'there':>6} {'found':>6} {'wrong':>6} {'recall':>7} {'precision':>9}"]
    for o in (*found, total):
        numbers = f"{o.total:6} {o.found:6} {o.wrong:6} {o.recall:7.3f} {o.precision:9.3f}"
        rows.append(f"{o.kind:14} {numbers}")
    return "\n".join(rows) + "\n"


def _outcome(kind: str, of_kind: Sequence[Sample]) -> Outcome:
    judged = [_judged(text) for sample in of_kind for text in _drawn(sample)]
    total, found, wrong = (sum(column) for column in zip(*judged, strict=True))
    return Outcome(kind, total, found, wrong)


def _drawn(sample: Sample) -> Iterator[str]:
    for draw in range(DRAWS if SHAPE.search(sample.text) else 1):
        chance = random.Random(f"{draw} {sample.text}")
        yield SHAPE.sub(partial(_characters, chance), sample.text)


def _characters(chance: random.Random, shape: re.Match[str]) -> str:
    return "".join(chance.choices(ALPHABETS[shape[2]], k=int(shape[1])))


def _plain(text: str) -> str:
    return text.replace(OPEN, "").replace(CLOSE, "")


def _judged(text: str) -> tuple[int, int, int]:
    """Of one text: how many secrets, how many of them are gone whole, how much else went."""
    wanted = [part.partition(CLOSE)[0] for part in text.split(OPEN)[1:]]
    gone = _gone(_plain(text), redact(_plain(text)))
    found = sum(any(want in went for went in gone) for want in wanted)
    # What went with a secret, but is more than a sign or two longer, took something else along.
    wrong = sum(
        not any(went in want or (want in went and len(went) <= len(want) + 2) for want in wanted)
        for went in gone
    )
    return len(wanted), found, wrong


def _gone(before: str, after: str) -> list[str]:
    """The stretches of `before` that `after` has markers for."""
    kept = "(.+?)".join(re.escape(part) for part in REPLACED.split(after))
    match = re.fullmatch(kept, before, re.S)
    return list(match.groups()) if match else [before]


if __name__ == "__main__":
    given = samples(map(Path, sys.argv[1:]))
    sys.stdout.write(table(outcomes(given)))
