"""What every check is given."""

from __future__ import annotations

from pathlib import Path

import msgspec

from context_repo_schema.checkout import Tree
from context_repo_schema.component import Component
from context_repo_schema.config import Config


class Checkout(msgspec.Struct, frozen=True):
    """A checkout that was read: its files, its components, and the configuration it was read by."""

    root: Path
    tree: Tree
    components: tuple[Component, ...]
    config: Config

    def text(self, component: Component) -> str:
        """The component's text."""
        return self.tree.texts[component.path]
