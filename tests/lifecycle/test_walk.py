"""The walk in the READMEs is what runs of it print, and the dashboard is what stands there then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bot.commands.publish import listed
from bot.records.change import Edit
from bot.records.plan import Publication
from tests.lifecycle.conftest import TRAVEL, World
from tests.proposals import SKILL

ROOT = Path(__file__).parents[2]
# A commit's name follows from every byte of it; the walk is about something else.
COMMIT, SHOWN = re.compile(r"\b[0-9a-f]{12}\b"), "8e4439d4013e"
LONG, SHORT = ROOT / "bot" / "lifecycle" / "README.md", ROOT / "README.md"


def walk(world: World) -> Iterator[str]:
    """The life of one pull request: what happens, and what the run after it says."""
    hub = world.hub

    def told(event: str, publication: Publication) -> str:
        shown = listed(publication).replace(hub.base_url, "https://github.example")
        return f"# {event}\n{COMMIT.sub(SHOWN, shown)}"

    yield told("one failed session", world.run(world.failed("s1")))
    branch = hub.pull(1).head
    yield told("the same session, worded otherwise by a model", world.run(world.failed("s1")))
    more = [world.failed(f"s{at}") for at in range(1, 5)]
    yield told("three sessions more", world.run(*more))
    travel = world.failed("s5", TRAVEL, anchor="travel")
    yield told("another finding in the same file", world.run(*more, travel))
    text = hub.read_file(SKILL) or ""
    world.push("main", text.replace("above $50,000 go", "above $60,000 go"))
    fresh = Edit(SKILL, "UPDATE", "above $25,000 go", "above $60,000 go")
    again = [world.failed(f"s{at}", fresh) for at in range(1, 5)]
    yield told("the base changes the same line", world.run(*again, travel))
    world.push(branch, (hub.read_file(SKILL, branch) or "") + "Ask if in doubt.\n")
    yield told("a person pushes a commit", world.run(*again, travel))
    hub.close(1, "dev")
    yield told("a person closes it", world.run(*again, travel))
    hub.reopen(1, "dev")
    hub.merge(1, "dev")
    hub.clock.advance(days=3)
    late = Edit(SKILL, "UPDATE", "above $30,000 go", "above $25,000 go")
    old = world.failed("s1", late, started_at="2026-01-05T09:00:00Z")
    yield told("reopened and merged; an old session arrives late", world.run(old))
    yield told("a session from after the merge fails again", world.run(world.failed("s9", late)))


def shown(readme: Path, form: str) -> list[str]:
    return re.findall(rf"```{form}\n(.*?)```", readme.read_text("utf-8"), re.S)


def test_the_walk_in_the_readmes_is_real(world: World) -> None:
    told = "\n".join(walk(world))
    assert shown(LONG, "text") == [told]
    lines = [line for line in told.split("\n") if line]
    assert [block.splitlines() for block in shown(SHORT, "text")] == [lines]
    (dashboard,) = shown(LONG, "markdown")
    assert dashboard.strip() == world.dashboard.partition("\n\n<!-- trace-bot:")[0]
