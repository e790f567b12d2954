"""Comments on issues and pull requests, and the reactions to them."""

from __future__ import annotations

from tests.github_fake import views
from tests.github_fake.call import Call, Reply, check_text, invalid
from tests.github_fake.state import Comment, Issue, Problem, Reaction, Repo, State


def write_comment(state: State, repo: Repo, issue: Issue, login: str, body: str) -> Comment:
    check_text("IssueComment", None, body)
    if not body.strip():
        raise invalid("IssueComment", "missing_field", "body")
    now = state.clock.stamp()
    comment = Comment(state.next_id(), issue.number, login, body, now, now)
    repo.comments[comment.id] = comment
    issue.updated_at = now
    return comment


def edit_comment(state: State, repo: Repo, comment: Comment, body: str) -> Comment:
    check_text("IssueComment", None, body)
    comment.body, comment.updated_at = body, state.clock.stamp()
    repo.issues[comment.number].updated_at = comment.updated_at
    return comment


def react(state: State, comment: Comment, login: str, content: str) -> tuple[Reaction, bool]:
    """The login's reaction, and whether it is new: reacting twice leaves one."""
    for known in comment.reactions:
        if (known.login, known.content) == (login, content):
            return known, False
    reaction = Reaction(state.next_id(), login, content, state.clock.stamp())
    comment.reactions.append(reaction)
    return reaction, True


def _comment(call: Call) -> Comment:
    comment = call.repo.comments.get(int(call.params["comment_id"]))
    if comment is None:
        raise Problem(404, "Not Found")
    return comment


def _may_change(call: Call, comment: Comment) -> None:
    allowed = call.repo.permissions.get(call.actor) in ("write", "maintain", "admin")
    if call.actor != comment.login and not allowed and not call.actor.endswith("[bot]"):
        raise Problem(403, "Resource not accessible by personal access token")


def list_for_issue(call: Call) -> Reply:
    number = call.issue().number
    return 200, _listed(call, [c for c in call.repo.comments.values() if c.number == number])


def list_for_repo(call: Call) -> Reply:
    return 200, _listed(call, list(call.repo.comments.values()))


def _listed(call: Call, comments: list[Comment]) -> list[views.View]:
    since = call.query.get("since", "")
    if call.query.get("sort"):
        reverse = call.query.get("direction", "asc") == "desc"
        key = {"created": "created_at", "updated": "updated_at"}[call.query["sort"]]
        comments.sort(key=lambda c: (getattr(c, key), c.id), reverse=reverse)
    kept = (comment for comment in comments if comment.updated_at >= since)
    return [views.comment(call.state, call.repo, comment) for comment in kept]


def create(call: Call) -> Reply:
    comment = write_comment(call.state, call.repo, call.issue(), call.actor, call.body["body"])
    return 201, views.comment(call.state, call.repo, comment)


def get(call: Call) -> Reply:
    return 200, views.comment(call.state, call.repo, _comment(call))


def update(call: Call) -> Reply:
    comment = _comment(call)
    _may_change(call, comment)
    edit_comment(call.state, call.repo, comment, call.body["body"])
    return 200, views.comment(call.state, call.repo, comment)


def delete(call: Call) -> Reply:
    comment = _comment(call)
    _may_change(call, comment)
    del call.repo.comments[comment.id]
    return 204, None


def list_reactions(call: Call) -> Reply:
    wanted = call.query.get("content")
    found = [r for r in _comment(call).reactions if wanted in (None, r.content)]
    return 200, [views.reaction(call.state, reaction) for reaction in found]


def create_reaction(call: Call) -> Reply:
    reaction, new = react(call.state, _comment(call), call.actor, call.body["content"])
    return (201 if new else 200), views.reaction(call.state, reaction)


def delete_reaction(call: Call) -> Reply:
    comment, wanted = _comment(call), int(call.params["reaction_id"])
    kept = [reaction for reaction in comment.reactions if reaction.id != wanted]
    if len(kept) == len(comment.reactions):
        raise Problem(404, "Not Found")
    comment.reactions[:] = kept
    return 204, None
