"""Which words of a user a search should have understood, and what the documents call the matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bot.context.everyday import everyday
from bot.context.search import meanings
from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.mend.astray import Text, said
from bot.engines.offline.mend.wording import NUMBERED
from bot.engines.offline.scene import Scene

_LONGEST, _SHORT = 3, 5  # words of a term, of a title that may serve as one
_OPENING = re.compile(r"([^:：.,;]{4,60})[:：]\s")
ASTRAY = 2.0  # what counts as much as a search that said the word
AS_GOOD = 0.95  # share of the power of the best term that a second one has to have
COMMON = 0.1  # share of the units above which a word leads nowhere
_KATAKANA, _HAN = r"[\u30a0-\u30ff]{2,}", r"[\u3400-\u9fff]{2,4}"
_WORD = re.compile(
    rf"{_KATAKANA}|{_HAN}|[^\W\d_\u3040-\u30ff\u3400-\u9fff][^\W\u3040-\u30ff\u3400-\u9fff]*(?:['’-]\w+)*"
)
_CODE = re.compile(r"^(?=\S*\d)[\w./-]+[\s:–—-]+")


class Voices(msgspec.Struct, frozen=True):
    """Who said what of the matter that a search missed: the searches, the question that they
    serve, and what the user says later."""

    searches: tuple[Text, ...]
    question: tuple[Text, ...]
    later: tuple[Text, ...]
    runs: tuple[tuple[str, ...], ...]

    @property
    def every(self) -> tuple[Text, ...]:
        """All of them."""
        return (*self.searches, *self.question, *self.later)


class Asked(msgspec.Struct, frozen=True):
    """A word that may have to be led to the document, with what speaks for it."""

    term: str
    stems: frozenset[str]
    power: float
    unheard: bool


def asked(scene: Scene, truth: Unit, node_id: str = "", most: int = 2) -> list[str]:
    """The user's terms that a search has to understand, the one that matters most first.

    A term is a word of the map, or a run of at most three words of which none is an everyday one.
    What a search and its question said counts most, above all what the map leads elsewhere than
    to the document. A second term has to be as well supported, and unknown to every document.
    """
    voices = _voices(scene, node_id)
    found = sorted(_weighed(scene, truth, voices), key=lambda one: -one.power)
    chosen: list[Asked] = []
    for one in found:
        alone = all(not one.stems & other.stems for other in chosen)
        if not chosen or (alone and one.unheard and one.power >= AS_GOOD * found[0].power):
            chosen.append(one)
    return [one.term if one.term.isupper() else one.term.casefold() for one in chosen[:most]]


def _voices(scene: Scene, node_id: str) -> Voices:
    """The voices from the round of a node on; of all rounds where that round has no search."""
    ids = [node.node_id for node in scene.trajectory.nodes]
    place = ids.index(node_id) if node_id in ids else -1
    at = next((n for n, view in enumerate(scene.rounds) if place in view.round.nodes), 0)
    rounds = [view.round for view in scene.rounds]
    if not any(round_.searches for round_ in rounds[at:]):
        at = 0
    searches = [text for round_ in rounds[at:] for text in round_.searches]
    question = [text for round_ in rounds[at : at + 1] for text in round_.question]
    later = [text for round_ in rounds[at + 1 :] for text in round_.question]
    later.extend(scene.talk.complaint)
    runs = dict.fromkeys(r for text in (*searches, *question, *later) for r in _runs(text))
    return Voices(
        tuple(Text(text) for text in searches),
        tuple(Text(text) for text in question),
        tuple(Text(text) for text in later),
        tuple(runs),
    )


def _weighed(scene: Scene, truth: Unit, voices: Voices) -> Iterator[Asked]:
    index = scene.index
    held = index.file_words(truth.path)
    shown = frozenset(s for view in scene.rounds for s in view.sight.stems)
    known = frozenset(s for n, bag in enumerate(index.bags) if n not in index.terms for s in bag)
    common = COMMON * len(index.units)
    astray: dict[frozenset[str], float] = {}
    terms: dict[frozenset[str], str] = {}
    for entry in said(index, voices.every):
        own = frozenset(stems(entry.term))
        terms.setdefault(own, entry.term)
        if entry.leads_away(held):
            away = ASTRAY + max(entry.held(shown) - entry.held(held), 0.0)
            astray[own] = max(astray.get(own, 0.0), away)
    for run in voices.runs:
        if not any(_number(word) for word in run):
            terms.setdefault(frozenset(stems(" ".join(run))), " ".join(run))
    for own, term in terms.items():
        searched, spoken = (_in(texts, term) for texts in (voices.searches, voices.question))
        later = _in(voices.later, term)
        if not own or (voices.searches and not searched and not (spoken and later)):
            continue  # said once, and never searched for
        both = searched and spoken
        led = astray.get(own, 0.0) or (both and _grown(term, own, astray))
        if not led and (own <= held or all(index.frequency.get(s, 0) > common for s in own)):
            continue
        size = len(term.split()) - 1
        power = 2.0 * searched + spoken + 0.25 * later + 0.5 * (not own <= known) + led
        power += 0.75 * any(text.begins(term) for text in voices.searches)
        power += (0.3 if both else -0.6) * size - (own <= held)
        yield Asked(term, own, power, searched and not own & known)


def _grown(term: str, own: frozenset[str], astray: Mapping[frozenset[str], float]) -> float:
    """What the map makes of a word counts for the phrase that search and question have it in."""
    return max((power for inner, power in astray.items() if inner < own), default=0.0)


def _in(texts: Sequence[Text], term: str) -> bool:
    return any(text.holds(term) for text in texts)


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
