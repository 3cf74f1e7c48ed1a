"""Kongs and floats that lead to a win, seen and unseen, against a count by hand."""

from __future__ import annotations

from collections import Counter
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
    Position,
    Pung,
    Win,
)
from engine.game import replay
from engine.tiles import UNKNOWN, Tile, parse
from tests.support.second_hangzhou import of_finished_hand, waits_for_any_tile, wins

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


# --- generated hands, counted a second way ---

GROUPS = ("123m", "234m", "456m", "111m", "222m", "555s", "666s", "456s", "567s", "111s", "234s")
KINDS = parse("1234m 567s 12s 66z 5z")
NEVER_HELD = Tile("7z")


def generated(random: Random, sets: int = 4, fortunes: int = 3) -> tuple[list[Tile], Tile]:
    """A hand that is complete or nearly so, with up to three fortunes, and its last tile."""
    while True:
        if sets == 4 and random.random() < 0.6:
            some = random.sample(KINDS, random.randint(5, 7))
            held = [tile for _ in range(7) for tile in (random.choice(some),) * 2]
        else:
            made = [random.choice(GROUPS) for _ in range(sets)]
            held = [*parse(" ".join(made)), *(random.choice(KINDS),) * 2]
        random.shuffle(held)
        last = held.pop()
        for place in range(random.randint(0, fortunes)):
            held[place] = FORTUNE
        last = random.choice((last, last, last, NEVER_HELD))
        if max(Counter((*held, last)).values()) <= 4 and wins((*held, last), FORTUNE):
            return held, last


@given(seed=st.integers(0, 100_000))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_doubles_of_generated_hands_are_those_of_a_second_count(seed: int) -> None:
    random = Random(seed)
    kongs = random.choice((0, 0, 1, 2))
    floats = random.choice((0, 0, 1, 2))
    hand, last = generated(random, 4 - kongs, 3 - floats)
    plain = [tile for tile in hand if tile != FORTUNE]
    late = random.sample(plain, floats)
    held = list(hand)
    for tile in late:
        held[held.index(tile)] = FORTUNE
    steps = random.choice(
        (["kong"] * kongs + ["float"] * floats, ["float"] * floats + ["kong"] * kongs)
    )
    honours = parse("1z 2z")[:kongs]
    held += [tile for tile in honours for _ in range(3)]
    dealt, now = tuple(held), list(held)
    events: list[Event] = []
    rests: list[bool] = []
    for place, step in enumerate(steps):
        rests.append(waits_for_any_tile(now, FORTUNE))
        if step == "kong":
            tile = honours[steps[:place].count("kong")]
            events += [Draw(0, tile), Kong(0, "closed", tile, own=(tile,) * 4)]
            for _ in range(3):
                now.remove(tile)
        else:
            tile = late[steps[:place].count("float")]
            now[now.index(FORTUNE)] = tile
            events += [Draw(0, tile), FLOAT, *turns(place)]
    assert sorted(now) == sorted(hand)
    wild_eye = waits_for_any_tile(hand, FORTUNE)
    times = of_finished_hand((*hand, last), FORTUNE) * (2 if wild_eye else 1)
    # 002: backwards from the win, kongs count until a tile was thrown away, and floats with the
    # kongs before them while the hand has waited for any tile at every rest since.
    steady = wild_eye
    for step, rest in zip(reversed(steps), reversed(rests), strict=True):
        if step == "float" and not steady:
            break
        times *= 2
        steady = steady and rest
    table: list[Event] = [
        GameStart("hangzhou"),
        HandStart(dealer=3),
        Deal(0, dealt),
        Indicator(FORTUNE, "fortune"),
    ]
    told = [*table, Discard(3, Tile("9p")), *events, Draw(0, last), Win(0, 0, last)]
    assert settled(told).deltas == (4 * times, -times, -times, -2 * times)


@given(seed=st.integers(0, 100_000))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_robbed_kongs_of_generated_hands_too(seed: int) -> None:
    hand, last = generated(Random(seed))
    if last in hand:
        return  # nobody else could fill a pung of it
    events: list[Event] = [
        GameStart("hangzhou"),
        HandStart(staying=3),
        Position(
            (tuple(hand), (UNKNOWN,) * 10, (UNKNOWN,) * 13, (UNKNOWN,) * 13),
            ((), (Pung(1, 2, last, (last, last)),), (), ()),
            None,
            40,
            1,
            (),
            (Indicator(FORTUNE, "fortune"),),
        ),
        Kong(1, "added", last),
        Win(0, 1, last),
    ]
    said = replay(map(Entry, events)).announcements()
    paid = [one.deltas for one in said if isinstance(one, Payout)]
    if waits_for_any_tile(hand, FORTUNE):
        assert [one.code for one in said if isinstance(one, Problem)] == ["no_robbing"]
    else:
        due = 2 * 24 * of_finished_hand((*hand, last), FORTUNE)
        assert paid == [(due, -due, 0, 0)]
