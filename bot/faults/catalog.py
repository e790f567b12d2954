"""The fault taxonomy as data (TRACE, section 7.2.1 and the appendix on categories)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from bot.records.finding import ComponentType, FaultCategory, Operation


class Fault(msgspec.Struct, frozen=True):
    """One category: what it is, the question that decides it, and what can repair it.

    `kind` says whether wrong text is present or right text absent.
    """

    definition: str
    question: str
    kind: Literal["presence", "absence", "none"]
    repairs: tuple[ComponentType, ...]
    operations: tuple[Operation, ...]


@cache
def catalog() -> Mapping[FaultCategory, Fault]:
    """Every category, in the order in which they are told apart."""
    data = files(__package__).joinpath("catalog.json").read_bytes()
    return msgspec.json.decode(data, type=dict[FaultCategory, Fault])
