"""The shipped suites: sound, counted truly in the data card, and written with variety."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bot.bench.card import BEGIN, END, renewed, suites_of, table
from bot.bench.suite import Label, Suite, load
from bot.bench.verify import verify
from bot.context.cut.sentences import split
from bot.context.read import read_repo
from bot.errors import ConfigError
from bot.settings import load_settings

BENCH = Path(__file__).parents[2] / "fixtures" / "bench"
SUITES = [path.parent for path in sorted(BENCH.glob("*/labels.jsonl"))]
# "not X but Y" and its kin: one clause that denies a value and another that gives one.
CONTRAST = re.compile(
    r"\bnot\b[^.?!]{1,60}(?:\bbut\b|,|;|–|—| - )|\b(?:isn't|aren't|wasn't)\b[^.?!]{1,40}[,;–—]"
    r"|\binstead of\b|\brather than\b|[,;–—] not \b|\bno, it'?s\b"
    r"|\bnicht\b[^.?!]{1,60}\bsondern\b|\bno\b[^.?!]{1,60}\bsino\b|ではなく|じゃなく",
    re.I,
)


@pytest.fixture(scope="module")
def finance() -> Suite:
    return load(BENCH / "finance")


@pytest.mark.parametrize("root", SUITES, ids=lambda root: root.name)
def test_every_shipped_suite_is_sound(root: Path) -> None:
    suite = load(root)
    settings = load_settings(suite.context)
    repo = read_repo(suite.context, settings.config, history=suite.history)
    assert [line for found in verify(suite, repo) for line in found.failures] == []


def test_the_data_card_counts_what_is_there() -> None:
    card = (BENCH / "README.md").read_text("utf-8")
    told = card.partition(BEGIN)[2].partition(END)[0].strip()
    assert told == table(suites_of(BENCH)), "run: python -m bot.bench.card fixtures/bench"


def test_a_card_is_renewed_between_its_marks() -> None:
    card = renewed(f"# A\n{BEGIN}\nold\n{END}\nrest\n", [load(SUITES[0])])
    assert card.startswith(f"# A\n{BEGIN}\n| suite |")
    assert card.endswith(f"|\n{END}\nrest\n")
    with pytest.raises(ConfigError, match="needs the lines"):
        renewed("# A\n", [load(SUITES[0])])


def unhappy(suite: Suite) -> list[Label]:
    return [label for label in suite.labels.values() if label.is_dsat]


def test_finance_has_the_counts_of_its_card(finance: Suite) -> None:
    real = unhappy(finance)
    assert len([p for p in finance.context.rglob("*") if p.is_file()]) - 1 == 23  # CODEOWNERS
    assert (len(finance.labels), len(real)) == (75, 60)
    assert Counter(label.fault_category for label in real) == {
        "SKILL_FILE_STALE": 12,
        "KB_CONTENT_STALE": 12,
        "KB_CONTENT_GAP": 11,
        "TOOL_PROMPT_ERROR": 9,
        "SYSTEM_PROMPT_GAP": 6,
        "RETRIEVAL_FAILURE": 10,
    }
    nodes = {t.session_id: len(t.nodes) for t in finance.trajectories}
    tiers = Counter((label.complexity, nodes[label.session_id]) for label in real)
    assert {n for tier, n in tiers if tier == "simple"} <= set(range(2, 9))
    assert {n for tier, n in tiers if tier == "complex"} <= set(range(9, 12))
    assert {n for tier, n in tiers if tier == "difficult"} <= {15, 16}
    counted = Counter(label.complexity for label in real)
    assert counted == {"simple": 36, "complex": 14, "difficult": 10}


def test_no_sentence_of_finance_is_used_more_than_three_times(finance: Suite) -> None:
    said = Counter(
        re.sub(r"\d", "0", sentence.casefold())
        for trajectory in finance.trajectories
        for turn in trajectory.turns
        for sentence in split(turn.content)
        if len(sentence.split()) > 3
    )
    assert [(s, n) for s, n in said.most_common(5) if n > 3] == []


def test_few_corrections_of_finance_set_one_value_against_another(finance: Suite) -> None:
    said = {(t.session_id, turn.turn_id): turn for t in finance.trajectories for turn in t.turns}
    corrections = [
        said[label.session_id, signal.turn_id].content
        for label in unhappy(finance)
        for signal in label.signals
        if signal.signal_type == "CORRECTION"
    ]
    fixed = [text for text in corrections if CONTRAST.search(text)]
    assert len(corrections) >= 30
    assert len(fixed) <= len(corrections) / 3, fixed
