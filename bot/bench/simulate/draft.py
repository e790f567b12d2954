"""The copy of a repository while faults go into it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.bench.simulate.document import Document
from bot.bench.simulate.facts import Ground
from bot.context.edit import apply
from bot.context.repo import ContextRepo
from bot.errors import EditRefused
from bot.records.change import Edit
from context_repo_schema.classify import component_type
from context_repo_schema.component import ComponentType
from context_repo_schema.config import Config


class Draft:
    """Texts by path, changed one exact edit at a time. No place is changed twice."""

    def __init__(self, repo: ContextRepo, config: Config, found: Sequence[Document]) -> None:
        self.repo = repo
        self.texts = dict(repo.texts)
        self.ground = Ground(repo)
        self.documents = {document.path: document for document in found}
        self._config = config
        self._taken: set[tuple[str, str]] = set()

    def free(self, path: str, place: str) -> bool:
        """Whether nobody has claimed the place."""
        return (path, place) not in self._taken

    def take(self, path: str, place: str) -> bool:
        """Claims a place of a file for one use; False where it was claimed before."""
        if (path, place) in self._taken:
            return False
        self._taken.add((path, place))
        return True

    def edit(self, edit: Edit) -> bool:
        """Applies it where it still fits: an earlier fault may have changed the text around."""
        try:
            changed = apply(edit, self.texts.get(edit.path))
        except EditRefused:
            return False
        if changed is not None:
            self.texts[edit.path] = changed
        return True

    def swap(self, path: str, piece: str, other: str, written_other: str) -> bool:
        """Puts another text in the place of one that occurs nowhere else."""
        written = self.ground.once(path, piece)
        fits = written is not None and (not other or self.ground.nowhere(written_other))
        return fits and self.edit(Edit(path, "UPDATE", new=written_other, old=written))

    def place_for(self, kind: ComponentType, name: str, text: str, near: str) -> str:
        """A new path at which a text is such a component: beside `near`, else in the default
        layout. The name ends in `.md`."""
        folder = near.rpartition("/")[0]
        beside = [f"{folder}/{name}"] if folder else [name]
        candidates = [*beside, f"knowledge_base/notices/{name}", f"docs/{name}", f"kb/{name}"]
        return next(
            (
                path
                for path in candidates
                if path not in self.texts and component_type(path, text, self._config) == kind
            ),
            candidates[1],
        )
