"""What the agent of a simulated session can look into: the faulty copy, searched by BM25."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from bot.bench.fulltext import FullText
from bot.bench.simulate.document import Document, Passage, documents
from bot.bench.simulate.tool_facts import sample
from bot.context.repo import ContextRepo
from context_repo_schema.recognise import data_of, tools_of

GENERIC = (("get_record", {"record_id": "R-20418"}), ("open_case", {"note": "see conversation"}))


class Library:
    """The documents, passages, prompts and tools of one domain of the faulty copy at a time."""

    def __init__(self, repo: ContextRepo) -> None:
        found = documents(repo)
        self.documents = {document.path: document for document in found}
        self._passages = [p for d in found if d.type == "kb_entry" for p in d.passages]
        self._index = FullText(
            (str(number), f"{self.documents[p.path].title}\n{p.content}")
            for number, p in enumerate(self._passages)
        )
        self._prompts = [d for d in found if d.type == "system_prompt" and len(d.text) > 200]
        self._folders = _mixed_folders(repo)
        self._tools = [
            (c.path, str(tool["name"]), sample(tool))
            for c in repo.components
            if c.type == "tool_prompt"
            for tool in tools_of(data_of(c.path, repo.texts[c.path]))
        ]

    def passage(self, path: str, section: str | None) -> Passage:
        """The passage of that name, else the whole document."""
        document = self.documents[path]
        found = (p for p in document.passages if p.section == section)
        return next(found, document.whole)

    def search(
        self, query: str, path: str, unwanted: Callable[[Passage], bool], count: int
    ) -> tuple[Passage, ...]:
        """The best passages for a query from where `path` is at home, without unwanted ones."""
        best = (self._passages[int(number)] for number in self._index.best(query, 40))
        found = [p for p in best if self.near(p.path, path) and not unwanted(p)]
        return tuple(found[:count])

    def prompt(self, path: str, draw: random.Random) -> Document | None:
        """A prompt that an agent with this file would have."""
        near = [prompt for prompt in self._prompts if self.near(prompt.path, path)]
        return draw.choice(near) if near else None

    def tool(
        self, path: str, draw: random.Random, other_than: str = ""
    ) -> tuple[str, dict[str, Any]]:
        """A tool that an agent with this file would have, and a right call of it."""
        near = [
            (name, call)
            for place, name, call in self._tools
            if self.near(place, path) and name != other_than and call
        ]
        return draw.choice(near or list(GENERIC))

    def near(self, one: str, other: str) -> bool:
        """Whether two files belong to one domain: a top folder with components of several kinds
        is a domain by itself, everything else is common ground."""
        a, b = self._domain(one), self._domain(other)
        return not a or not b or a == b

    def _domain(self, path: str) -> str:
        folder = path.partition("/")[0]
        return folder if folder in self._folders else ""


def _mixed_folders(repo: ContextRepo) -> frozenset[str]:
    kinds: dict[str, set[str]] = {}
    for component in repo.components:
        folder, _, rest = component.path.partition("/")
        if rest:
            kinds.setdefault(folder, set()).add(component.type)
    return frozenset(folder for folder, types in kinds.items() if len(types) > 1)


def plain(quote: str) -> str:
    """A sentence or row as an agent says it: no Markdown, cells joined."""
    text = quote.strip().strip("|").replace("**", "").replace("`", "")
    return " – ".join(cell.strip() for cell in text.split("|") if cell.strip())
