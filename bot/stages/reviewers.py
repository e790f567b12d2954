"""Who owns the files of a change, by CODEOWNERS: the last pattern that matches wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from pathspec import GitIgnoreSpec

# Where GitHub looks, in its order; the first file found counts.
PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
HANDLE = re.compile(r"@[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:/[A-Za-z0-9][\w.-]{0,99})?")


def reviewers(paths: Iterable[str], texts: Mapping[str, str]) -> tuple[str, ...]:
    """The owners of the paths as `@login` or `@organisation/team`, sorted.

    E-mail owners are left out, since nobody can be asked for a review by address.
    """
    text = next((texts[place] for place in PLACES if place in texts), "")
    rules = list(_rules(text))
    owners: set[str] = set()
    for path in paths:
        owners.update(next((who for spec, who in reversed(rules) if spec.match_file(path)), ()))
    return tuple(sorted(owners))


def _rules(text: str) -> Iterator[tuple[GitIgnoreSpec, tuple[str, ...]]]:
    for raw in text.splitlines():
        words = re.split(r"\s+#", raw, maxsplit=1)[0].split()
        # CODEOWNERS knows neither negation nor character ranges (GitHub's documentation).
        if not words or words[0].startswith(("#", "!", "[")) or "[" in words[0]:
            continue
        who = tuple(word for word in words[1:] if HANDLE.fullmatch(word))
        yield GitIgnoreSpec.from_lines([words[0]]), who
