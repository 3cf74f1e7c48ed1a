"""Splits, waits and distances against slow truth and published vectors."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from engine.hands import (
    GroupKind,
    HandForm,
    distance,
    key_of,
    sets_alone,
    splits,
    useful,
    waits,
    wins,
)
from engine.tiles import KINDS, Tile, parse, show

ALL = tuple(map(Tile, KINDS))


def shared(*parts: str) -> Path:
    folder = os.environ.get("TILESIGHT_SHARED")
    if not folder:
        pytest.skip("TILESIGHT_SHARED does not name the folder of test vectors")
    path = Path(folder).joinpath("data", "vectors", *parts)
    if not path.exists():
        pytest.skip(f"no {path.name}")
    return path


def slow_wins(tiles: tuple[Tile, ...], *, pair: bool = True) -> bool:
    """Sets and a pair by trying everything on the lowest tile."""
    if not tiles:
        return not pair
    first, rest = tiles[0], list(tiles[1:])
    for count, left in ((2, False), (3, pair)):
        if (count == 3 or pair) and tiles.count(first) >= count:
            remaining = list(tiles)
            for _ in range(count):
                remaining.remove(first)
            if slow_wins(tuple(remaining), pair=left):
                return True
    if first.suit != "z" and first.rank <= 7:
        others = [Tile(f"{first.rank + step}{first.suit}") for step in (1, 2)]
        if all(other in rest for other in others):
            for other in others:
                rest.remove(other)
            return slow_wins(tuple(rest), pair=pair)
    return False


def near_complete_hands(count: int, size: int = 13) -> Iterator[tuple[Tile, ...]]:
    """Sets and a pair without one tile, mostly of one suit; every third with a tile exchanged."""
    rng = random.Random(11)
    made = 0
    while made < count:
        kinds = rng.choice((ALL[:9], ALL[:9], ALL[:9], ALL[9:27], ALL[18:]))
        tiles = [rng.choice(kinds)] * 2
        while len(tiles) < size + 1:
            low = rng.choice(kinds)
            chow = low.suit != "z" and low.rank <= 7 and rng.random() < 0.6
            tiles += [Tile(f"{low.rank + step}{low.suit}") if chow else low for step in range(3)]
        if max(Counter(tiles).values()) > 4:
            continue
        tiles.remove(rng.choice(tiles))
        if made % 3 == 0:
            tiles[0] = next(tile for tile in kinds if tiles.count(tile) < 4)
        made += 1
        yield tuple(rng.sample(tiles, len(tiles)))


@pytest.mark.parametrize("size", [1, 4, 7, 10, 13, 16])
def test_waits_are_those_of_a_search(size: int) -> None:
    ready = 0
    for hand in near_complete_hands(300, size):
        slow = tuple(
            tile
            for tile in ALL
            if hand.count(tile) < 4 and slow_wins(tuple(sorted((*hand, tile), key=ALL.index)))
        )
        assert waits(hand) == slow, show(hand)
        ready += bool(slow)
    assert ready > 20


@pytest.mark.parametrize("size", [13, 16])
def test_splits_cover_the_hand_and_differ(size: int) -> None:
    several = 0
    for hand in near_complete_hands(400, size):
        for tile in waits(hand):
            found = splits((*hand, tile))
            assert len(set(found)) == len(found) > 0
            several += len(found) > 1
            for split in found:
                covered = Counter(
                    other
                    for group in split
                    for other in {
                        GroupKind.PUNG: (group.tile,) * 3,
                        GroupKind.PAIR: (group.tile,) * 2,
                        GroupKind.CHOW: tuple(
                            Tile(f"{group.tile.rank + step}{group.tile.suit}") for step in range(3)
                        )
                        if group.kind is GroupKind.CHOW
                        else (),
                    }[group.kind]
                )
                assert covered == Counter((*hand, tile))
    assert several > 10


@pytest.mark.parametrize(
    ("hand", "ways"),
    [
        ("111222333m 99p", 2),
        ("22334455667788m", 3),
        ("123m 456p 789s 11z 23s 4s", 1),
        ("123m 456p 789s 12z 234s", 0),
        ("11m", 1),
    ],
)
def test_number_of_readings(hand: str, ways: int) -> None:
    assert len(splits(parse(hand))) == ways


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1112345678999m", "123456789m"),
        ("2345678m", "258m"),
        ("3334m", "245m"),
        ("2222m", ""),
        ("1m", "1m"),
        ("123m 1114z", "4z"),
        ("055m 1z", "1z"),
    ],
)
def test_waits_of_well_known_shapes(hand: str, expected: str) -> None:
    assert waits(parse(hand)) == parse(expected)


@pytest.mark.parametrize("wild", [1, 2])
def test_wild_tiles_stand_for_anything(wild: int) -> None:
    """Against a search that puts every kind in the place of the wild tiles."""
    won = 0
    for complete in near_complete_hands(20, 7):
        hand = complete[wild - 1 :]
        slow = any(
            slow_wins(tuple(sorted((*hand, *filled), key=ALL.index)))
            for filled in combinations_with_replacement(ALL, wild)
        )
        assert wins(hand, wild) is slow, show(hand)
        won += slow
    assert 0 < won < 20


@pytest.mark.parametrize(
    ("hand", "wild", "expected"),
    [
        ("123m 456p 789s 22z 23s", 1, True),
        ("123m 456p 789s 22z 2s", 2, True),
        ("123m 456p 789s 2z 258s", 1, False),
        ("1111m 99p", 2, True),
        ("1111z 99p", 2, True),
        ("1111z 9p 9s", 2, False),
        ("147m 25p", 9, True),
        ("147m 258p", 8, False),
    ],
)
def test_wins_with_wild_tiles(hand: str, wild: int, expected: bool) -> None:
    assert wins(parse(hand), wild) is expected


def test_a_wild_eye_waits_for_every_tile() -> None:
    four_sets = parse("123m 456p 789s 777z")
    assert sets_alone(four_sets)
    assert waits(four_sets, wild=1) == ALL
    assert not sets_alone(parse("123m 456p 789s 77z 9s"))
    assert sets_alone(parse("123m 456p 789s 77z"), wild=1)


@pytest.mark.parametrize(
    ("hand", "form", "expected"),
    [
        ("1122m 3344p 5566s 7z", HandForm.PAIRS, "7z"),
        ("1122m 3344p 5566s 7z", HandForm.DISTINCT_PAIRS, "7z"),
        ("1111m 3344p 5566s 7z", HandForm.PAIRS, "7z"),
        ("1111m 3344p 5566s 7z", HandForm.DISTINCT_PAIRS, ""),
        ("19m 19p 19s 1234567z", HandForm.ORPHANS, "19m 19p 19s 1234567z"),
        ("19m 19p 19s 1234556z", HandForm.ORPHANS, "7z"),
    ],
)
def test_waits_of_special_hands(hand: str, form: HandForm, expected: str) -> None:
    assert waits(parse(hand), forms={form}) == parse(expected)


def test_no_hand_of_five_sets_has_a_special_form() -> None:
    assert not wins(parse("1133557799m 113355p 7p"), forms={HandForm.PAIRS})
    assert waits(parse("19m 19p 19s 1234567z 222m"), forms={HandForm.ORPHANS}) == ()


@pytest.mark.parametrize("size", [13, 16])
def test_useful_tiles_of_a_ready_hand_are_its_waits(size: int) -> None:
    for hand in near_complete_hands(60, size):
        if distance(hand) == 0:
            assert useful(hand) == waits(hand)


def test_red_fives_count_as_fives() -> None:
    assert key_of(parse("0m5m")) == key_of(parse("55m"))


@pytest.mark.parametrize("name", ["p_normal_10000.txt", "p_hon_10000.txt"])
def test_distances_are_those_of_the_published_hands(name: str) -> None:
    lines = shared("shanten", name).read_text(encoding="ascii").splitlines()
    for line in lines:
        *numbers, regular, orphans, pairs = map(int, line.split())
        hand = [ALL[number] for number in numbers]
        found = [distance(hand, forms={form}) for form in (HandForm.SETS, HandForm.ORPHANS)]
        assert found == [regular, orphans], show(hand)
        assert distance(hand, forms={HandForm.DISTINCT_PAIRS}) == pairs, show(hand)
    assert len(lines) == 10_000


def test_useful_tiles_are_those_of_the_published_hands() -> None:
    table = json.loads(shared("shanten", "mahjong_utils_ukeire.json").read_text("utf-8"))
    forms = {
        "regularTester": {HandForm.SETS},
        "chitoiTester": {HandForm.DISTINCT_PAIRS},
        "kokushiTester": {HandForm.ORPHANS},
        "tester": {HandForm.SETS, HandForm.DISTINCT_PAIRS, HandForm.ORPHANS},
    }
    checked = 0
    for case in table["cases"]:
        hand = parse(case["hand"])
        if len(hand) % 3 != 1 or case["kind"] not in forms:
            continue
        assert distance(hand, forms=forms[case["kind"]]) == case["shanten"], case
        assert set(useful(hand, forms=forms[case["kind"]])) == set(parse(case["advance"])), case
        checked += 1
    assert checked


def test_hands_with_wild_tiles_win_as_published() -> None:
    table = json.loads(shared("wildcards", "qipai_hands_21.json").read_text("utf-8"))
    suits = {"万": "m", "筒": "p", "条": "s"}
    honours = {"东": "1z", "南": "2z", "西": "3z", "北": "4z"}
    for case in table["cases"]:
        wild = sum(name in table["wild"] for name in case["hand"])
        hand = [
            Tile(honours.get(name) or name[0] + suits[name[1]])
            for name in case["hand"]
            if name not in table["wild"]
        ]
        assert wins(hand, wild) is case["win"], case


def test_six_pairs_and_a_wild_tile_wait_for_any_tile() -> None:
    hand = parse("1122m 3344p 5566s")
    forms = frozenset({HandForm.SETS, HandForm.PAIRS})
    assert waits(hand, 1, forms) == useful(hand, 1, forms) == ALL
    assert distance(hand, 1, forms) == 0
    assert all(wins((*hand, tile), 1, forms) for tile in ALL)
    assert waits(parse("1111m 3344p 5566s"), 1, forms) == tuple(
        tile for tile in ALL if tile != Tile("1m")
    )
