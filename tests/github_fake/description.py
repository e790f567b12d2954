"""GitHub's own OpenAPI description: which calls exist, and what each may be sent and answer.

Every request and every answer is checked against it, so the fake cannot drift from GitHub
without a test noticing. `fill` makes the smallest valid instance of a schema and lays the fake's
own state over it, so a full pull request needs only the fields we care about.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import jsonschema_rs

FILE = Path(__file__).with_name("openapi.json")
ERRORS = "#/components/schemas/basic-error"

# Where GitHub sends null although its description leaves it out: (schema, path of properties).
SENT_NULL = (
    ("pull-request-simple", ("labels", "[]", "description")),
    ("issue-search-result-item", ("body",)),
)


class Operation(NamedTuple):
    method: str
    template: str
    params: dict[str, str]


@functools.cache
def load() -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    for name, path in SENT_NULL:
        node = whole["components"]["schemas"][name]
        for step in path:
            node = node["items"] if step == "[]" else node["properties"][step]
        node["nullable"] = True
    return whole


def deref(node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        _, _, kind, name = node["$ref"].split("/")
        node = load()["components"][kind][name]
    return node


def parameters(method: str, template: str, place: str) -> dict[str, dict[str, Any]]:
    found = [deref(p) for p in load()["paths"][template][method].get("parameters", [])]
    return {p["name"]: p for p in found if p["in"] == place}


def _pattern(method: str, template: str) -> re.Pattern[str]:
    known = parameters(method, template, "path")

    def group(match: re.Match[str]) -> str:
        name = match[1]
        if known[name].get("x-multi-segment"):
            return f"(?P<{name}>.*)"
        return (
            rf"(?P<{name}>\d+)"
            if known[name]["schema"]["type"] == "integer"
            else f"(?P<{name}>[^/]+)"
        )

    return re.compile(re.sub(r"\{(\w+)\}", group, template.replace(".", r"\.")) + "$")


@functools.cache
def _table() -> list[tuple[str, str, re.Pattern[str]]]:
    """All operations, most literal first: `/issues/comments` before `/issues/{issue_number}`."""
    rows = [(m, t, _pattern(m, t)) for t, ms in load()["paths"].items() for m in ms]
    return sorted(rows, key=lambda row: row[1].count("{"))


def find(method: str, path: str) -> Operation | None:
    for known, template, pattern in _table():
        match = pattern.match(path) if known == method.lower() else None
        if match:
            groups = {key: unquote(value) for key, value in match.groupdict().items()}
            return Operation(known, template, groups)
    return None


def paginated(operation: Operation) -> bool:
    return "per_page" in parameters(operation.method, operation.template, "query")


def response_schema(operation: Operation, status: int) -> dict[str, Any] | None:
    """The schema of this answer; None for an answer without body. KeyError if undescribed."""
    responses = load()["paths"][operation.template][operation.method]["responses"]
    if str(status) not in responses and status >= 400:
        # GitHub answers any call with the common errors; few descriptions list them all.
        return {"$ref": ERRORS}
    content = deref(responses[str(status)]).get("content")
    if content:
        schema: dict[str, Any] = content["application/json"]["schema"]
        return schema
    return {"$ref": ERRORS} if status >= 400 else None


def _nullable(node: Any) -> Any:
    """OpenAPI 3.0's `nullable` written as plain JSON Schema.

    A nullable enum gets its null too: GitHub sends it (an open issue's `state_reason`) although
    its description forgets to list it.
    """
    if isinstance(node, list):
        return [_nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {key: _nullable(value) for key, value in node.items() if key != "nullable"}
    if node.get("nullable") is True:
        if isinstance(out.get("type"), str):
            out["type"] = [out["type"], "null"]
        if "enum" in out and None not in out["enum"]:
            out["enum"] = [*out["enum"], None]
        for key in ("oneOf", "anyOf"):
            if key in out:
                out[key] = [*out[key], {"type": "null"}]
    return out


@functools.cache
def _components() -> dict[str, Any]:
    components: dict[str, Any] = _nullable(load()["components"])
    return components


@functools.cache
def _validator(schema: str) -> jsonschema_rs.Draft4Validator:
    root = {"allOf": [_nullable(json.loads(schema))], "components": _components()}
    return jsonschema_rs.Draft4Validator(root, validate_formats=True)


def problems(schema: dict[str, Any], value: Any) -> list[str]:
    """What is wrong with a value, each with its place; empty if it is valid."""
    errors = _validator(json.dumps(schema, sort_keys=True)).iter_errors(value)
    return [f"{'/'.join(map(str, e.instance_path)) or '.'}: {e.message[:300]}" for e in errors]


def _coerced(schema: dict[str, Any], text: str) -> Any:
    kind = deref(schema).get("type")
    if kind == "integer" and re.fullmatch(r"-?\d+", text):
        return int(text)
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    return text


def request_problems(operation: Operation, query: dict[str, str], body: Any) -> list[str]:
    """What is wrong with a request. Stricter than GitHub, which ignores an unknown parameter."""
    found: list[str] = []
    known = parameters(operation.method, operation.template, "query")
    for name, text in query.items():
        if name not in known:
            found.append(f"query: unknown parameter {name!r}")
            continue
        schema = known[name]["schema"]
        found += [f"query {name}: {p}" for p in problems(schema, _coerced(schema, text))]
    found += [
        f"query: {n} is required" for n, p in known.items() if p.get("required") and n not in query
    ]
    described = load()["paths"][operation.template][operation.method].get("requestBody")
    if described is None:
        return found + (["body: none expected"] if body else [])
    described = deref(described)
    if body is None:
        return found + (["body: required"] if described.get("required") else [])
    return found + problems(described["content"]["application/json"]["schema"], body)


def response_problems(operation: Operation, status: int, payload: Any) -> list[str]:
    schema = response_schema(operation, status)
    if schema is None:
        return [] if payload is None else ["no body expected"]
    return problems(schema, payload)


def fill(schema: dict[str, Any], over: Any, uri: str) -> Any:
    """The smallest valid instance of a schema, with `over` laid over it.

    Required keys only, null where allowed, the first enum value; `uri` stands in for links.
    """
    schema = deref(schema)
    if over is not None and not isinstance(over, (dict, list)):
        return over
    if "allOf" in schema:
        schema = _joined(schema["allOf"])
    for choice in ("oneOf", "anyOf"):
        if choice in schema and not (over is None and schema.get("nullable")):
            return fill(_closest(schema[choice], over), over, uri)
    if isinstance(over, list):
        return [fill(schema.get("items", {}), item, uri) for item in over]
    if isinstance(over, dict):
        return _object(schema, over, uri)
    return _smallest(schema, uri)


def _joined(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """One object schema that asks for what all parts ask for."""
    found = [deref(part) for part in parts]
    return {
        "type": "object",
        "properties": {k: v for part in found for k, v in part.get("properties", {}).items()},
        "required": [key for part in found for key in part.get("required", [])],
    }


def _closest(choices: list[dict[str, Any]], over: Any) -> dict[str, Any]:
    """The alternative that knows most of the keys at hand, and asks for fewest others."""
    keys = set(over) if isinstance(over, dict) else set()

    def fit(choice: dict[str, Any]) -> tuple[bool, int, int]:
        schema = deref(choice)
        known = set(schema.get("properties", {}))
        return (
            isinstance(over, list) == (schema.get("type") == "array"),
            len(known & keys),
            -len(set(schema.get("required", [])) - keys),
        )

    return max(choices, key=fit)


def _object(schema: dict[str, Any], over: dict[str, Any], uri: str) -> dict[str, Any]:
    known = schema.get("properties", {})
    keys = [*schema.get("required", []), *over]
    return {
        key: None
        if key in over and over[key] is None
        else fill(known.get(key, {}), over.get(key), uri)
        for key in dict.fromkeys(keys)
    }


def _smallest(schema: dict[str, Any], uri: str) -> Any:
    if schema.get("nullable"):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        return _object(schema, {}, uri)
    if kind == "string":
        return {"date-time": "2026-01-01T00:00:00Z", "uri": uri}.get(schema.get("format", ""), "")
    return {"array": [], "integer": 0, "number": 0, "boolean": False}.get(kind or "")
