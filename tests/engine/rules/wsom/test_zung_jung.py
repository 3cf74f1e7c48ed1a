"""The patterns against the chapter's table, its worked totals, and a second way to count."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.play import ordered
from engine.rules.arrangement import Finish, arrangements
from engine.rules.patterns import Pattern
from engine.rules.wsom.play import TABLES
from engine.rules.wsom.tables import ZUNG_JUNG, best_score, score
from engine.state import Meld, SetKind
from engine.tiles import KINDS, Tile, parse
from tests.support import second_zung_jung as second
from tests.support.documentation import named, read, rows

SHARED = os.environ.get("TILESIGHT_SHARED")


def finish(
    hand: str,
    tile: str,
    *,
    claimed: bool = False,
    melds: Sequence[Meld] = (),
    luck: Sequence[str] = (),
) -> Finish:
    tiles = ordered((*parse(hand), Tile(tile)))
    return Finish(tiles, tuple(melds), Tile(tile), claimed, Tile("1z"), frozenset(luck))


def pung(code: str) -> Meld:
    return Meld(SetKind.PUNG, (Tile(code),) * 3, Tile(code), 3)


BY_NAME = {pattern.name: pattern for pattern in ZUNG_JUNG}


def value(hand: Finish, table: Sequence[Pattern] = ZUNG_JUNG) -> int:
    return best_score(arrangements(hand), table).value


def test_there_are_forty_four_patterns_in_the_order_of_their_numbers() -> None:
    numbers = [tuple(map(int, pattern.id.split("."))) for pattern in ZUNG_JUNG]
    assert len(numbers) == 44
    assert numbers == sorted(numbers)
    assert len({pattern.name for pattern in ZUNG_JUNG}) == 44


def test_the_documentation_tells_every_pattern_with_its_points() -> None:
    page = read("docs/rules.md")
    told = {named(row[0])[0]: row[1:] for row in rows(page[page.index("## `wsom`") :], "payment")}
    for pattern in ZUNG_JUNG:
        points, meaning = told[pattern.name]
        assert points == str(pattern.points)
        assert meaning.startswith(f"{pattern.id}: ")


def test_of_one_series_only_the_best_pattern_counts() -> None:
    best = max(
        (score(one, ZUNG_JUNG) for one in arrangements(finish("222m 444p 888s 666p 3m", "3m"))),
        key=lambda one: one.value,
    )
    names = [name for name, _ in best.lines]
    assert "four_concealed_triplets" in names
    assert "three_concealed_triplets" not in names
    assert len({BY_NAME[name].series for name in names}) == len(names)


@pytest.mark.parametrize(
    ("older", "expected"), [(False, (145, 170)), (True, (155, 170))], ids=["3.3", "older"]
)
def test_another_table_of_values_can_take_the_place(older: bool, expected: tuple[int, int]) -> None:
    """The chapter's example of free count, in both tables: three triplets or three sequences."""
    table = TABLES["older" if older else "current"]
    hand = finish("11122233p 99m", "3p", claimed=True, melds=[pung("5z")])
    totals = {score(one, table).value for one in arrangements(hand)}
    assert (min(totals), max(totals)) == expected
    assert value(hand, table) == expected[1]


def test_the_older_table_differs_in_five_values() -> None:
    older = {pattern.id: pattern.points for pattern in TABLES["older"]}
    current = {pattern.id: pattern.points for pattern in ZUNG_JUNG}
    assert {key: (current[key], older[key]) for key in current if current[key] != older[key]} == {
        "2.1.2": (80, 100),
        "3.2.1": (40, 30),
        "3.3.1": (30, 25),
        "4.1": (30, 40),
        "4.2.3": (125, 115),
    }


@pytest.mark.parametrize("claimed", [False, True])
def test_an_incomplete_hand_cannot_be_laid_out(claimed: bool) -> None:
    assert not list(arrangements(finish("123m 456p 48s 99p 222z", "6s", claimed=claimed)))


RANKS = ((1, 4, 7), (1, 7, 9), (1, 9), (2, 3, 4), (5, 6, 7, 8), tuple(range(1, 10)))
"""Where sets may begin in a random hand: few places, so that patterns meet."""


def random_hand(random: Random) -> second.Hand:
    """A complete hand, some of its sets declared."""
    suits = random.choice(("m", "mz", "z", "mp", "mps", "mpsz", "mps"))
    ranks = random.choice(RANKS)
    kinds = [kind for kind in KINDS if kind[1] in suits]
    kinds = [kind for kind in kinds if kind[1] == "z" or int(kind[0]) in ranks]
    if random.random() < 0.05:
        pairs = [tile for tile in random.choices(KINDS, k=7) for _ in range(2)]
        if max(Counter(pairs).values()) <= 4:
            return _won(random, pairs, [])
    while True:
        sets = [_random_set(random, kinds) for _ in range(4)]
        pair = random.choice(kinds)
        declared = [_declared(random, tiles) for tiles in sets[: random.choice((0, 0, 1, 2, 3, 4))]]
        inner = [tile for tiles in sets[len(declared) :] for tile in tiles] + [pair, pair]
        copies = Counter(inner) + Counter(tile for tiles, _ in declared for tile in tiles)
        if max(copies.values()) <= 4:
            return _won(random, inner, declared)


def _won(
    random: Random, inner: Sequence[str], declared: Sequence[tuple[second.Set, bool]]
) -> second.Hand:
    wind = random.choice(("1z", "2z", "3z", "4z"))
    winning = random.choice(inner)
    return second.Hand(tuple(inner), tuple(declared), winning, random.random() < 0.6, wind)


def _random_set(random: Random, kinds: Sequence[str]) -> second.Set:
    first = random.choice(kinds)
    if random.random() < 0.5 and first[1] != "z" and int(first[0]) <= 7:
        return tuple(f"{int(first[0]) + step}{first[1]}" for step in range(3))
    return (first,) * 3


def _declared(random: Random, tiles: second.Set) -> tuple[second.Set, bool]:
    if tiles[0] != tiles[1] or random.random() < 0.5:
        return tiles, False
    return (*tiles, tiles[0]), random.random() < 0.5


def as_finish(hand: second.Hand) -> Finish:
    melds = []
    for codes, closed in hand.declared:
        tiles = tuple(map(Tile, codes))
        if closed:
            melds.append(Meld(SetKind.CLOSED_KONG, tiles))
        elif len(tiles) == 4:
            melds.append(Meld(SetKind.OPEN_KONG, tiles, tiles[0], 3))
        else:
            kind = SetKind.PUNG if tiles[0] == tiles[1] else SetKind.CHOW
            melds.append(Meld(kind, tiles, tiles[0], 3))
    return Finish(
        ordered(tuple(map(Tile, hand.concealed))),
        tuple(melds),
        Tile(hand.winning),
        hand.claimed,
        Tile(hand.wind),
    )


def test_a_second_way_to_count_agrees() -> None:
    random = Random(45)
    seen: Counter[str] = Counter()
    for _ in range(1000):
        hand = random_hand(random)
        best = best_score(arrangements(as_finish(hand)), ZUNG_JUNG)
        assert best.value == second.value(hand), (hand, best)
        seen.update(BY_NAME[name].id for name, _ in best.lines)
    of_play = {"2.2", "9.1.1", "9.1.2", "9.2", "9.3", "9.4.1", "9.4.2", "10.1"}
    assert {pattern.id for pattern in ZUNG_JUNG} - of_play == set(seen)


@pytest.mark.skipif(SHARED is None, reason="TILESIGHT_SHARED names no folder of data")
class TestPublishedTable:
    """The values and worked totals that independent sources agree on."""

    @staticmethod
    def published() -> dict[str, Any]:
        path = Path(SHARED or "") / "data" / "vectors" / "zungjung" / "zj_values_v33.json"
        table: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return table

    def test_the_values_and_series_agree(self) -> None:
        told = {row["id"]: (row["points"], row["series"]) for row in self.published()["patterns"]}
        assert told == {pattern.id: (pattern.points, pattern.series) for pattern in ZUNG_JUNG}

    def test_the_names_agree(self) -> None:
        told = {row["id"]: row["name"] for row in self.published()["patterns"]}
        assert {
            key: name.lower().replace(" ", "_").replace("-", "_") for key, name in told.items()
        } == {pattern.id: pattern.name for pattern in ZUNG_JUNG}

    @pytest.mark.parametrize(
        ("total", "hand"),
        [
            (85, finish("222p 444p 77p 99p", "7p", claimed=True, melds=[pung("5z")])),
            (160, finish("222m 444p 999s 666p 3m", "3m", claimed=True)),
            (160, finish("45m 99p", "6m", melds=[pung("5z"), pung("6z"), pung("7z")])),
            (60, finish("77z 456m 78s", "9s", melds=[pung("5z"), pung("6z")])),
        ],
    )
    def test_the_worked_totals_agree(self, total: int, hand: Finish) -> None:
        examples = [row for row in self.published()["worked_examples"] if "total" in row]
        best = best_score(arrangements(hand), ZUNG_JUNG)
        lines = {name.replace("_", " "): points for name, points in best.lines}
        expected = [
            {name.lower().replace("-", " "): points for name, points in row["patterns"].items()}
            for row in examples
            if row["total"] == total and "patterns" in row
        ]
        assert best.value == total
        assert any(sorted(lines.values()) == sorted(row.values()) for row in expected)
