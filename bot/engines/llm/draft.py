"""The failed question answered again, from the files as a change leaves them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from bot.engines.llm.clip import clip
from bot.engines.llm.dialogue import Dialogue, Style
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.messages import Complete
from bot.engines.llm.options import ModelOptions
from bot.prompts.template import prompt

# Characters of a file that are shown; of a longer one those around the words of the question.
PAGE = 8_000


class Answer(msgspec.Struct, frozen=True):
    """What the user would be told now."""

    answer: str


def draft(
    question: str, texts: Mapping[str, str], complete: Complete, options: ModelOptions
) -> str:
    """The answer to the question by these texts, by path, and nothing else: one call."""
    shown = [{"path": path, "text": clip(text, PAGE, question)} for path, text in texts.items()]
    asked = prompt("draft", question=fenced("question", question), files=fenced("file", shown))
    style = Style(options.model, options.max_tokens)
    return Dialogue(complete, style, asked.rules).ask(
        asked.question, Form(Answer), lambda answer: answer.answer
    )
