"""The configuration: everything wrong with it at once, each with line and cure."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_repo_schema.config import Config
from context_repo_schema.load import MOST_BYTES, load_config, parse_config

WRONG = """\
components:
  skil: [a]
  kb_entry: docs
  skill: ["{a,b}/**", 2024, "["]
max_open_pr: 3
limits:
  max_open_prs: 2
threshold: 0.4
mode: prevew
branch_prefix: "a..b"
max_open_prs: "3"
max_open_prs: -1
evidence: {quotes: of}
dashboard: 1
sources:
  store: {type: phoenix}
"""


def test_parse_config_of_an_empty_file_is_the_default() -> None:
    for text in ("", "# nothing\n", "components:\ndetection:\n", "\ufeff"):
        assert parse_config(text).config == Config()
        assert parse_config(text).problems == ()


def test_parse_config_reads_every_kind_of_value() -> None:
    loaded = parse_config(
        "components: {kb_entry: [docs/**, '!docs/x/**']}\nmax_growth_per_file: {lines: 5}\n"
        "detection: {threshold: 0.5}\nmax_cost_usd: 1\n"
        "sources: {a: {type: phoenix, bad_votes: {csat: {at_most: 2}}}}\n"
        "evidence: {quotes: off}\n"
        "authority: {hierarchy: [a], owners: {docs/**: '@org/x'}, status: {approved: [ratified]}}\n"
    )

    assert loaded.problems == ()
    assert loaded.config.components == {"kb_entry": ("docs/**", "!docs/x/**")}
    assert loaded.config.max_growth_per_file.percent == 20
    assert loaded.config.max_growth_per_file.lines == 5
    assert loaded.config.max_cost_usd == 1.0
    assert loaded.config.sources["a"].bad_votes["csat"].at_most == 2
    assert loaded.config.evidence.quotes == "off"
    assert loaded.config.authority.status == {"approved": ("ratified",)}


def test_parse_config_lists_every_problem_with_its_line_and_key() -> None:
    found = parse_config(WRONG).problems

    assert [(p.line, p.code, p.message.partition(":")[0]) for p in found] == [
        (2, "config-unknown-key", "components.skil"),
        (3, "config-wrong-value", "components.kb_entry"),
        (4, "config-wrong-value", "components.skill[0]"),
        (4, "config-wrong-value", "components.skill[1]"),
        (4, "config-wrong-value", "components.skill[2]"),
        (5, "config-unknown-key", "max_open_pr"),
        (6, "config-unknown-key", "limits"),
        (8, "config-unknown-key", "threshold"),
        (9, "config-wrong-value", "mode"),
        (10, "config-wrong-value", "branch_prefix"),
        (11, "config-wrong-value", "max_open_prs"),
        (12, "config-repeated-key", "max_open_prs"),
        (12, "config-wrong-value", "max_open_prs"),
        (13, "config-wrong-value", "evidence.quotes"),
        (14, "config-wrong-value", "dashboard"),
    ]


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("components: {skil: []}", "`skill`"),
        ("max_open_pr: 1", "`max_open_prs`"),
        ("threshold: 0.4", "`detection.threshold`"),
        ("limits: {max_open_prs: 1}", "max_open_prs at the top level"),
        ("mode: prevew", "`preview`"),
        ("max_open_prs: many", "`max_open_prs: 3`"),
        ("dashboard: 1", "`dashboard: true`"),
        ("labels: trace", "write a list"),
        ("reviewers: [7]", "in quotes"),
        ("exclude: ['*.{md,txt}']", "write each pattern out"),
        ("evidence: all", "quotes"),
        ('roots: ["a\\0"]', "`.` for all"),
    ],
)
def test_parse_config_offers_the_cure(text: str, cure: str) -> None:
    (problem,) = parse_config(text).problems

    assert cure in problem.cure
    assert problem.severity == "error"


@pytest.mark.parametrize("name", ["", "a b", "/a", "a/", "a//b", ".a", "a.lock", "a~", "-a", "@"])
def test_parse_config_refuses_a_branch_prefix_that_git_refuses(name: str) -> None:
    assert [p.code for p in parse_config(f"branch_prefix: {name!r}").problems] == [
        "config-wrong-value"
    ]
    assert parse_config("branch_prefix: 'bots/trace-bot'").problems == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [\n", 2),
        ("mode: preview\n\tlabels: []\n", 2),
        ("labels: &l [a]\nreviewers: *l\n", 1),
        ("- mode\n", 1),
        ("---\nmode: preview\n---\nmode: propose\n", 3),
        ("mode: !!python/object:os.system x\n", 1),
        ("[" * 200_000, 1),
        ("- " * 100_000, 1),
    ],
)
def test_parse_config_refuses_unsafe_or_broken_yaml(text: str, line: int) -> None:
    loaded = parse_config(text)

    assert loaded.problems[0].line == line
    assert loaded.config == Config()


@given(st.text(st.sampled_from("modelabs:[]{}&*!-'\"#\n 1,"), max_size=60) | st.text(max_size=40))
def test_parse_config_of_any_text_answers(text: str) -> None:
    loaded = parse_config(text)

    assert all(p.line >= 1 and p.cure for p in loaded.problems)


def test_load_config_checks_the_roots(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "trace-bot.yaml").write_text("roots:\n  - docs\n  - none\n  - ../x\n")

    problems = load_config(tmp_path).problems

    assert [(p.file, p.line) for p in problems] == [("trace-bot.yaml", 3), ("trace-bot.yaml", 4)]
    assert "missing" in problems[0].message
    assert "outside" in problems[1].message


def test_load_config_of_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    place = tmp_path / "trace-bot.yaml"
    assert load_config(tmp_path).problems == ()
    assert load_config(tmp_path, tmp_path / "x.yaml").problems[0].code == "config-missing"
    place.write_bytes(b"mode: caf\xe9\n")
    assert "UTF-8" in load_config(tmp_path).problems[0].message
    place.write_bytes(b"#" * (MOST_BYTES + 1))
    assert "larger" in load_config(tmp_path).problems[0].message


def test_load_config_warns_of_a_name_that_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "trace-bot.yml").write_text("mode: preview\n")

    (problem,) = load_config(tmp_path).problems

    assert (problem.file, problem.severity) == ("trace-bot.yml", "warning")


@pytest.mark.parametrize("text", ["sources: {a: {}}\n", "sources:\n  a:\n    type:\n"])
def test_a_key_that_must_be_there_is_missed(text: str) -> None:
    (problem,) = parse_config(text).problems
    assert (problem.code, problem.severity) == ("config-missing-key", "error")
    assert problem.message.startswith("sources.a.type: ")
    assert "`type:`" in problem.cure
