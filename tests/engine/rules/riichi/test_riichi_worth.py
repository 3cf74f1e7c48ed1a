"""What riichi hands are worth: every yaku, limit and line of the fu table, and what nearly is."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.riichi.tables import YAKU, YAKUMAN
from engine.rules.riichi.win_facts import DORA, WinFacts, base_points
from engine.rules.riichi.worth import NO_YAKU, has_yaku, score
from engine.state import Meld, SetKind
from engine.texts.files import LANGUAGES
from engine.tiles import KINDS, UNKNOWN, Tile, parse
from service.texts.catalogue import texts_of
from tests.support import riichi_options
from tests.support.riichi_options import EMA_2008, EMA_2016, TENHOU

Row = Mapping[str, Any]

ROWS: list[Row] = tomllib.loads(Path(__file__).with_name("riichi_hands.toml").read_text("utf-8"))[
    "hand"
]
SETS = {
    "chow": SetKind.CHOW,
    "pung": SetKind.PUNG,
    "open": SetKind.OPEN_KONG,
    "added": SetKind.ADDED_KONG,
    "closed": SetKind.CLOSED_KONG,
}


def facts(row: Row) -> WinFacts:
    flags = dict.fromkeys(row.get("flags", "").split(), True)
    return WinFacts(
        tiles=parse(row["tiles"]),
        melds=sets(row.get("sets", "")),
        tile=Tile(row["win"]),
        drawn=flags.pop("drawn", False),
        seat_wind=Tile(row.get("seat_wind", "2z")),
        round_wind=Tile(row.get("round_wind", "1z")),
        indicators=parse(row.get("indicators", "")),
        ura=parse(row.get("ura", "")),
        **flags,
    )


def sets(text: str) -> tuple[Meld, ...]:
    words = [part.split() for part in text.split(",") if part]
    return tuple(
        Meld(SETS[kind], parse(tiles), None if kind == "closed" else parse(tiles)[0])
        for kind, tiles in words
    )


def options(row: Row) -> Mapping[str, object]:
    rules: Mapping[str, object] = getattr(riichi_options, row.get("rules", "EMA_2016"))
    return rules


def yaku(text: str) -> dict[str, int]:
    words = [part.split() for part in text.split(",") if part]
    return {name: int(han) for name, han in words}


def hand(tiles: str, win: str, **known: Any) -> WinFacts:
    return facts({"tiles": tiles, "win": win, **known})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_hand_is_worth_what_its_row_says(row: Row) -> None:
    found = score(facts(row), options(row))
    if not row.get("complete", True):
        assert found is None
        return
    assert found is not None
    expected = yaku(row.get("yaku", ""))
    assert dict(found.yaku) == expected
    assert has_yaku(facts(row), options(row)) == bool(expected)
    assert found.fu == row.get("fu", found.fu)
    assert found.base == row.get("base", found.base)
    for name in row.get("misses", "").split():
        assert name not in expected


def test_every_yaku_has_a_hand_and_a_near_miss() -> None:
    shown = {name for row in ROWS for name in yaku(row.get("yaku", ""))}
    missed = {name for row in ROWS for name in row.get("misses", "").split()}
    every = {*YAKU, *YAKUMAN, *DORA}
    assert shown == every
    # A wait that only some tables count double is missed by the row of the plain yakuman.
    assert missed == every
    assert all(row["source"] for row in ROWS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_yaku_has_a_name_of_its_own(lang: str) -> None:
    names = [texts_of(lang)[f"item.{name}"] for name in (*YAKU, *YAKUMAN, *DORA)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["kokushi_thirteen", "chuuren_nine", "suuankou_tanki"])
def test_a_wait_is_double_where_the_table_says_so(name: str) -> None:
    row = next(row for row in ROWS if name in row.get("yaku", ""))
    house = {**TENHOU, "double_yakuman": (name,)}
    found = score(facts(row), house)
    assert found is not None
    assert (found.yaku, found.yakuman, found.base) == (((name, 26),), 2, 16000)


def test_five_counters_ask_for_two_fan_of_yaku() -> None:
    one = hand("123m 456m 789p 234s 55s", "4s", indicators="4s")
    two = replace(one, drawn=True)
    assert has_yaku(one, EMA_2008, counters=4)
    assert not has_yaku(one, EMA_2008, counters=5)
    assert has_yaku(two, EMA_2008, counters=5)
    assert has_yaku(one, EMA_2016, counters=5)


def test_a_hand_without_yaku_says_so_and_is_no_missing_hand() -> None:
    assert score(hand("456m 789p 234s 55s", "3s", sets="chow 123m"), EMA_2016) is NO_YAKU
    assert NO_YAKU.fan_of_yaku == 0
    assert score(hand("456m 789p 235s 55s", "3s", sets="chow 123m"), EMA_2016) is None


@pytest.mark.parametrize(
    ("tiles", "win", "point"),
    [
        ("123m 456m 789p 234s 5s", "4s", "a tile too few"),
        ("123m 456m 789p 234s 555s", "4s", "a tile too many"),
        ("123m 456m 789p 234s 55s", "9s", "the winning tile is not among them"),
        ("123m 456m 789p 234s 5s ?", "4s", "a hidden tile"),
        ("11111m 456m 789p 234s", "1m", "a fifth copy"),
        ("123m 456m 789p 234s 1f 1f", "4s", "flowers"),
    ],
)
def test_what_cannot_be_a_hand_is_none(tiles: str, win: str, point: str) -> None:
    assert score(hand(tiles, win), EMA_2016) is None, point
    assert not has_yaku(hand(tiles, win, flags="drawn"), EMA_2016), point


def test_a_fifth_copy_in_a_declared_set_is_no_hand() -> None:
    assert score(hand("123m 456m 111p 55s", "3m", sets="open 1111m"), EMA_2016) is None
    assert not has_yaku(hand("123m 456m 111p 55s", "3m", sets="closed 1111m"), EMA_2016)
    quick = hand("123m 456m 111p 55s", "3m", sets="closed 1111m", flags="drawn")
    assert not has_yaku(quick, EMA_2016)


def test_a_set_that_was_never_seen_is_no_hand() -> None:
    unseen = Meld(SetKind.UNSEEN, (UNKNOWN,) * 3)
    assert score(replace(hand("456m 789p 234s 55s", "3s"), melds=(unseen,)), EMA_2016) is None


@pytest.mark.parametrize(
    ("han", "fu", "base"),
    [
        (1, 30, 240),
        (2, 25, 400),
        (3, 60, 1920),
        (3, 70, 2000),
        (4, 25, 1600),
        (4, 30, 1920),
        (4, 40, 2000),
        (5, 20, 2000),
        (6, 30, 3000),
        (8, 30, 4000),
        (10, 30, 4000),
        (11, 30, 6000),
        (12, 30, 6000),
    ],
)
def test_han_and_fu_make_a_base(han: int, fu: int, base: int) -> None:
    assert base_points(han, fu, True) == base_points(han, fu, False) == base


CHOWS: list[tuple[Tile, ...]] = [
    tuple(Tile(f"{rank + step}{suit}") for step in range(3))
    for suit in "mps"
    for rank in range(1, 8)
]
PUNGS: list[tuple[Tile, ...]] = [(Tile(code),) * 3 for code in KINDS]
PAIRS: list[tuple[Tile, ...]] = [(Tile(code),) * 2 for code in KINDS]


@st.composite
def complete_hands(draw: st.DrawFn) -> WinFacts:
    """Four sets and a pair, some of them declared, or seven pairs."""
    if draw(st.integers(0, 5)) == 0:
        groups = draw(st.lists(st.sampled_from(PAIRS), min_size=7, max_size=7))
        open_sets = 0
    else:
        some = st.one_of(st.sampled_from(CHOWS), st.sampled_from(PUNGS))
        groups = [*draw(st.lists(some, min_size=4, max_size=4)), draw(st.sampled_from(PAIRS))]
        open_sets = draw(st.integers(0, 4))
    kept = tuple(tile for group in groups[open_sets:] for tile in group)
    melds = tuple(
        Meld(SetKind.PUNG if group[0] == group[1] else SetKind.CHOW, group, group[0])
        for group in groups[:open_sets]
    )
    return WinFacts(
        tiles=kept,
        melds=melds,
        tile=draw(st.sampled_from(kept)),
        drawn=draw(st.booleans()),
        seat_wind=Tile(f"{draw(st.integers(1, 4))}z"),
        round_wind=Tile(f"{draw(st.integers(1, 4))}z"),
        riichi=draw(st.booleans()),
        ippatsu=draw(st.booleans()),
        last_tile=draw(st.booleans()),
        after_kong=draw(st.booleans()),
        robbed_kong=draw(st.booleans()),
        first_turn=draw(st.booleans()),
        indicators=tuple(draw(st.lists(st.sampled_from([Tile(c) for c in KINDS]), max_size=5))),
    )


@given(complete_hands(), st.sampled_from([TENHOU, EMA_2016, EMA_2008]), st.integers(0, 6))
def test_the_quick_answer_is_the_long_one(
    won: WinFacts, house: Mapping[str, object], counters: int
) -> None:
    least = 2 if counters >= 5 and house["two_yaku_at_five_counters"] else 1
    found = score(won, house)
    assert has_yaku(won, house, counters) == (found is not None and found.fan_of_yaku >= least)


@given(complete_hands(), st.sampled_from([TENHOU, EMA_2016, EMA_2008]))
def test_more_dora_never_make_a_hand_cheaper(won: WinFacts, house: Mapping[str, object]) -> None:
    plain = score(replace(won, indicators=()), house)
    rich = score(won, house)
    assert (plain is None) == (rich is None)
    if plain is not None and rich is not None:
        assert rich.base >= plain.base
        assert (rich.base == 0) == (plain.base == 0) == (not plain.yaku)
