"""Kongs and floats that lead to a win, seen and unseen, against a count by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.announce import Payout, Problem
from engine.events import (
    Deal,
    Discard,
    Draw,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Win,
)
from engine.game import replay
from engine.tiles import UNKNOWN, Tile, parse

FORTUNE = Tile("9s")
OTHERS = tuple(parse("123456789p 1234p"))
"""What the other seats throw away."""


def turns(of: int) -> list[Event]:
    """A round of the three others; ``of`` numbers it."""
    return [Discard(seat, OTHERS[3 * of % 12 + seat - 1]) for seat in (1, 2, 3)]


def record(dealt: str, events: Sequence[Event], staying: int = 3) -> list[Event]:
    return [
        GameStart("hangzhou"),
        HandStart(staying=staying),
        Deal(0, parse(dealt)),
        Indicator(FORTUNE, "fortune"),
        *events,
    ]


def kong(tile: str) -> Kong:
    return Kong(0, "closed", Tile(tile))


def drawn(tile: str) -> Draw:
    return Draw(0, Tile(tile))


GREATEST: list[Event] = [
    kong("1m"),
    drawn("4m"),
    kong("2m"),
    drawn("4m"),
    kong("3m"),
    drawn("4m"),
    Discard(0, FORTUNE),
    *turns(0),
    drawn("9s"),
    Discard(0, FORTUNE),
    *turns(1),
    drawn("4m"),
    kong("4m"),
    drawn("7z"),
    Win(0, 0, Tile("7z")),
]


def settled(events: Sequence[Event]) -> Payout:
    game = replay(map(Entry, events))
    said = game.announcements()
    assert not [one for one in said if isinstance(one, Problem)]
    return [one for one in said if isinstance(one, Payout)][-1]


def test_the_greatest_hand_is_1024_units_from_everybody_at_the_banker_s_table() -> None:
    # 002, Scoring: four kongs, double float, the banker stays for three hands.
    payout = settled(record("1111m 2222m 3333m 99s", GREATEST))
    assert payout.deltas == (3072, -1024, -1024, -1024)
    assert {(item.name, item.value) for item in payout.items} == {
        ("self_draw", 1),
        ("banker", 8),
        ("wild_eye", 2),
        ("float", 4),
        ("kong_bloom", 16),
    }


def unseen(events: Sequence[Event], hand: str, but: str = "") -> list[Event]:
    """The same as told by somebody who sees no hand before it wins, and of the draws only some."""
    seen: list[Event] = []
    for event in events:
        match event:
            case Deal():
                seen.append(replace(event, tiles=(UNKNOWN,) * len(event.tiles)))
            case Draw(tile=tile) if tile not in parse(but):
                continue
            case Win():
                seen.append(replace(event, hand=parse(hand)))
            case _:
                seen.append(event)
    return seen


def test_it_is_the_same_when_nobody_saw_the_hand_before() -> None:
    told = unseen(record("1111m 2222m 3333m 99s", GREATEST), "9s", but="4m")
    assert settled(told).deltas == (3072, -1024, -1024, -1024)


def test_what_may_have_been_a_float_is_told_and_not_paid() -> None:
    # Before the kong of 4m the hand was 444m and a fortune, or the four and no fortune.
    payout = settled(unseen(record("1111m 2222m 3333m 99s", GREATEST), "9s"))
    assert payout.deltas == (96, -32, -32, -32)
    assert "float_unknown" in {item.name for item in payout.items}


FLOAT = Discard(0, FORTUNE)
EYE = "123m 456m 789m 111z 99s"
SERIES: list[tuple[str, str, list[Event], str, int]] = [
    ("a float", EYE, [FLOAT, *turns(0)], "8p", 4),
    ("a kong after it", EYE, [FLOAT, *turns(0), drawn("1z"), kong("1z")], "8p", 8),
    (
        "a float whose next turn did not win",
        EYE,
        [FLOAT, *turns(0), drawn("5p"), Discard(0, Tile("5p")), *turns(1)],
        "8p",
        2,
    ),
    (
        "a hand thrown apart, made whole again and floated once more",
        EYE,
        [
            *(FLOAT, *turns(0), drawn("9s"), Discard(0, Tile("1z"))),
            *(*turns(1), drawn("1z"), FLOAT, *turns(2)),
        ],
        "8p",
        4,
    ),
    (
        "a kong of four tiles, one of which the wild eye needed for a sequence",
        "1111m 23m 456m 789p 99s",
        [FLOAT, *turns(0), drawn("7z"), kong("1m")],
        "7z",
        2,
    ),
]


@pytest.mark.parametrize(
    ("dealt", "events", "last", "times"), [row[1:] for row in SERIES], ids=[r[0] for r in SERIES]
)
def test_doubles_of_a_series(dealt: str, events: list[Event], last: str, times: int) -> None:
    win: list[Event] = [drawn(last), Win(0, 0, Tile(last))]
    payout = settled(record(dealt, [*events, *win], staying=1))
    assert payout.deltas == (6 * times, -2 * times, -2 * times, -2 * times)


@given(seed=st.integers(0, 10_000), floats=st.integers(1, 2))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_floats_without_kongs_count_though_nobody_saw_the_draws(seed: int, floats: int) -> None:
    random = Random(seed)
    sets = random.sample(["123m", "456m", "789m", "111z", "222z", "567s", "345s", "333z"], 4)
    drawable = [tile for group in sets for tile in parse(group)]
    random.shuffle(drawable)
    hand = list(parse(" ".join(sets)))
    # As many tiles of the sets as there are fortunes to spare are still in the wall.
    missing = [drawable.pop() for _ in range(floats)]
    for tile in missing:
        hand.remove(tile)
    held = (*hand, *(FORTUNE,) * (floats + 1))
    events: list[Event] = []
    for place, tile in enumerate(missing):
        events += [Draw(0, tile), Discard(0, FORTUNE), *turns(place)]
    last = Draw(0, Tile("7z"))
    table = [
        GameStart("hangzhou"),
        HandStart(dealer=3),
        Deal(0, tuple(held)),
        Indicator(FORTUNE, "fortune"),
        Discard(3, Tile("9p")),
        *events,
        last,
        Win(0, 0, Tile("7z")),
    ]
    times = 2 * 2**floats
    deltas = (4 * times, -times, -times, -2 * times)
    assert settled(table).deltas == deltas
    final = (*hand, *missing, FORTUNE)
    assert settled(unseen(table, " ".join(final))).deltas == deltas


def test_who_feeds_a_float_pays_the_doubles_made_from_there_to_the_next_claim() -> None:
    # 002, Second half liability: wild eye and float (4) are shared; seat 1 pays what the second
    # float adds, seat 3 what the kong adds, each for the whole table of 6 units.
    options: dict[str, object] = {"float_may_claim": True, "float_second_half_liability": True}
    events: list[Event] = [
        GameStart("hangzhou", options),
        HandStart(),
        Deal(0, parse("123m 22p 333p 444p 999s")),
        Indicator(FORTUNE, "fortune"),
        FLOAT,
        Discard(1, Tile("2p")),
        Pung(0, 1, Tile("2p"), (Tile("2p"), Tile("2p"))),
        FLOAT,
        *(Discard(1, Tile("1z")), Discard(2, Tile("1z")), Discard(3, Tile("4p"))),
        Kong(0, "open", Tile("4p"), 3),
        drawn("6z"),
        Win(0, 0, Tile("6z")),
    ]
    payout = settled(events)
    assert payout.deltas == (96, -8 - 24, -8, -8 - 48)
