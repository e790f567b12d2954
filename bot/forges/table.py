"""The forges by name. Building one is cheap; what is heavy is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.forges.site import Site
from bot.ports import Forge


def _github(site: Site) -> Forge:
    from bot.forges.github import GitHubForge

    return GitHubForge(site)


def _dry_run(site: Site) -> Forge:
    from bot.forges.dry_run import DryRun

    return DryRun(site.out, site.settings)


FORGES: Final[Mapping[str, Callable[[Site], Forge]]] = {"github": _github, "dry-run": _dry_run}
