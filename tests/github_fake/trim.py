"""Cut GitHub's own descriptions of its two APIs down to the calls this project makes.

The whole descriptions are 13 MB and 1.2 MB; loading them would cost every test run more than the
tests. Run this by hand when a call is added or the upstream package moves on, and commit what it
writes:

    npm pack @octokit/openapi@23.0.2 @octokit/graphql-schema@15.26.1    # in a scratch folder
    python -m tests.github_fake.trim OPENAPI.json SCHEMA.graphql
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphql import parse, print_ast
from graphql.language import (
    DefinitionNode,
    DocumentNode,
    InterfaceTypeDefinitionNode,
    NamedTypeNode,
    Node,
    ObjectTypeDefinitionNode,
    TypeNode,
    UnionTypeDefinitionNode,
)

HERE = Path(__file__).parent
REPO = "/repos/{owner}/{repo}"

OPERATIONS: dict[str, str] = {
    "/rate_limit": "get",
    "/user": "get",
    "/users/{username}": "get",
    "/search/issues": "get",
    REPO: "get",
    f"{REPO}/branches": "get",
    f"{REPO}/branches/{{branch}}": "get",
    f"{REPO}/collaborators/{{username}}/permission": "get",
    f"{REPO}/commits": "get",
    f"{REPO}/commits/{{ref}}": "get",
    f"{REPO}/compare/{{basehead}}": "get",
    f"{REPO}/contents/{{path}}": "get",
    f"{REPO}/git/blobs": "post",
    f"{REPO}/git/blobs/{{file_sha}}": "get",
    f"{REPO}/git/commits": "post",
    f"{REPO}/git/commits/{{commit_sha}}": "get",
    f"{REPO}/git/matching-refs/{{ref}}": "get",
    f"{REPO}/git/ref/{{ref}}": "get",
    f"{REPO}/git/refs": "post",
    f"{REPO}/git/refs/{{ref}}": "patch delete",
    f"{REPO}/git/trees": "post",
    f"{REPO}/git/trees/{{tree_sha}}": "get",
    f"{REPO}/issues": "get post",
    f"{REPO}/issues/comments": "get",
    f"{REPO}/issues/comments/{{comment_id}}": "get patch delete",
    f"{REPO}/issues/comments/{{comment_id}}/reactions": "get post",
    f"{REPO}/issues/comments/{{comment_id}}/reactions/{{reaction_id}}": "delete",
    f"{REPO}/issues/{{issue_number}}": "get patch",
    f"{REPO}/issues/{{issue_number}}/assignees": "post delete",
    f"{REPO}/issues/{{issue_number}}/comments": "get post",
    f"{REPO}/issues/{{issue_number}}/events": "get",
    f"{REPO}/issues/{{issue_number}}/labels": "get post put delete",
    f"{REPO}/issues/{{issue_number}}/labels/{{name}}": "delete",
    f"{REPO}/labels": "get post",
    f"{REPO}/labels/{{name}}": "get patch delete",
    f"{REPO}/milestones": "get",
    f"{REPO}/pulls": "get post",
    f"{REPO}/pulls/{{pull_number}}": "get patch",
    f"{REPO}/pulls/{{pull_number}}/comments": "get post",
    f"{REPO}/pulls/{{pull_number}}/commits": "get",
    f"{REPO}/pulls/{{pull_number}}/files": "get",
    f"{REPO}/pulls/{{pull_number}}/merge": "get put",
    f"{REPO}/pulls/{{pull_number}}/requested_reviewers": "get post delete",
    f"{REPO}/pulls/{{pull_number}}/reviews": "get post",
}

# Read by people, not by a validator.
PROSE = {
    "description",
    "summary",
    "example",
    "examples",
    "externalDocs",
    "x-github",
    "headers",
    "tags",
    "title",
}

# Type -> the fields kept; every argument and input type of a kept field comes along.
GRAPHQL_FIELDS: dict[str, str] = {
    "Query": "id viewer repository node",
    "Mutation": "createCommitOnBranch updateRefs markPullRequestReadyForReview"
    " convertPullRequestToDraft",
    "CreateCommitOnBranchPayload": "clientMutationId commit ref",
    "UpdateRefsPayload": "clientMutationId",
    "MarkPullRequestReadyForReviewPayload": "clientMutationId pullRequest",
    "ConvertPullRequestToDraftPayload": "clientMutationId pullRequest",
    "User": "id login databaseId url",
    "Bot": "id login databaseId url",
    "Actor": "login url",
    "Node": "id",
    "GitObject": "id oid",
    "Repository": "id databaseId name nameWithOwner isArchived isDisabled isPrivate visibility"
    " defaultBranchRef ref object pullRequest url",
    "Ref": "id name prefix target",
    "Commit": "id oid message messageHeadline messageBody committedDate url signature",
    "GitSignature": "isValid",
    "GpgSignature": "isValid",
    "PullRequest": "id databaseId number title body state isDraft merged url author headRefName"
    " headRefOid baseRefName baseRefOid createdAt updatedAt reviewThreads",
    "PullRequestReviewThreadConnection": "nodes totalCount pageInfo",
    "PullRequestReviewThread": "id isResolved isOutdated path line comments",
    "PullRequestReviewCommentConnection": "nodes totalCount pageInfo",
    "PullRequestReviewComment": "id author body createdAt path",
    "PageInfo": "endCursor hasNextPage hasPreviousPage startCursor",
}


def without_prose(node: Any, names: bool = False) -> Any:
    """The node without text for people; `names` is set where keys are names, not keywords."""
    if isinstance(node, list):
        return [without_prose(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: without_prose(value, names=key in ("properties", "schemas") and not names)
        for key, value in node.items()
        if names or key not in PROSE
    }


def cut_openapi(whole: dict[str, Any]) -> dict[str, Any]:
    """The chosen operations and every component they reach."""
    paths: dict[str, Any] = {}
    for path, methods in OPERATIONS.items():
        paths[path] = {method: whole["paths"][path][method] for method in methods.split()}
    kept = {
        "openapi": whole["openapi"],
        "info": {key: whole["info"][key] for key in ("title", "version", "license")},
        "paths": without_prose(paths),
        "components": {},
    }
    seen: set[str] = set()
    todo: list[Any] = [kept["paths"]]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            reference = node.get("$ref")
            if isinstance(reference, str) and reference not in seen:
                seen.add(reference)
                _, _, kind, name = reference.split("/")
                component = without_prose(whole["components"][kind][name])
                kept["components"].setdefault(kind, {})[name] = component
                todo.append(component)
            todo.extend(node.values())
        elif isinstance(node, list):
            todo.extend(node)
    return kept


def named(node: TypeNode) -> str:
    while not isinstance(node, NamedTypeNode):
        node = node.type  # type: ignore[attr-defined]
    return node.name.value


def cut_fields(node: DefinitionNode, keep: set[str]) -> DefinitionNode:
    """The type with only its chosen fields, and only the interfaces that are kept as well."""
    name = node.name.value  # type: ignore[attr-defined]
    if isinstance(node, UnionTypeDefinitionNode):
        return replace(node, types=tuple(t for t in node.types or () if t.name.value in keep))
    if not isinstance(node, (ObjectTypeDefinitionNode, InterfaceTypeDefinitionNode)):
        return node
    wanted = set(GRAPHQL_FIELDS[name].split())
    missing = wanted - {field.name.value for field in node.fields or ()}
    if missing:
        raise SystemExit(f"{name} has no field {sorted(missing)}")
    return replace(
        node,
        fields=tuple(field for field in node.fields or () if field.name.value in wanted),
        interfaces=tuple(i for i in node.interfaces or () if i.name.value in keep),
    )


def reached_from(node: DefinitionNode) -> set[str]:
    """Names of the types a cut type needs: of its fields, their arguments, its input fields."""
    names: set[str] = set()
    for field in getattr(node, "fields", None) or ():
        names.add(named(field.type))
        names |= {named(argument.type) for argument in getattr(field, "arguments", None) or ()}
    return names


def plain(node: Any) -> Any:
    """The node without descriptions and directives, which only people read."""
    changes: dict[str, Any] = {}
    for key in node.keys:
        value = getattr(node, key)
        if key == "description":
            changes[key] = None
        elif key == "directives":
            changes[key] = ()
        elif isinstance(value, Node):
            changes[key] = plain(value)
        elif isinstance(value, (tuple, list)):
            changes[key] = tuple(plain(item) for item in value)
    return replace(node, **changes)


def cut_graphql(text: str) -> str:
    """The chosen types and fields, with the scalars, enums and inputs they use."""
    types = {d.name.value: d for d in parse(text).definitions if hasattr(d, "name")}
    done: dict[str, DefinitionNode] = {}
    todo = set(GRAPHQL_FIELDS)
    while todo:
        name = todo.pop()
        if name in done or name not in types:
            continue
        done[name] = cut_fields(types[name], set(GRAPHQL_FIELDS))
        todo |= reached_from(done[name])
    ordered = tuple(plain(done[name]) for name in sorted(done))
    return print_ast(DocumentNode(definitions=ordered)) + "\n"


def main(openapi: str, schema: str) -> None:
    whole = json.loads(Path(openapi).read_text(encoding="utf-8"))
    cut = json.dumps(cut_openapi(whole), sort_keys=True, indent=0, separators=(",", ":"))
    (HERE / "openapi.json").write_text(cut + "\n", encoding="utf-8")
    text = cut_graphql(Path(schema).read_text(encoding="utf-8"))
    (HERE / "schema.graphql").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
