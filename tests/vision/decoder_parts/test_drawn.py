"""Whether a discard was the tile just drawn is told where rules or the standing hand say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.events import Chow, Discard, Draw, Event, HandStart, Position
from engine.tiles import UNKNOWN, Tile
from tests.support.tables import TILE_MM, VIEW, Stage
from vision.decoder.drawn import DrawnTiles
from vision.decoder.explained import Explained
from vision.table.placed_tile import PlacedTile
from vision.table.view import to_seat
from vision.tiles.classes import FACES, Side
from vision.tracking.apart import StandsApart
from vision.tracking.zones import Zones

ONE, TWO = Tile("1m"), Tile("2m")
CHOW = Chow(0, 3, Tile("3m"), (ONE, TWO), True)


def known(*events: Event, stayed: bool = False) -> list[bool | None]:
    """What is said of the discards of a hand, one second after the other."""
    hand = (HandStart(), *events)
    steps = tuple(Explained(float(at), at, event) for at, event in enumerate(hand))
    filled = DrawnTiles().fill(steps, lambda seat, since_s, time_s: stayed)
    return [one.event.drawn for one in filled if isinstance(one.event, Discard)]


TOLD: dict[str, tuple[list[Event], list[bool | None]]] = {
    "nothing known": ([Discard(0, ONE)], [None]),
    "ready": ([Discard(0, ONE, ready=True), Discard(0, TWO)], [None, True]),
    "another is ready": ([Discard(0, ONE, ready=True), Discard(1, TWO)], [None, None]),
    "ready with a chow": ([CHOW, Discard(0, Tile("9p")), Discard(0, TWO)], [None, True]),
    "an open hand drew another": ([Draw(0, ONE), Discard(0, TWO)], [False]),
    "an open hand drew its like": ([Draw(0, ONE), Discard(0, ONE)], [None]),
    "a hidden draw": ([Draw(0, UNKNOWN), Discard(0, ONE)], [None]),
    "ready and open": (
        [Discard(0, ONE, ready=True), Draw(0, TWO), Discard(0, TWO)],
        [None, True],
    ),
    "ready and against the rules": (
        [Discard(0, ONE, ready=True), Draw(0, ONE), Discard(0, TWO)],
        [None, False],
    ),
    "told already": ([Discard(0, ONE, drawn=True)], [True]),
}


@pytest.mark.parametrize("name", TOLD)
def test_faces_and_rules_tell_it(name: str) -> None:
    events, drawn = TOLD[name]
    assert known(*events) == drawn


def test_who_was_ready_when_the_camera_came_discards_what_was_drawn() -> None:
    nobody: tuple[()] = ()
    joined = Position(
        hands=((UNKNOWN,) * 13,) * 4,
        sets=(nobody,) * 4,
        rivers=(nobody,) * 4,
        wall_left=60,
        turn=2,
        ready=(2,),
        indicators=(),
    )
    assert known(joined, Discard(2, ONE), Discard(3, ONE)) == [True, None]


def test_a_tile_that_stayed_was_not_discarded() -> None:
    assert known(Discard(0, ONE), stayed=True) == [False]


def test_after_a_claim_and_when_ready_the_standing_hand_is_not_asked() -> None:
    assert known(CHOW, Discard(0, Tile("9p")), stayed=True) == [None]
    assert known(Discard(0, ONE, ready=True), Discard(0, TWO), stayed=True) == [False, True]


def test_what_is_seen_after_a_discard_was_told_corrects_nothing() -> None:
    steps = (Explained(0.0, 0, HandStart()), Explained(1.0, 1, Discard(0, ONE)))
    filling = DrawnTiles()
    first = filling.fill(steps, lambda seat, since_s, time_s: False)
    assert filling.fill(steps, lambda seat, since_s, time_s: True) == first == steps


def test_what_was_seen_once_stays_true_and_hands_that_are_over_are_not_told_anew() -> None:
    events: list[Event] = [HandStart(), Discard(0, ONE), HandStart(), Discard(0, TWO)]
    steps = tuple(Explained(float(at), at, event) for at, event in enumerate(events))
    filling = DrawnTiles()
    first = filling.fill(steps[:2], lambda seat, since_s, time_s: True)
    later = filling.fill(steps, lambda seat, since_s, time_s: False)
    assert first[1].event == Discard(0, ONE, drawn=False)
    assert later[:2] == first
    assert later[3].event == Discard(0, TWO)


class Hand:
    """The standing tiles of seat 0, looked at every fifth of a second."""

    def __init__(self, count: int = 13, gap: float = 1.4) -> None:
        self.apart = StandsApart()
        self.time_s = 0.0
        self.tiles = [self._tile(at, at * TILE_MM) for at in range(count)]
        self.look()
        self.sorted_s = self.time_s
        self.tiles.append(self._tile(99, (count - 1 + gap) * TILE_MM, self.time_s + 0.1))
        self.look()

    @staticmethod
    def _tile(number: int, along_mm: float, first_s: float = 0.0) -> PlacedTile:
        none = np.zeros(len(FACES))
        return PlacedTile(number, Side.STANDING, none, along_mm - 200, 345.0, 0.0, first_s, 3)

    def look(self, lasts_s: float = 1.0, seen: bool = True) -> None:
        """Show the hand for a while; ``seen``: it is looked at again."""
        for _ in range(round(lasts_s / 0.2)):
            self.time_s += 0.2
            if seen:
                self.tiles = [replace(tile, looks=tile.looks + 1) for tile in self.tiles]
            self.apart.update([self.tiles, (), (), ()], TILE_MM, self.time_s)

    def discards(self, place: int, seen: bool = True) -> bool:
        """Whether the drawn tile is said to stay when the tile of this place is discarded."""
        discard_s = self.time_s + 0.1
        del self.tiles[place]
        self.look(seen=seen)
        return self.apart.stayed(0, self.sorted_s, discard_s)


@pytest.mark.parametrize("place", range(13))
def test_the_tile_apart_still_stands_there_after_a_discard_from_the_hand(place: int) -> None:
    assert Hand().discards(place)


def test_of_the_drawn_tile_itself_and_of_a_hand_that_is_not_looked_at_nothing_is_said() -> None:
    assert not Hand().discards(13)
    assert not Hand().discards(4, seen=False)


@pytest.mark.parametrize(
    ("count", "gap"),
    [(13, 1.0), (13, 2.0), (12, 1.4), (14, 1.4)],
    ids=["no gap", "one not found between", "one not found", "one too many"],
)
def test_a_tile_that_may_be_another_one_says_nothing(count: int, gap: float) -> None:
    assert not Hand(count, gap).discards(3)


def test_a_tile_that_stood_apart_in_the_turn_before_was_not_drawn_now() -> None:
    hand = Hand()
    hand.sorted_s = hand.time_s
    assert not hand.discards(5)


def test_the_zones_give_each_seat_its_standing_tiles_from_the_left() -> None:
    stage = Stage()
    for seat in range(4):
        stage.stand(seat, 13)
    rows = Zones(VIEW, 13).laid(stage.shown(0.2)[0]).rows
    for seat, row in enumerate(rows):
        along = [float(to_seat(tile.xy_mm, seat)[0]) for tile in row]
        assert len(along) == 13
        assert along == sorted(along)
