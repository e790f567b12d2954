"""Edits change one value where one is wrong, and never a paragraph's number."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.edit import apply_all
from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.offline.library import library
from bot.engines.offline.mend.correction import correct
from bot.engines.offline.quotes import repo_quote
from bot.engines.offline.scene import scene
from bot.records.finding import Case, Detection, Hypothesis, Signal
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

POLICY = "# Policy\n\n5.3 Devices that are lost cost €95.00, as of May.\n"


def mended(
    page: str, wrong: str, complaint: str, policy: str = POLICY, right: str = "95.00"
) -> str:
    texts = {"kb/page.md": page, "kb/policies/policy.md": policy}
    components = tuple(Component("kb_entry", path) for path in texts)
    repo = ContextRepo(Path(), None, components, texts, {})
    turns = (Turn(1, "user", "Lost it."), Turn(2, "assistant", wrong), Turn(3, "user", complaint))
    call = ToolCall("read", {"path": "kb/page.md"}, {"path": "kb/page.md", "content": page})
    trajectory = Trajectory("s", turns, nodes=(Node("n1", 2, "kb_read", tool=call),))
    told = Detection(True, 1.0, signals=(Signal("CORRECTION", complaint, 3, 1.0),))
    view = scene(Case(trajectory, (), told), library(Index(repo)))
    faulty = next(u for u in view.index.units if wrong in u.text)
    truth = next(u for u in view.index.units if right in u.text)
    hypothesis = Hypothesis(
        "KB_CONTENT_STALE", "UPDATE", "kb_entry", "kb/page.md", "n1", 1.0, "", repo_quote(faulty)
    )
    edits = correct(view, hypothesis, faulty, truth)
    return apply_all(edits, texts)["kb/page.md"] or ""


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("A lost device costs €60.00.", "A lost device costs €95.00."),
        ("4.2 Lost devices: 60 EUR each.", "4.2 Lost devices: 95 EUR each."),
    ],
)
def test_one_value_is_exchanged_in_its_own_form(wrong: str, right: str) -> None:
    page = f"# Page\n\n{wrong}\n\nThe second reminder costs €3.50.\n"

    after = mended(page, wrong, "The invoice says 95 euros.")

    assert after == page.replace(wrong, right)


def test_a_statement_without_values_gives_way_to_the_authority() -> None:
    page = "# Page\n\n2.1 Lost devices are free.\n"

    after = mended(page, "Lost devices are free.", "They want money for it.")

    assert "2.1 Devices" not in after
    assert "Devices that are lost cost €95.00, as of May (policy)." in after


def test_two_values_of_one_statement_are_put_right_together() -> None:
    page = "# Page\n\nSend the papers 48 hours before sailing and pay 60 EUR for the seal.\n"
    policy = "# P\n\nSend the papers 72 hours before sailing and pay 75 EUR for the seal.\n"

    after = mended(page, "Send the papers", "They want 72 hours!", policy, "72 hours")

    assert after == page.replace("48", "72").replace("60", "75")


@pytest.mark.parametrize("said", ["Too late, they said.", "An hour, they said: one hour."])
def test_a_value_of_another_size_is_no_correction_unless_the_user_names_it(said: str) -> None:
    page = "# Page\n\nAn objection is made within 14 days.\n"
    policy = "# P\n\nThe slip is in the portal within one hour of an objection.\n"

    after = mended(page, "An objection is made", said, policy, "one hour")

    assert ("within one hour." in after) == ("An hour" in said)


def test_a_statement_is_cited_with_the_sentence_it_leans_on() -> None:
    page = "# Page\n\nMeals among colleagues need no list of names.\n"
    policy = (
        "# P\n\n3.1 A meal of two or more needs the list of all who took part. That goes for\n"
        "meals among colleagues as well.\n\n3.2 Tips are not paid.\n"
    )

    after = mended(page, "Meals among", "They asked for names.", policy, "That goes")

    assert after == (
        "# Page\n\nA meal of two or more needs the list of all who took part. That goes for meals "
        "among colleagues as well (policy).\n"
    )
