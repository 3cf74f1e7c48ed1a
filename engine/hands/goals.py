"""How far a hand is from a kind of winning hand, and which tiles bring it nearer.

Rule sets ask for more than sets and a pair: a pung and a chow among them, two suits, no terminals.
A goal describes what is required; each suit is looked up in the table made for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntFlag
from functools import lru_cache
from operator import add
from typing import Final

from engine.hands.forms import HandForm
from engine.hands.hand_key import (
    ALL,
    BASE,
    HONOURS,
    RANKS,
    SUITS,
    TILES,
    UNIT,
    UNITS,
    HandKey,
    addable,
    counts,
    fields,
)
from engine.hands.missing_tiles import NEVER, PAIR, joined, left_over, sets_of
from engine.hands.special import special_distance
from engine.hands.suit_tables import PLAIN_LANES, LackVector, table
from engine.tiles import COPIES, RED_DRAGON, Tile

Blocks = tuple[LackVector, ...]
"""Missing tiles of suits for every combination of the required marks, no marks first."""


class Marks(IntFlag):
    """What the sets and the pair must contain; the values are the order of the table."""

    OUTER = 1
    """A terminal or a red dragon."""
    CHOW = 2
    PUNG = 4


NO_MARKS: Final = Marks(0)


@dataclass(frozen=True)
class Goal:
    """One kind of winning hand, without what has been declared already."""

    name: str = ""
    """The rule set's name for it; empty for any hand."""
    form: HandForm = HandForm.SETS
    suits: str = "suit"
    """Name of the table for the suits."""
    honours: str = "honours"
    """Name of the table for the honours; ``red_dragon`` where only that is in play, empty for none.
    """
    without: frozenset[int] = frozenset()
    """Suits that may not be used, by their index in ``m p s``."""
    some: frozenset[int] = frozenset()
    """Suits of which the hand needs at least one set or the pair."""
    marks: Marks = NO_MARKS
    outer_when_ready: bool = False
    """Whether a terminal or red dragon must be there before the last tile comes."""
    with_sets: tuple[tuple[Tile, ...], ...] = ()
    """Sets that the hand must contain."""
    second_suit: frozenset[int] | None = None
    """The suits declared so far, where the hand must end with at least two."""


ANY_HAND: Final = Goal()


def shape_of(wall: Iterable[Tile]) -> Goal:
    """Sets and a pair of the tiles in play, whatever else the rules ask of a win."""
    honours = {tile for tile in wall if tile.suit == "z"}
    if honours == {RED_DRAGON}:
        return Goal(honours="red_dragon")
    return ANY_HAND if honours else Goal(honours="")


OUTER: Final = (*map(Tile, ("1m", "9m", "1p", "9p", "1s", "9s")), RED_DRAGON)
"""Terminals and the red dragon."""
_SUITS: Final = range(HONOURS)
_NOTHING: Final[LackVector] = (0, *(NEVER,) * (PLAIN_LANES - 1))
_IMPOSSIBLE: Final[LackVector] = (NEVER,) * PLAIN_LANES


def steps(goal: Goal, key: HandKey, tiles: int, wild: int = 0, but: Marks = NO_MARKS) -> int:
    """Tiles that are missing until the hand is complete; ``NEVER`` or more where it cannot be.

    ``tiles``: number of undeclared tiles with the wild ones, which are not in ``key``.
    ``but``: marks of the goal that are let go.
    """
    if goal.form is not HandForm.SETS:
        return special_distance(key, tiles, wild, (goal.form,)) + 1
    lacking, _ = _lacking(goal, key, wild, sets_of(tiles), but)
    early = goal.outer_when_ready and Marks.OUTER not in but
    if lacking == 1 and early and not _outer(key):
        return 2  # the terminal comes first, and something else is waited for
    return max(lacking - wild, 0)


def nearer(goal: Goal, key: HandKey, tiles: int, wild: int = 0) -> Iterator[Tile]:
    """Kinds that bring the hand a step nearer, whatever copies are held; some may come twice."""
    if goal.form is not HandForm.SETS:
        now = special_distance(key, tiles, wild, (goal.form,))
        for tile in addable(key):
            if special_distance(key + UNIT[tile], tiles, wild, (goal.form,)) < now:
                yield tile
        return
    sets = sets_of(tiles)
    least, ways = _lacking(goal, key, wild, sets)
    if least >= NEVER:
        return  # a required set finds no room beside those declared
    if goal.outer_when_ready and least <= 2 and len(_outer(key)) < least:
        yield from _nearer_with_outer(goal, key, tiles, least, ways)
    else:
        yield from _nearer_ways(ways, key, wild, sets, least)


def _nearer_ways(
    ways: Iterable[Goal], key: HandKey, wild: int, sets: int, least: int
) -> Iterator[Tile]:
    for way in ways:
        rest, short = _without_sets(way, key)
        yield from short
        yield from _nearer(way, rest, wild, sets - len(way.with_sets), least - len(short))


def _outer(key: HandKey) -> list[Tile]:
    """The terminals and red dragons of a hand, each copy."""
    return [tile for tile in OUTER for _ in range(_copies(key, tile))]


def _copies(key: HandKey, tile: Tile) -> int:
    return counts(fields(key)[SUITS.index(tile.suit)])[tile.rank - 1]


def _nearer_with_outer(
    goal: Goal, key: HandKey, tiles: int, least: int, ways: Iterable[Goal]
) -> Iterator[Tile]:
    """Kinds with which, after some discard, the hand is ready and holds a terminal or red dragon.

    Only for hands so near that hold so few of them: any other hand keeps one on its way.
    """
    sets = sets_of(tiles)
    if least == 1:  # complete but for the terminal, of which the hand has none
        yield from (tile for tile in OUTER if _ready_without_some(goal, key + UNIT[tile], sets))
        return
    for tile in set(_nearer_ways(ways, key, 0, sets, least)):
        if tile in OUTER or (_outer(key) and _ready_without_some(goal, key + UNIT[tile], sets)):
            yield tile


def _ready_without_some(goal: Goal, key: HandKey, sets: int) -> bool:
    """Whether a discard leaves a ready hand with a terminal or red dragon."""
    held = (tile for tile in ALL if _copies(key, tile))
    return any(
        _outer(key - UNIT[tile]) and _lacking(goal, key - UNIT[tile], 0, sets)[0] == 1
        for tile in held
    )


def _lacking(
    goal: Goal, key: HandKey, wild: int, sets: int, but: Marks = NO_MARKS
) -> tuple[int, list[Goal]]:
    """The number of missing tiles, and the goals that need only so many."""
    least = _needed(goal, key, wild, sets, but)
    declared = goal.second_suit
    if declared is None or len(declared) > 1:
        return least, [goal]
    suits = declared or _SUITS
    if least < min(_least_alone(goal, suit, key, wild, sets, least, but) for suit in suits):
        return least, [goal]
    if declared:
        (one,) = declared
        pairs = [frozenset({other}) for other in range(HONOURS) if other != one]
    else:
        pairs = [frozenset({0, 1}), frozenset({0, 2}), frozenset({1, 2})]
    ways = [replace(goal, some=some) for some in pairs]
    lacks = [_needed(way, key, wild, sets, but) for way in ways]
    least = min(lacks)
    return least, [way for way, lack in zip(ways, lacks, strict=True) if lack == least]


def _least_alone(
    goal: Goal, suit: int, key: HandKey, wild: int, sets: int, least: int, but: Marks
) -> int:
    """Missing tiles if all but the honours are of one suit; only a lower bound where that is
    higher.
    """
    one, honours = fields(key)[suit], fields(key)[HONOURS]
    bound = 3 * sets + 2 - sum(counts(one)) - sum(counts(honours))
    if bound > least:
        return bound
    return _needed(replace(goal, without=frozenset(_SUITS) - {suit}), key, wild, sets, but)


def _without_sets(goal: Goal, key: HandKey) -> tuple[HandKey, list[Tile]]:
    """Take the required sets out of the hand; return the rest and the tiles that these sets lack.

    The rest may then want a fifth copy of a tile. That is so rare that it is ignored.
    """
    short = []
    for tile in (tile for made in goal.with_sets for tile in made):
        if counts(fields(key)[SUITS.index(tile.suit)])[tile.rank - 1]:
            key -= UNIT[tile]
        else:
            short.append(tile)
    return key, short


@lru_cache(maxsize=1 << 14)
def _needed(goal: Goal, key: HandKey, wild: int, sets: int, but: Marks) -> int:
    """The number of missing tiles; a hint asks two or three times of the same hand."""
    sets -= len(goal.with_sets)
    if sets < 0:
        return NEVER
    key, short = _without_sets(goal, key)
    one, two, three, four = _blocks(goal, key, wild)
    first, second = _join(one, two), _join(three, four)
    full = _asked(goal.marks).index(goal.marks & ~but)
    least: int = min(
        min(map(add, first[here], left_over(second[full ^ here], sets)))
        for here in range(full + 1)
        if here & full == here
    )
    return len(short) + least


def _blocks(goal: Goal, key: HandKey, wild: int) -> list[Blocks]:
    readers = _readers(goal, wild > 0)
    return [reader(field) for reader, field in zip(readers, fields(key), strict=True)]


@lru_cache(maxsize=1 << 14)
def _asked(marks: Marks) -> tuple[int, ...]:
    """Every combination of the marks, as indices of the table."""
    single = [mark.value for mark in Marks if mark in marks]
    return tuple(
        sum(mark for place, mark in enumerate(single) if chosen >> place & 1)
        for chosen in range(1 << len(single))
    )


@lru_cache(maxsize=1 << 10)
def _readers(goal: Goal, wild: bool) -> tuple[Callable[[int], Blocks], ...]:
    return tuple(_reader(goal, suit, wild) for suit in range(HONOURS + 1))


def _reader(goal: Goal, suit: int, wild: bool) -> Callable[[int], Blocks]:
    """What tells of a field of this suit how many tiles it lacks."""
    asked = _asked(goal.marks)
    if suit in goal.without or (suit == HONOURS and not goal.honours):
        none: Blocks = (_NOTHING, *(_IMPOSSIBLE,) * (len(asked) - 1))
        return lambda field: none
    if suit == HONOURS and goal.honours == "red_dragon":
        return lambda field: _red_dragons(counts(field)[RED_DRAGON.rank - 1], asked)
    name = goal.honours if suit == HONOURS else goal.suits
    if wild and name in ("suit", "honours"):
        name = f"wild_{name}"
    numbers, some = table(name).numbers, suit in goal.some
    if goal.suits == "middle":
        return lambda field: _blocks_of(name, numbers[field % UNITS[-1] // BASE], asked, some)
    return lambda field: _blocks_of(name, numbers[field], asked, some)


@lru_cache(maxsize=1 << 14)
def _blocks_of(name: str, number: int, asked: tuple[int, ...], some: bool) -> Blocks:
    row = table(name).vectors[number]
    starts = (PLAIN_LANES * mark for mark in asked)
    blocks = tuple(row[start : start + PLAIN_LANES] for start in starts)
    return tuple((NEVER, *block[1:]) for block in blocks) if some else blocks


@lru_cache(maxsize=1 << 6)
def _red_dragons(count: int, asked: tuple[int, ...]) -> Blocks:
    blocks = []
    for marks in asked:
        block = list(_NOTHING if not marks else _IMPOSSIBLE)
        if not marks & Marks.CHOW:
            block[1] = max(3 - count, 0)
            if not marks & Marks.PUNG:
                block[PAIR] = max(2 - count, 0)
        blocks.append(tuple(block))
    return tuple(blocks)


@lru_cache(maxsize=1 << 14)
def _join(first: Blocks, second: Blocks) -> Blocks:
    """Missing tiles of two suits together; each mark is made by one of them."""
    if len(first) == 1:
        return (joined(first[0], second[0]),)
    made = []
    for marks in range(len(first)):
        ways = [
            joined(first[here], second[marks ^ here])
            for here in range(marks + 1)
            if here & marks == here
            and first[here] != _IMPOSSIBLE
            and second[marks ^ here] != _IMPOSSIBLE
        ]
        made.append(tuple(map(min, *ways)) if len(ways) > 1 else (*ways, _IMPOSSIBLE)[0])
    return tuple(made)


def _nearer(goal: Goal, key: HandKey, wild: int, sets: int, least: int) -> Iterator[Tile]:
    """Kinds of which one more tile makes one missing tile less."""
    suits = _blocks(goal, key, wild)
    one, two, three, four = suits
    first, second = _join(one, two), _join(three, four)
    rests = (_join(two, second), _join(one, second), _join(first, four), _join(first, three))
    full = len(one) - 1
    readers = _readers(goal, wild > 0)
    for suit, field in enumerate(fields(key)):
        blocks, rest = suits[suit], rests[suit]
        places = []
        for here in range(full + 1):
            sums = tuple(map(add, blocks[here], left_over(rest[full ^ here], sets)))
            if least in sums:
                lacks = zip(blocks[here], sums, strict=True)
                places += [
                    (here, place)
                    for place, (lack, both) in enumerate(lacks)
                    if lack and both == least
                ]
        if not places:
            continue
        held, read = counts(field), readers[suit]
        for rank in range(RANKS[suit]):
            if held[rank] >= COPIES:
                continue
            more = read(field + UNITS[rank])
            if any(more[here][place] < blocks[here][place] for here, place in places):
                yield TILES[suit][rank]


def in_order(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Each kind once, in the order of the tiles."""
    wanted = set(tiles)
    return tuple(tile for tile in ALL if tile in wanted)
