"""Findings become units with a state; evidence decides between rivals (G10)."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.context.diff import patch_digest
from bot.context.repo import ContextRepo
from bot.identity.ids import evidence_digest, unit_id
from bot.records.change import ChangeSet, Edit
from bot.records.plan import Limits
from bot.stages.plan import plan
from tests.proposals import FILES, HOURS, POLICY, SKILL, THRESHOLD, TOOL, session, write_files

OTHER = msgspec.structs.replace(THRESHOLD, new="above $30,000 go")
TRAVEL = Edit(SKILL, "UPDATE", "booked on Fridays", "booked on Mondays")


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> ContextRepo:
    return write_files(tmp_path_factory.mktemp("repo"))


def planned(repo: ContextRepo, *results: object, limits: Limits | None = None) -> list[ChangeSet]:
    spans = {result.session_id: () for result in results}  # type: ignore[attr-defined]
    made = plan(results, repo, limits or Limits(), spans)  # type: ignore[arg-type]
    return [unit.change_set for unit in made]


def test_same_finding_of_several_sessions_is_one_change(repo: ContextRepo) -> None:
    (unit,) = planned(repo, *(session(f"s{at}", THRESHOLD) for at in range(3)))
    assert unit.state == "ready"
    assert unit.sessions == ("s0", "s1", "s2")
    assert unit.principals == 3
    assert unit.unit_id == unit_id(SKILL)
    assert unit.evidence_digest == evidence_digest(["s2", "s1", "s0"])
    assert unit.patch_digest == patch_digest(unit.files)
    assert unit.reviewers == ("@dev",)


def test_findings_on_one_file_are_one_unit(repo: ContextRepo) -> None:
    (unit,) = planned(repo, session("s1", THRESHOLD), session("s2", TRAVEL, anchor="travel"))
    assert len(unit.finding_ids) == 2
    text = unit.files[0].new_text or ""
    assert "$25,000" in text
    assert "Fridays" in text


def test_units_that_share_any_file_are_joined(repo: ContextRepo) -> None:
    results = [session("a", THRESHOLD), session("b", HOURS, TOOL), session("c", TRAVEL, HOURS)]
    (unit,) = planned(repo, *results)
    assert [file.path for file in unit.files] == [HOURS.path, SKILL, TOOL.path]
    apart = planned(repo, session("a", THRESHOLD), session("b", HOURS))
    assert len({unit.unit_id for unit in apart}) == 2


def test_order_of_sessions_does_not_matter(repo: ContextRepo) -> None:
    results = [
        session("a", THRESHOLD),
        session("b", OTHER),
        session("c", THRESHOLD),
        session("d", HOURS, kind="KB_CONTENT_STALE"),
    ]
    plans = {tuple(planned(repo, *order)) for order in itertools.permutations(results)}
    assert len(plans) == 1


def test_majority_wins_and_the_loser_is_named(repo: ContextRepo) -> None:
    (unit,) = planned(repo, session("a", OTHER), session("b", THRESHOLD), session("c", THRESHOLD))
    assert "$25,000" in (unit.files[0].new_text or "")
    assert unit.sessions == ("b", "c")
    assert unit.state == "ready"
    assert "another edit of the same place" in unit.reasons[0]


def test_what_the_repository_proves_beats_a_majority_of_users(repo: ContextRepo) -> None:
    users = [session(f"u{at}", OTHER, verified=False) for at in range(5)]
    (unit,) = planned(repo, *users, session("p", THRESHOLD))
    assert "$25,000" in (unit.files[0].new_text or "")
    assert unit.sessions == ("p",)


def test_a_draw_is_for_a_person(repo: ContextRepo) -> None:
    (unit,) = planned(repo, session("a", OTHER), session("b", THRESHOLD))
    assert unit.state == "draft"


def test_rival_wordings_of_one_gap_are_not_both_added(repo: ContextRepo) -> None:
    def more(text: str) -> Edit:
        return Edit(SKILL, "UPDATE", f"# Pay\n\n{text}\n", "# Pay\n")

    results = [session("a", more("One.")), session("b", more("Two.")), session("c", more("Two."))]
    (unit,) = planned(repo, *results)
    text = unit.files[0].new_text or ""
    assert ("One." in text, "Two." in text) == (False, True)


def test_members_for_one_list_are_all_added(repo: ContextRepo) -> None:
    def member(word: str) -> Edit:
        return Edit(
            TOOL.path, "UPDATE", f'{{"name": "{word}"}},\n  {{"name": "pay"', '{"name": "pay"'
        )

    (unit,) = planned(repo, session("a", member("one")), session("b", member("two")))
    text = unit.files[0].new_text or ""
    assert '"one"' in text
    assert '"two"' in text


@pytest.mark.parametrize(
    ("seen", "people", "state"),
    [
        (1, 1, "candidate"),
        (2, 2, "candidate"),
        (3, 1, "candidate"),
        (3, 2, "draft"),
        (3, 3, "draft"),
        (6, 2, "draft"),
    ],
)
def test_bar_for_users_words_alone(repo: ContextRepo, seen: int, people: int, state: str) -> None:
    results = [
        session(f"s{at}", THRESHOLD, verified=False, principal=f"p{at % people}")
        for at in range(seen)
    ]
    (unit,) = planned(repo, *results)
    assert unit.state == state
    assert unit.reasons


def test_one_person_cannot_carry_a_change(repo: ContextRepo) -> None:
    loud = [session(f"s{at}", THRESHOLD, verified=False, principal="loud") for at in range(8)]
    (unit,) = planned(repo, *loud, session("x", THRESHOLD, verified=False, principal="other"))
    assert unit.state == "candidate"
    assert "one person gave more than 50 %" in unit.reasons[0]


def test_removal_needs_two_and_leave(repo: ContextRepo) -> None:
    gone = Edit("knowledge_base/hours.md", "DELETE")
    first = session("a", gone, operation="DELETE")
    (alone,) = planned(repo, first)
    assert alone.state == "candidate"
    (both,) = planned(repo, first, session("b", gone, operation="DELETE"))
    assert both.state == "draft"
    assert both.reasons == (
        "DELETE: knowledge_base/hours.md would be removed as a whole; allow_file_delete is false",
    )
    assert both.files[0].diff.count("\n-") >= 3
    allowed = Limits(allow_file_delete=True)
    (leave,) = planned(repo, first, session("b", gone, operation="DELETE"), limits=allowed)
    assert leave.state == "ready"


def test_ambiguous_is_never_ready(repo: ContextRepo) -> None:
    (unit,) = planned(repo, session("a", THRESHOLD, classification="AMBIGUOUS"))
    assert unit.state == "draft"
    assert unit.classification == "AMBIGUOUS"


@pytest.mark.parametrize("doubts", [{"classification": "AMBIGUOUS"}, {"confidence": 0.6}])
def test_a_doubt_does_not_hold_up_a_clear_fix_of_the_same_file(
    repo: ContextRepo, doubts: dict[str, Any]
) -> None:
    doubt = session("a", TRAVEL, anchor="travel", **doubts)
    clear, waiting = planned(repo, doubt, session("b", THRESHOLD))
    assert (clear.state, clear.sessions) == ("ready", ("b",))
    assert (waiting.state, waiting.sessions) == ("candidate", ("a",))
    assert clear.unit_id != waiting.unit_id


@pytest.mark.parametrize(
    ("confidences", "carrying"),
    [((0.9, 0.49), ("s0",)), ((0.9, 0.5), ("s0", "s1")), ((0.4, 0.49), ("s0", "s1"))],
)
def test_a_session_that_would_propose_nothing_is_no_evidence_beside_a_surer_one(
    repo: ContextRepo, confidences: tuple[float, ...], carrying: tuple[str, ...]
) -> None:
    asked = [session(f"s{n}", THRESHOLD, confidence=c) for n, c in enumerate(confidences)]
    (unit,) = planned(repo, *asked)
    assert unit.sessions == carrying


@pytest.mark.parametrize(
    ("confidence", "state", "reasons"),
    [
        (0.8, "ready", ()),
        (0.79, "draft", ("confidence is 0.79, below 0.8",)),
        (0.5, "draft", ("confidence is 0.50, below 0.8",)),
        (0.43, "candidate", ("the explanation is not certain enough (0.43)",)),
    ],
)
def test_the_surer_the_further(
    repo: ContextRepo, confidence: float, state: str, reasons: tuple[str, ...]
) -> None:
    (unit,) = planned(repo, session("a", THRESHOLD, confidence=confidence))
    assert unit.state == state
    assert unit.reasons[:1] == reasons
    assert unit.hold == ("evidence" if state == "candidate" else None)


def test_each_lack_is_told_once_and_in_good_english(repo: ContextRepo) -> None:
    weak = [session(f"s{at}", THRESHOLD, verified=False) for at in range(2)]
    alone = session("x", TRAVEL, verified=False, anchor="travel")
    (unit,) = planned(repo, *weak, alone)
    assert unit.reasons == (
        "is not proved by the repository itself (2 sessions of 2 people); "
        "needed: 3 sessions of 2 people",
    )
    (unit,) = planned(repo, alone)
    assert "(1 session of 1 person)" in unit.reasons[0]


def test_gates_are_those_of_the_change_before_it_was_blanked(repo: ContextRepo) -> None:
    secret = Edit(SKILL, "UPDATE", "Travel: ghp_abcdefghijklmnopqrstuvwxyz012345", "Travel is")
    (made,) = plan([session("a", secret)], repo, Limits(), {"a": ()})
    assert "ghp_" not in (made.change_set.files[0].new_text or "")
    assert {gate.gate for gate in made.gates if gate.outcome == "blocked"} == {"G5"}
    assert (made.change_set.hold, made.change_set.reasons[0][:3]) == ("gate", "G5:")


def test_no_action_gives_nothing(repo: ContextRepo) -> None:
    assert planned(repo, session("a", operation="NO_ACTION")) == []


def test_without_the_words_of_the_sessions_nothing_is_ready(repo: ContextRepo) -> None:
    (made,) = plan([session("a", THRESHOLD)], repo)
    unit = made.change_set
    assert unit.state == "draft"
    assert "G6" in unit.reasons[0]


def test_one_bad_finding_does_not_stop_the_others_of_its_file(repo: ContextRepo) -> None:
    secret = Edit(SKILL, "UPDATE", "Travel: ghp_abcdefghijklmnopqrstuvwxyz012345", "Travel is")
    good, bad = planned(repo, session("a", THRESHOLD), session("b", secret, anchor="travel"))
    assert (good.state, good.sessions) == ("ready", ("a",))
    assert (bad.state, bad.sessions) == ("candidate", ("b",))
    assert "G5" in bad.reasons[0]
    assert "ghp_" not in bad.reasons[0]


def test_a_unit_over_the_size_caps_is_split(repo: ContextRepo) -> None:
    limits = Limits(max_changed_lines_per_pr=2)
    results = [session("a", THRESHOLD), session("b", THRESHOLD)]
    first, later = planned(repo, *results, session("c", TRAVEL, anchor="travel"), limits=limits)
    assert (first.state, first.sessions) == ("ready", ("a", "b"))
    assert (later.state, later.hold) == ("candidate", "limit")
    assert "queued: G9" in later.reasons[0]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_git_takes_every_diff(tmp_path: Path, newline: str, last: bool) -> None:
    files = {
        path: (text if last else text.rstrip("\n")).replace("\n", newline)
        for path, text in FILES.items()
    }
    repo = write_files(tmp_path, files | {"knowledge_base/old.md": "Old.\n"})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    results = [
        session("a", THRESHOLD, HOURS, TOOL),
        session("b", Edit("knowledge_base/new é.md", "CREATE", f"# New{newline}")),
        session("c", Edit("knowledge_base/old.md", "DELETE"), operation="DELETE"),
    ]
    made = planned(repo, *results)
    assert len(made) == 3
    for unit in made:
        patch = "".join(file.diff for file in unit.files).encode()
        command = ["git", "-C", str(tmp_path), "apply", "--check", "-"]
        subprocess.run(command, input=patch, check=True)


def test_rank_is_by_weight_of_the_evidence(repo: ContextRepo) -> None:
    results = [session("a", HOURS, kind="KB_CONTENT_STALE")]
    results += [session(f"b{at}", THRESHOLD) for at in range(3)]
    made = planned(repo, *results, session("c", TRAVEL, verified=False, anchor="travel"))
    assert [unit.files[0].path for unit in made] == [SKILL, HOURS.path, SKILL]
    assert made[-1].state == "candidate"


def test_edits_that_do_not_fit_are_left_out(repo: ContextRepo) -> None:
    wrong = Edit(POLICY, "UPDATE", "x", "text that stands nowhere")
    assert planned(repo, session("a", wrong)) == []
