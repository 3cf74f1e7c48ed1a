"""The clock of a seat camera is set by the tiles that its hand lost."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.tiles import Tile
from tests.support.rows import watched
from vision.seat_camera.clock_offset import PutDown, shift_between
from vision.seat_camera.standing_hand import HandWatch

HANDS = (
    (0.0, 9.0, "12345m 456p 789s 12z 9p"),
    (10.0, 21.0, "12345m 456p 789s 2z 9p"),
    (22.0, 40.0, "12345m 456p 89s 2z 9p"),
    (41.0, 55.0, "12345m 456p 89s 9p"),
)
LEFT = (PutDown(9.5, Tile("1z")), PutDown(21.6, Tile("7s")), PutDown(40.4, Tile("2z")))


def hands() -> HandWatch:
    """Every hand is one tile smaller than the one before, because only lost tiles count here."""
    return watched(*HANDS)


@pytest.mark.parametrize("shift_s", [0.0, 12.3, -30.0, 250.0])
def test_three_discards_set_the_clock(shift_s: float) -> None:
    put_down = [PutDown(one.time_s + shift_s, one.tile) for one in LEFT]
    found = shift_between(put_down, hands().stood)
    assert found == pytest.approx(shift_s, abs=0.6)


def test_one_discard_sets_no_clock() -> None:
    assert shift_between(LEFT[:1], hands().stood) is None


def test_discards_that_the_hand_never_lost_set_no_clock() -> None:
    strangers = [PutDown(one.time_s, Tile("6m")) for one in LEFT]
    assert shift_between(strangers, hands().stood) is None


def test_a_hand_that_repeats_itself_leaves_the_clock_open() -> None:
    same = [PutDown(10.0 * place, Tile("5s")) for place in range(1, 5)]
    moments = [10.0 * place for place in range(1, 12)]
    changes = [
        (begin + 0.5, end - 0.3, "123m 5s 7z" if place % 2 else "123m 5s 5s 7z")
        for place, (begin, end) in enumerate(pairwise(moments))
    ]
    assert shift_between(same, watched(*changes).stood) is None


def test_nothing_seen_sets_no_clock() -> None:
    assert shift_between(LEFT, ()) is None
    assert shift_between((), hands().stood) is None
