"""What an audit finds: two places that cannot both be right, or one that leads nowhere."""

from __future__ import annotations

import msgspec

from bot.records.finding import RepoQuote

PERSON = "a person has to decide"


class Finding(msgspec.Struct, frozen=True):
    """One fault: `here` is the text to look at first, the one that gives way where one does.

    `there` is the other side, None where there is none. `outweighs` is the path of the source
    that is to be believed, None where a person has to decide; `why` says by what it is.
    """

    check: str
    message: str
    cure: str
    here: RepoQuote
    there: RepoQuote | None = None
    outweighs: str | None = None
    why: str = ""
