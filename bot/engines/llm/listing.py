"""The shortlist as a model reads it: a row a file, with what could be done there and what stands
there. What several explanations share, such as a path or a text, is said once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from bot.context.authority import RANKS, replaces, standing
from bot.context.repo import ContextRepo
from bot.engines.llm.clip import ends
from bot.engines.llm.hypotheses import Entry, acts
from bot.records.finding import RepoQuote

WRONG, RIGHT = 280, 260
NO_FILE = "no file"
# About how many tokens a list of leads takes.
LEADS = 900
# So many entries and texts stand whatever they take.
ENTRIES, TEXTS = 8, 8
BYTES_A_TOKEN = 4
STATUS = {"draft": "draft", "dead": "superseded"}
# What stands above or below others; a prompt, a tool or a list of synonyms does not.
RANKED = ("skill", "kb_entry")
LEVEL = {rank: word for word, rank in RANKS.items()}


class Listing(msgspec.Struct, frozen=True):
    """Explanations by the ids H1, H2 and so on, and texts by T1, T2 and so on."""

    entries: tuple[Entry, ...]
    texts: Mapping[str, RepoQuote]

    def entry(self, name: str) -> Entry | None:
        """The explanation of that id."""
        return next((entry for entry in self.entries if entry.id == name), None)

    @property
    def quotes(self) -> dict[str, RepoQuote]:
        """Every text that an answer can name: the texts, and what explanations hold to be wrong."""
        return {**{e.id: wrong for e in self.entries if (wrong := _wrong(e))}, **self.texts}

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that the explanations name."""
        return tuple(dict.fromkeys(node for entry in self.entries for node in entry.nodes))


def listing(
    entries: Sequence[Entry], texts: Sequence[RepoQuote], repo: ContextRepo, tokens: int
) -> Listing:
    """As many of both, in their order, as fit into about so many tokens; each text once."""
    wrong = {_wrong(entry) for entry in entries}
    unique = [text for text in dict.fromkeys(texts) if text not in wrong]
    kept, others = tuple(entries[:ENTRIES]), list(entries[ENTRIES:])
    shown, more = unique[:TEXTS], unique[TEXTS:]
    while others or more:
        # The next best of either, by turns, as long as there is room.
        grown = Listing((*kept, *others[:1]), _named([*shown, *more[:1]]))
        if _size(grown, repo) > tokens:
            break
        kept, others = grown.entries, others[1:]
        shown, more = list(grown.texts.values()), more[1:]
    return Listing(kept, _named(shown))


def rows(made: Listing, repo: ContextRepo) -> list[list[str]]:
    """A row a file, the file of the best explanation first; what concerns no file has one, too."""
    told: dict[str, list[str]] = {}
    for path, words in _places(made):
        told.setdefault(path, []).append(words)
    above = _superseded(told, repo)
    return [[_head(path, repo, above.get(path, "")), *words] for path, words in told.items()]


def _places(made: Listing) -> Iterator[tuple[str, str]]:
    """Where every entry and text goes, and its words; a text that stood before goes by its id."""
    known: dict[RepoQuote, str] = {}
    for entry in made.entries:
        one = entry.hypothesis
        words = f"{entry.id} {acts()[f'{one.category} {one.operation}']} @ {' '.join(entry.nodes)}"
        wrong = _wrong(entry)
        if wrong in known:
            words += f": text of {known[wrong]}"
        elif wrong is not None:
            words += f": {shown(wrong.quote, WRONG)}"
            known[wrong] = entry.id
        yield one.component_path or "", words
    for name, quote in made.texts.items():
        yield quote.path, f"{name}: {shown(quote.quote, RIGHT)}"


def _wrong(entry: Entry) -> RepoQuote | None:
    """The text that an explanation holds to be wrong, where not the whole file is."""
    one = entry.hypothesis
    return None if one.operation == "DELETE" else one.faulty


def shown(text: str, length: int) -> str:
    """A text on one line, cut where it is long."""
    return ends(" ".join(text.split()), length)


def _superseded(paths: Iterable[str], repo: ContextRepo) -> dict[str, str]:
    """By which of these files another one is superseded, as either of them says."""
    known = [standing(repo, path) for path in paths if path]
    return {b.path: a.path for a in known for b in known if replaces(repo, a, b)}


def _head(path: str, repo: ContextRepo, by: str) -> str:
    """A path with what says how far its file is to be believed."""
    if not path:
        return NO_FILE
    known, component = standing(repo, path), repo.component(path)
    ranked = component is not None and component.type in RANKED
    level = (LEVEL.get(known.rank, ""), known.effective) if ranked else ()
    above = f"superseded by {by}" if by else STATUS.get(known.status, "")
    kind = "schema" if component is not None and component.type == "schema_hint" else ""
    authority = " ".join(filter(None, (kind, *level, above)))
    return f"{path} ({authority})" if authority else path


def _named(quotes: Sequence[RepoQuote]) -> dict[str, RepoQuote]:
    return {f"T{number}": quote for number, quote in enumerate(quotes, 1)}


def _size(made: Listing, repo: ContextRepo) -> int:
    """About how many tokens the rows take."""
    return len(json.dumps(rows(made, repo), ensure_ascii=False).encode()) // BYTES_A_TOKEN
