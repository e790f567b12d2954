"""Who blames which lines: real git, no people, and no way out of the repository."""

import pytest

from bot.context.read import read_repo
from bot.engines.llm.line_history import blamed
from bot.engines.llm.repo_tools import RepoTools
from context_repo_schema.checkout import GitFailed, git

PATH = "knowledge_base/rates.md"


@pytest.fixture
def checkout(tmp_path, inquire):
    """A file of which the second line was changed in a second commit, and its tools."""
    place = tmp_path / "live" / PATH
    place.parent.mkdir(parents=True)
    root = tmp_path / "live"
    git(root, "init", "-q", "-b", "main")
    for text, day, message in (
        ("# Rates\n\ttab, form\fand \u2028 in a line\nMileage 0.62\nEnd\n", "2024-03-01", "Start"),
        (
            "# Rates\n\ttab, form\fand \u2028 in a line\nMileage 0.70\nEnd\n",
            "2025-01-09",
            "Raise the rate",
        ),
    ):
        place.write_text(text, "utf-8")
        git(root, "add", PATH)
        who = ("-c", "user.name=Jo Secret", "-c", "user.email=jo@example.org")
        git(root, *who, "commit", "-q", "--date", f"{day}T12:00:00Z", "-m", message)
    return root


def test_lines_go_by_the_commit_that_they_came_with(checkout):
    runs = blamed(checkout, PATH)
    assert [(run.place, run.lines[0].message) for run in runs] == [
        ("1-2", "Start"),
        ("3", "Raise the rate"),
        ("4", "Start"),
    ]
    assert [line.text for run in runs for line in run.lines] == [
        "# Rates",
        "\ttab, form\fand \u2028 in a line",
        "Mileage 0.70",
        "End",
    ]


def test_only_the_lines_that_were_asked_for(checkout):
    assert [run.place for run in blamed(checkout, PATH, 2, 3)] == ["2", "3"]
    with pytest.raises(GitFailed):
        blamed(checkout, PATH, 40)
    with pytest.raises(GitFailed):
        blamed(checkout, "knowledge_base/none.md")


def test_the_tool_tells_dates_and_messages_and_no_people(checkout, inquire):
    from msgspec.structs import replace

    tools = RepoTools(replace(inquire(None), repo=read_repo(checkout)))
    (found,) = tools.blame(f"{PATH}:3")
    assert (found["lines"], found["message"], found["text"]) == (
        "3",
        "Raise the rate",
        "Mileage 0.70",
    )
    assert found["date"].count("-") == 2
    assert [row["lines"] for row in tools.blame(f" {PATH} ")] == ["1-2", "3", "4"]
    assert [row["lines"] for row in tools.blame(f"{PATH}:2-3")] == ["2", "3"]
    assert "Secret" not in str(tools.blame(PATH))
    unknown = tools.blame(f"{PATH}:900")
    assert unknown == {"note": "Git does not know these lines.", "git_log": tools.history(PATH)}
    assert [commit["message"] for commit in unknown["git_log"]] == ["Raise the rate", "Start"]
    assert tools.blame(f"{PATH}:3-1")[0]["lines"] == "3"


def test_an_option_is_no_path(checkout, inquire):
    from msgspec.structs import replace

    tools = RepoTools(replace(inquire(None), repo=read_repo(checkout)))
    for asked in (
        "--contents=/etc/passwd",
        "-S/etc/passwd",
        "../../etc/passwd:1",
        ":1",
        PATH + ":x",
    ):
        assert tools.blame(asked) == f"There is no file {asked.removesuffix(':1')!r}."
