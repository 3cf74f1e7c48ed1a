"""Tiles are named last: what holds while some have no name, and what names them."""

from __future__ import annotations

import random

import pytest

from engine.events import Correct, Discard, DrawnHand, Foul, HandEnd, HandStart
from tests.support.recorded import Recorded
from tests.support.seen import Seen
from tests.support.tables import discards, shares


@pytest.mark.parametrize("sure", [0.97, 0.99])
def test_a_fifth_copy_that_is_surely_read_is_another_tile_and_no_lost_discard(
    seen: Seen, sure: float
) -> None:
    seen.claim(seen.discard(0, "5p"), 1, "5555p", 1)
    seen.discard(1, "2m", 1)
    seen.discard(2, "3m", 2)
    seen.discard(3, "5p", 3, sure, "6p")
    seen.discard(0, "9s", 4)
    assert seen.events[2:] == discards((1, "2m"), (2, "3m"), (3, "6p"), (0, "9s"))


def test_names_stay_when_a_person_begins_the_next_hand(table: Recorded) -> None:
    for seat, face in enumerate(("1m", "2m", "3m")):
        table.discard(seat, face, sure=0.92)
    told = discards((0, "1m"), (1, "2m"), (2, "3m"))
    assert table.hand == told
    for event in (DrawnHand("exhausted"), HandEnd(), HandStart(1)):
        table.write(event)
    table.show(2.0)
    thrown = [event for event in table.events if isinstance(event, Discard)]
    assert thrown == told


def test_a_tile_of_a_foul_is_told_as_it_is_read_later() -> None:
    table = Recorded("riichi")
    table.deal()
    for seat, face in enumerate(("1m", "2m", "3m")):
        table.discard(seat, face)
    table.stage.busy = frozenset({2})
    table.show(0.4)
    tile = table.put(2, "8p", 1, 0.7)
    table.show(0.4)
    table.stage.busy = frozenset()
    table.show(1.0)
    table.stage.change(tile, probabilities=shares("7p", 0.995, "8p"))
    table.show(2.0)
    table.discard(3, "9m")
    table.show(5.0)
    fouls = [event for event in table.hand if isinstance(event, Foul)]
    assert [foul.tiles for foul in fouls] == [("7p",)]


def test_names_that_are_as_likely_as_others_do_not_flip() -> None:
    """The tiles are read one way and the other with 46 to 54 %."""
    chance, table = random.Random(0), Recorded("riichi")
    table.deal()
    tiles = [table.discard(at % 4, f"{at + 1}p", at // 4, sure=0.6) for at in range(6)]
    known = table.hand
    for _ in range(10):
        for at, tile in enumerate(tiles):
            share = 0.5 + chance.uniform(-0.04, 0.04)
            table.stage.change(tile, probabilities=shares(f"{at + 1}p", share, f"{at + 2}p"))
        table.show(0.8)
    assert table.hand == known
    assert not any(isinstance(line.event, Correct) for line in table.lines)


def test_a_discard_is_told_though_the_film_ends_while_others_are_lifted() -> None:
    table = Recorded("riichi")
    table.deal()
    thrown = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m"))
    tiles = [table.discard(seat, face, at) for at, (seat, face) in enumerate(thrown)]
    for tile in tiles[:4]:
        table.stage.take_up(tile)
    table.show(0.4)
    table.put(2, "9p", 7)
    table.show(1.0)
    told = table.decoder.decoder.close().told
    assert [entry.event for entry in told if isinstance(entry.event, Discard)] == discards(
        *thrown, (2, "9p")
    )
