"""JSON and YAML components: whether they load, and whether they say what their type demands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]

from context_repo_schema.checks.checkout import Checkout
from context_repo_schema.component import Component
from context_repo_schema.json_text import has_extensions, load_json, repeated_keys
from context_repo_schema.problem import Malformed, Problem, Severity
from context_repo_schema.recognise import YAML_SUFFIXES, is_api, tools_of
from context_repo_schema.yaml_text import compose, typed_value

JSON_SUFFIXES = (".json", ".jsonc", ".snap")
PARAMETERS = ("inputSchema", "input_schema", "parameters")


def check(checkout: Checkout) -> Iterator[Problem]:
    """Broken files, keys given twice, tools without a description, lists of no known form."""
    for component in checkout.components:
        if component.path.endswith((*JSON_SUFFIXES, *YAML_SUFFIXES)):
            yield from _component(component, checkout.text(component))


def _component(component: Component, text: str) -> Iterator[Problem]:
    edited = component.type in ("tool_prompt", "synonym_map")
    severity: Severity = "error" if edited else "warning"
    is_json = component.path.endswith(JSON_SUFFIXES)
    form = "JSON" if is_json else "YAML"
    try:
        data = load_json(text) if is_json else _yaml(text)
    except Malformed as error:
        message, cure = f"no valid {form}: {error.problem}", f"mend the {form} at this line"
        yield Problem(component.path, error.line, severity, "data-invalid", message, cure)
        return
    if is_json:
        yield from _json_form(component.path, text)
    if component.type == "tool_prompt":
        yield from _tools(component.path, text, data)
    if component.type == "synonym_map" and not _has_terms(data):
        message = "no known form of synonyms"
        cure = "write term: [other terms], or a list of groups"
        yield Problem(component.path, 1, "warning", "synonyms-form", message, cure)


def _yaml(text: str) -> Any:
    node = compose(text)
    return None if node is None else typed_value(node)


def _json_form(path: str, text: str) -> Iterator[Problem]:
    for line, key in repeated_keys(text):
        message, cure = f"the key {key[:64]!r} stands twice in one object", "keep one of the two"
        yield Problem(path, line, "error", "data-repeated-key", message, cure)
    if path.endswith(".json") and has_extensions(text):
        message, cure = "comments or trailing commas", "remove them; strict readers refuse the file"
        yield Problem(path, 1, "warning", "data-json-extensions", message, cure)


def _tools(path: str, text: str, data: Any) -> Iterator[Problem]:
    tools = tools_of(data)
    if not tools and not is_api(data):
        message, cure = "no tool definition in it", "give each tool name, description, input_schema"
        yield Problem(path, 1, "warning", "tools-form", message, cure)
    names: set[str] = set()
    for tool in tools:
        name = str(tool["name"])
        line = _line_of(text, name)
        if not tool.get("description"):
            message, cure = f"the tool {name[:64]!r} has no description", "say when to call it"
            yield Problem(path, line, "warning", "tool-description", message, cure)
        if name in names and not _by_domain(data):
            message, cure = f"the tool {name[:64]!r} is defined twice", "keep one of the two"
            yield Problem(path, line, "warning", "tool-repeated", message, cure)
        names.add(name)
        yield from _parameters(path, line, tool)


def _parameters(path: str, line: int, tool: Mapping[str, Any]) -> Iterator[Problem]:
    schema = next((tool[key] for key in PARAMETERS if isinstance(tool.get(key), dict)), None)
    if schema is None:
        return
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        message = f"the parameters of {str(tool['name'])[:64]!r} are no JSON Schema"
        where = error.json_path.removeprefix("$.") or "type"
        yield Problem(path, line, "warning", "tool-schema", message, f"mend `{where[:80]}`")


def _by_domain(data: Any) -> bool:
    """Whether lists of tools stand side by side, each free to have a tool of the same name."""
    return isinstance(data, Mapping) and "tools" not in data


def _line_of(text: str, name: str) -> int:
    quoted = text.find(f'"{name}"')
    at = quoted if quoted >= 0 else text.find(name)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


def _has_terms(data: Any) -> bool:
    """A map of terms, a list of groups or of entries, or either one level down."""
    if isinstance(data, Mapping):
        return any(isinstance(value, list | str | Mapping) for value in data.values())
    return isinstance(data, list) and all(isinstance(item, list | Mapping | str) for item in data)
