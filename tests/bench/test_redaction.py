"""What the made-up set says of redaction: it finds nearly all, and hardly anything else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.bench.redaction import NOTHING, Sample, outcomes, samples

ROOT = Path(__file__).parents[2]
MADE = sorted((ROOT / "fixtures" / "redaction").glob("*.jsonl"))
KINDS = (
    *("EMAIL", "PHONE", "CARD", "IBAN", "BANK_ACCOUNT", "NATIONAL_ID", "TOKEN", "SECRET"),
    NOTHING,
)
RECALL, PRECISION = 0.97, 0.97


@pytest.fixture(scope="module")
def read() -> list[Sample]:
    return samples(MADE)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_found_and_little_else_goes(kind: str, read: list[Sample]) -> None:
    (outcome,) = outcomes([sample for sample in read if sample.kind == kind])
    assert outcome.recall >= RECALL
    assert outcome.precision >= PRECISION


def test_text_without_secrets_stays(read: list[Sample]) -> None:
    (outcome,) = outcomes([sample for sample in read if sample.kind == NOTHING])
    assert outcome.wrong == 0


def test_what_is_missed_and_what_goes_wrongly_counts() -> None:
    missed = Sample("EMAIL", "en", "⟦nobody⟧ wrote")
    more = Sample("EMAIL", "en", "⟦jane⟧@example.com wrote")
    (outcome,) = outcomes([missed, more])
    assert (outcome.total, outcome.found, outcome.wrong) == (2, 1, 1)
    assert (outcome.recall, outcome.precision) == (0.5, 0.5)


def test_the_set_has_enough_of_everything(read: list[Sample]) -> None:
    assert len({sample.language for sample in read}) >= 10
    for kind in KINDS:
        assert sum(sample.kind == kind for sample in read) >= 10, kind


def test_the_command_prints_a_row_for_each_kind() -> None:
    command = (sys.executable, "-m", "bot.bench.redaction", *MADE)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [row.split()[0] for row in done.stdout.splitlines()] == ["kind", *KINDS, "all"]
