"""What `validate` finds in a checkout, and that it is silent about a sound one."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_repo_schema.validate import validate

FIXTURES = Path(__file__).parents[2] / "fixtures"
SKILL = "---\nname: pay\ndescription: Pay a vendor.\n---\n# Pay\n"
TOOLS = '[{"name": "f", "description": "Find.", "input_schema": {"type": "object"}}]'


def found(root: Path, files: dict[str, str]) -> list[tuple[str, int, str, str]]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8", newline="")
    return [(p.file, p.line, p.severity, p.code) for p in validate(root)]


def test_validate_of_a_sound_repository_finds_nothing(tmp_path: Path) -> None:
    assert (
        found(
            tmp_path,
            {
                "skills/pay/SKILL.md": SKILL + "[policy](../../docs/p.md#x), [site](https://a.b)\n",
                "docs/p.md": "---\nid: P-2\nsupersedes: P-1\n---\n# P\n",
                "tools/tools.json": TOOLS,
                "embeddings/synonym_mapping.json": '{"pto": ["vacation"]}',
                ".cursor/rules/a.mdc": "---\nglobs: **/*\n---\n",
            },
        )
        == []
    )


def test_validate_of_an_empty_folder_says_what_was_looked_for(tmp_path: Path) -> None:
    (problem,) = validate(tmp_path)

    assert (problem.severity, problem.code) == ("error", "no-components")
    assert "SKILL.md" in problem.cure
    assert "system_prompt" in problem.cure


def test_validate_of_a_missing_folder_says_so(tmp_path: Path) -> None:
    assert [p.code for p in validate(tmp_path / "none")] == ["no-checkout"]


def test_validate_of_a_broken_configuration_reports_only_that(tmp_path: Path) -> None:
    assert found(
        tmp_path, {"trace-bot.yaml": "mod: x\nlabel: y\n", "docs/a.md": "[a](none.md)"}
    ) == [
        ("trace-bot.yaml", 1, "error", "config-unknown-key"),
        ("trace-bot.yaml", 2, "error", "config-unknown-key"),
    ]


def test_validate_of_a_glob_without_files_warns(tmp_path: Path) -> None:
    files = {"trace-bot.yaml": "components:\n  skill:\n    - sops/*.md\n", "AGENTS.md": "x"}

    assert found(tmp_path, files) == [("trace-bot.yaml", 3, "warning", "glob-unmatched")]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("skills/pay/SKILL.md", "# Pay\n", (1, "warning", "skill-frontmatter")),
        (
            "skills/pay/SKILL.md",
            "---\nname: pay\ndescription: Use: now\n---\n",
            (3, "error", "frontmatter-broken"),
        ),
        ("skills/pay/SKILL.md", "---\nname: pay\n# Pay\n", (1, "error", "frontmatter-unclosed")),
        ("skills/pay/SKILL.md", "---\nname: pay\n---\n", (1, "warning", "skill-description")),
        ("skills/other/SKILL.md", SKILL, (2, "warning", "skill-folder")),
        ("skills/pay/SKILL.md", SKILL.replace("pay", "Pay--x"), (2, "warning", "skill-name")),
        (
            "skills/pay/SKILL.md",
            SKILL.replace("Pay a vendor.", "x" * 1025),
            (3, "warning", "skill-description"),
        ),
        ("skills/pay/SKILL.md", SKILL + "x\n" * 600, (501, "warning", "skill-length")),
        ("docs/a.md", "---\na: b: c\n---\n", (2, "warning", "frontmatter-broken")),
        ("docs/a.md", "# A\n\ntext\n[x](b/none.md)\n", (3, "warning", "link-broken")),
        ("docs/a.md", "![x](none.png)\n", (1, "warning", "link-broken")),
        ("tools/t.json", '[\n {"name": "f",}\n {]', (3, "error", "data-invalid")),
        ("tools/t.yaml", "a: 1\nb: [\n", (3, "error", "data-invalid")),
        ("tools/t.yaml", "tools: []\ntools: []\n", (2, "error", "data-invalid")),
        (
            "tools/t.json",
            TOOLS.replace('"f",', '"f",\n"name": "f",'),
            (2, "error", "data-repeated-key"),
        ),
        ("tools/t.json", f"// c\n{TOOLS}", (1, "warning", "data-json-extensions")),
        ("tools/t.json", TOOLS.replace("Find.", ""), (1, "warning", "tool-description")),
        ("tools/t.json", TOOLS[:-1] + "," + TOOLS[1:], (1, "warning", "tool-repeated")),
        ("tools/t.json", TOOLS.replace('"object"', '"thing"'), (1, "warning", "tool-schema")),
        ("tools/t.json", "{}", (1, "warning", "tools-form")),
        ("x/synonyms.json", '{"a": [1,}', (1, "error", "data-invalid")),
        ("x/synonyms.json", '{"version": 1}', (1, "warning", "synonyms-form")),
        ("models/m.yml", "a: b: c\n", (1, "warning", "data-invalid")),
        (
            "docs/a.md",
            "---\nsuperseded_by: [b](gone.md)\n---\n",
            (2, "warning", "frontmatter-broken"),
        ),
        (
            "docs/a.md",
            "---\nsuperseded_by: POL-2026-4\n---\n",
            (2, "warning", "supersession-dangling"),
        ),
        (
            "docs/a.md",
            "# A\n\n**Supersedes:** old/policy.md\n",
            (3, "warning", "supersession-dangling"),
        ),
    ],
)
def test_validate_names_the_line(
    tmp_path: Path, path: str, text: str, expected: tuple[int, str, str]
) -> None:
    (tmp_path / "docs").mkdir()

    assert (path, *expected) in found(tmp_path, {path: text})


def test_validate_of_a_circle_of_supersession_is_an_error_once(tmp_path: Path) -> None:
    files = {
        "docs/a.md": "---\nid: P-1\nsuperseded_by: P-2\n---\n",
        "docs/b.md": "---\nid: P-2\nsuperseded_by: docs/c.md\n---\n",
        "docs/c.md": "---\nid: P-3\nsuperseded_by: P-1\n---\n",
        "docs/d.md": "---\nid: P-4\nsuperseded_by: P-1\nsupersedes: P-9\n---\n",
    }

    assert found(tmp_path, files) == [("docs/a.md", 1, "error", "supersession-circle")]


def test_validate_of_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "latin.md").write_bytes(b"caf\xe9")
    (tmp_path / "notes.txt").write_bytes(b"caf\xe9")
    (tmp_path / "picture.png").write_bytes(b"\0")
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    (tmp_path / "AGENTS.md").write_text("x")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")

    assert found(tmp_path, {}) == [
        ("docs/latin.md", 1, "error", "unreadable-encoding"),
        ("notes.txt", 1, "warning", "unreadable-encoding"),
        ("out.md", 1, "error", "unreadable-outside"),
    ]


def test_validate_of_names_that_clash_on_other_systems(tmp_path: Path) -> None:
    assert found(tmp_path, {"docs/A.md": "x", "docs/a.md": "x"}) == [
        ("docs/a.md", 1, "error", "case-clash")
    ]


def test_validate_of_a_checkout_that_git_refuses_says_so(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()

    assert found(tmp_path, {"AGENTS.md": "x"}) == [(".git", 1, "error", "git-failed")]


@pytest.mark.parametrize(
    "name", sorted(p.name for p in (FIXTURES / "context-repos").iterdir() if p.is_dir())
)
def test_validate_of_real_files_finds_no_error(name: str) -> None:
    problems = validate(FIXTURES / "context-repos" / name)

    assert [p for p in problems if p.severity == "error" and p.code != "no-components"] == []
