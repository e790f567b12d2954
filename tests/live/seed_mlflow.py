"""Run by the environment that holds MLflow: traces and votes through MLflow's own client.

Usage: python seed_mlflow.py URL EXPERIMENT < [{"session", "question", "answer", "vote", "failed"}]
"""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

import mlflow
from mlflow.entities import AssessmentSource


def trace(told: dict[str, Any]) -> None:
    asked = {"messages": [{"role": "user", "content": told["question"]}]}
    with mlflow.start_span("agent", span_type="AGENT") as root:
        mlflow.update_current_trace(session_id=told["session"], user="u-1", tags={"env": "prod"})
        root.set_inputs(asked)
        with mlflow.start_span("kb_search", span_type="RETRIEVER") as search:
            search.set_inputs({"query": "period"})
            document = {"page_content": "30 days", "metadata": {"doc_uri": "kb/returns.md"}}
            search.set_outputs([document])
        with (
            contextlib.suppress(RuntimeError),
            mlflow.start_span("get_order", span_type="TOOL") as tool,
        ):
            tool.set_inputs({"id": 1})
            if told.get("failed"):
                raise RuntimeError("boom")
            tool.set_outputs("sent")
        root.set_outputs({"messages": [{"role": "assistant", "content": told["answer"]}]})
    mlflow.flush_trace_async_logging()
    if told.get("vote") is not None:
        mlflow.log_feedback(
            trace_id=mlflow.get_last_active_trace_id(),
            name="user_feedback",
            value=told["vote"],
            rationale="why",
            source=AssessmentSource(source_type="HUMAN", source_id="u-1"),
        )


mlflow.set_tracking_uri(sys.argv[1])
mlflow.set_experiment(sys.argv[2])
for row in json.load(sys.stdin):
    trace(row)
