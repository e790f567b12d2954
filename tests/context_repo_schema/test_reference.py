"""The page on the configuration says what the configuration is."""

from __future__ import annotations

import re
import tomllib

from context_repo_schema.config import Config
from context_repo_schema.reference import KEYS, PAGE, page

ROW = re.compile(r"^\| `([^`]+)` \| (.+) \| (.*) \| (.+) \|$", re.M)


def rows() -> dict[str, tuple[str, str, str]]:
    return {key: (value, default, told) for key, value, default, told in ROW.findall(page())}


def test_the_page_is_the_one_that_is_published() -> None:
    how = "run `python -m context_repo_schema.reference`"
    assert PAGE.read_text("utf-8") == page(), how


def test_every_key_stands_in_one_group() -> None:
    groups = tomllib.loads(KEYS.read_text("utf-8"))["groups"]
    grouped = [key for keys in groups.values() for key in keys]
    assert sorted(grouped) == sorted(Config.__struct_fields__)


def test_keys_within_keys_are_listed_by_their_whole_path() -> None:
    told = rows()
    assert {"evidence.quotes", "sources.NAME.bad_votes.NAME.at_most"} <= set(told)
    assert "node_types.NAME[].path" in told
    assert told["max_share_per_principal"][:2] == ("whole number, 0 to 100", "`50`")
    assert told["evidence.quotes"][:2] == ("`auto`, `off`, `on`", '`"auto"`')
