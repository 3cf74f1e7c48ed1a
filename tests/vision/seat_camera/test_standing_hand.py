"""A standing hand counts while it stands still and never while it is sorted."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import UNKNOWN, parse
from tests.support.rows import row, watched
from vision.seat_camera.standing_hand import HandWatch


def test_a_hand_counts_once_it_has_stood_unchanged_for_a_moment() -> None:
    hands = HandWatch()
    hands.look(0.0, row("123m 456p 7z"))
    hands.look(0.25, row("123m 456p 7z"))
    assert not hands.stood
    hands.look(0.75, row("123m 456p 7z"))
    (stood,) = hands.stood
    assert stood.tiles == parse("123m 456p 7z")
    assert stood.to_s == 0.75


def test_what_stands_there_grows_older_and_is_not_told_twice() -> None:
    (stood,) = watched((0.0, 4.0, "123m 456p 7z")).stood
    assert (stood.from_s, stood.to_s) == (0.25, 3.75)


def test_a_hand_that_is_sorted_is_not_believed_until_it_stands() -> None:
    hands = watched((0.0, 2.0, "123m 456p 7z"))
    for time_s, shift in ((2.0, 0.6), (2.25, 1.3), (2.5, 1.9), (2.75, 0.2)):
        hands.look(time_s, row("123m 456p 7z", shift_tiles=shift))
    assert len(hands.stood) == 1
    assert hands.stood[-1].to_s == 1.75


def test_a_tile_that_is_drawn_and_one_that_goes_make_another_hand_each() -> None:
    hands = watched(
        (0.0, 2.0, "123m 456p 7z"), (2.0, 4.0, "123m 456p 7z 9s"), (4.0, 6.0, "123m 456p 9s")
    )
    assert [stood.tiles for stood in hands.stood] == [
        parse("123m 456p 7z"),
        parse("123m 456p 7z 9s"),
        parse("123m 456p 9s"),
    ]


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


def test_another_tile_in_the_same_place_is_another_hand() -> None:
    hands = watched((0.0, 2.0, "123m 456p 7z"), (2.0, 4.0, "123m 456p 1z"))
    assert [str(stood.tiles[-1]) for stood in hands.stood] == ["7z", "1z"]


def test_a_hand_that_is_out_of_sight_for_long_is_seen_anew() -> None:
    hands = watched((0.0, 2.0, "123m 456p 7z"))
    for time_s in np.arange(2.0, 8.0, 0.25):
        hands.look(float(time_s), None)
    watched((8.0, 10.0, "123m 456p 7z"), hands_so_far=hands)
    assert [round(stood.from_s) for stood in hands.stood] == [0, 8]
