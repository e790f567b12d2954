"""Which file a tool call read, and what it read of it: from the arguments or a shell command.

Coding agents open their context with general tools, so the call's own words are all there is.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

PATH_KEYS = (
    *("path", "file_path", "filepath", "filename", "file", "absolute_path", "target_file"),
    *("uri", "source", "document"),
)
COMMAND_KEYS = ("command", "cmd", "script")
VERB_KEYS = ("command", "action", "operation")
READS = re.compile(r"view|read|open|show|get|load|fetch|cat", re.IGNORECASE)
WRITES = re.compile(
    r"writ|edit|creat|updat|delet|remov|patch|replac|insert|renam|append|sav(e|ing)|upload|move",
    re.IGNORECASE,
)
SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "fish"})
READERS = frozenset({"cat", "head", "tail", "less", "more", "bat", "nl", "open", "type", "view"})
SEARCHERS = frozenset({"grep", "egrep", "rg", "ag", "ack", "fd", "find"})
SEARCHES = re.compile(r"grep|glob|search|find", re.IGNORECASE)
PATTERN_KEYS = ("query", "pattern", "regex", "search_term")
SQL_CLIENTS = frozenset(
    {"psql", "mysql", "mariadb", "sqlite3", "duckdb", "bq", "snowsql", "sqlcmd", "sqlplus"}
    | {"clickhouse-client", "trino", "presto", "beeline"}
)
LONGEST_COMMAND = 10_000
_NUMBERED = re.compile(r"^[ ]*(\d{1,9})(?:→|\t|: ?| *\| ?)", re.MULTILINE)
_CERTAIN = re.compile(r"^[ ]*\d{1,9}(?:→|\t)")


def read_path(name: str, asked: Any) -> str | None:
    """The path of the one file that the call read, as the session wrote it; None where it read
    none, more than one, or changed it."""
    if isinstance(asked, str):
        return _read_by(_commands(asked))
    if not isinstance(asked, dict):
        return None
    path = next((asked[key] for key in PATH_KEYS if isinstance(asked.get(key), str)), None)
    if path is None:
        return _read_by(_commands(command_of(asked)))
    verbs = [asked[key] for key in VERB_KEYS if isinstance(asked.get(key), str)]
    if verbs:
        return path if all(READS.fullmatch(verb.partition("_")[0]) for verb in verbs) else None
    return None if WRITES.search(name) else path


def searched(name: str, asked: Any) -> str | None:
    """What the call looked for among files; None where it is no search."""
    if not isinstance(asked, dict):
        return None
    pattern = next((asked[key] for key in PATTERN_KEYS if isinstance(asked.get(key), str)), None)
    if pattern is not None:
        return pattern if SEARCHES.search(name) else None
    for words in _commands(command_of(asked)):
        if _program(words) in SEARCHERS:
            return " ".join(words[1:])
        if words[0] != "cd":
            return None
    return None


def runs_sql(asked: Any) -> bool:
    """Whether the call is a shell command of a database's client."""
    commands = _commands(command_of(asked)) if isinstance(asked, dict) else []
    return any(words and _program(words) in SQL_CLIENTS for words in commands)


def command_of(asked: dict[str, Any]) -> str:
    """The shell command among the arguments, a list of words being joined; else empty."""
    for key in COMMAND_KEYS:
        value = asked.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return shlex.join(value)
    return ""


def unnumbered(text: str) -> str:
    """The text without the line numbers that a reading tool put before each line."""
    body = text.rstrip("\n")
    head, _, rest = body.partition("\n")
    if not _CERTAIN.match(head) and _CERTAIN.match(rest):
        # Some tools say first what they show.
        body = rest
    lines = [line for line in body.split("\n") if line.strip()]
    found = _NUMBERED.findall(body)
    numbers = [int(number) for number in found]
    certain = bool(lines) and all(_CERTAIN.match(line) for line in lines)
    if len(found) < len(lines) or (len(lines) < 3 and not certain):
        return text
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        return text
    return _NUMBERED.sub("", body)


def _commands(command: str) -> list[list[str]]:
    """The simple commands of a shell line as words; none where the line cannot be read."""
    if not command or len(command) > LONGEST_COMMAND:
        return []
    lexer = shlex.shlex(command, posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return []
    commands: list[list[str]] = [[]]
    for word in words:
        if set(word) <= set("();|&\n"):
            commands.append([])
        else:
            commands[-1].append(word)
    found = [words for words in commands if words]
    if len(found) == 1 and _program(found[0]) in SHELLS and len(found[0]) == 3:
        return _commands(found[0][2]) if found[0][1].endswith("c") else []
    return found


def _read_by(commands: Sequence[Sequence[str]]) -> str | None:
    """The file that the first command after any `cd` reads."""
    folder = ""
    for words in commands:
        if words[0] == "cd" and len(words) == 2:
            folder = words[1] if words[1].startswith("/") else f"{folder}{words[1]}"
            folder = f"{folder.rstrip('/')}/"
            continue
        path = _operand(words)
        return f"{folder}{path}" if path and not path.startswith(("/", "~")) else path
    return None


def _operand(words: Sequence[str]) -> str | None:
    """The one file that a reading command names."""
    program, rest = _program(words), [word for word in words[1:] if not word.startswith("-")]
    if any(set(word) & set("<>") for word in words[1:]):
        return None
    if program == "sed" and not any(word.startswith("-i") for word in words[1:]):
        rest = rest[1:]
    elif program == "str_replace_editor" and rest[:1] == ["view"]:
        rest = rest[1:2]
    elif program not in READERS:
        return None
    files = [word for word in rest if not word.lstrip("+").isdigit()]
    return files[0] if len(files) == 1 else None


def _program(words: Sequence[str]) -> str:
    return words[0].rpartition("/")[2]
