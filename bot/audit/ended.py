"""Documents of which another one says, in a sentence, that what they are about has ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.audit.claim import Words, telling
from bot.audit.finding import Finding
from bot.audit.material import Material, head, quoted
from bot.audit.mentions import says_it_ended
from bot.audit.names import telling_names
from bot.audit.weigh import WHY
from bot.context.authority import prefers
from bot.context.unit import Unit

Called = Mapping[str, tuple[tuple[Words, str], ...]]


def check(material: Material) -> Iterator[Finding]:
    """Each document in force that a sentence of one that outweighs it calls ended, once."""
    called = _called(material)
    told: set[str] = set()
    for unit in material.index.units:
        if unit.kind != "sentence" or not says_it_ended(unit.text):
            continue
        said = telling(" ".join((*unit.headings[-1:], unit.reading)))
        named = (pair for word in sorted(said) for pair in called.get(word, ()))
        for words, path in named:
            if words <= said and path not in told and _outweighs(material, unit.path, path):
                told.add(path)
                yield _found(material, unit, path)


def _called(material: Material) -> Called:
    """The names of the documents in force, each under the one word of it that fewest hold."""
    frequency = material.index.frequency
    found: dict[str, list[tuple[Words, str]]] = {}
    for component in material.repo.components:
        if component.type in ("skill", "kb_entry") and material.in_force(component.path):
            for words in telling_names(material, component):
                rarest = min(sorted(words), key=lambda word: frequency.get(word, 0))
                found.setdefault(rarest, []).append((words, component.path))
    return {word: tuple(pairs) for word, pairs in found.items()}


def _outweighs(material: Material, source: str, path: str) -> bool:
    if source == path or not material.in_force(source) or material.scoped_apart(source, path):
        return False
    one, other = material.standings[source], material.standings[path]
    return prefers(material.repo, one, other)[0] > 0


def _found(material: Material, unit: Unit, path: str) -> Finding:
    _, reason = prefers(material.repo, material.standings[unit.path], material.standings[path])
    return Finding(
        check="ended",
        message=f"{unit.path}:{unit.line} says that this has ended, and it does not say so",
        cure="remove the document, or mark it `status: superseded`",
        here=head(material, path),
        there=quoted(unit),
        outweighs=unit.path,
        why=WHY.get(reason, ""),
    )
