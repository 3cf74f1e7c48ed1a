"""A seat's own camera settles what the camera above the table leaves open, and nothing more."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import Tile
from tests.vision.rows import watched
from vision.reading.classes import FACE_INDEX, FACES, Side
from vision.second.witness import SeatWitness, Witness
from vision.table.placed import Placed
from vision.telling.scene import Scene

HANDS = ((0.0, 9.0, "123m 456p 789s 1122z 5s"), (10.0, 14.0, "123m 456p 789s 1122z"))
LEFT_S = 9.4


def lying(**shares: float) -> Placed:
    """A face on the table with these shares; what is left over is shared by all."""
    faces = np.full(len(FACES), (1 - sum(shares.values())) / len(FACES))
    for face, share in shares.items():
        faces[FACE_INDEX[face[::-1]]] += share
    return Placed(7, Side.FACE, faces, 0.0, 0.0, 0.0, LEFT_S)


def scene(tile: Placed, seen: bool = True) -> Scene:
    hands = {1: SeatWitness(watched(*HANDS))} if seen else {}
    return Scene({7: tile}, {7}, 28.0, witness=Witness(hands))


def first(tile: Placed, seat: int = 1, seen: bool = True) -> Tile:
    return scene(tile, seen).likely(7, by=(seat, LEFT_S))[0][0]


@pytest.mark.parametrize(
    ("shares", "alone", "settled"),
    [
        ({"s6": 0.5, "s5": 0.4}, "6s", "5s"),
        ({"s6": 0.05}, "6s", "5s"),
        ({"s6": 0.97, "s5": 0.02}, "6s", "5s"),
        ({"s6": 0.99}, "6s", "6s"),
    ],
    ids=["a close race", "an unread face", "a likely rival", "a face read for sure"],
)
def test_a_doubtful_discard_is_read_by_what_left_the_hand(
    shares: dict[str, float], alone: str, settled: str
) -> None:
    assert str(first(lying(**shares), seen=False)) == alone
    assert str(first(lying(**shares))) == settled


def test_another_seat_s_hand_says_nothing_of_it() -> None:
    assert first(lying(s6=0.5, s5=0.4), seat=2) == Tile("6s")


def test_costs_are_those_of_the_likeliest_faces() -> None:
    seen = scene(lying(s6=0.5, s5=0.4))
    by = (1, LEFT_S)
    for face, cost in seen.likely(7, by=by):
        assert seen.cost_of(7, face, by) == pytest.approx(cost)
    assert seen.cost_of(7, Tile("5s"), by) < 0.2 < seen.cost_of(7, Tile("5s"))


def test_a_tile_whose_back_is_up_stays_hidden_whatever_was_in_the_hand() -> None:
    back = Placed(7, Side.BACK, np.zeros(len(FACES)), 0.0, 0.0, 0.0, LEFT_S)
    assert scene(back).likely(7, by=(1, LEFT_S)) == scene(back, seen=False).likely(7)
    assert scene(back).cost_of(7, Tile("5s"), (1, LEFT_S)) == scene(back).cost_of(
        7, Tile("9m"), (1, LEFT_S)
    )
