"""Every explanation worth weighing, with the nodes and units it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from bot.engines.offline.candidate import Candidate, Shape
from bot.engines.offline.rivals import rivals, rules, truth_units
from bot.engines.offline.scene import RoundView, Scene

# How many units go on from each list: wide enough that the right one was never cut on the
# training suites, narrow enough that a session stays in the tens of milliseconds.
IMPLICATED, SOURCES, WEIGHTY, SUPPORT, ENDERS = 24, 12, 10, 6, 10
_EVIDENCE = ("schema_hint", "tool_prompt")


def candidates(scene: Scene) -> tuple[Candidate, ...]:
    """All hypotheses about a session, unranked."""
    truths = truth_units(scene)
    found: dict[Candidate, None] = {}
    for number, view in enumerate(scene.rounds):
        for one in (
            *_presence(scene, number, view, truths),
            *_retrieval(scene, number, view, truths),
            *_gaps(scene, number, view, truths),
            *_prompts(scene, number, view, truths),
            *_none(scene, number, view),
        ):
            found[one] = None
    return tuple(found)


def _shown_in(scene: Scene, view: RoundView) -> dict[int, int]:
    """The units that the round's nodes showed, each with the earliest node of the session that
    did: a later one only propagates it."""
    served = set(view.round.nodes)
    shown: dict[int, int] = {}
    for unit, positions in scene.seen.units.items():
        if served & set(positions):
            shown[unit] = min(positions)
    return shown


def _implicated(scene: Scene, view: RoundView, shown: dict[int, int]) -> list[int]:
    def score(number: int) -> float:
        spoken = view.answer.of(number) + 0.7 * view.thoughts.of(number)
        asked = 0.3 * view.question.of(number) + 0.3 * scene.complaint.of(number)
        value = scene.library.common.shared(view.said, scene.library.claims[number])
        return spoken + asked + 2.0 * value

    able = [n for n in shown if scene.index.units[n].kind not in ("meta", "term")]
    knowledge = [n for n in able if scene.index.units[n].type in ("kb_entry", "skill")]
    tools = [n for n in able if scene.index.units[n].type == "tool_prompt"]
    ranked = sorted(knowledge, key=lambda n: -score(n))[:IMPLICATED]
    return ranked + sorted(tools, key=lambda n: -score(n))[:IMPLICATED]


def _presence(
    scene: Scene, number: int, view: RoundView, truths: Sequence[int]
) -> Iterator[Candidate]:
    """Something wrong was read: stale, to be deleted, or a tool described wrongly."""
    shown = _shown_in(scene, view)
    implicated = _implicated(scene, view, shown)
    near = scene.index.neighbours(implicated)
    for row, faulty in enumerate(implicated):
        unit = scene.index.units[faulty]
        alike = [
            a + 0.5 * (b + c)
            for a, b, c in zip(near.lexical[row], near.semantic[row], near.bare[row], strict=True)
        ]
        shape: Shape = "tool" if unit.type == "tool_prompt" else "stale"
        for truth in rivals(scene, view, faulty, alike, truths):
            yield Candidate(shape, unit.path, shown[faulty], number, faulty, truth)
        yield Candidate(shape, unit.path, shown[faulty], number, faulty)
    yield from _deletions(scene, number, implicated, shown, truths)


def _deletions(
    scene: Scene,
    number: int,
    implicated: Sequence[int],
    shown: dict[int, int],
    truths: Sequence[int],
) -> Iterator[Candidate]:
    """A whole file that should not stand any more, with the unit that says so."""
    done: set[str] = set()
    for faulty in implicated:
        unit = scene.index.units[faulty]
        if unit.path in done or unit.type == "tool_prompt":
            continue
        done.add(unit.path)
        first = min(p for n, p in shown.items() if scene.index.units[n].path == unit.path)
        ended = (ending.unit for ending in scene.library.ends.get(unit.path, ()))
        # What ends a file need not say so: the letterbox was taken down, the works are over.
        others = (t for t in truths if scene.index.units[t].path != unit.path)
        for truth in dict.fromkeys((*ended, *islice(others, ENDERS))):
            for node in sorted({shown[faulty], first}):
                yield Candidate("delete", unit.path, node, number, faulty, truth)


def searches_of(scene: Scene, view: RoundView) -> tuple[int, ...]:
    """The round's searches that came back."""
    nodes = scene.trajectory.nodes
    return tuple(p for p in view.round.nodes if nodes[p].type == "kb_search")


def _retrieval(
    scene: Scene, number: int, view: RoundView, truths: Sequence[int]
) -> Iterator[Candidate]:
    """A document that answers stands in the repository and no search showed it."""
    searches = searches_of(scene, view)
    maps = [c.path for c in scene.index.repo.components if c.type == "synonym_map"]
    per_file: dict[str, int] = {}
    for truth in truths:
        unit = scene.index.units[truth]
        per_file[unit.path] = per_file.get(unit.path, 0) + 1
        shown = any(p <= max(view.round.nodes, default=0) for p in scene.seen.units.get(truth, ()))
        if unit.type not in ("kb_entry", "skill") or shown or per_file[unit.path] > 3:
            continue
        for target in (*maps, unit.path):
            for node in searches[:2]:
                yield Candidate("retrieval", target, node, number, None, truth)


def _gaps(scene: Scene, number: int, view: RoundView, truths: Sequence[int]) -> Iterator[Candidate]:
    """What the user needed stands in no document that the agent could read."""
    first: dict[str, list[int]] = {}
    for position in view.round.nodes:
        for path in scene.seen.reads.get(position, ()):
            component = scene.index.repo.component(path)
            if component is not None and component.type in ("kb_entry", "skill"):
                first.setdefault(path, []).append(position)
    searches = searches_of(scene, view)
    for path, positions in first.items():
        nodes = {positions[0], *searches[:1]}
        sources = [t for t in truths if scene.index.units[t].path != path]
        for node in sorted(nodes):
            yield Candidate("gap", path, node, number)
            for truth in sources[:SOURCES]:
                yield Candidate("gap", path, node, number, None, truth)
            extra = [t for t in sources[SOURCES:] if _weighty(scene, t)]
            for truth in extra[:WEIGHTY]:
                yield Candidate("gap", path, node, number, None, truth)


def _weighty(scene: Scene, number: int) -> bool:
    """Whether a unit stands in a schema, a tool or a policy."""
    unit = scene.index.units[number]
    return unit.type in _EVIDENCE or scene.library.standings[unit.path].rank == 0


def _prompts(
    scene: Scene, number: int, view: RoundView, truths: Sequence[int]
) -> Iterator[Candidate]:
    """The standing instructions lack a rule that some document demands."""
    prompts = [c.path for c in scene.index.repo.components if c.type == "system_prompt"]
    nodes = scene.trajectory.nodes
    recorded = [p for p, node in enumerate(nodes) if node.type == "system_prompt"]
    places = recorded[:1] or [*view.round.nodes[:1], *view.round.nodes[-1:]]
    binding = dict.fromkeys((*truths, *rules(scene, view)))
    for path in prompts:
        for node in places:
            for truth in binding:
                unit = scene.index.units[truth]
                if unit.type in ("kb_entry", "skill") and unit.kind == "sentence":
                    yield Candidate("prompt", path, node, number, None, truth)


def _none(scene: Scene, number: int, view: RoundView) -> Iterator[Candidate]:
    """The context was right: the user is mistaken, or the agent erred by itself."""
    nodes = scene.trajectory.nodes
    answers = [p for p in view.round.nodes if nodes[p].type == "response_generation"]
    thoughts = [p for p in view.round.nodes if nodes[p].type == "reasoning"]
    shown = _shown_in(scene, view)
    told = sorted(
        (n for n in shown if scene.index.units[n].kind not in ("meta", "term")),
        key=lambda n: -(scene.complaint.of(n) + view.matter.of(n)),
    )
    support = dict.fromkeys((*_implicated(scene, view, shown)[:SUPPORT], *told[:SUPPORT]))
    for node in (*(answers[-1:] or view.round.nodes[-1:]), *thoughts[-1:]):
        yield Candidate("sound", None, node, number)
        for unit in support:
            yield Candidate("sound", None, node, number, None, unit)
