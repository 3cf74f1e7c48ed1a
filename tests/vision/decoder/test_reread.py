"""A face is told by all that is known: later looks, the copies that lie elsewhere, the rules."""

from __future__ import annotations

import pytest

from engine.events import Chow, Discard, Win
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import set_at_corner, shares


@pytest.fixture
def seen() -> Seen:
    table = Seen()
    table.deal()
    return table


def test_a_better_look_changes_what_was_told(seen: Seen) -> None:
    tile = seen.stage.put(0, -90, 90, "7s")
    seen.stage.change(tile, probabilities=shares("7s", 0.55, other="8s"))
    seen.show()
    assert seen.events == [Discard(0, Tile("7s"))]
    seen.stage.change(tile, probabilities=shares("8s", 0.8, other="7s"))
    seen.show()
    assert seen.events == [Discard(0, Tile("8s"))]


def test_four_other_copies_tell_what_a_doubtful_tile_was(seen: Seen) -> None:
    seen.discard(0, "7s", 0, sure=0.6, other="8s")
    for turn in range(1, 5):
        seen.discard(turn % 4, "7s", turn)
    assert seen.events == [Discard(0, Tile("8s"))] + [
        Discard(turn % 4, Tile("7s")) for turn in range(1, 5)
    ]


def test_copies_that_lie_elsewhere_speak_against_a_face(seen: Seen) -> None:
    for turn in range(3):
        seen.discard(turn, "7s", turn)
    seen.discard(3, "7s", 3, sure=0.55, other="8s")
    assert seen.events[-1] == Discard(3, Tile("8s"))


def test_the_sideways_tile_of_a_set_is_the_claimed_one(seen: Seen) -> None:
    """The discard looked a little more like another tile of the same run."""
    tile = seen.discard(0, "5m", sure=0.7, other="6m")
    seen.stage.take(tile)
    seen.stage.stand(1, 11)
    set_at_corner(seen.stage, 1, ["6m", "5m", "7m"], turned=0)
    seen.show(1.6)
    assert seen.events == [Discard(0, Tile("6m")), Chow(1, 0, Tile("6m"), (Tile("5m"), Tile("7m")))]


def test_the_rules_tell_a_tile_of_the_winning_hand_that_was_not_found() -> None:
    table = Seen("riichi")
    table.deal()
    table.stage.busy = frozenset({0})
    table.show(0.4)
    table.stage.busy = frozenset()
    faces = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2s", "3s", "4s", "9p", "9p"]
    table.stage.stand(0, 0)
    for place, face in enumerate(faces):
        if place != 7:
            table.stage.put(0, -220 + 30 * place + (20 if place == 13 else 0), 345, face)
    table.show(6.0)
    won = table.events[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat, won.tile) == (0, 0, "9p")
    assert won.hand is not None
    assert sorted(won.hand) == sorted(faces[:-1])
