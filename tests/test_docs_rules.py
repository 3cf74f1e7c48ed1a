"""What the documentation says of each rule set, of yaku and of adding a rule set is so.

A section is headed by the ids that share it, the rule set that its tables describe first; a table
``default of`` then has the values in which the others differ.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Final

import pytest
from mahjong.hand_calculating.yaku_config import YakuConfig

from engine.rules import RULE_SETS
from engine.rules.base import IMPOSSIBLE_CODES, Option, RuleSet
from engine.rules.flow import POINTS
from engine.rules.harbin.hlr import HARBIN_HLR
from engine.rules.harbin.payment import HLR, TREASURE
from engine.rules.harbin.treasure import HARBIN_TREASURE
from engine.rules.results import CLOSED_KONG_ROBBED
from engine.rules.riichi import han_fu as riichi_score
from engine.rules.riichi.tables import YAKU, YAKUMAN
from engine.rules.riichi.win_facts import DORA, YAKUMAN_HAN
from service.texts.catalogue import texts_of
from tests.support.documentation import headings, named, read, rows
from tests.support.paths import ROOT

RULES = read("docs/rules.md")
SECTIONS: Final[Mapping[tuple[str, ...], str]] = {
    tuple(named(part.splitlines()[0])): part
    for part in re.split(r"^## ", RULES, flags=re.MULTILINE)
    if part.startswith("`")
}
PAYMENT_CELLS: Final[Mapping[str, Mapping[str, list[str]]]] = {
    harbin.id: {name: [str(row.discarder), str(row.each)] for name, row in table.payments.items()}
    for harbin, table in ((HARBIN_HLR, HLR), (HARBIN_TREASURE, TREASURE))
}
"""What the payment table of a rule set says behind the name, where that is a plain table."""
NOT_OF_RULES = ("no_such_event", "no_game")

every_section = pytest.mark.parametrize("ids", SECTIONS, ids=" ".join)


def written(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(written, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def values_of(option: Option) -> str:
    """Every value, the default bold; of a list, what may stand in it, bold what does."""
    chosen = option.default if isinstance(option.default, tuple) else (option.default,)
    if not option.values:
        return f"**{written(option.default)}**, or others"
    bold = [f"**{written(v)}**" if v in chosen else written(v) for v in option.values]
    return ("list: " if isinstance(option.default, tuple) else "") + ", ".join(bold)


def test_every_rule_set_has_one_section() -> None:
    assert [id for ids in SECTIONS for id in ids] == list(RULE_SETS)


@every_section
def test_the_options_are_told_with_defaults_and_sources(ids: tuple[str, ...]) -> None:
    told = {named(row[0])[0]: row[1:] for row in rows(SECTIONS[ids], "option")}
    assert told == {
        option.name: [values_of(option), option.source] for option in RULE_SETS[ids[0]].options
    }


@every_section
def test_the_defaults_in_which_presets_differ_are_told(ids: tuple[str, ...]) -> None:
    defaults = {
        option.name: [
            written(other.default)
            for id in ids
            for other in RULE_SETS[id].options
            if other.name == option.name
        ]
        for option in RULE_SETS[ids[0]].options
    }
    told = {named(row[0])[0]: row[1:] for row in rows(SECTIONS[ids], "default of")}
    assert told == {name: values for name, values in defaults.items() if len(set(values)) > 1}
    assert headings(SECTIONS[ids], "default of")[1:] == [f"`{id}`" for id in ids if told]


@every_section
def test_the_payments_are_told(ids: tuple[str, ...]) -> None:
    told = {named(row[0])[0]: row[1:] for row in rows(SECTIONS[ids], "payment")}
    assert list(told) == list(RULE_SETS[ids[0]].payment.rows)
    assert told == PAYMENT_CELLS.get(ids[0], told)


@every_section
def test_the_codes_are_told_with_sources_and_what_follows(ids: tuple[str, ...]) -> None:
    problems = {code: ruling for id in ids for code, ruling in RULE_SETS[id].problems.items()}
    told = {named(row[0])[0]: row[1:] for row in rows(SECTIONS[ids], "code")}
    assert {code: row[1:] for code, row in told.items()} == {
        code: [ruling.source, texts_of("en")[f"follows.{ruling.follows}"]]
        for code, ruling in problems.items()
    }
    assert all(row[0] for row in told.values())


def test_what_cannot_be_is_told_once_for_all() -> None:
    common = RULES[: RULES.index("\n## `")]
    told = [named(row[0])[0] for row in rows(common, "code")]
    assert told == [*IMPOSSIBLE_CODES, *NOT_OF_RULES]


def test_a_list_option_is_told_by_what_may_stand_in_it() -> None:
    draws = Option("abortive_draws", ("four_winds",), ("four_winds", "four_kongs"), "004")
    assert values_of(draws) == "list: **four_winds**, four_kongs"
    assert values_of(Option("uma", (9, 3, -3, -9), (), "004")) == "**9, 3, -3, -9**, or others"


# --- yaku ---

YAKU_TOLD = {named(row[0])[0]: row[1:3] for row in rows(read("docs/riichi.md"), "yaku")}


def test_every_yaku_is_told_and_no_other() -> None:
    assert list(YAKU_TOLD) == [*YAKU, *YAKUMAN, *DORA]


def test_the_fan_of_closed_and_open_hands_are_told() -> None:
    # The package counts waits that some tables double as two yakuman until it is told otherwise.
    counted = {
        riichi_score._IDS[one.yaku_id]: [one.han_closed, one.han_open]
        for one in vars(YakuConfig()).values()
        if one.yaku_id in riichi_score._IDS
    }
    assert {name: YAKU_TOLD[name] for name in counted} == {
        name: [str(min(han, YAKUMAN_HAN) or "-") for han in both] for name, both in counted.items()
    }
    assert set(counted) == {*YAKU, *YAKUMAN}


# --- adding a rule set ---

ADDING = read("docs/rule-sets.md")
NEEDED = [named(row[0])[0] for row in rows(ADDING.split("have to be there")[1], "field")]
OPTIONAL = [
    name
    for row in rows(ADDING.split("The others have a default")[1], "field")
    for name in named(row[0])
]


def test_the_members_that_are_needed_are_told_and_no_others() -> None:
    bare = [one.name for one in fields(RuleSet) if one.default is one.default_factory is MISSING]
    assert sorted(NEEDED) == sorted(bare)


def test_the_others_have_a_default() -> None:
    given = {one.name for one in fields(RuleSet)} - {*NEEDED, "tells"}
    assert set(OPTIONAL) == given


def test_the_example_has_the_entry_point_and_the_texts_that_are_told() -> None:
    (entry,) = re.findall(r"```toml\n(.*?)```", ADDING, flags=re.DOTALL)
    assert entry in read("tests/plugin/pyproject.toml")
    for lang in ("en", "zh", "ja"):
        text = read(f"tests/plugin/tilesight_bloody/texts/{lang}.po")
        assert 'msgid "rules.bloody.title"' in text


@pytest.mark.parametrize("name", ["hangzhou", "wsom", "riichi"])
def test_what_is_added_in_tilesight_itself_is_there_for_its_games(name: str) -> None:
    paths = [named(row[0])[0] for row in rows(ADDING, "file")]
    assert len(paths) == 12
    assert [path for path in paths if not (ROOT / path.replace("NAME", name)).exists()] == []


@pytest.mark.parametrize("name", [*POINTS, CLOSED_KONG_ROBBED])
def test_an_option_with_a_meaning_in_every_game_is_told(name: str) -> None:
    assert f"`{name}`" in read("docs/rule-sets.md")
