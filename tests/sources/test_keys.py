"""The keys of every store are hidden in a log, and kept from the job that writes."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress

import pytest

from bot.cli import main
from bot.errors import AccessError, ConfigError
from bot.forges.environment import refuse_reader_keys, secrets
from bot.sources.table import STORES

# Names, which open nothing by themselves.
NAMES = {"MLFLOW_TRACKING_USERNAME", "OPIK_WORKSPACE"}


class Full(Mapping[str, str]):
    """An environment in which every variable is set, but those that are left out."""

    def __init__(self, left_out: Collection[str]) -> None:
        self._left_out = left_out
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        if name in self._left_out:
            raise KeyError(name)
        self.asked.add(name)
        return f"https://{name}"

    def __iter__(self) -> Iterator[str]:
        return iter(self.asked)

    def __len__(self) -> int:
        return len(self.asked)


def sent(store: str, left_out: Collection[str]) -> set[str]:
    """The variables whose value goes to the store as a header."""
    environment = Full(left_out)
    headers = " ".join(STORES[store].door(environment).headers.values())
    basic = headers.removeprefix("Basic ")
    told = base64.b64decode(basic).decode() if basic != headers else headers
    return {name for name in environment.asked if f"https://{name}" in told}


def keys(store: str) -> set[str]:
    """The variables of a store that hold a key: the preferred ones, and those in their place."""
    found = sent(store, ())
    with suppress(AccessError):  # nothing may stand in their place
        found |= sent(store, found)
    return found - NAMES


@pytest.mark.parametrize("store", sorted(STORES))
def test_a_key_is_masked_and_not_given_to_publish(store: str) -> None:
    assert keys(store)
    for name in keys(store):
        assert secrets({name: "a-secret", "HOME": "/"}) == ["a-secret"]
        with pytest.raises(ConfigError, match=name):
            refuse_reader_keys({name: "a-secret"})


def test_a_workflow_masks_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("MLFLOW_TRACKING_PASSWORD", "the-password")
    assert main(["schema", "config"]) == 0
    assert "::add-mask::the-password\n" in capsys.readouterr().err
