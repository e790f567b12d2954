"""The winning hypothesis as a recommendation: diagnosis, exact edits, and what was looked at."""

from __future__ import annotations

from bot.context.authority import prefers
from bot.context.unit import Unit
from bot.defang import short
from bot.engines.offline.mend.passage import passage
from bot.engines.offline.mend.table import mend
from bot.engines.offline.mend.wording import statement
from bot.engines.offline.quotes import repo_quote
from bot.engines.offline.scene import Scene
from bot.records.change import Check, Diagnosis, Edit, Exploration, Recommendation
from bot.records.finding import Attribution, Hypothesis, RepoQuote
from bot.redact import redact

_SHORT = 160


def repair(scene: Scene, attribution: Attribution) -> Recommendation:
    """What to change for the first hypothesis of an attribution."""
    chosen = attribution.hypotheses[0]
    truth = unit_of(scene, chosen.authority)
    faulty = unit_of(scene, chosen.faulty)
    edits = () if chosen.operation == "NO_ACTION" else mend(scene, chosen, faulty, truth)
    target = chosen.component_path if chosen.operation != "NO_ACTION" else None
    return Recommendation(
        operation=chosen.operation,
        target_path=target,
        recommended_change=attribution.gradient_description,
        classification=chosen.classification,
        confidence=attribution.margin,
        authoritative_source=truth.path if truth is not None else None,
        verified=verified(scene, chosen, faulty, truth),
        anchor=_anchor(scene, chosen, faulty, truth),
        edits=edits,
        diagnosis=diagnosis(scene, chosen, faulty, truth),
        exploration_log=_log(scene, chosen, faulty, truth),
        evidence=(
            *(q for q in (chosen.faulty, chosen.authority) if q is not None),
            *_cited_beside(scene, truth, edits),
        ),
    )


def _cited_beside(scene: Scene, truth: Unit | None, edits: tuple[Edit, ...]) -> list[RepoQuote]:
    """Quotes of the sentences that the edits bring in beside that of the source."""
    if truth is None:
        return []
    brought = " ".join(edit.new or "" for edit in edits)
    beside = (u for u in passage(scene.index, truth) if u is not truth)
    return [repo_quote(unit) for unit in beside if statement(unit) in brought]


def unit_of(scene: Scene, quote: RepoQuote | None) -> Unit | None:
    """The unit that a quote was made from; None for a quote of something else."""
    if quote is None:
        return None
    numbers = scene.index.by_path.get(quote.path, ())
    units = (scene.index.units[n] for n in numbers)
    return next((u for u in units if u.line == quote.line and u.text == quote.quote), None)


def verified(scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None) -> bool:
    """Whether the repository itself proves the fault, so that one session is enough."""
    if truth is None or chosen.operation == "NO_ACTION":
        return False
    if chosen.category in ("RETRIEVAL_FAILURE", "TOOL_PROMPT_ERROR") or faulty is None:
        return scene.library.standings[truth.path].status != "draft"
    if truth.type == "schema_hint":
        return True
    standings = scene.library.standings
    side, _ = prefers(scene.index.repo, standings[truth.path], standings[faulty.path])
    return side > 0


def diagnosis(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> Diagnosis:
    """The four questions, each answered with a quote (TRACE, exploratory recommendation)."""
    said = _quoted(truth)
    wrong = _quoted(faulty)
    match chosen.category:
        case "RETRIEVAL_FAILURE":
            return Diagnosis(
                existence=Check(True, said),
                accessibility=Check(False, "no search of the session returned it"),
                correctness=Check(True, said),
            )
        case "KB_CONTENT_GAP" | "SYSTEM_PROMPT_GAP":
            return Diagnosis(
                existence=Check(False, f"{chosen.component_path} does not say it"),
                consistency=Check(None if truth is None else True, said),
            )
        case "NONE":
            return Diagnosis(
                existence=Check(True, said), accessibility=Check(True), correctness=Check(True)
            )
        case _:
            return Diagnosis(
                existence=Check(True, wrong),
                accessibility=Check(True, wrong),
                correctness=Check(False if truth is not None else None, said),
                consistency=Check(False if truth is not None else None, said),
            )


def _quoted(unit: Unit | None) -> str:
    if unit is None:
        return ""
    return f"{unit.path}, line {unit.line}: {short(redact(unit.text), _SHORT)}"


def _anchor(scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None) -> str:
    """The section of the target that the change is in, as a slug."""
    component = scene.index.repo.component(chosen.component_path or "")
    if component is None or faulty is None:
        return "file"
    inside = [s for s in component.sections if s.first_line <= faulty.line <= s.last_line]
    return max(inside, key=lambda s: s.level).slug if inside else "file"


def _log(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Exploration, ...]:
    """Read the implicated file, search for the claim, weigh the sources, look for siblings."""
    steps: list[Exploration] = []
    if chosen.component_path is not None:
        count = len(scene.index.by_path.get(chosen.component_path, ()))
        steps.append(
            Exploration("read", {"path": chosen.component_path}, f"{count} statements read")
        )
    if faulty is not None:
        steps.append(Exploration("quote", {"path": faulty.path}, _quoted(faulty)))
    total = len(scene.index.units)
    result = _quoted(truth) or "nothing in the repository speaks about it"
    steps.append(Exploration("search", {"statements": total}, result))
    if faulty is not None and truth is not None and faulty.path != truth.path:
        standings = scene.library.standings
        side, reason = prefers(scene.index.repo, standings[truth.path], standings[faulty.path])
        verdict = {1: f"{truth.path} outweighs", -1: f"{faulty.path} outweighs", 0: "a draw"}[side]
        sources = {"first": truth.path, "second": faulty.path}
        steps.append(Exploration("weigh", sources, f"{verdict} ({reason})"))
    return tuple(steps)
