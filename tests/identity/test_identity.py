"""Ids, names and markers: the same for the same facts, and read back as written."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.identity import ids, marker, names
from bot.identity.marker import MAX_BYTES, Marker, UnknownVersion
from tests.hostile import HOSTILE

HEX = st.text("0123456789abcdef", min_size=8, max_size=8)
FINDING = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=10, max_size=10).map("tb-{}".format)
MARKERS = st.builds(
    Marker,
    unit=HEX,
    generation=st.integers(1, 999),
    findings=st.lists(FINDING, min_size=1, max_size=5).map(tuple),
    aliases=st.lists(FINDING, max_size=5).map(tuple),
    patch=HEX,
    evidence=HEX,
    count=st.integers(0, 10**6),
    head=st.just(""),
    base=HEX,
    title=HEX,
    labels=st.just(("trace-bot",)),
    state=st.sampled_from(["managed", "frozen"]),
)


def test_ids_are_fixed_for_ever() -> None:
    """A change here orphans every open pull request."""
    assert ids.finding_id("SKILL_FILE_STALE", "skills/pay/SKILL.md", "limits") == "tb-v7gfjuxy52"
    assert ids.unit_id("skills/pay/SKILL.md") == "319a2ce1"
    assert ids.evidence_digest(["b", "a"])[:12] == "7e18f737311b"


def test_names_in_other_compositions_are_one() -> None:
    assert ids.finding_id("K", "kb/u\u0308.md", "a") == ids.finding_id("K", "kb/\u00fc.md", "a")
    assert ids.unit_id("kb/u\u0308.md") == ids.unit_id("kb/\u00fc.md")


def test_each_part_of_a_finding_counts() -> None:
    made = {
        ids.finding_id(kind, path, anchor)
        for kind in ("A", "B")
        for path in ("x.md", "y.md")
        for anchor in ("file", "top")
    }
    assert len(made) == 8
    assert all(re.fullmatch(r"tb-[a-z2-7]{10}", one) for one in made)


@given(path=st.text(min_size=1, max_size=300), unit=HEX, generation=st.integers(1, 999))
def test_branches_are_names_of_ours_and_refs_of_git(path: str, unit: str, generation: int) -> None:
    made = names.branch("kb", path, unit, generation=generation, prefix="trace-bot")
    found = names.branch_pattern("trace-bot").fullmatch(made)
    assert found
    assert found["unit"] == unit
    assert (found["generation"] or "1") == str(generation)


@pytest.mark.parametrize(
    "path", ["skills/pay/SKILL.md", "日本語.md", "..", "a/README.md", ".x", "-"]
)
def test_git_takes_the_branch(path: str) -> None:
    made = names.branch("multi", path, "01234567", prefix="trace-bot")
    subprocess.run(["git", "check-ref-format", "--branch", made], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("skills/pay/SKILL.md", "pay"),
        ("kb/Überweisung (neu).md", "uberweisung-neu"),
        ("AGENTS.md", "agents"),
        ("日本語.md", "file"),
        ("a" * 99 + ".md", "a" * 40),
    ],
)
def test_slugs(path: str, slug: str) -> None:
    assert names.slug(path) == slug


@given(path=st.text(min_size=1, max_size=200), kind=st.sampled_from(sorted(names.WHAT)))
def test_titles_are_one_short_line(path: str, kind: str) -> None:
    made = names.title("UPDATE", path, kind, 1)
    assert len(made) <= names.TITLE_LENGTH
    assert made == " ".join(made.split())


def test_titles_keep_the_end_of_a_long_path() -> None:
    path = "a/very/deep/tree/of/folders/that/goes/on/and/on/vendor-payment.md"
    assert names.title("DELETE", path, "KB_CONTENT_STALE", 1) == (
        "Remove …/folders/that/goes/on/and/on/vendor-payment.md: obsolete content"
    )
    assert names.title("UPDATE", "x.md", "KB_CONTENT_STALE", 3) == "Update x.md: 3 findings"


@given(made=MARKERS)
def test_markers_are_read_as_written(made: Marker) -> None:
    text = marker.render(made)
    assert marker.parse(f"before\n{text}\nafter") == made
    assert "--" not in text[4:-3]
    assert "\n" not in text


def test_a_long_marker_loses_its_oldest_aliases() -> None:
    aliases = tuple(f"tb-{at:010d}" for at in range(500))
    made = Marker("u", 1, ("tb-x",), aliases, "p", "e", 1, "", "", "t", (), "managed")
    text = marker.render(made)
    assert len(text.encode()) <= MAX_BYTES
    read = marker.parse(text)
    assert isinstance(read, Marker)
    assert read.aliases == aliases[-len(read.aliases) :]


def test_labels_that_a_marker_cannot_hold_are_left_out() -> None:
    made = Marker("u", 1, (), (), "", "", 1, "", "", "", ("ok", "a--b", "é", "<x>"), "managed")
    read = marker.parse(marker.render(made))
    assert isinstance(read, Marker)
    assert read.labels == ("ok",)


@pytest.mark.parametrize("text", [*HOSTILE[:-1], "<!-- trace-bot:v1 {} -->", ""])
def test_other_text_is_no_marker(text: str) -> None:
    found = marker.parse(text)
    assert found is None or "trace-bot:v" in text


def test_a_later_version_is_known_as_such() -> None:
    assert marker.parse('<!-- trace-bot:v7 {"new":1} -->') == UnknownVersion(7)


def test_trailers_rebuild_a_marker() -> None:
    message = names.commit_message("Title", ("One.",), "01234567", ("tb-a", "tb-b"), ("abc", 4))
    read = marker.from_trailers(message)
    assert read is not None
    assert (read.unit, read.findings, read.patch, read.count) == (
        "01234567",
        ("tb-a", "tb-b"),
        "abc",
        4,
    )
    assert marker.from_trailers("Title\n\nTrace-Bot-Unit: 01234567\n") is None
