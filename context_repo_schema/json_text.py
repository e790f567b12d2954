"""JSON as people write it: with comments and trailing commas, and with keys given twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from context_repo_schema.problem import Malformed

TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\\n]|\\.)*(?:"|\Z|(?=\n)))'
    r"|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<mark>[{}\[\],:])",
    re.DOTALL,
)
# An open string or comment runs on to its line's or the text's end: each character is read once.
STRING_OR_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*(?:"|\Z|(?=\n)))|,(?=\s*[}\]])', re.DOTALL)


def load_json(text: str) -> Any:
    """The value of a JSON text; comments and trailing commas are allowed. Raises `Malformed`."""
    body = text.removeprefix("\ufeff")
    try:
        try:
            return json.loads(body)
        except json.JSONDecodeError:
            return json.loads(_plain(body))
    except json.JSONDecodeError as error:
        raise Malformed(error.lineno, error.msg) from error
    except RecursionError as error:
        raise Malformed(1, "it is nested too deeply") from error


def has_extensions(text: str) -> bool:
    """Whether comments or trailing commas stand in the text, which strict readers refuse."""
    body = text.removeprefix("\ufeff")
    return _plain(body) != body


def repeated_keys(text: str) -> Iterator[tuple[int, str]]:
    """The line and the name of each key that stands twice in one object of a valid text."""
    open_objects: list[set[str] | None] = []
    name, name_line, line, at = "", 1, 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        match match[0]:
            case "{":
                open_objects.append(set())
            case "[":
                open_objects.append(None)
            case "}" | "]":
                if open_objects:
                    open_objects.pop()
            case ":":
                keys = open_objects[-1] if open_objects else None
                if keys is not None and name in keys:
                    yield name_line, name
                elif keys is not None:
                    keys.add(name)
            case token:
                if token.startswith('"'):
                    name, name_line = token[1:-1], line


def _plain(text: str) -> str:
    """The text with comments and trailing commas blanked; every line keeps its number."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match[0]) if match["comment"] else match[0]

    bare = TOKEN.sub(blank, text)
    return STRING_OR_COMMA.sub(lambda match: match[1] or " ", bare)
