"""What is kept beside the answers: rules and search may change, and a recording replays."""

import pytest
from msgspec.structs import replace

from bot.engines.llm.judged import Judged
from bot.engines.llm.kept import keeping, made, noted, remembered
from bot.engines.llm.options import ModelOptions
from bot.engines.scripted import Answer, ScriptedEngine
from bot.errors import ConfigError
from bot.records.change import Recommendation


@pytest.fixture
def rules(case, offline):
    change = Recommendation("NO_ACTION", None, "Nothing.", "INCIDENTAL", 0.5)
    answer = Answer(case.detection.signals, offline, change)
    return ScriptedEngine({case.trajectory.session_id: answer})


def judgements(engine, case, offline, repo):
    return (
        engine.signals(case.trajectory, case.segments[0]),
        engine.attribute(case, repo),
        engine.recommend(case, offline, repo),
    )


def test_rules_that_have_changed_still_say_what_they_said(case, rules, offline, repo, tmp_path):
    first = judgements(Judged(rules, noted(tmp_path / "kept")), case, offline, repo)
    silent = ScriptedEngine({})
    assert judgements(Judged(silent, remembered(tmp_path / "kept")), case, offline, repo) == first
    assert judgements(Judged(silent, made), case, offline, repo) == ((), None, None)


def test_what_was_not_kept_is_made(case, rules, offline, repo, tmp_path):
    assert Judged(rules, remembered(tmp_path / "kept")).attribute(case, repo) == offline
    assert not (tmp_path / "kept").exists()


def test_a_judgement_is_of_one_session_alone(case, rules, offline, repo, tmp_path):
    Judged(rules, noted(tmp_path / "kept")).attribute(case, repo)
    other = replace(case, trajectory=replace(case.trajectory, session_id="s-2"))
    assert Judged(rules, remembered(tmp_path / "kept")).attribute(other, repo) is None


@pytest.mark.parametrize("broken", [b"", b"{", b'{"delta": 1}', b"\xff"])
def test_a_broken_file_is_named_with_a_cure(case, rules, repo, tmp_path, broken):
    Judged(rules, noted(tmp_path / "kept")).attribute(case, repo)
    (file,) = (tmp_path / "kept").iterdir()
    file.write_bytes(broken)
    with pytest.raises(ConfigError, match=f"{file.name} cannot be read.*record it again"):
        Judged(rules, remembered(tmp_path / "kept")).attribute(case, repo)


def test_no_text_of_a_session_is_in_a_name(case, rules, offline, repo, tmp_path):
    judgements(Judged(rules, noted(tmp_path / "kept")), case, offline, repo)
    kinds = {path.name.rpartition("-")[0] for path in (tmp_path / "kept").iterdir()}
    assert kinds == {"signals", "explanations", "change"}


def test_a_run_keeps_where_it_records_and_remembers_where_it_replays(tmp_path):
    written = tmp_path / "written"
    assert keeping(ModelOptions(record=written))(("a",), int, lambda: 1) == 1
    assert keeping(ModelOptions(replay=written))(("a",), int, lambda: 2) == 1
    assert keeping(ModelOptions())(("a",), int, lambda: 3) == 3


def test_search_replays_without_the_vectors_it_had(inquire, model, tmp_path):
    asked = inquire(model())
    found = replace(asked, keep=noted(tmp_path / "kept")).search("the review of an order")
    assert found
    blind = replace(asked, keep=remembered(tmp_path / "kept"), index=lambda: 1 / 0)
    assert blind.search("the review of an order") == found
    with pytest.raises(ZeroDivisionError):
        blind.search("something else")
