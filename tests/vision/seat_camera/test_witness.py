"""A seat camera tells which tile left the hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.tiles import parse
from tests.support.rows import watched
from vision.seat_camera.standing_hand import HandWatch
from vision.seat_camera.witness import DOUBT, NOBODY, UNCHANGED, SeatWitness, Witness
from vision.tiles.classes import FACE_INDEX, FACES

HAND = "123m 456p 789s 1122z"


def witness(hands: HandWatch, shift_s: float | None = 0.0) -> Witness:
    return Witness({1: SeatWitness(hands, shift_s)})


def thrown(hands: HandWatch, time_s: float) -> dict[str, float]:
    shares = witness(hands).thrown(1, time_s)
    assert shares is not None
    return {FACES[place]: float(shares[place]) for place in np.argsort(-shares)[:3]}


def test_the_tile_that_left_a_hand_of_fourteen_was_put_down() -> None:
    hands = watched((0, 3, HAND + " 9m"), (4, 7, "12m 456p 789s 1122z 9m"))
    likely = thrown(hands, 3.4)
    assert next(iter(likely)) == "3m"
    assert likely["3m"] > 0.9


def test_a_tile_that_was_put_down_at_once_as_it_was_drawn_may_be_any() -> None:
    hands = watched((0, 3, HAND), (4, 7, "123m 456p 789s 1122z"))
    # The hand was out of sight for a moment, but nothing has changed.
    hands_apart = watched((0, 3, HAND), (9, 12, HAND), hands_so_far=None)
    del hands
    shares = witness(hands_apart).thrown(1, 5.0)
    assert shares is None or shares.max() < 2 / len(FACES)


def test_an_arm_before_the_hand_hides_nothing_of_what_left_it() -> None:
    whole, later = HAND + " 9m", "12m 456p 789s 1122z 9m"
    hands = watched(
        (0, 3, whole), (3.2, 4.2, "123m 456p 7s"), (5, 6, "12m 456p 789s"), (7, 9, later)
    )
    assert [len(one) for one in hands.stood] == [14, 7, 8, 13]
    for time_s in (3.4, 4.5, 6.5):
        assert next(iter(thrown(hands, time_s))) == "3m"
    assert witness(hands).held(1, 6.5, parse("22z")) < 0.2


def test_a_drawn_tile_that_stays_tells_which_one_went() -> None:
    hands = watched((0, 3, HAND), (4, 7, "12m 456p 789s 1122z 9m"))
    assert next(iter(thrown(hands, 3.4))) == "3m"


@pytest.mark.parametrize(
    ("hands", "time_s", "why"),
    [
        (watched((0, 3, HAND)), 3.4, "the hand after it has not been seen"),
        (watched((4, 7, HAND)), 3.4, "the hand before it has not been seen"),
        (watched((0, 3, HAND + " 9m"), (60, 63, HAND)), 30.0, "too long a time lies between"),
        (watched((0, 3, HAND + " 9m"), (4, 7, "123m 456p")), 3.4, "more than one tile is gone"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_nothing_is_said_of_what_was_not_seen(hands: HandWatch, time_s: float, why: str) -> None:
    assert witness(hands).thrown(1, time_s) is None, why


def test_a_seat_without_a_camera_says_nothing() -> None:
    assert NOBODY.thrown(1, 3.0) is None
    assert NOBODY.held(1, 3.0, parse("1m")) == 0.0
    assert NOBODY.unchanged(1, 3.0) == 0.0


def test_a_camera_whose_clock_is_not_known_says_nothing() -> None:
    hands = watched((0, 3, HAND + " 9m"), (4, 7, "12m 456p 789s 1122z 9m"))
    assert witness(hands, None).thrown(1, 3.4) is None
    assert witness(hands, None).unchanged(1, 1.5) == 0.0


def test_clocks_are_set_to_each_other() -> None:
    hands = watched((0, 3, HAND + " 9m"), (4, 7, "12m 456p 789s 1122z 9m"))
    assert witness(hands, 20.0).thrown(1, 3.4) is None
    shares = witness(hands, 20.0).thrown(1, 23.4)
    assert shares is not None
    assert FACES[int(shares.argmax())] == "3m"


def test_a_hand_that_stood_all_the_time_speaks_against_its_seat() -> None:
    hands = watched((0, 9, HAND), (10, 14, "123m 456p 789s 112z 9m"))
    assert witness(hands).unchanged(1, 5.0) == UNCHANGED
    assert witness(hands).unchanged(1, 9.4) == 0.0
    assert witness(hands).unchanged(2, 5.0) == 0.0


def test_tiles_that_were_in_the_hand_are_likelier_to_come_out_of_it() -> None:
    seen = witness(watched((0, 3, HAND)))
    assert seen.held(1, 3.2, parse("12m")) < 0.2
    assert seen.held(1, 3.2, parse("89m")) > 2.0
    assert seen.held(1, 3.2, parse("111z")) > 1.0, "it held two of them"


def test_one_misread_tile_that_stays_does_not_matter() -> None:
    hands = watched((0, 3, HAND + " 9m"), (4, 7, "12m 456p 789s 1122z 9m"), sure=0.5)
    shares = witness(hands).thrown(1, 3.4)
    assert shares is not None
    assert FACES[int(shares.argmax())] == "3m"
    assert math.isclose(float(shares.sum()), 1.0)
    assert float(shares[FACE_INDEX["4z"]]) >= DOUBT / len(FACES) * 0.99
