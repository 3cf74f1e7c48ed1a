"""Tiles keep their identity while hands pass, and readings of one tile are added up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.tables import VIEW, Read, look, read_at
from vision.table.view import Points
from vision.tiles.classes import FACES, Side
from vision.tracking.observe import Look, Observation, measured_tile_mm
from vision.tracking.track import Tracker


def shown(tracker: Tracker, from_s: float, to_s: float, *readings: Read) -> Observation:
    """The last observation of looks five times a second."""
    seen = None
    for step in range(round((to_s - from_s) * 5)):
        seen = tracker.update(look(from_s + step / 5, *readings))
    assert seen is not None
    return seen


def test_a_tile_is_believed_at_its_second_look() -> None:
    tracker = Tracker(VIEW)
    assert not tracker.update(look(0.0, read_at(50, 20, "3s"))).placed
    (tile,) = tracker.update(look(0.2, read_at(50, 20, "3s"))).placed
    assert tile.tile == "3s"
    assert tile.first_s == 0.0
    np.testing.assert_allclose(tile.xy_mm, (50, 20), atol=0.5)


def test_what_is_told_of_a_tile_is_plain_python_however_often_it_was_seen() -> None:
    tracker = Tracker(VIEW)
    (tile,) = shown(tracker, 0.0, 2.0, read_at(50, 20, "3s")).placed
    told = [value for name, value in vars(tile).items() if name not in ("probabilities", "side")]
    assert {type(value) for value in told} == {int, float}


def test_what_is_read_once_is_never_believed() -> None:
    tracker = Tracker(VIEW)
    tracker.update(look(0.0, read_at(50, 20, "3s")))
    assert not shown(tracker, 0.2, 2.0).placed


def nowhere(points: Points) -> np.ndarray:
    return np.zeros(len(points), bool)


@pytest.mark.parametrize("still", [1, 2])
def test_a_tile_that_is_taken_again_at_once_is_believed_between_two_hands(still: int) -> None:
    """Hands move beside it when it comes and when it goes: one look in three is still."""
    tracker = Tracker(VIEW)
    there = read_at(50, 20, "3s")
    looks = [Look(0.2 * at, [there], nowhere) for at in range(3)]
    looks[still] = look(0.2 * still, there)
    assert not any(tracker.update(one).placed for one in looks[:2])
    (tile,) = tracker.update(looks[2]).placed
    assert (tile.tile, tile.first_s) == ("3s", 0.0)


def test_a_tile_in_moving_fingers_is_never_believed() -> None:
    tracker = Tracker(VIEW)
    for step in range(8):
        seen = tracker.update(Look(step / 5, [read_at(50, 20, "3s")], nowhere))
        assert not seen.placed


def test_a_tile_that_one_look_misses_stays() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, read_at(50, 20, "3s")).placed
    (after,) = tracker.update(look(1.0)).placed
    assert after.id == before.id


def shown_nothing(tracker: Tracker, from_s: float, moved_s: float) -> Observation:
    """The last observation of five looks at a table that was last touched at a moment."""
    for step in range(5):
        at_s = from_s + step / 5
        seen = tracker.update(Look(at_s, (), since=lambda points: np.full(len(points), moved_s)))
    return seen


def test_a_tile_in_whose_place_nothing_moved_is_not_given_up() -> None:
    """A look may miss it: what lies still is missed as often as it is looked at so."""
    tracker = Tracker(VIEW)
    shown(tracker, 0.0, 1.0, read_at(50, 20, "3s"))
    assert shown_nothing(tracker, 2.0, moved_s=0.3).placed
    assert not shown_nothing(tracker, 4.0, moved_s=1.4).placed


def test_a_tile_that_was_looked_at_late_lay_there_since_the_last_movement() -> None:
    tracker = Tracker(VIEW)
    tile = read_at(50, 20, "3s")
    for at_s in (2.0, 2.2):
        seen = tracker.update(Look(at_s, [tile], since=lambda points: np.full(len(points), 0.9)))
    assert 0.9 < seen.placed[0].first_s < 1.3


def test_a_tile_that_stays_away_is_given_up() -> None:
    tracker = Tracker(VIEW)
    shown(tracker, 0.0, 1.0, read_at(50, 20, "3s"))
    assert not shown(tracker, 1.0, 2.0).placed


def test_a_place_under_a_hand_says_nothing() -> None:
    tracker = Tracker(VIEW)
    shown(tracker, 0.0, 1.0, read_at(50, 20, "3s"))
    for step in range(10):
        seen = tracker.update(Look(1.0 + step / 5, (), nowhere))
    assert len(seen.placed) == 1


def test_a_tile_that_was_covered_comes_back_as_itself() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, read_at(50, 20, "3s")).placed
    shown(tracker, 1.0, 2.0)
    (after,) = shown(tracker, 2.0, 3.0, read_at(50, 20, "3s")).placed
    assert after.id == before.id


def test_another_face_in_the_place_of_a_taken_tile_is_another_tile() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, read_at(50, 20, "3s")).placed
    shown(tracker, 1.0, 2.0)
    (after,) = shown(tracker, 2.0, 3.0, read_at(50, 20, "9m")).placed
    assert after.id != before.id
    assert after.tile == "9m"


def test_a_half_covered_tile_that_looks_like_none_of_the_game_is_the_same_tile() -> None:
    without_flowers = np.array([not face.endswith("f") for face in FACES], float)
    tracker = Tracker(VIEW, without_flowers)
    (before,) = shown(tracker, 0.0, 1.0, read_at(50, 20, "3s")).placed
    (after,) = shown(tracker, 1.0, 2.0, read_at(50, 20, "1f")).placed
    assert after.id == before.id


def test_a_pushed_tile_keeps_its_identity() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, read_at(50, 20, "3s")).placed
    (after,) = shown(tracker, 1.0, 2.0, read_at(80, 35, "3s")).placed
    assert after.id == before.id
    np.testing.assert_allclose(after.xy_mm, (80, 35), atol=1)


def test_a_tile_that_is_pushed_by_a_hand_is_not_two_before_the_hand_is_gone() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, read_at(50, 20, "3s")).placed
    pushed = read_at(85, 20, "3s")
    for step in range(2):
        tracker.update(Look(1.0 + step / 5, [pushed], nowhere))
    (seen,) = tracker.update(look(1.4, pushed)).placed
    assert seen.id == before.id
    (after,) = shown(tracker, 1.6, 2.6, pushed).placed
    assert after.id == before.id


def test_one_wrong_look_among_many_changes_nothing() -> None:
    tracker = Tracker(VIEW)
    shown(tracker, 0.0, 1.0, read_at(50, 20, "3s"))
    tracker.update(look(1.0, read_at(50, 20, "4s")))
    (tile,) = shown(tracker, 1.2, 1.6, read_at(50, 20, "3s")).placed
    assert tile.tile == "3s"


def test_a_tile_that_is_turned_up_begins_anew_in_its_place() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 2.0, read_at(50, 20, side=Side.BACK)).placed
    (after,) = shown(tracker, 2.0, 3.0, read_at(50, 20, "5m")).placed
    assert (after.id, after.side, after.tile) == (before.id, Side.FACE, "5m")
    assert after.first_s >= 2.0


def test_two_readings_of_one_tile_are_one() -> None:
    tracker = Tracker(VIEW)
    pair = read_at(50, 20, "3s"), read_at(54, 22, "3s")
    assert len(shown(tracker, 0.0, 1.0, *pair).placed) == 1


def test_tiles_are_measured_when_enough_of_them_lie() -> None:
    tiles = [read_at(40.0 * place, 0, "3s") for place in range(-4, 5)]
    assert abs((measured_tile_mm(look(0, *tiles), VIEW) or 0) - 30) < 0.5
    assert measured_tile_mm(look(0, *tiles[:4]), VIEW) is None


def test_a_tile_whose_long_side_was_taken_for_its_top_does_not_lie_sideways() -> None:
    tracker = Tracker(VIEW)
    upright = read_at(50, 20, "3s")
    turned = replace(upright, corners_px=np.roll(upright.corners_px, -1, axis=0))
    (tile,) = shown(tracker, 0.0, 1.0, turned).placed
    (other,) = shown(Tracker(VIEW), 0.0, 1.0, upright).placed
    assert (tile.turn_deg - other.turn_deg + 1) % 180 < 2


def test_many_looks_at_a_tile_that_lies_still_make_it_no_surer() -> None:
    shares = np.full(38, 0.0, np.float32)
    shares[[3, 4]] = 0.6, 0.4
    doubtful = replace(read_at(50, 20, "3s"), probabilities=shares)
    (tile,) = shown(Tracker(VIEW), 0.0, 3.0, doubtful).placed
    np.testing.assert_allclose(tile.probabilities[[3, 4]], (0.6, 0.4), atol=0.01)


def crosswise(face: str, score: float) -> Read:
    """A face at (84, -140) in an outline that lies across."""
    upright = read_at(84, -140, face)
    middle = np.array([84, -140])
    placed = VIEW.to_table(upright.corners_px.astype(float), VIEW.lying_mm) - middle
    turned = VIEW.to_image(placed[:, ::-1] * (1, -1) + middle, VIEW.lying_mm)
    return replace(upright, corners_px=turned.astype(np.float32), score=score)


def test_a_face_read_in_a_wrong_outline_does_not_count() -> None:
    """The finder took a tile for one that lies across, and is surer of the better outline."""
    tracker, upright, wrong = Tracker(VIEW), read_at(84, -140, "9s"), crosswise("9p", 0.8)
    (tile,) = shown(tracker, 0.0, 1.0, wrong).placed
    assert tile.tile == "9p"
    (tile,) = shown(tracker, 1.0, 1.4, upright).placed
    assert tile.tile == "9s"
    (again,) = shown(tracker, 1.4, 1.8, wrong).placed
    assert (again.tile, again.turn_deg) == ("9s", tile.turn_deg)


def test_one_noisy_outline_turns_no_tile() -> None:
    tracker = Tracker(VIEW)
    (tile,) = shown(tracker, 0.0, 0.4, read_at(84, -140, "9s")).placed
    (again,) = shown(tracker, 0.4, 0.6, crosswise("9s", 0.97)).placed
    assert again.turn_deg == tile.turn_deg
    (turned,) = shown(tracker, 0.6, 0.8, crosswise("9s", 0.97)).placed
    assert 60 < abs((turned.turn_deg - tile.turn_deg + 180) % 360 - 180) < 120


def test_a_sure_face_where_none_was_sure_for_long_is_another_tile() -> None:
    """A back was taken for a face, and is turned up."""
    tracker = Tracker(VIEW)
    unsure = np.full(len(FACES), 1 / len(FACES), np.float32)
    flat = replace(read_at(50, 20, "3s"), probabilities=unsure)
    (back,) = shown(tracker, 0.0, 3.0, flat).placed
    (tile,) = shown(tracker, 3.0, 4.0, read_at(50, 20, "7z")).placed
    assert tile.tile == "7z"
    assert tile.id != back.id
    assert tile.first_s == 3.0


def test_a_tile_of_the_next_hand_where_one_lay_before_is_another_tile() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, read_at(50, 20, "3s")).placed
    assert not shown(tracker, 1.0, 2.0).placed
    tracker.forget_gone()
    (tile,) = shown(tracker, 2.0, 3.0, read_at(50, 20, "3s")).placed
    assert tile.id != before.id
    assert tile.first_s == 2.0
