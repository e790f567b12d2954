"""Which words of a user a search should have understood, and what the documents call the matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from bot.context.everyday import everyday
from bot.context.search import meanings
from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.mend.wording import NUMBERED
from bot.engines.offline.scene import Scene

_LONGEST, _SHORT = 3, 5  # words of a term, of a title that may serve as one
_OPENING = re.compile(r"([^:：.,;]{4,60})[:：]\s")
COMMON = 0.1  # share of the units above which a word leads nowhere
_KATAKANA, _HAN = r"[\u30a0-\u30ff]{2,}", r"[\u3400-\u9fff]{2,4}"
_WORD = re.compile(
    rf"{_KATAKANA}|{_HAN}|[^\W\d_\u3040-\u30ff\u3400-\u9fff][^\W\u3040-\u30ff\u3400-\u9fff]*(?:['’-]\w+)*"
)
_CODE = re.compile(r"^(?=\S*\d)[\w./-]+[\s:–—-]+")


def asked(scene: Scene, truth: Unit, most: int = 2) -> list[str]:
    """The user's terms that the document does not have, the one that matters most first.

    A term is a run of at most three words, none of them an everyday one. What the map leads to
    words that the document lacks counts most, for it led the search astray; then what both the
    user and a search said, and what no document knows at all.
    """
    index = scene.index
    held = index.file_words(truth.path)
    talks = [(view.round.searches, view.round.question) for view in scene.rounds]
    searches = [text for found, _ in talks for text in found]
    spoken = [text for _, said in talks for text in said]
    told = list(scene.talk.complaint)
    power: dict[str, float] = {}
    for run in dict.fromkeys(r for text in (*searches, *spoken) for r in _runs(text)):
        own = set(stems(" ".join(run)))
        if not own or own <= held or any(_number(word) for word in run):
            continue
        mapped = max((_astray(groups, own, held) for groups in index.terms.values()), default=0.0)
        common = COMMON * len(index.units)
        if not mapped and all(index.frequency.get(s, 0) > common for s in own):
            continue
        voices = [any(_holds(text, run) for text in texts) for texts in (searches, spoken, told)]
        heard = sum(voices)
        if searches and not (voices[0] or all(voices[1:])):
            continue  # said once, and never searched for
        strange = any(s not in index.rarity for s in own)
        name = any(len(w) > 1 and w.isupper() for w in run)
        longer = 0.4 * (len(run) - 1) if heard > 1 else -0.6 * (len(run) - 1)
        power[" ".join(run)] = 2.0 * heard + 1.5 * strange + 1.5 * mapped + 0.7 * name + longer
    chosen: list[str] = []
    enough = 0.9 * max(power.values(), default=0.0)
    for term in sorted(power, key=lambda t: -power[t]):
        if power[term] >= enough and not any(
            set(stems(term)) & set(stems(other)) for other in chosen
        ):
            chosen.append(term if term.isupper() else term.casefold())
    return chosen[:most]


def _astray(groups: Sequence[frozenset[str]], own: set[str], held: AbstractSet[str]) -> float:
    """Whether an entry of the map has a term: 0 where it does not, 2 where it leads elsewhere."""
    if own not in groups:
        return 0.0
    others = {stem for group in groups if group != own for stem in group}
    return 1.0 if others & held else 2.0


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    """Every run of neighbouring words without an everyday one, of up to three words."""
    run: list[tuple[str, int]] = []
    for match in _WORD.finditer(text):
        apart = bool(run) and text[run[-1][1] : match.start()].strip() != ""
        if apart or everyday(match[0]):
            run = []
        if everyday(match[0]) or len(match[0]) < 2:
            continue
        run.append((match[0], match.end()))
        for size in range(1, min(_LONGEST, len(run)) + 1):
            yield tuple(word for word, _ in run[-size:])


def _number(word: str) -> bool:
    """Whether a word is the number of one thing and no term: `INV-90033`, but not `A1`."""
    return sum(c.isdigit() for c in word) > 2


def _holds(text: str, run: Sequence[str]) -> bool:
    return " ".join(stems(" ".join(run))) in " ".join(stems(text))


def name_of(scene: Scene, truth: Unit) -> str:
    """What the documents call the matter: the words that open the answer (`Replacement
    positions: ...`), else of the short titles above it, without their numbers, the one that has
    most in common with the answer and with what the user says, the nearest of equals; as the map
    writes it where it has it."""
    titles = [scene.index.titles[truth.path], *truth.headings]
    plain = [_CODE.sub("", text).strip() for text in titles if text.strip()]
    near = [text for text in reversed(plain) if len(text.split()) <= _SHORT] or plain[:1]
    told = frozenset(meanings(truth.reading)) | scene.complaint_stems
    share = scene.index.coverage
    best = max(near, key=lambda text: share(frozenset(meanings(text)), told))
    opened = _OPENING.match(NUMBERED.sub("", truth.reading)) if not truth.cells else None
    found = [*([opened[1]] if opened and len(opened[1].split()) <= _SHORT else []), best, *near]
    known = {stems(term): term for unit in scene.index.units for term in unit.terms}
    mapped = (known[stems(name)] for name in found if stems(name) in known)
    return next(mapped, found[0]).casefold()
