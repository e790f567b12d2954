"""Whether the words of a planned pull request can be ours, since a plan is only a file.

The title is written again from the change set and must come out the same; body and commit message
must be of our form, and nothing in them may notify, link, close or hide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt

from bot.defang import LOOK_ALIKE, visible
from bot.errors import ConfigError
from bot.forges.site import Site
from bot.identity import marker, names
from bot.records.change import ChangeSet, PullRequest
from bot.records.plan import Plan
from bot.records.report import Proposal
from bot.reports.body import BEGIN, END
from bot.stages.reviewers import reviewers

HARMFUL: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("mentions somebody", re.compile(r"(?<!\w)@\w")),
    ("refers to an issue", re.compile(r"#\d|\bgh-\d", re.I)),
    ("holds an address", re.compile(r"(?<!hxxp)(?<!hxxps)://|www\.", re.I)),
    ("holds HTML", re.compile(r"<[a-z!/?]", re.I)),
)
TAGS = re.compile(r"</?(?:sub|details|summary)>")
LINK = re.compile(r"(?<=\[Run\]\()(?P<address>[^\s()<>\"]+)(?=\)\.)")
MOST_LINES = 5


def require_own_words(plan: Plan, site: Site, runs: str) -> None:
    """Raises `ConfigError` where a proposal says what trace-bot does not write, or calls people
    who own none of its files. `runs` is the one address that a body may link to, up to the
    number of the run."""
    for proposal in plan.proposals:
        for part in (proposal, *proposal.alone):
            fault = next(_faults(part, site, runs), None)
            if fault is not None:
                unit = part.change_set.unit_id
                raise ConfigError(
                    f"unit {unit}: {fault}; trace-bot does not write that, so the plan was changed "
                    "after `analyze`; run it again"
                )


def _faults(proposal: Proposal, site: Site, runs: str) -> Iterator[str]:
    unit, pull = proposal.change_set, proposal.pull_request
    body = _without_own_marks(pull.body, runs)
    texts = (("title", pull.title), ("commit message", pull.commit_message), ("body", body))
    yield from (f"the {name} {what}" for name, text in texts for what in harm(text))
    yield from (f"the body {what}" for what in _links(pull.body, runs))
    yield from _forms(unit, pull, site.settings.publishing.title_prefix)
    yield from _calls(proposal, site)


def harm(text: str) -> Iterator[str]:
    """What a text would do to its readers where GitHub shows it, in a few words each."""
    for what, pattern in HARMFUL:
        if pattern.search(text.translate(LOOK_ALIKE)):
            yield what
    if visible(text) != text:
        yield "holds characters that nobody sees"


def _links(body: str, runs: str) -> Iterator[str]:
    """Links and pictures but the one to the run, as GitHub's Markdown understands them."""
    for token in MarkdownIt("commonmark").enable("table").parse(body):
        for inner in token.children or ():
            address = inner.attrs.get("href") or inner.attrs.get("src") or ""
            if inner.type == "image" or (inner.type == "link_open" and not _run(address, runs)):
                yield "holds a link"


def _run(address: object, runs: str) -> bool:
    text = str(address)
    return text.lower().startswith(runs.lower()) and text[len(runs) :].isdigit()


def _without_own_marks(body: str, runs: str) -> str:
    own = TAGS.sub("", marker.LINE.sub(_told, body.removeprefix(BEGIN).removesuffix(END)))
    return LINK.sub(lambda link: "" if _run(link["address"], runs) else link[0], own)


def _told(line: re.Match[str]) -> str:
    return "" if marker.ALLOWED.fullmatch(line["json"]) else line[0]


def _forms(unit: ChangeSet, pull: PullRequest, prefix: str) -> Iterator[str]:
    count = len(unit.finding_ids)
    titles = {names.title(unit.operation, f.path, unit.kind, count, prefix) for f in unit.files}
    if pull.title not in titles:
        yield "the title is another one than the change has"
    if not pull.body.startswith(BEGIN) or not pull.body.endswith(END):
        yield "the body holds more than our part of it"
    marks = (unit.patch_digest, len(unit.sessions))
    bare = names.commit_message(pull.title, (), unit.unit_id, unit.finding_ids, marks)
    head, tail = bare.split("\n\n\n\n", maxsplit=1)
    said = pull.commit_message.removeprefix(f"{head}\n\n").removesuffix(f"\n\n{tail}")
    rebuilt = f"{head}\n\n{said}\n\n{tail}" == pull.commit_message
    # A line such as `Co-authored-by: …` would speak for a person.
    if not rebuilt or len(said.split("\n")) > MOST_LINES or re.search(r"(?m)^[\w-]+:\s", said):
        yield "the commit message is not of our form"


def _calls(proposal: Proposal, site: Site) -> Iterator[str]:
    unit, pull = proposal.change_set, proposal.pull_request
    publishing = site.settings.publishing
    owners = reviewers((file.path for file in unit.files), site.repo)
    if not {*pull.reviewers, *unit.reviewers} <= {*owners, *publishing.reviewers}:
        yield "it asks people for a review who own none of its files"
    if not {*pull.labels} <= {*publishing.labels, names.UNVERIFIED, names.SENSITIVE}:
        yield "it has labels that trace-bot.yaml does not name"
