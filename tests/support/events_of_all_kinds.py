"""Hypothesis strategies for every event that a record can hold."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

from engine import events
from engine.events import Entry, Event
from engine.rules import RULE_SETS
from engine.rules.base import Option
from engine.tiles import CODES, Tile
from tests.support.tiny_rules import TINY

T = TypeVar("T")

seats = st.integers(0, 3)
tiles = st.sampled_from([*map(Tile, CODES), Tile("?")])
counts = st.integers(0, 200)
points = st.tuples(*[st.integers(-100, 100)] * 4)
# Half of a surrogate pair is no text.
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def maybe(some: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    return st.none() | some


def tuples(
    some: st.SearchStrategy[T], least: int = 0, most: int = 14
) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(some, min_size=least, max_size=most).map(tuple)


def four(some: st.SearchStrategy[T]) -> st.SearchStrategy[tuple[tuple[T, ...], ...]]:
    return tuples(tuples(some, most=3), 4, 4)


dice = tuples(st.integers(1, 6), most=4)
pairs = st.tuples(tiles, tiles)
chows = st.builds(events.Chow, seats, seats, tiles, pairs, st.booleans())
pungs = st.builds(events.Pung, seats, seats, tiles, pairs, st.booleans())
kongs = st.builds(
    events.Kong,
    seats,
    st.sampled_from(["open", "closed", "added"]),
    tiles,
    maybe(seats),
    maybe(tuples(tiles, 1, 4)),
)
discards = st.builds(events.Discard, seats, tiles, st.booleans(), maybe(st.booleans()))
indicators = st.builds(
    events.Indicator,
    tiles,
    st.sampled_from(["dora", "kan_dora", "ura_dora", "fortune", "treasure"]),
)
positions = st.builds(
    events.Position,
    maybe(four(tiles)),
    maybe(four(chows | pungs | kongs)),
    maybe(four(discards)),
    maybe(counts),
    maybe(seats),
    maybe(tuples(seats, most=4)),
    maybe(tuples(indicators, most=2)),
    maybe(tuples(seats, most=3)),
    maybe(four(tiles)),
)
hand_starts = st.builds(
    events.HandStart,
    maybe(seats),
    maybe(st.sampled_from([Tile(f"{rank}z") for rank in (1, 2, 3, 4)])),
    maybe(counts),
    maybe(counts),
    maybe(st.integers(1, 5)),
    maybe(dice),
)
offences = words.filter(bool) | st.sampled_from(
    [
        "false_win",
        "exposed_tile",
        "wrong_tile_count",
        "long_hand",
        "dead_hand",
        "chombo",
        "winning_tile_mixed",
    ]
)
in_hand: st.SearchStrategy[Event] = st.one_of(
    st.builds(events.Deal, seats, tuples(tiles)),
    indicators,
    st.builds(events.Draw, seats, tiles, st.sampled_from([None, "wall", "tail"])),
    discards,
    chows,
    pungs,
    kongs,
    st.builds(events.Flower, seats, tiles, tiles),
    positions,
    st.builds(events.Win, seats, seats, tiles, maybe(tuples(tiles)), maybe(st.integers(1, 500))),
    st.builds(events.Reveal, seats, tuples(tiles)),
    st.builds(
        events.DrawnHand,
        st.sampled_from(["exhausted", "nine_terminals", "four_winds", "four_kongs", "four_ready"]),
    ),
    st.builds(events.Foul, seats, offences, maybe(tuples(tiles))),
    st.builds(events.Dice, dice),
    st.just(events.HandEnd()),
)


def options(rules: str) -> st.SearchStrategy[dict[str, object]]:
    """House rules of every kind that the rule set has, some of them at a time."""
    known = {**RULE_SETS, **TINY}[rules].options
    return st.fixed_dictionaries({}, optional={option.name: _value(option) for option in known})


def _value(option: Option) -> st.SearchStrategy[object]:
    if isinstance(option.default, tuple):
        if option.values:
            return tuples(st.sampled_from(option.values), most=len(option.values))
        # Such as the four placement bonuses, of which there are as many as there are places.
        return st.permutations(option.default).map(tuple)
    if option.values:
        return st.sampled_from(option.values)
    match option.default:
        case bool():
            return st.booleans()
        case int():
            return st.integers(-1000, 100_000)
        case default:
            return st.just(default)


def game_starts(rules: str) -> st.SearchStrategy[Event]:
    return st.builds(
        events.GameStart,
        st.just(rules),
        options(rules),
        maybe(st.tuples(*[words] * 4)),
        maybe(points),
        maybe(seats),
    )


def all_events(rules: str) -> st.SearchStrategy[Event]:
    """Every event but corrections."""
    ends = st.builds(events.GameEnd, st.sampled_from(["finished", "time"]))
    return st.one_of(in_hand, in_hand, hand_starts, game_starts(rules), ends)


def entries(some: st.SearchStrategy[Event]) -> st.SearchStrategy[Entry]:
    """Lines that hold such events, with where they came from."""
    return st.builds(
        Entry,
        some,
        maybe(st.floats(0, 1e6)),
        maybe(st.floats(0, 1)),
        maybe(words | counts),
        st.sampled_from([None, "camera", "person", "import"]),
    )


def corrections(rules: str) -> st.SearchStrategy[Event]:
    """Corrections of low numbers, some of them with corrections inside."""
    return st.recursive(
        all_events(rules),
        lambda inner: st.builds(events.Correct, st.integers(0, 12), tuples(entries(inner), 0, 3)),
        max_leaves=4,
    )


def records(rules: str, most: int = 25) -> st.SearchStrategy[list[Entry]]:
    return st.lists(entries(all_events(rules) | corrections(rules)), max_size=most)
