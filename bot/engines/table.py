"""The engines by name. Building one is cheap; what is heavy is imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.ports import Engine


def _offline() -> Engine:
    from bot.engines.offline.engine import OfflineEngine

    return OfflineEngine()


ENGINES: Mapping[str, Callable[[], Engine]] = {"offline": _offline}
