"""Milestones of a repository, known by title; all are open."""

from __future__ import annotations

from tests.github_fake import views
from tests.github_fake.call import Call, Reply


def list_for_repo(call: Call) -> Reply:
    return 200, [views.milestone(call.state, call.repo, title) for title in call.repo.milestones]
