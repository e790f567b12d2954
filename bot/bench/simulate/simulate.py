"""One call from a context repository to a verified suite on disk."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from bot.bench.simulate import notice
from bot.bench.simulate.document import documents
from bot.bench.simulate.draft import Draft
from bot.bench.simulate.facts import Fact, facts, terms
from bot.bench.simulate.fault import Fault, Kind
from bot.bench.simulate.inject import INJECTORS
from bot.bench.simulate.label import definition
from bot.bench.simulate.library import Library
from bot.bench.simulate.material import Material
from bot.bench.simulate.phrases import LANGUAGES, Talk, words
from bot.bench.simulate.plan import NEVER_FAULTY, SESSIONS_PER_FAULT, Quota, quotas
from bot.bench.simulate.reword import Reword, reworded
from bot.bench.simulate.sessions import Cast, Session, sessions
from bot.bench.simulate.tool_facts import tool_facts
from bot.bench.simulate.write import Origin, readme, write_context, write_suite
from bot.bench.suite import load
from bot.bench.verify import CheckResult, verify
from bot.context.read import read_repo
from bot.context.repo import ContextRepo
from bot.errors import ConfigError
from bot.provenance.language import language_of
from bot.settings import load_settings
from context_repo_schema.config import Config

KEPT_BACK = 4


class Request(msgspec.Struct, frozen=True):
    """What is asked for. `asked` fixes the number of sessions of some kinds.

    `reword` says the users' turns anew, and `author` names who does; else templates speak.
    """

    context: Path
    out: Path
    seed: int
    count: int
    asked: Mapping[str, int] = {}
    reword: Reword | None = None
    author: str = ""


def simulate(request: Request) -> tuple[CheckResult, ...]:
    """Writes a suite and verifies it; the same request gives the same bytes (with a model, as far
    as its answers are kept).

    Raises `ConfigError` where the folder is not empty or the context holds nothing to work with.
    """
    if request.out.exists() and any(request.out.iterdir()):
        raise ConfigError(f"{request.out} is not empty; name a folder that does not exist yet")
    config = load_settings(request.context).config
    repo = read_repo(request.context, config, history=())
    material = _material(repo, request.seed)
    possible = _possible(repo, config, material)
    draw = random.Random(f"{request.seed}/faults")
    draft = Draft(repo, config, documents(repo))
    wanted = quotas(request.count, possible, request.asked)
    injected = _inject(draft, material, wanted, draw)
    # A small repository may run out of facts before every kind has one.
    had = {fault.kind for fault in injected} | set(NEVER_FAULTY)
    planned = quotas(request.count, [k for k in possible if k in had], request.asked)
    faults, planted = notice.plant(draft, injected, material.language, draw)
    write_context(request.context, request.out, draft, planted, faults)
    faulty = read_repo(request.out / "context", config, history=())
    cast = Cast(
        faulty,
        Library(faulty),
        Talk(str(request.seed)),
        _sound((*material.sound, *material.facts), draft, faulty),
        material.language,
        str(request.seed),
    )
    played = sessions(cast, faults, planned)
    if request.reword is not None:
        played = tuple(reworded(cast, session, request.reword) for session in played)
    write_suite(request.out, played, [_defined(fault, played) for fault in faults])
    text = readme(
        Origin(request.context.name, request.seed, request.author), planned, played, faults
    )
    (request.out / "README.md").write_text(text, "utf-8")
    suite = load(request.out)
    return verify(suite, read_repo(suite.context, config, history=suite.history))


def _material(repo: ContextRepo, seed: int) -> Material:
    found = documents(repo)
    home = _language("\n".join(document.text[:2000] for document in found[:40]))
    planted = {key: words(home, f"facts.{key}") for key in ("optional", "cents")}
    opening = tuple(words(home, "facts.anaphora"))
    usable = tuple(
        fact
        for fact in facts(found, random.Random(f"{seed}/facts"))
        # A sentence that begins with "this" says nothing by itself.
        if not fact.quote.casefold().startswith(tuple(f"{word} " for word in opening))
    )
    sound = tuple(fact for fact in usable if fact.value)[::KEPT_BACK]
    kept = {(fact.path, fact.quote) for fact in sound}
    rest = tuple(fact for fact in usable if (fact.path, fact.quote) not in kept)
    material = Material(rest, sound, tool_facts(repo, planted), terms(repo, found), home)
    if not usable and not material.tools:
        raise ConfigError(
            f"{repo.root}: there is no sentence, row or parameter that a fault could be made of"
        )
    return material


def _language(text: str) -> str:
    found = language_of(text)
    return found if found in LANGUAGES else "en"


def _possible(repo: ContextRepo, config: Config, material: Material) -> tuple[Kind, ...]:
    """The kinds that one fault at least can be made of, tried out on a copy each."""
    found = documents(repo)
    kinds = [
        kind
        for kind, inject in INJECTORS.items()
        if inject(Draft(repo, config, found), material, random.Random(kind), "trial") is not None
    ]
    return (*kinds, *(NEVER_FAULTY if material.sound else ()))


def _inject(
    draft: Draft, material: Material, planned: Sequence[Quota], draw: random.Random
) -> list[Fault]:
    """One fault for every two sessions of a kind, or as many as the repository allows."""
    found: list[Fault] = []
    rounds = [-(-quota.sessions // SESSIONS_PER_FAULT) for quota in planned]
    # In turn, so that a small repository's facts are shared among the kinds.
    for number in range(1, max(rounds, default=0) + 1):
        for quota, most in zip(planned, rounds, strict=True):
            inject = INJECTORS.get(quota.kind)
            if inject is None or number > most:
                continue
            fault = inject(draft, material, draw, f"{quota.kind}_{number:03}")
            found += [fault] if fault else []
    return found


def _sound(found: Sequence[Fact], draft: Draft, faulty: ContextRepo) -> tuple[Fact, ...]:
    """The facts that no fault has touched and that stand in the copy as they did."""
    texts = {document.path: document.text for document in documents(faulty)}
    return tuple(
        fact
        for fact in found
        if draft.free(fact.path, fact.quote) and fact.quote in texts.get(fact.path, "")
    )


def _defined(fault: Fault, played: Sequence[Session]) -> dict[str, object]:
    own = [s.played.trajectory for s in played if s.label.fault_id == fault.fault_id]
    question = own[0].turns[0].content if own else ""
    return definition(fault, [t.session_id for t in own], question)
