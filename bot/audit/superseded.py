"""Documents that were replaced: unmarked beside their successor, or still linked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.audit.finding import Finding
from bot.audit.material import Material, head
from bot.audit.mentions import mentions, tells_of_the_past
from bot.audit.names import names, plain
from bot.context.authority import Standing, replaces
from bot.records.finding import RepoQuote


def check(material: Material) -> Iterator[Finding]:
    """Each replaced document that does not say so, and each mention of one as if in force."""
    successors = _successors(material)
    for path, heir in successors.items():
        if heir is not None and material.in_force(path):
            yield _unmarked(material, path, heir)
    for mention in mentions(material):
        path, source = mention.target or "", mention.line.path
        if path not in successors or not material.in_force(source):
            continue
        newer = successors[path]
        if source not in (path, newer) and not tells_of_the_past(mention.line.quote):
            yield _linked(material, mention.line, path, newer)


def _unmarked(material: Material, path: str, newer: str) -> Finding:
    return Finding(
        check="superseded",
        message=f"{newer} replaces this document, which does not say so",
        cure="remove the document, or mark it `status: superseded`",
        here=head(material, path),
        there=_statement(material, newer, path),
        outweighs=newer,
        why="it supersedes the other",
    )


def _linked(material: Material, line: RepoQuote, path: str, newer: str | None) -> Finding:
    return Finding(
        check="superseded",
        message=f"{path} is out of force and linked as if it were not",
        cure=f"point to {newer}" if newer else "point to what is in force",
        here=line,
        there=head(material, path),
        outweighs=newer,
    )


def _successors(material: Material) -> Mapping[str, str | None]:
    """Each document that is out of force, with the one in force that replaces it where known."""
    found: dict[str, str | None] = {}
    heirs = [s for path, s in material.standings.items() if material.in_force(path)]
    naming = [standing for standing in heirs if standing.supersedes]
    for path, standing in sorted(material.standings.items()):
        rivals = heirs if standing.superseded_by else naming
        newer = (s.path for s in rivals if s.path != path and _replaces(material, s, standing))
        heir = next(newer, None)
        if heir is not None or standing.status == "dead":
            found[path] = heir
    return found


def _replaces(material: Material, newer: Standing, older: Standing) -> bool:
    """Whether one says that it supersedes the other: by its path, or by any name of it."""
    if replaces(material.repo, newer, older):
        return True
    component = material.repo.component(older.path)
    called = names(material, component) if component is not None and newer.supersedes else ()
    return any(plain(said) in called for said in newer.supersedes)


def _statement(material: Material, newer: str, path: str) -> RepoQuote | None:
    """The line of the newer document that names the older one."""
    said = material.standings[newer].supersedes
    words = (path, path.rsplit("/", 1)[-1].rsplit(".", 1)[0], *said)
    for number, line in enumerate(material.repo.texts[newer].splitlines(), 1):
        if any(word.casefold() in line.casefold() for word in words):
            return RepoQuote(newer, number, line.strip())
    return None
