"""Search over issues and pull requests: the qualifiers we use, refused loudly otherwise."""

from __future__ import annotations

import operator
import re
import shlex
from collections.abc import Callable
from datetime import timedelta

from tests.github_fake import views
from tests.github_fake.call import Call, Reply, invalid
from tests.github_fake.clock import stamp
from tests.github_fake.state import Issue, Repo

Test = Callable[[Repo, Issue, str], bool]


def _is(repo: Repo, issue: Issue, value: str) -> bool:
    facts = {
        "issue": issue.pull is None,
        "pr": issue.pull is not None,
        "open": issue.state == "open",
        "closed": issue.state == "closed",
        "merged": bool(issue.pull and issue.pull.merged_at),
        "unmerged": bool(issue.pull and not issue.pull.merged_at),
        "draft": bool(issue.pull and issue.pull.draft),
    }
    if value not in facts:
        raise invalid("Search", "invalid", "q", f"is:{value} is not known")
    return facts[value]


def _author(repo: Repo, issue: Issue, value: str) -> bool:
    # Apps are searched as `app/name`, and shown as `name[bot]`.
    login = f"{value.removeprefix('app/')}[bot]" if value.startswith("app/") else value
    return issue.login.lower() == login.lower()


def _date(name: str) -> Test:
    """A qualifier like `closed:>=2026-01-31`, on one of the record's time stamps."""

    def test(repo: Repo, issue: Issue, value: str) -> bool:
        match = re.fullmatch(r"(>=|<=|>|<)(\d{4}-\d\d-\d\d\S*)", value)
        if match is None:
            raise invalid("Search", "invalid", "q", f"{value} is not a bound on a date")
        at = getattr(issue, name)
        return bool(at) and COMPARE[match[1]](at[: len(match[2])], match[2])

    return test


COMPARE: dict[str, Callable[[str, str], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
QUALIFIERS: dict[str, Test] = {
    "repo": lambda repo, issue, value: repo.full_name.lower() == value.lower(),
    "is": _is,
    "type": _is,
    "state": _is,
    "author": _author,
    "label": lambda repo, issue, value: value.lower() in {name.lower() for name in issue.labels},
    "head": lambda repo, issue, value: bool(issue.pull and issue.pull.head.startswith(value)),
    "base": lambda repo, issue, value: bool(issue.pull and issue.pull.base == value),
    "created": _date("created_at"),
    "updated": _date("updated_at"),
    "closed": _date("closed_at"),
    "in": lambda repo, issue, value: True,
}


def _matches(repo: Repo, issue: Issue, terms: list[str], fields: list[str]) -> bool:
    text = " ".join(str(getattr(issue, name) or "") for name in fields).lower()
    for term in terms:
        wanted = not term.startswith("-")
        name, colon, value = term.lstrip("-").partition(":")
        if not colon:
            found = name.lower() in text
        elif name in QUALIFIERS:
            found = QUALIFIERS[name](repo, issue, value)
        else:
            raise invalid("Search", "invalid", "q", f"{name}: is not known")
        if found != wanted:
            return False
    return True


def issues(call: Call) -> Reply:
    terms = shlex.split(call.query["q"])
    fields = [field for term in terms if term.startswith("in:") for field in term[3:].split(",")]
    # The index lags behind: what is younger than the delay cannot be found yet.
    seen = stamp(call.state.clock.now() - timedelta(seconds=call.state.search_delay))
    items = [
        views.issue(call.state, repo, issue) | {"score": 1.0}
        for repo in call.state.repos.values()
        for issue in repo.issues.values()
        if issue.created_at <= seen and _matches(repo, issue, terms, fields or ["title", "body"])
    ]
    items.sort(key=lambda item: (item["created_at"], item["number"]), reverse=True)
    return 200, {"total_count": len(items), "incomplete_results": False, "items": items}
