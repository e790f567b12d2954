"""The files of a context repository as an agent reads them: whole, or passage by passage."""

from __future__ import annotations

import json
from functools import cached_property

import msgspec

from bot.bench.source_text import article
from bot.context.cut import markdown
from bot.context.repo import ContextRepo
from bot.context.unit import Unit
from context_repo_schema.component import Component, ComponentType
from context_repo_schema.markdown import sections

READ = ("kb_entry", "skill", "system_prompt")
LONGEST_PASSAGE = 6000


class Passage(msgspec.Struct, frozen=True):
    """Whole lines of a document, as a search returns them; `section` is None for all of it."""

    path: str
    section: str | None
    content: str


class Document(msgspec.Struct, frozen=True, dict=True):
    """A prompt, skill or article. `text` is what a reader sees: of a JSON article its content."""

    path: str
    type: ComponentType
    title: str
    text: str
    headings: tuple[str, ...] = ()

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Its sections below the title, or all of it where it has none."""
        lines = self.text.split("\n")
        found = [
            Passage(self.path, s.headings[-1], content)
            for s in sections(self.text)
            if s.level > 1
            and len(content := "\n".join(lines[s.first_line - 1 : s.last_line]).strip("\n"))
            <= LONGEST_PASSAGE
        ]
        return tuple(found) or (self.whole,)

    @property
    def whole(self) -> Passage:
        """The document as one passage."""
        return Passage(self.path, None, self.text)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Its sentences and table rows; offsets count in `text`."""
        return tuple(
            unit
            for unit in markdown.cut(Component(self.type, self.path), self.text)
            if unit.kind in ("sentence", "row")
        )

    def passage_of(self, quote: str) -> Passage:
        """The shortest passage that holds the quote, else the whole."""
        holding = [passage for passage in self.passages if quote in passage.content]
        return min(holding, key=lambda passage: len(passage.content), default=self.whole)


def documents(repo: ContextRepo) -> tuple[Document, ...]:
    """Every prompt, skill and article of the repository, in the order of their paths."""
    return tuple(
        _document(component, repo.texts[component.path])
        for component in repo.components
        if component.type in READ and repo.texts[component.path].strip()
    )


def _document(component: Component, text: str) -> Document:
    parts = article(component.path, text)
    if parts is not None:
        return Document(component.path, component.type, parts[0], parts[1])
    named = component.meta.get("title") or component.meta.get("name")
    heads = sections(text)
    heading = heads[0].headings[0] if heads else ""
    stem = component.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    title = heading or (named if isinstance(named, str) else "") or stem.replace("-", " ")
    return Document(component.path, component.type, title, text)


def as_written(path: str, text: str, piece: str) -> str | None:
    """A piece of a document as its file writes it; None where it does not stand there once."""
    forms = [piece]
    if article(path, text) is not None:
        forms += [json.dumps(piece, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True)]
    return next((form for form in forms if text.count(form) == 1), None)
