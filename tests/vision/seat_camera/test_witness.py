"""A standing hand counts while it stands still; what leaves it is told, and sets the clock."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from engine.tiles import UNKNOWN, Tile, parse
from tests.support.rows import row, watched
from vision.seat_camera.clock_offset import PutDown, shift_between
from vision.seat_camera.standing_hand import HandWatch, StandingHand
from vision.seat_camera.witness import DOUBT, NOBODY, UNCHANGED, SeatWitness, Witness
from vision.tiles.classes import FACE_INDEX, FACES


def test_a_hand_counts_once_it_has_stood_unchanged_for_a_moment() -> None:
    hands = HandWatch()
    hands.look(0.0, row("123m 456p 7z"))
    hands.look(0.25, row("123m 456p 7z"))
    assert not hands.stood
    hands.look(0.75, row("123m 456p 7z"))
    (stood,) = hands.stood
    assert stood.tiles == parse("123m 456p 7z")
    assert stood.to_s == 0.75
    (stood,) = watched((0.0, 4.0, "123m 456p 7z")).stood
    assert (stood.from_s, stood.to_s) == (0.25, 3.75), "it grows older, and is not told twice"


def test_a_hand_that_is_sorted_is_not_believed_until_it_stands() -> None:
    hands = watched((0.0, 2.0, "123m 456p 7z"))
    for time_s, shift in ((2.0, 0.6), (2.25, 1.3), (2.5, 1.9), (2.75, 0.2)):
        hands.look(time_s, row("123m 456p 7z", shift_tiles=shift))
    assert len(hands.stood) == 1
    assert hands.stood[-1].to_s == 1.75


@pytest.mark.parametrize(
    "hands",
    [
        ("123m 456p 7z", "123m 456p 7z 9s", "123m 456p 9s"),
        ("123m 456p 7z", "123m 456p 1z"),
    ],
)
def test_a_tile_more_or_less_or_another_makes_another_hand(hands: tuple[str, ...]) -> None:
    seen = watched(*((2.0 * at, 2.0 * at + 2, tiles) for at, tiles in enumerate(hands)))
    assert [stood.tiles for stood in seen.stood] == [parse(tiles) for tiles in hands]


def test_a_finger_before_a_tile_for_one_look_changes_nothing() -> None:
    hands = watched((0.0, 2.0, "123m 456p 7z"))
    hands.look(2.0, row("123m 456p 7z", without=3))
    hands.look(2.25, row("123m 456p 7z"))
    (stood,) = hands.stood
    assert (len(stood), stood.to_s) == (7, 2.25)


def test_a_doubtful_face_is_unknown_and_many_looks_make_it_surer() -> None:
    one = watched((0.0, 0.8, "123m"), sure=0.45).stood[-1]
    many = watched((0.0, 4.0, "123m"), sure=0.45).stood[-1]
    assert one.probabilities.max(axis=1) == pytest.approx(many.probabilities.max(axis=1), abs=0.4)
    assert (many.probabilities.max(axis=1) >= one.probabilities.max(axis=1)).all()
    assert watched((0.0, 0.8, "1m"), sure=0.02).stood[-1].tiles == (UNKNOWN,)


def test_a_hand_that_is_out_of_sight_for_long_is_seen_anew() -> None:
    hands = watched((0.0, 2.0, "123m 456p 7z"))
    for time_s in np.arange(2.0, 8.0, 0.25):
        hands.look(float(time_s), None)
    watched((8.0, 10.0, "123m 456p 7z"), hands_so_far=hands)
    assert [round(stood.from_s) for stood in hands.stood] == [0, 8]


# --- what left the hand ---


HAND = "123m 456p 789s 1122z"


def witness(hands: HandWatch, shift_s: float | None = 0.0) -> Witness:
    return Witness({1: SeatWitness(hands, shift_s)})


HELD, LATER = HAND + " 9m", "12m 456p 789s 1122z 9m"
LOST = watched((0, 3, HELD), (4, 7, LATER))
BEHIND_AN_ARM = watched(
    (0, 3, HELD), (3.2, 4.2, "123m 456p 7s"), (5, 6, "12m 456p 789s"), (7, 9, LATER)
)


@pytest.mark.parametrize(
    ("hands", "time_s", "shift_s"),
    [
        (LOST, 3.4, 0.0),
        (watched((0, 3, HAND), (4, 7, LATER)), 3.4, 0.0),
        (BEHIND_AN_ARM, 3.4, 0.0),
        (BEHIND_AN_ARM, 4.5, 0.0),
        (BEHIND_AN_ARM, 6.5, 0.0),
        (LOST, 23.4, 20.0),
    ],
    ids=["of 14", "a drawn tile stays", "arm", "arm, later", "arm, last", "another clock"],
)
def test_the_tile_that_left_a_hand_was_put_down(
    hands: HandWatch, time_s: float, shift_s: float
) -> None:
    shares = witness(hands, shift_s).thrown(1, time_s)
    assert shares is not None
    assert FACES[int(shares.argmax())] == "3m"
    if hands is LOST:
        assert shares.max() > 0.9


def test_an_arm_before_the_hand_hides_nothing_of_what_it_held() -> None:
    assert [len(one) for one in BEHIND_AN_ARM.stood] == [14, 7, 8, 13]
    assert witness(BEHIND_AN_ARM).held(1, 6.5, parse("22z")) < 0.2


def test_a_tile_that_was_put_down_at_once_as_it_was_drawn_may_be_any() -> None:
    """The hand was out of sight for a moment, but nothing has changed."""
    shares = witness(watched((0, 3, HAND), (9, 12, HAND))).thrown(1, 5.0)
    assert shares is None or shares.max() < 2 / len(FACES)


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


def test_a_camera_whose_clock_is_not_known_or_runs_otherwise_says_nothing() -> None:
    assert witness(LOST, None).thrown(1, 3.4) is None
    assert witness(LOST, None).unchanged(1, 1.5) == 0.0
    assert witness(LOST, 20.0).thrown(1, 3.4) is None


def test_a_hand_that_stood_all_the_time_speaks_against_its_seat() -> None:
    hands = watched((0, 9, HAND), (10, 14, "123m 456p 789s 112z 9m"))
    assert witness(hands).unchanged(1, 5.0) == UNCHANGED
    assert witness(hands).unchanged(1, 9.4) == 0.0
    assert witness(hands).unchanged(2, 5.0) == 0.0
    assert witness(hands, 20.0).unchanged(1, 25.0) == UNCHANGED


def test_tiles_that_were_in_the_hand_are_likelier_to_come_out_of_it() -> None:
    seen = witness(watched((0, 3, HAND)))
    assert seen.held(1, 3.2, parse("12m")) < 0.2
    assert seen.held(1, 3.2, parse("89m")) > 2.0
    assert seen.held(1, 3.2, parse("111z")) > 1.0, "it held two of them"
    assert witness(watched((0, 3, HAND)), 20.0).held(1, 23.2, parse("89m")) > 2.0


def test_a_red_five_in_a_hand_is_the_plain_one_where_the_game_has_none() -> None:
    seen = witness(watched((0, 3, "123m 406p 789s 1122z")))
    in_play = np.array([not face.startswith("0") for face in FACES], float)
    assert seen.held(1, 3.2, parse("5p")) > 2.0
    assert seen.held(1, 3.2, parse("5p"), in_play) < 0.2


def test_one_misread_tile_that_stays_does_not_matter() -> None:
    hands = watched((0, 3, HAND + " 9m"), (4, 7, "12m 456p 789s 1122z 9m"), sure=0.5)
    shares = witness(hands).thrown(1, 3.4)
    assert shares is not None
    assert FACES[int(shares.argmax())] == "3m"
    assert math.isclose(float(shares.sum()), 1.0)
    assert float(shares[FACE_INDEX["4z"]]) >= DOUBT / len(FACES) * 0.99


# --- the clock ---


HANDS = (
    (0.0, 9.0, "12345m 456p 789s 12z 9p"),
    (10.0, 21.0, "12345m 456p 789s 2z 9p"),
    (22.0, 40.0, "12345m 456p 89s 2z 9p"),
    (41.0, 55.0, "12345m 456p 89s 9p"),
)
LEFT = (PutDown(9.5, Tile("1z")), PutDown(21.6, Tile("7s")), PutDown(40.4, Tile("2z")))


STOOD = watched(*HANDS).stood
"""Every hand is one tile smaller than the one before, because only lost tiles count here."""


@pytest.mark.parametrize("shift_s", [0.0, 12.3, -30.0, 250.0])
def test_three_discards_set_the_clock(shift_s: float) -> None:
    put_down = [PutDown(one.time_s + shift_s, one.tile) for one in LEFT]
    found = shift_between(put_down, STOOD)
    assert found == pytest.approx(shift_s, abs=0.6)


@pytest.mark.parametrize(
    ("put_down", "stood"),
    [
        (LEFT[:1], STOOD),
        ([PutDown(one.time_s, Tile("6m")) for one in LEFT], STOOD),
        (LEFT, ()),
        ((), STOOD),
    ],
    ids=["one discard", "what the hand never lost", "no hand seen", "no discard"],
)
def test_too_little_sets_no_clock(
    put_down: Sequence[PutDown], stood: Sequence[StandingHand]
) -> None:
    assert shift_between(put_down, stood) is None


def test_a_hand_that_repeats_itself_leaves_the_clock_open() -> None:
    same = [PutDown(10.0 * place, Tile("5s")) for place in range(1, 5)]
    moments = [10.0 * place for place in range(1, 12)]
    changes = [
        (begin + 0.5, end - 0.3, "123m 5s 7z" if place % 2 else "123m 5s 5s 7z")
        for place, (begin, end) in enumerate(pairwise(moments))
    ]
    assert shift_between(same, watched(*changes).stood) is None
