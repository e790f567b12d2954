"""What the program promises about pull requests, and the tests that prove it.

`a` numbers are the acceptance list, `t` the transitions of a pull request, `g` the gates, `s` what
keeps a run safe. A test bears the numbers that it is about in its name, or stands in a list here.
"""

from __future__ import annotations

import ast
import re
from itertools import chain
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent

GATES = {
    "g01 path": ("gates/test_path.py", "test_everything_else_is_blocked"),
    "g02 applies": ("gates/test_text.py", "test_patch_applies_to_its_base_only"),
    "g03 encoding": ("gates/test_text.py", "test_encoding_and_line_ends_stay"),
    "g04 hidden text": ("gates/test_text.py", "test_hidden_text_is_blocked"),
    "g05 secrets": ("gates/test_text.py", "test_secrets_are_blocked_and_not_told"),
    "g06 copies": ("gates/test_text.py", "test_words_of_a_user_are_not_copied"),
    "g07 authority": ("gates/test_meaning.py", "test_guards_stay"),
    "g08 structure": ("gates/test_meaning.py", "test_structure_stays_sound"),
    "g09 size": ("gates/test_meaning.py", "test_size_caps"),
    "g10 provenance": ("stages/test_plan.py", "test_one_person_cannot_carry_a_change"),
    "g11 contradiction": ("gates/test_meaning.py", "test_contradictions_are_for_a_person"),
    "g12 personal data": (
        "gates/test_text.py",
        "test_personal_data_is_blocked_unless_it_stands_there",
    ),
    "gates again before a write": ("forges/test_safety.py", "test_gates_are_run_again"),
}
SAFETY = {
    "s01 who reads cannot write": (
        "test_cli.py",
        "test_what_reads_sessions_refuses_a_token_that_can_write",
    ),
    "s01 who writes cannot read": (
        "forges/test_safety.py",
        "test_does_not_start_with_keys_of_the_reader",
    ),
    "s02 no model client": (
        "forges/test_safety.py",
        "test_the_writer_imports_neither_models_nor_sources",
    ),
    "s03 git's environment": (
        "forges/test_safety.py",
        "test_git_sees_the_token_in_its_environment_only",
    ),
    "s04 plan is checked": ("forges/test_safety.py", "test_a_plan_for_something_else_is_refused"),
    "s05 no event text in a script": (
        "actions/test_definitions.py",
        "test_no_expression_inside_a_script",
    ),
    "s06 s07 permissions and one run at a time": (
        "actions/test_definitions.py",
        "test_the_scheduled_workflow_splits_reading_from_writing",
    ),
    "s08 pinned actions": (
        "actions/test_definitions.py",
        "test_every_action_is_pinned_by_commit",
    ),
    "s08 locked packages": ("test_packaging.py", "test_locks_hold_pins_and_hashes_alone"),
    "s09 log lines": ("test_defang.py", "test_no_workflow_command_starts_in_a_log_line"),
    "s09 masks": ("reports/test_actions.py", "::add-mask::"),
    "s10 fence around data": ("engines/llm/test_fence.py", "def test_"),
    "s10 what a model may answer": ("engines/llm/test_hostile_model.py", "def test_"),
    "s11 before a model": (
        "lifecycle/test_acceptance_secrets.py",
        "test_a21_no_prompt_and_no_log_holds_a_secret",
    ),
    "s12 hosts of a model": ("engines/llm/test_hosts.py", "def test_"),
    "s13 no key follows a redirect": (
        "sources/stores/test_contract.py",
        "test_a_key_never_follows_a_redirect",
    ),
    "s13 https only": ("forges/test_safety.py", "test_the_token_goes_over_https_only"),
    "s14 nothing is executed": ("test_promises.py", "test_s14_no_text_is_ever_executed"),
    "s15 planted changes": ("stages/test_injection.py", "test_planted_changes_are_never_ready"),
}
FAILURES = {
    "401": ("forges/test_github.py", "test_bad_token"),
    "403 to open": ("forges/test_github.py", "test_creation_forbidden_keeps_the_branch"),
    "403 by integration": (
        "forges/test_github.py",
        "test_token_without_pull_requests_is_told_what_is_missing",
    ),
    "primary limit": ("forges/test_github.py", "test_long_rate_limit_is_for_later"),
    "secondary limit": ("forges/test_github.py", "test_short_rate_limit_is_waited_for"),
    "5xx at a read": ("forges/test_github.py", "test_reads_are_repeated"),
    "5xx at a write": ("forges/test_github.py", "test_502_at_a_write_makes_nothing_twice"),
    "409 and 422": ("lifecycle/test_transitions.py", "test_t27_the_loser_of_a_race"),
    "archived": ("forges/test_github.py", "test_archived_repository"),
    "moved": ("forges/test_github.py", "test_moved_repository"),
    "a name in the way": ("forges/test_github.py", "test_branch_in_the_way_of_the_prefix"),
    "a rule": ("forges/test_github.py", "test_rule_of_the_repository"),
    "a bug in one unit": ("test_propose.py", "test_a_unit_that_breaks_leaves_the_others"),
    "a bug in one session": (
        "stages/test_checks.py",
        "test_one_broken_session_is_a_row_and_the_rest_goes_on",
    ),
    "a source that breaks off": (
        "commands/test_sources.py",
        "test_a_store_that_breaks_off_makes_the_plan_partial",
    ),
    "a limit of sessions": ("test_cli.py", "test_sessions_beyond_the_limit_are_queued_and_said"),
    "an interrupt": ("test_cli.py", "returncode == 130"),
}
# Transitions whose proof is an item of the acceptance list.
ELSEWHERE = {"t06": "a03", "t07": "a03", "t11": "a07", "t12": "a05", "t17": "a08"}


def named(letter: str) -> set[str]:
    """The numbers that test functions bear in their names."""
    texts = (path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    names = chain.from_iterable(re.findall(r"^def (test_\w+)", text, re.M) for text in texts)
    return {
        number for name in names for number in re.findall(rf"_({letter}[0-9]{{2}}b?)(?=_)", name)
    }


@pytest.mark.parametrize(("letter", "last"), [("a", 30), ("t", 27)])
def test_every_number_has_its_test(letter: str, last: int) -> None:
    wanted = {f"{letter}{number:02}" for number in range(1, last + 1)}
    assert wanted - named(letter) == {n for n in ELSEWHERE if n[0] == letter}
    assert set(ELSEWHERE.values()) <= named("a")


@pytest.mark.parametrize("promise", [*GATES, *SAFETY, *FAILURES])
def test_what_is_promised_has_a_test(promise: str) -> None:
    file, name = {**GATES, **SAFETY, **FAILURES}[promise]
    assert name in (TESTS / file).read_text("utf-8")


FORBIDDEN = frozenset({"eval", "exec", "compile", "__import__"})
MODULES = frozenset({"pickle", "marshal", "shelve", "dill", "jinja2", "mako"})


def test_s14_no_text_is_ever_executed() -> None:
    """No evaluation, no unpickling, no shell and no template engine stands in the program."""
    found = []
    for path in (*(ROOT / "bot").rglob("*.py"), *(ROOT / "context_repo_schema").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else ""
                shell = any(
                    k.arg == "shell" and getattr(k.value, "value", True) for k in node.keywords
                )
                found += [place] if called in FORBIDDEN or shell else []
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = getattr(node, "module", None) or ""
                names = {module.split(".")[0], *(alias.name.split(".")[0] for alias in node.names)}
                found += [place] if names & MODULES else []
    assert found == []
