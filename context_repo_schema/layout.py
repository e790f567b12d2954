"""Where components stand by default, as globs in gitignore style; the first match wins.

The layout of the published contract, and what agent repositories use beside it. `NAMES` mean
one thing wherever they stand. `FOLDERS` are conventions, asked only after the content of a
file did not say what it is (`recognise`).
"""

from __future__ import annotations

from typing import Final

from context_repo_schema.component import ComponentType

Rules = tuple[tuple[ComponentType, tuple[str, ...]], ...]

NAMES: Final[Rules] = (
    ("skill", ("SKILL.md", "*.prompt.md", "playbook*.md", "playbook*.txt")),
    (
        "system_prompt",
        (
            "/prompts/**/*.md",
            "AGENTS.md",
            "CLAUDE.md",
            "GEMINI.md",
            "QWEN.md",
            "copilot-instructions.md",
            "*.instructions.md",
            "*.agent.md",
            "*.chatmode.md",
            "*.mdc",
            "*.prompty",
            "*.prompt",
            ".cursorrules",
            ".windsurfrules",
            ".clinerules",
            "**/.kiro/steering/**/*.md",
            "system_prompt*",
            "system-prompt*",
        ),
    ),
    (
        "synonym_map",
        (
            "/embeddings/synonym_mapping.json",
            "*synonym*.json",
            "*synonym*.yaml",
            "*synonym*.yml",
            "*synonym*.txt",
            "glossary.json",
            "glossary.yaml",
            "glossary.yml",
        ),
    ),
    ("schema_hint", ("/database/**", "**/schema_hints/**", "**/semantic_models/**")),
)

FOLDERS: Final[Rules] = (
    (
        "skill",
        (
            "/skills/**/*.md",
            "**/skills/**/*.md",
            "**/commands/**/*.md",
            "**/sops/**/*.md",
            "**/playbooks/**/*.md",
            "**/procedures/**/*.md",
        ),
    ),
    (
        "tool_prompt",
        (
            "/tools/*.json",
            "/tools/*.yaml",
            "/tools/*.yml",
            "tool_definitions.*",
            "mcp_tools.*",
            "openapi*.json",
            "openapi*.yaml",
            "openapi*.yml",
        ),
    ),
    (
        "system_prompt",
        (
            "**/prompts/**/*.md",
            "**/prompts/**/*.txt",
            "**/prompts/**/*.j2",
            "**/prompts/**/*.jinja",
            "**/agents/**/*.md",
        ),
    ),
    (
        "kb_entry",
        tuple(
            f"**/{folder}/**/*.{suffix}"
            for folder in (
                "knowledge_base",
                "knowledge-base",
                "knowledge",
                "kb",
                "docs",
                "documents",
                "policies",
                "handbook",
                "content",
                "runbooks",
                "wiki",
                "articles",
                "faq",
                "guides",
            )
            for suffix in ("md", "mdx", "markdown", "txt", "rst", "adoc")
        ),
    ),
    # What is left: a policy that stands alone is what the agent was told at the start.
    ("system_prompt", ("wiki.md", "policy*.md", "*_policy.md")),
    ("kb_entry", ("*manual*.md", "*handbook*.md", "*workflow*.md", "*faq*.md")),
    ("schema_hint", ("**/models/**/*.yml", "**/models/**/*.yaml", "schema.sql", "*.ddl")),
)

GENERATED: Final = ("**/__snapshots__/**", "**/__toolsnaps__/**")
