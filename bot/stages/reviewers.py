"""Who owns the files of a change: CODEOWNERS, and where it is silent the configuration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pathspec import GitIgnoreSpec

from bot.context.authority import owner
from bot.context.repo import ContextRepo

# Where GitHub looks, in its order; the first file found counts.
PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
HANDLE = re.compile(r"@[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:/[A-Za-z0-9][\w.-]{0,99})?")


def reviewers(paths: Iterable[str], repo: ContextRepo) -> tuple[str, ...]:
    """The owners of the paths as `@login` or `@organisation/team`, sorted.

    The last pattern of CODEOWNERS that matches wins. E-mail owners are left out, since nobody can
    be asked for a review by address.
    """
    text = next((repo.texts[place] for place in PLACES if place in repo.texts), "")
    rules = list(_rules(text))
    owners: set[str] = set()
    for path in paths:
        named = next((who for spec, who in reversed(rules) if spec.match_file(path)), None)
        owners.update(_handles(owner(path, repo.authority).split()) if named is None else named)
    return tuple(sorted(owners))


def _handles(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if HANDLE.fullmatch(word))


def _rules(text: str) -> Iterator[tuple[GitIgnoreSpec, tuple[str, ...]]]:
    for raw in text.splitlines():
        words = re.split(r"\s+#", raw, maxsplit=1)[0].split()
        # CODEOWNERS knows neither negation nor character ranges (GitHub's documentation).
        if not words or words[0].startswith(("#", "!", "[")) or "[" in words[0]:
            continue
        yield GitIgnoreSpec.from_lines([words[0]]), _handles(words[1:])
