"""Scores of one session, by the papers' definitions (TRACE, appendix on metrics)."""

from __future__ import annotations

from fnmatch import fnmatchcase

import msgspec

from bot.bench.suite import Label
from bot.records.report import SessionResult

HELD = 0.6  # share of the words of a labelled text, from which another text is of it


class Row(msgspec.Struct, frozen=True):
    """One session scored: what was expected, what was found, and which parts are right.

    Parts are None where they do not apply (a control has no node, NO_ACTION no path). `texts` is
    ours: whether a right fix rests on the line that the label calls wrong and on its source.
    """

    suite: str
    session_id: str
    complexity: str
    expected_dsat: bool
    found_dsat: bool
    expected_category: str
    found_category: str | None
    expected_component: str
    expected_operation: str | None
    found_operation: str | None
    expected_target: str | None
    found_target: str | None
    expected_node: str | None
    found_node: str | None
    margin: float = 0.0
    proposed: bool = False
    ready: bool = False
    node: bool | None = None
    node_at_3: bool | None = None
    category: bool | None = None
    component: bool | None = None
    operation: bool | None = None
    path: bool | None = None
    path_partial: bool | None = None
    classification: bool | None = None
    fix: bool | None = None
    texts: bool | None = None
    end_to_end: bool | None = None
    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    error: str | None = None


def score(suite: str, label: Label, result: SessionResult, *, ready: bool = False) -> Row:
    """One session's row; `ready` says that the plan would open a pull request with its change."""
    attribution, recommendation = result.attribution, result.recommendation
    expected = label.expected_recommendation
    root = label.root_cause
    found_dsat = bool(result.detection and result.detection.is_dsat)
    operation = recommendation.operation if recommendation else None
    target = recommendation.target_path if recommendation else None
    proposed = operation not in (None, "NO_ACTION")
    margin = attribution.margin if attribution else 0.0
    row = Row(
        suite=suite,
        session_id=label.session_id,
        complexity=label.complexity,
        expected_dsat=label.is_dsat,
        found_dsat=found_dsat,
        expected_category=label.fault_category,
        found_category=attribution.fault_category if attribution else None,
        expected_component=root.component_type if root else "none",
        expected_operation=expected.operation if expected else None,
        found_operation=operation,
        expected_target=expected.target if expected else None,
        found_target=target,
        expected_node=root.node_id if root else None,
        found_node=attribution.root_cause_node if attribution else None,
        margin=margin,
        proposed=proposed,
        ready=ready,
        calls=result.usage.llm_calls,
        tokens=result.usage.prompt_tokens + result.usage.completion_tokens,
        cost_usd=result.usage.cost_usd,
        error=result.error,
    )
    return _parts(row, label, result) if label.is_dsat else row


def _parts(row: Row, label: Label, result: SessionResult) -> Row:
    attribution, recommendation = result.attribution, result.recommendation
    expected = label.expected_recommendation
    node = node_at_3 = None
    if nodes := accepted_nodes(label):
        ranked = sorted(attribution.scores, key=lambda s: -s.score) if attribution else []
        node = row.found_node in nodes
        node_at_3 = node or any(s.node_id in nodes for s in ranked[:3])
    operation = row.found_operation in accepted_operations(label)
    path = path_partial = None
    if expected is not None and expected.target is not None:
        path = target_matches(label, row.found_target)
        path_partial = path or _same_component(expected.target, row.found_target)
    fix = operation and path is not False
    return msgspec.structs.replace(
        row,
        node=node,
        node_at_3=node_at_3,
        category=row.found_category == label.fault_category,
        component=bool(attribution and attribution.component_type == row.expected_component),
        operation=operation,
        path=path,
        path_partial=path_partial,
        classification=bool(
            recommendation and expected and recommendation.classification == expected.classification
        ),
        fix=fix,
        texts=_texts(label, result) if fix and path else None,
        end_to_end=row.found_dsat and node is not False and operation,
    )


def _texts(label: Label, result: SessionResult) -> bool:
    """Whether the first hypothesis quotes the labelled line, and the source is the labelled one; a
    failed search has no wrong line."""
    attribution, recommendation = result.attribution, result.recommendation
    root, expected = label.root_cause, label.expected_recommendation
    if attribution is None or recommendation is None or not attribution.hypotheses:
        return False
    quoted = attribution.hypotheses[0].faulty
    labelled = root.faulty_content if root else None
    if label.fault_category == "RETRIEVAL_FAILURE":
        line = True
    elif quoted is None or not labelled:
        line = quoted is None and not labelled
    else:
        line = is_labelled(quoted.quote, labelled)
    source = expected.authoritative_source if expected else None
    return line and recommendation.authoritative_source == source


def accepted_nodes(label: Label) -> frozenset[str]:
    """Every node that counts as right; empty where no node is at fault."""
    root = label.root_cause.node_id if label.root_cause else None
    return frozenset([*([root] if root else []), *label.accept_nodes])


def accepted_operations(label: Label) -> frozenset[str]:
    """Every operation that counts as right.

    For a rule missing in a standing prompt and a term missing in a standing synonym map, CREATE
    and UPDATE are equally right.
    """
    expected = label.expected_recommendation
    right: set[str] = set(label.accept_operations)
    if expected is None:
        return frozenset(right | {"NO_ACTION"})
    right.add(expected.operation)
    component = label.root_cause.component_type if label.root_cause else "none"
    absence = label.fault_category in ("SYSTEM_PROMPT_GAP", "RETRIEVAL_FAILURE")
    if absence and component in ("system_prompt", "synonym_map") and right & {"CREATE", "UPDATE"}:
        right |= {"CREATE", "UPDATE"}
    return frozenset(right)


def target_matches(label: Label, found: str | None) -> bool:
    """Whether the target is the expected one or matches an accepted glob."""
    expected = label.expected_recommendation
    if found is None or expected is None:
        return False
    return found == expected.target or any(fnmatchcase(found, g) for g in label.accept_targets)


def is_labelled(text: str, labelled: str) -> bool:
    """Whether a text is what a label quotes: one holds the other, or most of its words."""
    first, second = " ".join(text.split()), " ".join(labelled.split())
    if first in second or second in first:
        return True
    words = set(second.split())
    return len(words & set(first.split())) >= HELD * len(words)


def _same_component(expected: str, found: str | None) -> bool:
    """The same file under another spelling of its path, or the same skill folder."""
    if found is None:
        return False
    a, b = expected.split("/"), found.split("/")
    return a[-1] == b[-1] != "SKILL.md" or (a[-1] == b[-1] == "SKILL.md" and a[-2:] == b[-2:])
