"""What one session is played with: who speaks how, with which tools, over which library."""

from __future__ import annotations

import random

import msgspec

from bot.bench.simulate.alter import respelled
from bot.bench.simulate.document import Document, Passage
from bot.bench.simulate.fault import Fault
from bot.bench.simulate.library import Library, plain
from bot.bench.simulate.phrases import Talk, forms, words
from bot.bench.simulate.step import Exchange, Mark, Names, Step, read, search
from bot.provenance.values import Value

CONTRAST = 0.25
CONSEQUENCE = 0.08
RESPELLED = 0.75


class Correction(msgspec.Struct, frozen=True):
    """The user's objection: the words that carry it, and the sigh behind them, if any."""

    core: str
    sigh: str = ""
    lead: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        return f"{self.lead}{self.core}{self.sigh}"


class Play(msgspec.Struct, frozen=True):
    """The part of a session that shows its fault: one exchange, and what the user says then.

    `closing` is the agent's last word, should it have one.
    """

    exchange: Exchange
    correction: Correction
    closing: str


class Scene:
    """One session's speaker, tools and luck."""

    def __init__(
        self, library: Library, talk: Talk, names: Names, language: str, home: str, seed: str
    ) -> None:
        self.library, self.talk, self.names = library, talk, names
        self.language, self.home = language, home
        self.draw = random.Random(seed)

    def user(self, act: str, **slots: str) -> str:
        """The user says it."""
        return self.talk.say(self.language, f"user.{act}", {"source": self.source(), **slots})

    def agent(self, act: str, **slots: str) -> str:
        """The agent says it, in the user's language."""
        said = self.talk.say(self.language, f"agent.{act}", slots)
        return said if said.strip() else self.agent(act, **slots)

    def thought(self, act: str, **slots: str) -> str:
        """What the agent thinks; often nothing."""
        return self.talk.say("en", f"agent.thought.{act}", slots)

    def source(self) -> str:
        """Where a user has it from."""
        month = self.draw.choice(words(self.language, "names.months"))
        return self.talk.say(self.language, "source.any", {"month": month})

    def spelled(self, value: Value) -> str:
        """A value as this user writes it, often not as the file does."""
        if self.draw.random() > RESPELLED:
            return value.text
        return respelled(value, forms(self.language), self.draw)

    def sigh(self) -> str:
        """How annoyed the user is; often not at all."""
        return self.user("annoyed")

    def opened(self, text: str) -> str:
        """The text with or without a greeting."""
        return f"{self.user('hello')}{text}"

    def searched(self, query: str, wanted: Passage, mark: Mark, thought: str = "") -> Step:
        """A search that finds the passage, first or second, among others."""
        others = self.library.search(
            query,
            wanted.path,
            lambda passage: passage == wanted,
            self.draw.randrange(3),
        )
        found = (
            [wanted, *others] if self.draw.random() < 0.75 else [*others[:1], wanted, *others[1:]]
        )
        return search(self.names, query, tuple(found), mark, thought)

    def missed(self, query: str, path: str, hidden: tuple[str, ...], mark: Mark) -> Step:
        """A search that comes back without any of the hidden texts."""

        def shows(passage: Passage) -> bool:
            return any(text in passage.content or text == passage.path for text in hidden)

        found = self.library.search(query, path, shows, 1 + self.draw.randrange(3))
        return search(self.names, query, found, mark, self.thought("search", topic=query))

    def opened_file(self, document: Document, passage: Passage, mark: Mark) -> Step:
        """The file is read, whole or in part."""
        whole = self.draw.random() < 0.5 and len(document.text) < 12_000
        thought = self.thought("read", topic=document.title)
        return read(self.names, document, document.whole if whole else passage, mark, thought)

    def correction(self, act: str, **slots: str) -> Correction:
        """The user objects."""
        core, sigh = self.user(act, **slots), self.sigh()
        return Correction(core if not sigh or core[-1] in ".!?" else f"{core}.", sigh)

    def value_correction(self, fault: Fault) -> Correction:
        """The user gives the right value, sometimes against the wrong one, sometimes none."""
        value = fault.value
        if value is None or fault.wrong is None:
            return self.correction("state_rule", rule=plain(fault.right))
        luck = self.draw.random()
        act = "contrast_value" if luck < CONTRAST else "correct_value"
        if luck > 1 - CONSEQUENCE:
            act = "consequence"
        return self.correction(
            act,
            right=self.spelled(value),
            wrong=fault.wrong,
            subject=fault.subject,
            topic=fault.topic,
        )
