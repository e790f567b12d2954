"""How many sessions of each kind, how long each is, and in which language people speak."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import msgspec

from bot.bench.simulate.fault import Kind
from bot.bench.simulate.phrases import LANGUAGES, speaks
from bot.errors import ConfigError

# The shares of TRACE (table 8), with deletions, users in the wrong and controls beside them.
SHARES: Mapping[Kind, int] = {
    "SKILL_FILE_STALE": 12,
    "KB_CONTENT_STALE": 12,
    "KB_CONTENT_GAP": 11,
    "TOOL_PROMPT_ERROR": 9,
    "SYSTEM_PROMPT_GAP": 6,
    "RETRIEVAL_FAILURE": 10,
    "DELETE": 5,
    "NO_ACTION": 6,
    "CONTROL": 18,
}
NEVER_FAULTY: tuple[Kind, ...] = ("NO_ACTION", "CONTROL")
SESSIONS_PER_FAULT = 2
# Nodes of a session and how often (TRACE, table 9).
TIERS = ((range(2, 9), 60), (range(9, 12), 23), (range(15, 17), 17))
AT_HOME = 0.6


class Quota(msgspec.Struct, frozen=True):
    """How many sessions of a kind."""

    kind: Kind
    sessions: int


def quotas(
    count: int, possible: Sequence[Kind], asked: Mapping[str, int] | None = None
) -> tuple[Quota, ...]:
    """The sessions of every kind. `asked` fixes some of them; the rest is shared out by TRACE's
    distribution over the kinds that the repository can show. Raises `ConfigError`."""
    fixed = dict(asked or {})
    for name, number in fixed.items():
        if name not in SHARES:
            raise ConfigError(f"there is no category {name!r}; known are {', '.join(SHARES)}")
        if number and name not in possible:
            raise ConfigError(f"this context holds nothing that a {name} could be made of")
    left = count - sum(fixed.values())
    if left < 0:
        raise ConfigError(f"--per-category asks for {-left} sessions more than --count allows")
    shared = _shared(left, {kind: SHARES[kind] for kind in possible if kind not in fixed})
    return tuple(
        Quota(kind, number) for kind in SHARES if (number := fixed.get(kind, shared.get(kind, 0)))
    )


def _shared(count: int, weights: Mapping[Kind, int]) -> dict[Kind, int]:
    """Whole shares that sum to the count: largest remainders first, draws in the order given."""
    total = sum(weights.values())
    if not total:
        return {}
    exact = {kind: count * weight / total for kind, weight in weights.items()}
    whole = {kind: int(share) for kind, share in exact.items()}
    rest = sorted(weights, key=lambda kind: whole[kind] - exact[kind])
    for kind in rest[: count - sum(whole.values())]:
        whole[kind] += 1
    return whole


def length(draw: random.Random) -> int:
    """How many nodes a session has."""
    tier = draw.choices([nodes for nodes, _ in TIERS], [share for _, share in TIERS])[0]
    return draw.choice(tier)


def language(home: str, act: str, draw: random.Random) -> str:
    """The language of a session's user: mostly the repository's, never one without that act."""
    able = [name for name in LANGUAGES if speaks(name, act)]
    if home in able and draw.random() < AT_HOME:
        return home
    return draw.choice(able)
