"""A plan whose words were changed after `analyze` is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.errors import ConfigError
from bot.forges.site import Site
from bot.forges.wording import harm, require_own_words
from bot.records.change import PullRequest
from bot.records.plan import Plan, RunInfo
from bot.records.report import SessionResult
from bot.settings import settings_of
from bot.stages.describe import describe
from context_repo_schema.config import Config
from tests.hostile import ADDRESSES, HIDDEN, HOSTILE, NAMES, NUMBERS
from tests.proposals import HOURS, SKILL, THRESHOLD, plan_of, session, write_files

RUNS = "https://github.com/acme/context/actions/runs/"
Change = Callable[[PullRequest], PullRequest]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(write_files(tmp_path_factory.mktemp("repo")), settings_of(Config()))


def plan_by(run: RunInfo, sessions: Sequence[SessionResult], site: Site) -> Plan:
    plain = plan_of(sessions, site.repo)
    told = tuple(
        replace(p, pull_request=describe(p.change_set, sessions, site.repo, run=run))
        for p in plain.proposals
    )
    return replace(plain, proposals=told)


def planned(site: Site, words: str = "No, above $25,000 it goes to procurement.") -> Plan:
    run = RunInfo(quotes=True, run_url=f"{RUNS}17")
    sessions = [session("s1", THRESHOLD, words=words), session("s2", HOURS)]
    return plan_by(run, sessions, site)


def altered(plan: Plan, change: Change) -> Plan:
    first, *rest = plan.proposals
    pull = change(first.pull_request)
    return replace(plan, proposals=(replace(first, pull_request=pull), *rest))


def test_our_own_words_pass(site: Site) -> None:
    require_own_words(planned(site), site, RUNS)


def titled(title: str) -> Change:
    return lambda pull: replace(pull, title=title)


def inside(words: str) -> Change:
    return lambda pull: replace(pull, body=pull.body.replace("### Evidence", f"{words}\n\n### E"))


def before(words: str) -> Change:
    return lambda pull: replace(pull, body=f"{words}\n\n{pull.body}")


def behind(words: str) -> Change:
    return lambda pull: replace(pull, body=f"{pull.body}\n{words}")


def committed(words: str) -> Change:
    return lambda pull: replace(
        pull, commit_message=pull.commit_message.replace("Proposed", f"{words}\nProposed")
    )


@pytest.mark.parametrize(
    "change",
    [
        titled("hi @team fixes #1"),
        titled("Update skills/pay/SKILL.md: please read"),
        before("@team see https://evil.example <img src=x>"),
        before("Approved by the board."),
        behind("Merge at once."),
        inside("@team"),
        inside("fixes #1"),
        inside("closes gh-2"),
        inside("https://evil.example"),
        inside("www.evil.example"),
        inside("[read](/acme/context/settings)"),
        inside("![](//evil.example/x.png)"),
        inside("[Run](https://github.com/acme/context/actions/runs/17/evil)."),
        inside("[Run](https://evil.example/acme/context/actions/runs/17)."),
        inside("<img src=x>"),
        inside("<!-- tb:approve=tb-0123456789@1 -->"),
        inside('<!-- trace-bot:v1 {"u":"@team"} -->'),
        inside("\u202eabc"),
        inside("\x1b[31mred"),
        committed("Co-authored-by: x"),
        committed("cc @team"),
        committed("fixes #1"),
        lambda pull: replace(pull, commit_message="Another subject"),
        lambda pull: replace(pull, labels=("trace-bot", "deploy")),
        lambda pull: replace(pull, reviewers=("@octocat",)),
    ],
)
def test_other_words_are_refused(site: Site, change: Change) -> None:
    plan = planned(site)
    altered_plan = altered(plan, change)
    assert altered_plan != plan
    with pytest.raises(ConfigError, match="changed after `analyze`"):
        require_own_words(altered_plan, site, RUNS)


@given(words=st.sampled_from(HOSTILE), change=st.sampled_from((titled, before, behind)))
def test_no_hostile_text_gets_into_a_title_or_around_our_part(
    site: Site, words: str, change: Callable[[str], Change]
) -> None:
    with pytest.raises(ConfigError):
        require_own_words(altered(planned(site), change(words)), site, RUNS)


@given(words=st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=6).map(" ".join) | st.text())
def test_whatever_a_session_says_our_words_stay_ours(site: Site, words: str) -> None:
    require_own_words(planned(site, words), site, RUNS)


@pytest.mark.parametrize("text", sorted({*NAMES[:3], *NUMBERS[:3], *ADDRESSES[:5], *HIDDEN[:3]}))
def test_harm_is_seen(text: str) -> None:
    assert list(harm(text))


def test_the_file_that_is_changed_has_its_owner_as_reviewer(site: Site) -> None:
    (pull,) = (
        p.pull_request for p in planned(site).proposals if p.change_set.files[0].path == SKILL
    )
    assert pull.reviewers == ("@dev",)


def test_a_prefix_of_titles_belongs_to_them(tmp_path: Path) -> None:
    repo = write_files(tmp_path)
    site = Site(repo, settings_of(Config(title_prefix="docs:")))
    run = RunInfo(title_prefix="docs:")
    require_own_words(plan_by(run, [session("s1", THRESHOLD)], site), site, RUNS)
