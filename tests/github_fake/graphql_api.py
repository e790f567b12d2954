"""The GraphQL endpoint: GitHub's own schema cut to our types, run by graphql-core."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    build_schema,
    execute_sync,
    parse,
    validate,
)

from . import access
from .api import Answer, Request, json_answer, rate_headers, refusal
from .graphql_views import queries
from .mutations import MUTATIONS, Refused, Session
from .state import Problem, State

SCHEMA = Path(__file__).with_name("schema.graphql")


@functools.cache
def schema() -> GraphQLSchema:
    return build_schema(SCHEMA.read_text(encoding="utf-8"))


def path_of(request: Request) -> str:
    """The path with the first field asked for, so that logs and faults can tell calls apart."""
    try:
        document = parse(json.loads(request.body)["query"])
    except (ValueError, KeyError, GraphQLError):
        return request.path
    operation = _operation(document)
    first = next(iter(operation.selection_set.selections), None) if operation else None
    name = f"#{first.name.value}" if isinstance(first, FieldNode) else ""
    return f"{request.path}{name}"


def _operation(document: DocumentNode) -> OperationDefinitionNode | None:
    for definition in document.definitions:
        if isinstance(definition, OperationDefinitionNode):
            return definition
    return None


def serve(state: State, tokens: access.Tokens, request: Request) -> Answer:
    try:
        login = access.login_of(tokens, request.authorization)
        if login is None:
            raise Problem(401, "Requires authentication")
        payload = json.loads(request.body)
    except ValueError:
        return refusal(Problem(400, "Problems parsing JSON"))
    except Problem as problem:
        return refusal(problem)
    try:
        document = parse(payload["query"])
    except GraphQLError as error:
        return json_answer(200, {"errors": [_shown(error)]}, *rate_headers(state))
    wrong = validate(schema(), document)
    if wrong:
        return json_answer(200, {"errors": [_shown(e) for e in wrong]}, *rate_headers(state))
    session = Session(state, tokens, request.authorization, login)
    result = _execute(session, document, payload.get("variables"))
    return _answer(state, document, result)


def _execute(session: Session, document: DocumentNode, variables: Any) -> ExecutionResult:
    root = queries(session.state, session.login)
    for name, mutation in MUTATIONS.items():
        root[name] = functools.partial(_mutate, session, mutation)
    result = execute_sync(schema(), document, root, variable_values=variables)
    for error in result.errors or ():
        known = (GraphQLError, Problem, type(None))
        if not isinstance(error.original_error, known):
            raise error.original_error
    return result


def _mutate(session: Session, mutation: Any, info: Any, input: dict[str, Any]) -> Any:
    try:
        answer = mutation(session, input)
    except Problem as problem:
        kind = "FORBIDDEN" if problem.status == 403 else "UNPROCESSABLE"
        raise Refused(kind, problem.message) from problem
    return answer | {"clientMutationId": input.get("clientMutationId")}


def _shown(error: GraphQLError) -> dict[str, Any]:
    """An error as GitHub prints it: `type` beside the message and not under `extensions`."""
    shown: dict[str, Any] = dict(error.formatted)
    kind = (shown.get("extensions") or {}).pop("type", None)
    if not shown.get("extensions"):
        shown.pop("extensions", None)
    return {"type": kind} | shown if kind else shown


def _answer(state: State, document: DocumentNode, result: ExecutionResult) -> Answer:
    payload: dict[str, Any] = {"data": result.data}
    if result.errors:
        payload["errors"] = [_shown(error) for error in result.errors]
    operation = _operation(document)
    mutates = operation is not None and operation.operation is OperationType.MUTATION
    answer = json_answer(200, payload, *rate_headers(state))
    return Answer(200, answer.headers, answer.body, changed=mutates and not result.errors)
