"""What is no move is not told at all: before a hand, between two, and in the middle of one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.events import Discard, Event
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import discards, shares

RULES = ("harbin-hlr", "hangzhou", "riichi")
"""Each lays its discards, its sets or its signs of readiness in another way."""
FACES = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]


def in_play(rules: str, discards: int = 6) -> tuple[Seen, list[int], list[Event]]:
    """A hand with some discards, their tiles, and what was told."""
    seen = Seen(rules)
    seen.deal()
    for seat in range(4):
        seen.stage.stand(seat, 13)
    tiles = []
    for turn in range(discards):
        tiles.append(seen.discard(turn % 4, f"{turn + 1}m", 2 if turn < 4 else 7))
    return seen, tiles, seen.events


def shuffling(seen: Seen) -> None:
    """Tiles face up and face down lie everywhere, other ones in every moment."""
    dice = random.Random(5)
    for _ in range(12):
        seen.stage.clear()
        seen.stage.busy = frozenset(range(4))
        for _ in range(60):
            place = dice.uniform(-250, 250), dice.uniform(-250, 250)
            face = dice.choice(FACES) if dice.random() < 0.5 else ""
            seen.stage.put(0, *place, face, dice.uniform(0, 360))
        seen.show(0.4)
    seen.stage.clear()
    seen.stage.busy = frozenset()


def wall_building(seen: Seen) -> None:
    """Rows of backs grow before the players, and are pushed to the middle."""
    for count in range(3, 18, 2):
        seen.stage.clear()
        for seat in range(4):
            seen.stage.lay(seat, "?" * count, -250)
        seen.stage.busy = frozenset(range(4))
        seen.show(0.6)
    seen.stage.clear()
    seen.stage.busy = frozenset()
    for seat in range(4):
        seen.stage.lay(seat, "?" * 17, -250, out_mm=230)
    seen.show(3.0)


@pytest.mark.parametrize("does", [shuffling, wall_building])
@pytest.mark.parametrize("rules", RULES)
def test_nothing_is_told_before_the_first_deal(rules: str, does: Callable[[Seen], None]) -> None:
    seen = Seen(rules)
    does(seen)
    assert not seen.told
    seen.stage.clear()
    seen.show(2.0)
    seen.deal()
    assert len(seen.told) == 2, "the game, and the hand that is dealt"


@pytest.mark.parametrize("rules", RULES)
def test_shuffling_after_a_hand_tells_its_end_and_nothing_else(rules: str) -> None:
    seen, _, before = in_play(rules)
    shuffling(seen)
    wall_building(seen)
    told = seen.events
    assert told[: len(before)] == before
    assert [type(event).__name__ for event in told[len(before) :]] == ["DrawnHand", "HandEnd"]


def sleeve(seen: Seen, tiles: list[int]) -> None:
    """It covers most of the discards for a while, and is gone again."""
    covered = [seen.stage.take_up(tile) for tile in tiles[2:]]
    seen.stage.busy = frozenset({1})
    seen.show(4.0)
    for tile in covered:
        seen.stage.lay_again(tile)
    seen.stage.busy = frozenset()


def phone(seen: Seen, tiles: list[int]) -> None:
    """It hides two discards and stays."""
    for tile in tiles[2:4]:
        seen.stage.take_up(tile)
    seen.show(5.0)


def pointing(seen: Seen, tiles: list[int]) -> None:
    """Hands come over the table and go, tile after tile is covered for a moment."""
    for seat, tile in zip((2, 3, 0, 1), tiles, strict=False):
        seen.stage.busy = frozenset({seat})
        covered = seen.stage.take_up(tile)
        seen.show(0.6)
        seen.stage.lay_again(covered)
        seen.show(0.6)
    seen.stage.busy = frozenset()


def pushed(seen: Seen, tiles: list[int]) -> None:
    """A sleeve pushes two discards by half a tile."""
    for tile in tiles[:2]:
        lies = seen.stage.take_up(tile)
        seen.stage.lay_again(lies)
        seen.stage.change(tile, x_mm=lies.x_mm + 12.0, y_mm=lies.y_mm - 9.0)


def blind(seen: Seen, tiles: list[int]) -> None:
    """No picture comes for a while, and nobody has played."""
    assert tiles
    seen.stage.time_s += 60.0


@pytest.mark.parametrize("does", [sleeve, phone, pointing, pushed, blind])
@pytest.mark.parametrize("rules", RULES)
def test_nothing_is_told_of_what_is_no_move(
    rules: str, does: Callable[[Seen, list[int]], None]
) -> None:
    seen, tiles, before = in_play(rules)
    does(seen, tiles)
    seen.show(2.0)
    assert seen.events == before
    seen.discard(2, "9p", 7)
    assert seen.events == [*before, Discard(2, Tile("9p"))], "and the game goes on"


def test_a_thing_that_lies_there_while_tiles_are_dealt_is_no_discard() -> None:
    table = Seen()
    table.show(3.0)
    for seat in range(4):
        table.stage.stand(seat, 4)
    table.show(1.0)
    thing = table.stage.put(0, 40, 0, "2s")
    table.stage.change(thing, probabilities=shares("2s", 0.3, "7s"), score=0.8)
    table.show(1.0)
    table.deal()
    table.plays((0, "3p"), (1, "1m"), (2, "4s"))
    assert table.events == discards((0, "3p"), (1, "1m"), (2, "4s"))
