"""What a model may look at in the context repository: text and history, read only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bot.context.search import title as title_of
from bot.engines.llm.clip import clip
from bot.engines.llm.conversation import complaint
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.line_history import blamed
from bot.engines.llm.toolbox import Ability
from context_repo_schema.checkout import GitFailed
from context_repo_schema.component import Component, ComponentType

PAGE = 16_000
HITS = 10
COMMITS = 12
RUNS = 40
_LINES = re.compile(r"(.*?):(\d{1,7})(?:-(\d{1,7}))?", re.DOTALL)


class RepoTools:
    """The looks; of a long file the parts that the complaint is about are shown."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._inquiry = inquiry
        self._repo = inquiry.repo
        self._about = complaint(inquiry.case)

    def abilities(self) -> Mapping[str, Ability]:
        """The tools by name (TRACE, exploratory recommendation, and the history of a file)."""
        return {
            "search_kb": Ability(
                "Search all context files (knowledge base, skills, prompts, tool descriptions, "
                "synonyms, schemas) for text that speaks of something.",
                "query",
                "what to look for, in plain words or exact terms",
                self.search,
            ),
            "read_kb_entry": Ability(
                "Read a knowledge-base document or any other file whole.",
                "path",
                "its path",
                self.read,
            ),
            "list_skills": Ability(
                "List the skills with their descriptions.",
                "prefix",
                "only those below this folder; empty for all",
                lambda prefix: self._list("skill", prefix),
            ),
            "read_skill": Ability("Read a skill whole.", "path", "its path", self.read),
            "read_system_prompt": Ability(
                "Read the agent's system prompt.",
                "path",
                "its path where there are several; empty for the only one, or for a list",
                self.system_prompt,
            ),
            "read_tool_prompt": Ability(
                "Read the description of a tool as it stands in its file.",
                "name",
                "the tool's name, or the path of a file of tools",
                self.tool_prompt,
            ),
            "git_log": Ability(
                "See when a file was changed, and what the commits say.",
                "path",
                "its path",
                self.history,
            ),
            "git_blame": Ability(
                "See which lines of a file came with which commit, and when.",
                "path",
                "its path; with :FROM-TO behind it, only those lines",
                self.blame,
            ),
        }

    def search(self, query: str) -> Any:
        """The units of text nearest to the words, with their place."""
        if not query.strip():
            return self._list("kb_entry", "")
        return [
            {"path": u.path, "line": u.line, "under": " > ".join(u.headings), "text": u.text}
            for u in self._inquiry.search(query)[:HITS]
        ] or "Nothing in the repository speaks of this."

    def read(self, path: str) -> Any:
        """A file with what it says about itself."""
        found = self._repo.resolve(path)
        if found is None:
            near = [
                p for p in self._repo.texts if path.rpartition("/")[2].casefold() in p.casefold()
            ]
            named = f" Did you mean {', '.join(near[:5])}?" if path and near else ""
            return f"There is no file {path!r}.{named}"
        component = self._repo.component(found)
        told: dict[str, Any] = {"path": found, "content": self._text(found)}
        if component is None:
            return {**told, "note": "this file is no component and may not be changed"}
        if component.read_only is not None:
            told["note"] = component.read_only
        return {**told, "type": component.type, "metadata": component.meta}

    def system_prompt(self, path: str) -> Any:
        """The only prompt, the one asked for, or the list of them."""
        prompts = self._of("system_prompt")
        if path.strip():
            return self.read(path)
        return self.read(prompts[0].path) if len(prompts) == 1 else self._list("system_prompt", "")

    def tool_prompt(self, name: str) -> Any:
        """The text of one tool's description, or a whole file of tools."""
        index = self._inquiry.index()
        numbers = index.by_tool.get(name.strip())
        if numbers is None:
            tools = sorted(index.by_tool)
            found = self._repo.resolve(name)
            return self.read(name) if found else f"No such tool. Tools: {', '.join(tools)}."
        units = [index.units[n] for n in numbers]
        path = units[0].path
        text = self._repo.texts[path]
        start = text.rfind("\n", 0, min(u.start for u in units)) + 1
        return {
            "path": path,
            "tool": name,
            "content": clip(text[start : _after(text, units)], PAGE),
        }

    def history(self, path: str) -> Any:
        """The commits of a file, newest first; people are left out."""
        found = self._repo.resolve(path)
        commits = self._repo.history.get(found or "", ())
        return [
            {"date": c.date[:10], "message": clip(c.message, 300), "files": c.files}
            for c in commits[:COMMITS]
        ] or "No history is known of this file."

    def blame(self, asked: str) -> Any:
        """The lines of a file by the commits that they came with; people are left out."""
        path, first, last = _lines(asked)
        found = self._repo.resolve(path)
        if found is None:
            return f"There is no file {path!r}."
        if not (self._repo.root / ".git").exists():
            return {
                "note": "Lines have no history here, only files.",
                "git_log": self.history(path),
            }
        try:
            runs = blamed(self._repo.root, found, first, last)
        except GitFailed:
            return {"note": "Git does not know these lines.", "git_log": self.history(path)}
        return [
            {
                "lines": run.place,
                "date": f"{run.lines[0].date}{' or earlier' if run.lines[0].edge else ''}",
                "message": clip(run.lines[0].message, 200),
                "text": clip("\n".join(line.text for line in run.lines), 400, self._about),
            }
            for run in runs[:RUNS]
        ]

    def _text(self, path: str) -> str:
        return clip(self._repo.texts[path], PAGE, self._about)

    def _of(self, kind: ComponentType) -> list[Component]:
        return [c for c in self._repo.components if c.type == kind]

    def _list(self, kind: ComponentType, prefix: str) -> Any:
        wanted = [c for c in self._of(kind) if c.path.startswith(prefix.strip().lstrip("/"))]
        return [
            {
                "path": c.path,
                "title": title_of(self._repo, c.path),
                "description": clip(str(c.meta.get("description", "")), 300),
            }
            for c in wanted
        ] or f"There is no {kind} there."


def _after(text: str, units: list[Any]) -> int:
    end = text.find("\n", max(u.end for u in units))
    return len(text) if end < 0 else end


def _lines(asked: str) -> tuple[str, int, int | None]:
    """A path, and the lines behind its last colon; all where none are named."""
    named = _LINES.fullmatch(asked.strip())
    if named is None:
        return asked.strip(), 1, None
    first = max(1, int(named[2]))
    return named[1], first, max(first, int(named[3] or first))
