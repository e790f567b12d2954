"""What a file is by its content: tool lists, API descriptions, articles, data models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from context_repo_schema.component import ComponentType
from context_repo_schema.frontmatter import block_end, frontmatter
from context_repo_schema.json_text import load_json
from context_repo_schema.problem import Malformed
from context_repo_schema.yaml_text import compose, typed_value

YAML_SUFFIXES = (".yaml", ".yml")
MARKDOWN_SUFFIXES = (".md", ".mdx", ".markdown", ".mdc", ".prompty", ".prompt")
# Reading every YAML file of a repository takes seconds; these words stand in each kind we know.
WORTH_READING = re.compile(
    r"^[ \t-]*['\"]?(?:tools|parameters|inputSchema|input_schema|models|sources|semantic_models)"
    r"['\"]?[ \t]*:",
    re.MULTILINE,
)
API = re.compile(r"^['\"]?(?:openapi|swagger)['\"]?[ \t]*:", re.MULTILINE)
MOST_YAML = 200_000  # characters; a larger description takes tens of seconds to read
OKF_KEY = re.compile(r"^type:", re.MULTILINE)
OKF_TYPES: Mapping[str, ComponentType] = {
    "table": "schema_hint",
    "dataset": "schema_hint",
    "skill": "skill",
    "playbook": "skill",
}


@lru_cache(maxsize=4)  # a file is asked twice in a row: what it is, and what its head says
def data_of(path: str, text: str) -> Any:
    """The value of a JSON or YAML file, not to be changed; None where it cannot be read.

    A very large YAML file counts as one that cannot.
    """
    try:
        if path.endswith(YAML_SUFFIXES):
            if len(text) > MOST_YAML:
                return None
            node = compose(text)
            return None if node is None else typed_value(node)
        if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
            return load_json(text)
    except Malformed:
        return None
    return None


def recognise(path: str, text: str) -> ComponentType | None:
    """The component type that the content states by itself, or None."""
    suffix = PurePosixPath(path).suffix
    if suffix in MARKDOWN_SUFFIXES:
        return _by_frontmatter(text)
    if suffix in YAML_SUFFIXES and API.search(text):
        return "tool_prompt"
    if suffix in YAML_SUFFIXES and not WORTH_READING.search(text):
        return None
    data = data_of(path, text)
    if tools_of(data) or is_api(data):
        return "tool_prompt"
    if isinstance(data, Mapping):
        if {"title", "content"} <= data.keys() and isinstance(data["content"], str):
            return "kb_entry"
        if any(isinstance(data.get(key), list) for key in ("models", "sources", "semantic_models")):
            return "schema_hint" if suffix in YAML_SUFFIXES else None
    return None


def is_api(data: Any) -> bool:
    """Whether the value is an OpenAPI or Swagger description."""
    return isinstance(data, Mapping) and bool({"openapi", "swagger"} & data.keys())


def tools_of(data: Any) -> list[Mapping[str, Any]]:
    """The tool definitions in a value, each as the mapping that holds `name`.

    One tool or a list of them; bare, under `tools`, or under `tools` of each domain; in the form
    of MCP, of OpenAI (nested or flat), of Anthropic, or with a `parameters` list.
    """
    if isinstance(data, Mapping):
        one = _tool(data)
        if one is not None:
            return [one]
        domains = (data, *(value for value in data.values() if isinstance(value, Mapping)))
        return [tool for domain in domains for tool in _listed(domain.get("tools"))]
    return _listed(data)


def _listed(items: Any) -> list[Mapping[str, Any]]:
    entries = items.values() if isinstance(items, Mapping) else items
    if not isinstance(items, Mapping | list):
        return []
    found = (_tool(entry) for entry in entries if isinstance(entry, Mapping))
    return [tool for tool in found if tool is not None]


def _tool(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    inner = item.get("function", item)
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
        return None
    takes = {"inputSchema", "input_schema", "parameters"} & inner.keys()
    named = item.get("type") == "function" or "function" in item
    return inner if takes or named else None


def _by_frontmatter(text: str) -> ComponentType | None:
    """Open Knowledge Format: every page states its `type`."""
    end = block_end(text)
    if end is None or not OKF_KEY.search(text, 0, end):
        return None
    block = frontmatter(text)
    meta = block.meta if block else {}
    kind = meta.get("type")
    if not isinstance(kind, str) or not kind.strip() or "title" not in meta:
        return None
    return OKF_TYPES.get(kind.lower().split()[-1], "kb_entry")
