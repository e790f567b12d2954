"""Real litellm against a scripted server on loopback; nothing here can reach a network."""

import json
import re
from importlib.util import find_spec

import pytest

from bot.context.read import read_repo
from bot.context.search import Index
from bot.engines.llm.client import scripted
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.messages import Message, Reply, Request
from bot.engines.llm.options import ModelOptions
from bot.records.finding import (
    Attribution,
    Case,
    Delta,
    Detection,
    Hypothesis,
    NodeQuote,
    NodeScore,
    RepoQuote,
    Segment,
    Signal,
)
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn

SKILL = "skills/pay/SKILL.md"
POLICY = "knowledge_base/policies/P-1.md"
OLD = "Invoices under $50,000 skip the review."
NEW = "Every invoice of $25,000 or more needs the review."
FILES = {
    SKILL: f"---\nname: pay\ndescription: Pays invoices.\n---\n\n# Pay\n\n## Routing\n\n{OLD}\n",
    POLICY: f"---\nstatus: approved\nauthority: policy\n---\n\n# Policy\n\n{NEW}\n",
    "prompts/system_prompt.md": "# Agent\n\nBe brief.\n",
    "tools/tools.json": '[\n {"name": "pay", "description": "Pays. Amount in cents.",\n'
    '  "input_schema": {"type": "object", "properties": {}}}\n]\n',
}


@pytest.fixture(autouse=True)
def _no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forgotten api_base meets a closed port, and no key of the developer's."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")


@pytest.fixture
def options_for():
    """Options for a scripted server, with anything else by name; needs the `llm` extra."""
    if find_spec("litellm") is None:
        pytest.skip("litellm is not installed: pip install -r requirements/llm.txt")

    def make(server, **more) -> ModelOptions:
        chosen = {"model": "openai/scripted", "hosts": ("127.0.0.1",), "timeout": 20.0, **more}
        return ModelOptions(api_base=server.url, **chosen)

    return make


@pytest.fixture
def asking():
    """A request of two messages, with anything else by name."""

    def make(text: str = "hello", **more) -> Request:
        chosen = {"model": "openai/scripted", "max_tokens": 64, **more}
        return Request(messages=(Message("system", "rules"), Message("user", text)), **chosen)

    return make


@pytest.fixture
def repo(tmp_path):
    """A procedure that is out of date, and the policy that says so."""
    for path, text in FILES.items():
        place = tmp_path / "context" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return read_repo(tmp_path / "context")


@pytest.fixture
def trajectory() -> Trajectory:
    """Three steps: the question, the stale procedure, the answer that follows it."""
    read = ToolCall("read_skill", {"path": SKILL}, {"path": SKILL, "content": FILES[SKILL]})
    return Trajectory(
        "s-1",
        (
            Turn(1, "user", "Does the invoice over $41,800 need the review?"),
            Turn(2, "assistant", "No review is needed below $50,000."),
            Turn(3, "user", "That is wrong, it has been $25,000 for a year."),
        ),
        nodes=(
            Node("n1", 1, "user_query_processing", input={"raw_query": "Does it?"}),
            Node("n2", 2, "skill_lookup", tool=read),
            Node("n3", 2, "response_generation", output={"response": "No review is needed"}),
        ),
    )


@pytest.fixture
def case(trajectory) -> Case:
    signal = Signal("CORRECTION", "That is wrong", 3, 0.9)
    detection = Detection(True, 0.9, 3, "Turn 3 shows a correction.", (signal,))
    return Case(trajectory, (Segment("segment-1", (1, 2, 3)),), detection)


@pytest.fixture
def stale(repo) -> Hypothesis:
    """The right explanation."""
    return Hypothesis(
        "SKILL_FILE_STALE",
        "UPDATE",
        "skill",
        SKILL,
        "n2",
        2.0,
        "showed the text that the answer rests on",
        faulty=repo.quote(SKILL, OLD),
        authority=repo.quote(POLICY, NEW),
        session_quotes=(NodeQuote("n2", OLD),),
    )


@pytest.fixture
def offline(stale) -> Attribution:
    """What the rules say: a wrong first choice, and the right one second."""
    wrong = Hypothesis(
        "NONE", "NO_ACTION", "none", None, "n3", 3.0, "went wrong", classification="INCIDENTAL"
    )
    return Attribution(
        delta=Delta("DELTA: Expected a but got b", "a", "b"),
        root_cause_node="n3",
        scores=(NodeScore("n3", 0.6), NodeScore("n2", 0.4)),
        fault_category="NONE",
        component_type="none",
        component_path=None,
        gradient_description="Nothing should change.",
        evidence=(NodeQuote("n3", "No review is needed"),),
        hypotheses=(wrong, stale),
        margin=0.3,
    )


class Model:
    """A model that answers from a list, each entry an object, a text or a tool call, or whatever
    a function makes of the request; every request is kept."""

    def __init__(self, *answers) -> None:
        self.seen: list[Request] = []
        self._answers = list(answers)

    def __call__(self, request: Request) -> Reply:
        self.seen.append(request)
        answer = self._answers.pop(0)
        answer = answer(request) if callable(answer) else answer
        if isinstance(answer, Reply):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return Reply(text, prompt_tokens=10, completion_tokens=2)

    @property
    def unused(self) -> int:
        return len(self._answers)

    def last(self) -> str:
        return self.seen[-1].messages[-1].content


@pytest.fixture
def model():
    return Model


@pytest.fixture
def inquire(case, repo):
    """An inquiry with a model that answers so, and options by name."""

    def make(answers, offline=None, **options) -> Inquiry:
        complete = scripted(answers).complete
        chosen = ModelOptions(model="m", **options)
        return Inquiry(case, repo, complete, chosen, lambda: Index(repo), offline)

    return make


GAP = {"expected_outcome": "a review from $25,000 on", "actual_outcome": "no review"}
BLAME = {
    "walk": "n3 repeats n2",
    "root_cause_node": "n2",
    "scores": [{"node": "n2", "score": 0.9}, {"node": "n3", "score": 0.1}],
    "fault_category": "SKILL_FILE_STALE",
    "component_path": "pay/SKILL.md",
    "change": "The limit is $25,000.",
    "quotes": [{"node": "n2", "quote": OLD}],
    "confidence": 0.9,
}
PROPOSAL = {
    "diagnosis": {
        name: {"passed": name == "existence", "evidence": "seen"}
        for name in ("existence", "accessibility", "correctness", "consistency")
    },
    "operation": "UPDATE",
    "target_path": SKILL,
    "edits": [{"path": SKILL, "action": "replace", "old": "under $50,000", "new": "under $25,000"}],
    "recommended_change": "Lower the limit.",
    "authoritative_source": POLICY,
    "evidence": [{"path": SKILL, "quote": OLD}, {"path": POLICY, "quote": NEW}],
    "classification": "SYSTEMIC",
    "confidence": 0.9,
}


@pytest.fixture
def answers():
    """Usable answers by kind; keyword arguments put other values in them."""
    look = {"node": "n2", "fix": PROPOSAL}
    known = {"gap": GAP, "blame": BLAME, "proposal": PROPOSAL, "look": look}
    return lambda kind, **other: {**known[kind], **other}


@pytest.fixture
def block():
    """The rows of a fenced block of a prompt."""

    def rows(text: str, label: str):
        found = re.search(rf"<{label} ⟦fence⟧>\n(.*?)\n?</{label} ⟦fence⟧>", text, re.S)
        return [json.loads(line) for line in found[1].splitlines()]

    return rows


@pytest.fixture
def quote():
    return RepoQuote
