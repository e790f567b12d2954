"""Bare repositories: thin functions over the real git, so that objects and refs are never faked."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .clock import Clock, moment, stamp

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
ZERO = "0" * 40


@dataclass(frozen=True, slots=True)
class Ident:
    name: str
    email: str
    date: str

    @classmethod
    def of(cls, login: str, clock: Clock) -> Ident:
        """A login's own identity; the address leads back to the login, as on GitHub."""
        return cls(login, f"{login}@users.noreply.github.com", clock.stamp())


@dataclass(frozen=True, slots=True)
class Commit:
    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Ident
    committer: Ident
    message: str


@dataclass(frozen=True, slots=True)
class Entry:
    mode: str
    kind: str
    sha: str
    size: int | None
    path: str


@dataclass(frozen=True, slots=True)
class FileChange:
    path: str
    previous: str | None
    status: str
    sha: str
    patch: str | None

    def count(self, sign: str) -> int:
        lines = (self.patch or "").splitlines()
        return sum(line.startswith(sign) for line in lines)


def clean_env() -> dict[str, str]:
    """The environment without anything that could point git at another repository or config."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return env | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


# What git once answered about objects, which never change, and the refs of each repository since
# they last moved: a process costs more than all else in a call.
_answers: dict[tuple[str, ...], subprocess.CompletedProcess[bytes]] = {}
_refs: dict[Path, dict[str, str]] = {}
_ID = "[0-9a-f]{40}"
_FIXED = re.compile(rf"-[^ ]*|blob|commit|{_ID}(\.\.{_ID}|:.*|\^\{{\w+\}})?", re.S)
# `rev-parse` and `merge-tree` also say what a repository has, or write there.
_OF_OBJECTS = frozenset({"cat-file", "diff", "ls-tree", "merge-base", "rev-list"})
_OF_A_REPOSITORY = frozenset({"merge-tree", "rev-parse"})
_OF_NOTHING = frozenset({"check-ref-format", "for-each-ref", "hash-object", "read-tree"})


def git_bytes(
    repo: Path, *args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None
) -> bytes:
    done = _answer(repo, args, stdin, env)
    done.check_returncode()
    return done.stdout


def git(
    repo: Path, *args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None
) -> str:
    return git_bytes(repo, *args, stdin=stdin, env=env).decode("utf-8", "replace").strip()


def ask(repo: Path, *args: str) -> str | None:
    """What git says, or None where it says no by its exit code."""
    done = _answer(repo, args)
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None


def forget(repo: Path) -> None:
    """The refs of a repository may have moved."""
    _refs.pop(repo, None)


def _answer(
    repo: Path,
    args: tuple[str, ...],
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    reads = args[0] in _OF_OBJECTS or args[0] in _OF_A_REPOSITORY
    if not reads or not all(map(_FIXED.fullmatch, args[1:])):
        done = _run(repo, args, stdin, env)
        if not reads and args[0] not in _OF_NOTHING:
            forget(repo)
        return done
    place = (str(repo),) if args[0] in _OF_A_REPOSITORY else ()
    known = _answers.get((*place, *args))
    if known is None:
        known = _run(repo, args, stdin, env)
        # What is not there yet, and what was refused, may be another time.
        if known.returncode == 0:
            _answers[(*place, *args)] = known
    return known


def _run(
    repo: Path, args: tuple[str, ...], stdin: bytes | None, env: Mapping[str, str] | None
) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "-C", str(repo), *args]
    own = clean_env() | dict(env or {})
    return subprocess.run(command, input=stdin, env=own, capture_output=True, check=False)


def succeeds(repo: Path, *args: str) -> bool:
    return ask(repo, *args) is not None


def init(repo: Path, default_branch: str) -> None:
    repo.mkdir(parents=True)
    # Without a template: its sample hooks would be most of the files of every test.
    flags = ["--bare", "--quiet", "--template=", f"--initial-branch={default_branch}"]
    git(repo, "init", *flags)
    with (repo / "config").open("a") as config:
        # GitHub keeps these refs for itself: it shows them, and refuses pushes to them.
        config.write("[http]\nreceivepack = true\n[receive]\nhideRefs = refs/pull\n")
        config.write("[gc]\nauto = 0\n[fastimport]\nunpackLimit = 1\n")


def copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target)


def refs(repo: Path, prefix: str = "refs/heads/") -> dict[str, str]:
    known = _refs.get(repo)
    if known is None:
        text = git(repo, "for-each-ref", "--format=%(refname) %(objectname)")
        pairs = (line.split(" ", 1) for line in text.splitlines())
        known = _refs[repo] = dict(pairs)
    return {name: sha for name, sha in known.items() if name.startswith(prefix)}


def resolve(repo: Path, name: str, kind: str = "commit") -> str | None:
    """The full object id of a branch, tag or id; None if there is none of that kind."""
    if name.startswith("-"):
        return None
    branch = f"refs/heads/{name}"
    for candidate in (branch, name) if branch in refs(repo) else (name,):
        found = ask(repo, "rev-parse", "--verify", "--quiet", f"{candidate}^{{{kind}}}")
        if found:
            return found
    return None


def at_path(repo: Path, commit: str, path: str, kind: str) -> str | None:
    """The blob or tree a path names in a commit; None if it names something else or nothing."""
    sha = ask(repo, "rev-parse", "--verify", "--quiet", f"{commit}:{path}")
    return sha if sha and git(repo, "cat-file", "-t", sha) == kind else None


def set_ref(repo: Path, ref: str, sha: str, old: str | None = None) -> None:
    git(repo, "update-ref", ref, sha, *([old] if old else []))


def delete_ref(repo: Path, ref: str) -> None:
    git(repo, "update-ref", "-d", ref)


def blocked_by(repo: Path, ref: str) -> str | None:
    """An existing ref that cannot live beside this one: `a/b` cannot exist while `a` does."""
    for known in refs(repo, "refs/"):
        if ref.startswith(f"{known}/") or known.startswith(f"{ref}/"):
            return known
    return None


def is_ancestor(repo: Path, old: str, new: str) -> bool:
    return succeeds(repo, "merge-base", "--is-ancestor", old, new)


def merge_base(repo: Path, one: str, other: str) -> str | None:
    return ask(repo, "merge-base", one, other)


def write_blob(repo: Path, content: bytes) -> str:
    return git(repo, "hash-object", "-w", "--stdin", stdin=content)


def write_tree(
    repo: Path, base: str | None, changes: Sequence[tuple[str, str | None, str | None]]
) -> str:
    """The tree `base` with (path, mode, sha) set; no sha removes the path."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        git(repo, "read-tree", base or "--empty", env=env)
        lines = [f"{mode or '0'} {sha or ZERO}\t{path}" for path, mode, sha in changes]
        git(repo, "update-index", "--index-info", stdin="\n".join(lines).encode(), env=env)
        return git(repo, "write-tree", env=env)


def write_commit(
    repo: Path, tree: str, parents: Sequence[str], message: str, author: Ident, committer: Ident
) -> str:
    env = {
        "GIT_AUTHOR_NAME": author.name,
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": author.date,
        "GIT_COMMITTER_NAME": committer.name,
        "GIT_COMMITTER_EMAIL": committer.email,
        "GIT_COMMITTER_DATE": committer.date,
    }
    flags = [flag for parent in parents for flag in ("-p", parent)]
    return git(repo, "commit-tree", tree, *flags, stdin=message.encode(), env=env)


def commit_files(
    repo: Path,
    parent: str | None,
    files: Mapping[str, str | bytes | None],
    message: str,
    author: Ident,
    committer: Ident | None = None,
) -> str:
    """A commit on top of `parent` with these files written, or removed where None."""
    # One process and one pack instead of a process and a file for each object.
    scratch = b"refs/scratch/import"
    stream = [b"commit " + scratch, b"mark :1"]
    for role, ident in (("author", author), ("committer", committer or author)):
        seconds = int(moment(ident.date).timestamp())
        stream.append(f"{role} {ident.name} <{ident.email}> {seconds} +0000".encode())
    stream.append(_data(message.encode()))
    if parent:
        stream.append(f"from {parent}".encode())
    for path, content in files.items():
        if content is None:
            stream.append(f"D {_path(path)}".encode())
            continue
        data = content.encode() if isinstance(content, str) else content
        stream += [f"M 100644 inline {_path(path)}".encode(), _data(data)]
    stream += [b"get-mark :1", b"reset " + scratch, f"from {ZERO}".encode(), b"", b"done", b""]
    flags = ("--quiet", "--done", "--date-format=raw")
    return git(repo, "fast-import", *flags, stdin=b"\n".join(stream))


def _data(content: bytes) -> bytes:
    return f"data {len(content)}\n".encode() + content


def _path(path: str) -> str:
    """A path as the import takes it, in quotes where it needs them."""
    return json.dumps(path, ensure_ascii=False) if re.search(r'[\n"\\]|^ ', path) else path


def read_commit(repo: Path, sha: str) -> Commit:
    head, _, message = (
        git_bytes(repo, "cat-file", "commit", sha).decode("utf-8", "replace").partition("\n\n")
    )
    found: dict[str, list[str]] = {}
    for line in head.splitlines():
        key, _, value = line.partition(" ")
        found.setdefault(key, []).append(value)
    return Commit(
        sha=sha,
        tree=found["tree"][0],
        parents=tuple(found.get("parent", [])),
        author=_ident(found["author"][0]),
        committer=_ident(found["committer"][0]),
        message=message.rstrip("\n"),
    )


def _ident(line: str) -> Ident:
    match = re.fullmatch(r"(.*?) ?<(.*)> (\d+) [+-]\d{4}", line)
    if match is None:
        raise ValueError(f"not an identity line: {line!r}")
    when = datetime.fromtimestamp(int(match[3]), UTC)
    return Ident(match[1], match[2], stamp(when))


def log(repo: Path, *args: str) -> list[str]:
    return git(repo, "rev-list", *args).split()


def entries(repo: Path, tree: str, recursive: bool = False) -> list[Entry]:
    flags = ["-r", "-t"] if recursive else []
    raw = git_bytes(repo, "ls-tree", "-z", "-l", *flags, tree).decode("utf-8", "replace")
    out = []
    for record in filter(None, raw.split("\0")):
        meta, _, path = record.partition("\t")
        mode, kind, sha, size = meta.split()
        out.append(Entry(mode, kind, sha, None if size == "-" else int(size), path))
    return out


STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied"}


def changes(repo: Path, old: str, new: str) -> list[FileChange]:
    """Files that differ between two commits, each with its patch as GitHub shows it."""
    raw = git_bytes(repo, "diff", "--raw", "-z", "-M", "--abbrev=40", old, new)
    fields = iter(raw.decode("utf-8", "replace").split("\0"))
    text = git_bytes(repo, "diff", "-M", "--no-color", "--no-ext-diff", old, new)
    patches = re.split(r"^diff --git .*\n", text.decode("utf-8", "replace"), flags=re.M)[1:]
    out = []
    for meta, patch in zip(filter(None, fields), patches, strict=False):
        _, _, before, after, letter = meta.split(" ")
        first = next(fields)
        path = next(fields) if letter[0] in "RC" else first
        start = re.search(r"^@@ ", patch, flags=re.M)
        out.append(
            FileChange(
                path=path,
                previous=first if letter[0] in "RC" else None,
                status=STATUS.get(letter[0], "changed"),
                sha=before if letter == "D" else after,
                patch=patch[start.start() :].rstrip("\n") if start else None,
            )
        )
    return out


def merged_tree(repo: Path, ours: str, theirs: str) -> str | None:
    """The tree of a three-way merge; None on a conflict. Needs git 2.38 or later."""
    return ask(repo, "merge-tree", "--write-tree", ours, theirs)
