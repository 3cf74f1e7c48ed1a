"""Missing tiles of kinds of hand, against a count over every hand of that kind there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.hands import distance, useful, waits, wins
from engine.hands.goals import ANY_HAND, Goal, Marks, nearer, steps
from engine.hands.hand_key import key_of
from engine.hands.missing_tiles import NEVER
from engine.tiles import KINDS, Tile

ALL = tuple(map(Tile, KINDS))
HARBIN = tuple(tile for tile in ALL if tile.suit != "z" or tile == "7z")
Groups = tuple[tuple[Tile, ...], ...]
Asks = Callable[[Groups], bool]


def groups_of(kinds: Sequence[Tile]) -> list[tuple[Tile, ...]]:
    pungs = [(tile,) * 3 for tile in kinds]
    chows = [
        tuple(Tile(f"{tile.rank + step}{tile.suit}") for step in range(3))
        for tile in kinds
        if tile.suit != "z" and tile.rank <= 7
    ]
    return pungs + chows


def hands_of(kinds: tuple[Tile, ...], sets: int) -> Iterator[Groups]:
    """Every way to so many sets and a pair, fifth copies among them."""
    for chosen in combinations_with_replacement(groups_of(kinds), sets):
        yield from ((*chosen, (tile,) * 2) for tile in kinds)


@cache
def complete(name: str, sets: int) -> tuple[tuple[tuple[Tile, int], ...], ...]:
    """What the complete hands of one kind hold, each tile with its copies."""
    _, asks, kinds = GOALS[name]
    found = {
        frozenset(Counter(tile for group in groups for tile in group).items()): None
        for groups in hands_of(kinds, sets)
        if asks(groups)
    }
    return tuple(map(tuple, found))


def slowly(name: str, held: Sequence[Tile], sets: int, wild: int = 0) -> tuple[int, set[Tile]]:
    """Tiles that must still come, and which may be the next; wild ones alone are fifth copies."""
    hand = Counter(held)
    best, short = NEVER, set[Tile]()
    for tiles in complete(name, sets):
        if sum(count - 4 for _, count in tiles if count > 4) > wild:
            continue
        lacking = {tile: count - hand[tile] for tile, count in tiles if count > hand[tile]}
        missing = max(sum(lacking.values()) - wild, 0)
        if missing < best:
            best, short = missing, set()
        if missing == best:
            short |= {tile for tile in lacking if hand[tile] < 4}
    return best, short if best else set()


def has_pung(groups: Groups) -> bool:
    return any(len(group) == 3 and group[0] == group[1] for group in groups)


def has_chow(groups: Groups) -> bool:
    return any(group[0] != group[1] for group in groups)


def outer(tile: Tile) -> bool:
    return tile.suit == "z" or tile.rank in (1, 9)


def has_outer(groups: Groups) -> bool:
    return any(outer(tile) for group in groups for tile in group)


def suits(groups: Groups) -> set[str]:
    return {group[0].suit for group in groups} - {"z"}


GOALS: dict[str, tuple[Goal, Asks, tuple[Tile, ...]]] = {
    "any hand": (ANY_HAND, bool, ALL),
    "pung": (Goal(suits="marked_suit", honours="red_dragon", marks=Marks.PUNG), has_pung, HARBIN),
    "pung and chow": (
        Goal(suits="marked_suit", honours="red_dragon", marks=Marks.PUNG | Marks.CHOW),
        lambda groups: has_pung(groups) and has_chow(groups),
        HARBIN,
    ),
    "all of Harbin": (
        Goal(
            suits="marked_suit",
            honours="red_dragon",
            marks=Marks.PUNG | Marks.CHOW | Marks.OUTER,
            second_suit=frozenset(),
        ),
        lambda groups: (
            has_pung(groups) and has_chow(groups) and has_outer(groups) and len(suits(groups)) >= 2
        ),
        HARBIN,
    ),
    "another suit than characters": (
        Goal(honours="red_dragon", second_suit=frozenset({0})),
        lambda groups: bool(suits(groups) - {"m"}),
        HARBIN,
    ),
    "tanyao": (Goal(suits="middle", honours=""), lambda groups: not has_outer(groups), ALL),
    "one suit": (Goal(without=frozenset({0, 1})), lambda groups: suits(groups) <= {"s"}, ALL),
    "all pungs": (Goal(suits="pungs"), lambda groups: not has_chow(groups), ALL),
    "outside": (
        Goal(suits="outside"),
        lambda groups: all(any(map(outer, group)) for group in groups),
        ALL,
    ),
    "a chow": (
        Goal(with_sets=((Tile("2p"), Tile("3p"), Tile("4p")),)),
        lambda groups: ("2p", "3p", "4p") in groups,
        ALL,
    ),
    "white dragons": (
        Goal(with_sets=((Tile("5z"),) * 3,)),
        lambda groups: (Tile("5z"),) * 3 in groups,
        ALL,
    ),
}


def hands(kinds: Sequence[Tile], size: int) -> st.SearchStrategy[tuple[Tile, ...]]:
    """So many tiles, often near each other."""
    few = st.sampled_from(kinds).flatmap(
        lambda tile: st.lists(
            st.sampled_from(
                [other for other in kinds if other.suit == tile.suit]
                if size % 2
                else [other for other in kinds if abs(other.rank - tile.rank) < 3]
            ),
            min_size=size,
            max_size=size,
        )
    )
    anywhere = st.lists(st.sampled_from(kinds), min_size=size, max_size=size)
    legal = st.one_of(few, anywhere).filter(lambda held: max(Counter(held).values()) <= 4)
    return legal.map(tuple)


@pytest.mark.parametrize("name", GOALS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_goal_is_as_far_as_the_nearest_hand_of_its_kind(name: str, data: st.DataObject) -> None:
    goal, _, kinds = GOALS[name]
    held = data.draw(hands(kinds, 4))
    now, closer = slowly(name, held, 1)
    assert min(steps(goal, key_of(held), 4), NEVER) == now
    if now < NEVER:
        assert set(nearer(goal, key_of(held), 4)) & set(kinds) == closer


@pytest.mark.parametrize("name", ["pung and chow", "all of Harbin", "outside"])
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_a_goal_of_two_sets_is_as_far_too(name: str, data: st.DataObject) -> None:
    goal, _, kinds = GOALS[name]
    held = data.draw(hands(kinds, 7))
    now, closer = slowly(name, held, 2)
    assert steps(goal, key_of(held), 7) == now
    assert set(nearer(goal, key_of(held), 7)) & set(kinds) == closer


def with_wild(size: int) -> st.SearchStrategy[tuple[tuple[Tile, ...], int]]:
    """So many tiles, one to three of which are wild."""
    return st.integers(1, 3).flatmap(lambda wild: st.tuples(hands(ALL, size - wild), st.just(wild)))


@settings(max_examples=80, deadline=None)
@given(with_wild(4))
def test_wild_tiles_serve_where_they_serve_best(hand: tuple[tuple[Tile, ...], int]) -> None:
    held, wild = hand
    now, closer = slowly("any hand", held, 1, wild)
    assert distance(held, wild) == now - 1
    assert set(useful(held, wild)) == closer
    assert waits(held, wild) == (useful(held, wild) if now == 1 else ())
    assert wins(held, wild + 1) is (now == 1)


@settings(max_examples=12, deadline=None)
@given(with_wild(7))
def test_wild_tiles_serve_in_two_sets_too(hand: tuple[tuple[Tile, ...], int]) -> None:
    held, wild = hand
    now, closer = slowly("any hand", held, 2, wild)
    assert distance(held, wild) == now - 1
    assert set(useful(held, wild)) == closer
