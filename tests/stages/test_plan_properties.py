"""Whatever the sessions ask for, what is proposed fits together and passed its gates."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.context.repo import ContextRepo
from bot.gates.inputs import Inputs
from bot.gates.table import check
from bot.records.change import Edit
from bot.records.plan import Limits
from bot.records.report import SessionResult
from bot.stages.plan import plan
from tests.proposals import session, write_files

PATHS = [f"knowledge_base/{name}.md" for name in "abcd"]
LINES = [f"Line {at} speaks of thing {at}." for at in range(6)]
TEXT = "# Things\n\n" + "\n".join(LINES) + "\n"
WORDS = st.sampled_from(["One.", "Two.", "Line 1 speaks of thing 9.", "", "x\ny", "é 日"])


@st.composite
def edits(draw: st.DrawFn) -> tuple[Edit, ...]:
    made = []
    for path in draw(st.lists(st.sampled_from(PATHS), min_size=1, max_size=3, unique=True)):
        match draw(st.integers(0, 5)):
            case 0:
                made.append(Edit(path, "DELETE"))
            case 1:
                name = draw(st.sampled_from(["new", "other"]))
                made.append(Edit(f"knowledge_base/{name}.md", "CREATE", f"# {draw(WORDS)}\n"))
            case _:
                made.append(Edit(path, "UPDATE", draw(WORDS), draw(st.sampled_from(LINES))))
    return tuple(made)


SESSIONS = st.lists(
    st.builds(
        lambda made, verified, doubt, anchor, who: (made, verified, doubt, anchor, who),
        edits(),
        st.booleans(),
        st.sampled_from(["SYSTEMIC", "SYSTEMIC", "AMBIGUOUS"]),
        st.sampled_from(["file", "things"]),
        st.sampled_from("pqr"),
    ),
    max_size=8,
)


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> ContextRepo:
    root = tmp_path_factory.mktemp("repo")
    made = write_files(root, dict.fromkeys(PATHS, TEXT))
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return made


def results(asked: list[tuple[tuple[Edit, ...], bool, str, str, str]]) -> list[SessionResult]:
    return [
        session(
            f"s{at}",
            *made,
            verified=verified,
            classification=doubt,  # type: ignore[arg-type]
            anchor=anchor,
            principal=who,
        )
        for at, (made, verified, doubt, anchor, who) in enumerate(asked)
    ]


@given(asked=SESSIONS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_proposed_holds(
    repo: ContextRepo, asked: list[tuple[tuple[Edit, ...], bool, str, str, str]]
) -> None:
    spans: dict[str, tuple[str, ...]] = {f"s{at}": () for at in range(len(asked))}
    made = [unit.change_set for unit in plan(results(asked), repo, Limits(), spans)]
    assert len({unit.unit_id for unit in made}) == len(made)
    proposed = [unit for unit in made if unit.state != "candidate"]
    touched = Counter(file.path for unit in proposed for file in unit.files)
    assert all(count == 1 for count in touched.values())
    for unit in made:
        require_sound(repo.root, "".join(file.diff for file in unit.files))
        results_ = check(unit, Inputs(repo, Limits(), ()))
        outcomes = {result.outcome for result in results_}
        assert unit.state != "ready" or outcomes <= {"passed", "warning"}
        assert unit.state == "candidate" or not outcomes & {"blocked", "dropped"}
        assert unit.state == "ready" or unit.reasons
        assert unit.classification == "SYSTEMIC" or unit.state != "ready"


def require_sound(root: Path, patch: str) -> None:
    """Git takes the patch on the files as they stand."""
    if patch:
        command = ["git", "-C", str(root), "apply", "--check", "-"]
        subprocess.run(command, input=patch.encode(), check=True, capture_output=True)


@given(asked=SESSIONS, seed=st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_order_of_sessions_never_matters(
    repo: ContextRepo,
    asked: list[tuple[tuple[Edit, ...], bool, str, str, str]],
    seed: Random,
) -> None:
    found = results(asked)
    other = list(found)
    seed.shuffle(other)
    assert plan(found, repo) == plan(other, repo)
