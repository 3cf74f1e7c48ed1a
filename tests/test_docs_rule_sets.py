"""What the documentation says of adding a rule set is so."""

from __future__ import annotations

import re

import pytest

from engine.rules.base import RuleSet
from engine.rules.flow import Flow
from tests.support.documentation import named, read, rows
from tests.support.paths import ROOT

PAGE = read("docs/rule-sets.md")
NEEDED = [named(row[0])[0] for row in rows(PAGE.split("have to be there")[1], "member")]
OPTIONAL = [
    name for row in rows(PAGE.split("The most important")[1], "member") for name in named(row[0])
]


def test_the_members_that_are_needed_are_told_and_no_others() -> None:
    bare = {name for name in RuleSet.__annotations__ if not hasattr(RuleSet, name)}
    assert set(NEEDED) == bare | Flow.__abstractmethods__


def test_the_others_have_a_default() -> None:
    assert [name for name in OPTIONAL if not hasattr(Flow, name) or name in NEEDED] == []


def test_the_example_has_the_entry_point_and_the_texts_that_are_told() -> None:
    (entry,) = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    assert entry in read("tests/plugin/pyproject.toml")
    for lang in ("en", "zh", "ja"):
        text = read(f"tests/plugin/tilesight_bloody/words/{lang}.po")
        assert 'msgid "rules.bloody.title"' in text


@pytest.mark.parametrize("name", ["hangzhou", "wsom", "riichi"])
def test_what_is_added_in_tilesight_itself_is_there_for_its_games(name: str) -> None:
    paths = [named(row[0])[0] for row in rows(PAGE, "file")]
    assert len(paths) == 7
    assert [path for path in paths if not (ROOT / path.replace("NAME", name)).exists()] == []
