"""How each flaw shows in a session: one function a flaw, all from fault and scene to play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.bench.simulate.alter import altered
from bot.bench.simulate.facts import Fact
from bot.bench.simulate.fault import Fault, Flaw
from bot.bench.simulate.library import plain
from bot.bench.simulate.phrases import reworded
from bot.bench.simulate.scene import Correction, Play, Scene
from bot.bench.simulate.step import Exchange, Step, call, failed_call, prompt, respond

Script = Callable[[Scene, Fault], Play]


def stale(scene: Scene, fault: Fault) -> Play:
    """The agent reads the wrong value and passes it on."""
    question = scene.user("ask_value", topic=fault.topic, subject=fault.subject)
    document = scene.library.documents[fault.path]
    passage = document.passage_of(fault.quote or "")
    steps: list[Step] = []
    if document.type == "kb_entry" and scene.draw.random() < 0.7:
        query = f"{fault.topic} {fault.subject}"
        steps.append(scene.searched(query, passage, "root", scene.thought("search", topic=query)))
    else:
        steps.append(scene.opened_file(document, passage, "root"))
    answer = scene.agent(
        "answer_value",
        topic=fault.topic,
        subject=fault.subject,
        value=fault.wrong or "",
        quote=plain(fault.quote or ""),
    )
    steps.append(respond(answer, "cascade", scene.thought("after", value=fault.wrong or "")))
    exchange = Exchange(question, tuple(steps), answer)
    return Play(exchange, scene.value_correction(fault), scene.agent("apology"))


def gap(scene: Scene, fault: Fault) -> Play:
    """The passage that should hold it is read without it; or the prompt lacks the rule."""
    if fault.component_type == "system_prompt":
        return _unruled(scene, fault)
    question = scene.user("ask_rule", topic=fault.topic, subject=fault.subject)
    document = scene.library.documents[fault.path]
    passage = scene.library.passage(fault.path, fault.section)
    query = f"{fault.topic} {fault.subject}"
    steps = [scene.searched(query, passage, "root")]
    if scene.draw.random() < 0.4:
        steps.append(scene.opened_file(document, passage, "accept"))
    nearby = [u.text for u in document.units if u.text in passage.content and "\n" not in u.text]
    answer = (
        scene.agent("partial", topic=fault.topic, quote=plain(scene.draw.choice(nearby)))
        if nearby and scene.draw.random() < 0.5
        else scene.agent("not_found", topic=fault.topic)
    )
    steps.append(respond(answer, "cascade", scene.thought("empty")))
    return Play(
        Exchange(question, tuple(steps), answer),
        scene.correction("missing", rule=_as_told(scene, fault.right), title=fault.topic),
        scene.agent("apology"),
    )


def _unruled(scene: Scene, fault: Fault) -> Play:
    asked = scene.user("request", topic=fault.topic, subject=fault.subject)
    name, given = scene.library.tool(fault.path, scene.draw)
    steps = [prompt(scene.library.documents[fault.path], "root")]
    if scene.draw.random() < 0.6:
        steps.append(call(name, given, _receipt(scene), "cascade"))
    answer = scene.agent("done", topic=fault.topic)
    steps.append(respond(answer, "cascade"))
    return Play(
        Exchange(asked, tuple(steps), answer),
        scene.correction("state_rule", rule=_as_told(scene, fault.right)),
        scene.agent("apology"),
    )


def unfound(scene: Scene, fault: Fault) -> Play:
    """The page stands, and the search for the user's word comes back without it."""
    topic = fault.term or fault.topic
    act = "ask_term" if fault.term else "ask_rule"
    question = scene.user(act, term=topic, topic=topic, subject=fault.subject)
    source = fault.source or fault.path
    alone = sum(1 for d in scene.library.documents.values() if d.type == "kb_entry") > 3
    hidden = (fault.right, *((source,) if alone else ()), *((fault.quote,) if fault.quote else ()))
    steps = [scene.missed(topic, source, hidden, "root")]
    if scene.draw.random() < 0.5:
        other = f"{fault.subject or topic}"
        steps.append(scene.missed(other, source, hidden, "accept"))
    answer = scene.agent("not_found", topic=topic)
    steps.append(respond(answer, "cascade", scene.thought("empty")))
    return Play(
        Exchange(question, tuple(steps), answer),
        scene.correction("elsewhere", rule=_as_told(scene, fault.right), title=fault.topic),
        scene.agent("apology"),
    )


def refused(scene: Scene, fault: Fault) -> Play:
    """The agent calls the tool as its description says, and the tool refuses."""
    asked = scene.user("request", topic=fault.topic, subject=fault.subject)
    given = _wrong_call(fault)
    errors = {
        "member": f"invalid value '{fault.wrong}' for {fault.parameter}: expected '{fault.right}'",
        "optional": f"missing required parameter: {fault.parameter}",
        "format": f"{fault.parameter}: does not match the format {fault.right}",
    }
    steps = [failed_call(fault.tool, given, errors[fault.flaw], "root")]
    if scene.draw.random() < 0.3:
        steps.append(failed_call(fault.tool, given, errors[fault.flaw], "accept", "Once more."))
    answer = scene.agent("failed")
    steps.append(respond(answer, "cascade"))
    return Play(
        Exchange(asked, tuple(steps), answer),
        scene.correction("tool_failed", right=fault.right),
        scene.agent("apology"),
    )


def misscaled(scene: Scene, fault: Fault) -> Play:
    """The tool takes the amount in another unit than its description says."""
    amount = scene.draw.randrange(2, 90)
    asked = scene.user("request", topic=fault.topic, subject=f"{fault.subject} {amount}")
    asked = asked if str(amount) in asked else f"{asked} {fault.subject}: {amount}."
    given = {**fault.call, fault.parameter: amount * 100}
    receipt = {**_receipt(scene), fault.parameter: amount * 100}
    answer = scene.agent("done", topic=fault.topic)
    steps = (call(fault.tool, given, receipt, "root"), respond(answer, "cascade"))
    return Play(
        Exchange(asked, steps, answer),
        scene.correction("tool_amount", right=str(amount), wrong=str(amount * 100)),
        scene.agent("apology"),
    )


SCRIPTS: Mapping[Flaw, Script] = {
    "stale": stale,
    "gap": gap,
    "term": unfound,
    "title": unfound,
    "member": refused,
    "optional": refused,
    "format": refused,
    "unit": misscaled,
}


def _wrong_call(fault: Fault) -> dict[str, Any]:
    if fault.flaw == "optional":
        return {key: value for key, value in fault.call.items() if key != fault.parameter}
    wrong = fault.wrong if fault.flaw == "member" else "07.03.2026"
    return {**fault.call, fault.parameter: wrong}


def _receipt(scene: Scene) -> dict[str, Any]:
    return {"status": "ok", "id": f"{scene.draw.choice('ABCKRT')}-{scene.draw.randrange(10**5)}"}


def _as_told(scene: Scene, rule: str) -> str:
    """The rule in a user's words."""
    return reworded(plain(rule), scene.home, scene.draw)


def answered(scene: Scene, fact: Fact) -> Exchange:
    """A question that the repository answers rightly."""
    valued = fact.value is not None
    asked = scene.user(
        "ask_value" if valued else "ask_rule", topic=fact.topic, subject=fact.subject
    )
    document = scene.library.documents[fact.path]
    passage = document.passage_of(fact.quote)
    looked = (
        scene.searched(f"{fact.topic} {fact.subject}", passage, "")
        if document.type == "kb_entry" and scene.draw.random() < 0.6
        else _read(scene, fact)
    )
    answer = scene.agent(
        "answer_value" if valued else "answer_rule",
        topic=fact.topic,
        subject=fact.subject,
        value=fact.value.text if fact.value else "",
        quote=plain(fact.quote),
    )
    return Exchange(asked, (looked, respond(answer)), answer)


def _read(scene: Scene, fact: Fact) -> Step:
    document = scene.library.documents[fact.path]
    if document.type == "system_prompt":
        return prompt(document)
    return scene.opened_file(document, document.passage_of(fact.quote), "")


def mistaken(scene: Scene, fact: Fact) -> Play | None:
    """The answer is right, and the user will not have it."""
    claimed = altered(fact.value, scene.draw) if fact.value else None
    if fact.value is None or claimed is None:
        return None
    return Play(
        answered(scene, fact),
        scene.correction("mistaken", claimed=claimed),
        scene.agent("firm", value=fact.value.text),
    )


def slipped(scene: Scene, fact: Fact) -> Play | None:
    """The page is right, and the agent says something else."""
    wrong = altered(fact.value, scene.draw) if fact.value else None
    if fact.value is None or wrong is None:
        return None
    right = answered(scene, fact)
    answer = scene.agent(
        "answer_value",
        topic=fact.topic,
        subject=fact.subject,
        value=wrong,
        quote=plain(fact.quote.replace(fact.value.text, wrong, 1)),
    )
    steps = (*right.steps[:-1], respond(answer, "root"))
    return Play(
        Exchange(right.said, steps, answer),
        scene.correction("slip", right=scene.spelled(fact.value)),
        scene.agent("apology"),
    )


def content(scene: Scene, fact: Fact) -> Play:
    """The answer is right and the user is content, sometimes in hard words, sometimes silently."""
    luck = scene.draw.random()
    act = "thanks" if luck < 0.45 else "thanks_hard"
    said = scene.user(act) if luck < 0.85 else ""
    return Play(answered(scene, fact), Correction(said), "")
