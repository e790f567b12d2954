"""Why this file is the cause: the fault in plain words, and which file says otherwise."""

from __future__ import annotations

from bot.context.authority import Standing, prefers, standing
from bot.context.repo import ContextRepo
from bot.defang import code
from bot.reports.evidence import hypotheses
from bot.reports.story import Story, absent, authority, verified

LABELS = {
    "SKILL_FILE_STALE": "a skill that is out of date",
    "KB_CONTENT_STALE": "knowledge that is out of date",
    "KB_CONTENT_GAP": "knowledge that is missing",
    "TOOL_PROMPT_ERROR": "a tool description that is wrong",
    "SYSTEM_PROMPT_GAP": "an instruction that is missing",
    "RETRIEVAL_FAILURE": "a search that misses the document",
    "NONE": "no fault of the context at all",
}
CAUSES = {
    "SKILL_FILE_STALE": "followed {path}, and what it says there is out of date",
    "KB_CONTENT_STALE": "answered from {path}, and what it says there is out of date",
    "KB_CONTENT_GAP": "found nothing on the question where {path} should answer it",
    "TOOL_PROMPT_ERROR": "called a tool as {path} describes it, and the description is wrong",
    "SYSTEM_PROMPT_GAP": "was told nothing by {path} on what to do in such a case",
    "RETRIEVAL_FAILURE": "searched with a term that {path} does not tie to the right document",
}
# By rank of authority (`bot.context.authority.RANKS`).
RANKED = ("a policy", "a procedure", "a reference", "a note")
TYPED = {"skill": "a skill", "system_prompt": "a system prompt"}
CHECK = "please check the facts"


def cause(story: Story) -> str:
    """What the agents did, and what the repository says of it."""
    count = len(story.sessions)
    runs = "the run" if count == 1 else f"each of the {count} runs"
    template = CAUSES.get(story.change_set.kind, "read {path}")
    return " ".join(
        (
            f"In {runs} below the agent {template.format(path=code(story.primary))}.",
            "The table names the step at which the answer went wrong.",
            settled(story),
        )
    )


def settled(story: Story) -> str:
    """Who in the repository says otherwise, and whether that proves the fault."""
    source = authority(story)
    if source is None:
        if verified(story):
            return "A tool's own error proves that."
        return f"No file of the repository settles the matter: {CHECK}."
    if source == story.primary:
        proof = "A tool's own error proves it." if verified(story) else f"It is no proof: {CHECK}."
        return f"Another place of {code(source)} says otherwise. {proof}"
    said = f"{code(source)} says otherwise"
    if absent(story):
        held = f"{code(source)} holds {_what(story)}; {code(story.primary)} does not."
        return held if verified(story) else f"{held} It was not proved that it should: {CHECK}."
    if not verified(story):
        return f"{said}; it was not proved that it wins: {CHECK}."
    return f"{said} and outranks it{outranks(story.repo, source, story.primary)}."


def verdict(story: Story) -> str:
    """The same in a few words, for the headline."""
    source = authority(story)
    if verified(story):
        return f"verified against {code(source)}" if source else "verified by a tool's own error"
    if source is not None:
        says = "holds it" if absent(story) else "says otherwise"
        return f"not verified: {code(source)} {says}"
    only = "the user says" if story.change_set.principals == 1 else "users say"
    return f"not verified: only {only} otherwise"


def why(story: Story) -> str:
    """The same as the reason for one change."""
    label, source = LABELS.get(story.change_set.kind, ""), authority(story)
    if source is None:
        return label
    if verified(story):
        return f"{label}; {source} settles it"
    return f"{label}; {source} {'holds it' if absent(story) else 'says otherwise'}"


def outranks(repo: ContextRepo, source: str, other: str) -> str:
    """By what the first file outranks the second, as the end of a sentence; or nothing."""
    component = repo.component(source)
    if component is not None and component.type == "schema_hint":
        return ": a schema says what the system does"
    above, below = standing(repo, source), standing(repo, other)
    side, reason = prefers(repo, above, below)
    if side <= 0:
        return ""
    if reason == "supersession":
        return f": it supersedes {code(other)}"
    if reason == "status":
        state = "a draft" if below.status == "draft" else "no longer in force"
        return f": {code(other)} is {state}"
    if reason == "hierarchy":
        return f": {_over(repo, above, below)}"
    if reason == "ownership":
        return f": it has an owner, and {code(other)} has none"
    return ": it is the newer one"


def rival(story: Story) -> str:
    """The best explanation that lost, and why."""
    best, second = hypotheses(story.sessions)
    if best is None or second is None:
        return "No other explanation came close."
    path = second.component_path
    place = f" in {code(path)}" if path is not None and path in story.repo.texts else ""
    return (
        f"The best other explanation was {LABELS[second.category]}{place}; it ranked lower "
        "on what the sessions and the files show."
    )


def _what(story: Story) -> str:
    return "the rule" if story.change_set.kind == "SYSTEM_PROMPT_GAP" else "the answer"


def _over(repo: ContextRepo, above: Standing, below: Standing) -> str:
    """`a policy over a skill`, unless the configuration ranks them by name."""
    if above.place is not None and below.place is not None:
        return "trace-bot.yaml ranks it higher"
    first, second = _kind(repo, above), _kind(repo, below)
    if first == second:
        first, second = RANKED[above.rank], RANKED[below.rank]
    return f"{first} over {second}"


def _kind(repo: ContextRepo, file: Standing) -> str:
    component = repo.component(file.path)
    return TYPED.get(component.type if component else "", RANKED[file.rank])
