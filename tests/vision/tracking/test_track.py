"""Tiles keep their identity while hands pass, and readings of one tile are added up."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.tiles import UNKNOWN
from tests.support.tables import VIEW, Read, look, read_at
from vision.attention.look_times import LOOK_S
from vision.table.view import Points
from vision.tiles.classes import FACES, Side
from vision.tiles.fives import without_colour
from vision.tracking.observe import Look, Observation, measured_tile_mm
from vision.tracking.track import Tracker

THERE = read_at(50, 20, "3s")
UNSURE = replace(THERE, probabilities=np.full(len(FACES), 1 / len(FACES), np.float32))


def shown(tracker: Tracker, from_s: float, to_s: float, *readings: Read) -> Observation:
    """The last observation of looks five times a second."""
    seen = None
    for step in range(round((to_s - from_s) * 5)):
        seen = tracker.update(look(from_s + step / 5, *readings))
    assert seen is not None
    return seen


def nowhere(points: Points) -> np.ndarray:
    return np.zeros(len(points), bool)


def test_a_tile_is_believed_at_its_second_look_and_told_in_plain_python() -> None:
    tracker = Tracker(VIEW)
    assert not tracker.update(look(0.0, THERE)).placed
    (tile,) = tracker.update(look(0.2, THERE)).placed
    assert (tile.tile, tile.first_s) == ("3s", 0.0)
    np.testing.assert_allclose(tile.xy_mm, (50, 20), atol=0.5)
    (tile,) = shown(tracker, 0.4, 2.0, THERE).placed
    told = [value for name, value in vars(tile).items() if name not in ("probabilities", "side")]
    assert {type(value) for value in told} == {int, float}


@pytest.mark.parametrize("frames_a_second", [24, 25, 30000 / 1001, 30, 50, 60])
def test_two_looks_as_close_as_a_camera_may_have_them_are_enough(frames_a_second: float) -> None:
    """If they agree, the place is not read again."""
    apart = math.ceil(LOOK_S * frames_a_second)
    for first in range(40):
        tracker = Tracker(VIEW)
        tracker.update(look(first / frames_a_second, THERE))
        assert tracker.update(look((first + apart) / frames_a_second, THERE)).placed


def test_what_is_read_once_or_in_moving_fingers_is_never_believed() -> None:
    tracker, fingers = Tracker(VIEW), Tracker(VIEW)
    tracker.update(look(0.0, THERE))
    assert not shown(tracker, 0.2, 2.0).placed
    for step in range(8):
        assert not fingers.update(Look(step / 5, [THERE], nowhere)).placed


@pytest.mark.parametrize("still", [1, 2])
def test_a_tile_that_is_taken_again_at_once_is_believed_between_two_hands(still: int) -> None:
    """Hands move beside it when it comes and when it goes: one look in three is still."""
    tracker = Tracker(VIEW)
    looks = [Look(0.2 * at, [THERE], nowhere) for at in range(3)]
    looks[still] = look(0.2 * still, THERE)
    assert not any(tracker.update(one).placed for one in looks[:2])
    (tile,) = tracker.update(looks[2]).placed
    assert (tile.tile, tile.first_s) == ("3s", 0.0)


def test_a_tile_stays_that_a_look_misses_or_a_hand_covers_until_it_stays_away() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, THERE).placed
    (after,) = tracker.update(look(1.0)).placed
    assert after.id == before.id
    shown(tracker, 1.2, 2.0, THERE)
    for step in range(10):
        seen = tracker.update(Look(2.0 + step / 5, (), nowhere))
    assert len(seen.placed) == 1
    assert not shown(tracker, 4.0, 5.0).placed


def test_a_row_that_is_pushed_along_leaves_no_tile_where_another_stands_now() -> None:
    """Two looks are enough there, however soon the second comes: a film of five pictures a second
    has no third one. Where nothing stands now, they prove nothing yet."""
    tracker, tile_mm = Tracker(VIEW), VIEW.tile_mm

    def row(shift: float) -> list[Read]:
        along = (tile_mm * (place + shift) for place in range(-4, 5))
        return [read_at(x_mm, 300, side=Side.STANDING) for x_mm in along]

    stood = {tile.id for tile in shown(tracker, 0.0, 1.0, *row(0)).placed}
    assert len(stood) == 9
    once = {tile.id for tile in tracker.update(look(1.0, *row(1.5))).placed}
    assert once >= stood
    twice = [round(tile.x_mm / tile_mm, 1) for tile in tracker.update(look(1.2, *row(1.5))).placed]
    assert sorted(twice) == [-4.0, *(place + 1.5 for place in range(-4, 5))]
    later = [round(tile.x_mm / tile_mm, 1) for tile in tracker.update(look(1.4, *row(1.5))).placed]
    assert sorted(later) == [place + 1.5 for place in range(-4, 5)]


@pytest.mark.parametrize("beyond_px", [0.2, 5.0], ids=["cut by the edge", "beyond the edge"])
@pytest.mark.parametrize("side", [Side.FACE, Side.STANDING])
def test_what_a_knocked_camera_no_longer_shows_did_not_go_away(
    beyond_px: float, side: Side
) -> None:
    tracker = Tracker(VIEW)
    there = read_at(50, 20, "3s", side=side)
    shown(tracker, 0.0, 1.0, there)
    # Whoever knocked it has pushed the tile out of the picture on its left.
    left_px = float(there.corners_px[:, 0].mean()) + beyond_px
    corners = tuple((x - left_px, y) for x, y in VIEW.corners_px)
    tracker.moved(replace(VIEW, corners_px=corners))
    assert len(shown(tracker, 1.0, 5.0).placed) == 1
    # Where the picture shows its place whole, it is gone.
    tracker.moved(VIEW)
    assert not shown(tracker, 5.0, 8.0).placed


def test_what_is_seen_at_the_edge_of_a_picture_goes_as_any_other_tile() -> None:
    tracker = Tracker(VIEW)
    there = read_at(50, 20, "3s")
    left_px = float(there.corners_px[:, 0].min()) + 5.0
    cut = replace(there, corners_px=there.corners_px - (left_px, 0.0))
    tracker.moved(replace(VIEW, corners_px=tuple((x - left_px, y) for x, y in VIEW.corners_px)))
    assert len(shown(tracker, 0.0, 1.0, cut).placed) == 1
    assert not shown(tracker, 1.0, 3.0).placed


def test_what_was_never_whole_in_the_picture_goes_after_a_knock_too() -> None:
    tracker, there = Tracker(VIEW), read_at(50, 20, "3s")
    left_px = float(there.corners_px[:, 0].min()) + 5.0
    cut = replace(there, corners_px=there.corners_px - (left_px, 0.0))
    tracker.moved(replace(VIEW, corners_px=tuple((x - left_px, y) for x, y in VIEW.corners_px)))
    shown(tracker, 0.0, 1.0, cut)
    corners = tuple((x - left_px - 3.0, y) for x, y in VIEW.corners_px)
    tracker.moved(replace(VIEW, corners_px=corners))
    assert not shown(tracker, 1.0, 3.0).placed


def test_the_next_hand_stands_out_of_sight_but_discards_there_are_of_the_last_one() -> None:
    tracker = Tracker(VIEW)
    shown(tracker, 0.0, 1.0, THERE, read_at(90, 20, side=Side.STANDING))
    tracker.moved(replace(VIEW, corners_px=tuple((x - 3000, y) for x, y in VIEW.corners_px)))
    assert len(shown(tracker, 1.0, 3.0).placed) == 2
    tracker.forget_gone()
    (left,) = shown(tracker, 3.0, 4.0).placed
    assert left.side is Side.STANDING


@pytest.mark.parametrize(("moved_s", "stays"), [(0.3, True), (1.4, False)])
def test_a_tile_in_whose_place_nothing_moved_is_not_given_up(moved_s: float, stays: bool) -> None:
    """A look may miss it: what lies still is missed as often as it is looked at so."""
    tracker = Tracker(VIEW)
    shown(tracker, 0.0, 1.0, THERE)
    for step in range(5):
        at_s = 2.0 + step / 5
        seen = tracker.update(Look(at_s, (), since=lambda points: np.full(len(points), moved_s)))
    assert bool(seen.placed) is stays


def test_a_look_that_read_nothing_only_lets_time_pass() -> None:
    trackers = Tracker(VIEW), Tracker(VIEW)
    for tracker in trackers:
        shown(tracker, 0.0, 1.0, THERE)
        tracker.update(Look(1.2, (), since=lambda points: np.full(len(points), 1.1)))
    nothing = np.zeros(1, bool)
    one = trackers[0].update(Look(2.0, (), lambda points: nothing, frozenset({2}), 0.1))
    other = trackers[1].update(Look(2.0, (), busy=frozenset({2}), unrest=0.1, read=False))
    assert one.placed
    assert [tile.id for tile in one.placed] == [tile.id for tile in other.placed]
    assert (other.time_s, other.busy, other.unrest) == (2.0, frozenset({2}), 0.1)


def test_a_tile_that_was_looked_at_late_lay_there_since_the_last_movement() -> None:
    tracker = Tracker(VIEW)
    for at_s in (2.0, 2.2):
        seen = tracker.update(Look(at_s, [THERE], since=lambda points: np.full(len(points), 0.9)))
    assert 0.9 < seen.placed[0].first_s < 1.3


@pytest.mark.parametrize(
    ("first", "away_s", "then", "same"),
    [
        (THERE, 1.0, THERE, True),
        (THERE, 1.0, read_at(50, 20, "9m"), False),
        (THERE, 0.0, read_at(80, 35, "3s"), True),
        (read_at(50, 20, side=Side.BACK), 0.0, read_at(50, 20, "5m"), True),
        (UNSURE, 0.0, read_at(50, 20, "7z"), False),
    ],
    ids=["covered", "taken", "pushed", "turned up", "sure, where none was sure: a back turned up"],
)
def test_what_lies_there_later_is_the_same_tile_or_another(
    first: Read, away_s: float, then: Read, same: bool
) -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 3.0, first).placed
    if away_s:
        shown(tracker, 3.0, 3.0 + away_s)
    begins_s = 3.0 + away_s
    (after,) = shown(tracker, begins_s, begins_s + 1.0, then).placed
    assert (after.id == before.id) is same
    assert (after.side, after.tile) == (Side.FACE, FACES[int(then.probabilities.argmax())])
    middle = VIEW.to_table(then.corners_px.astype(float), VIEW.lying_mm).mean(axis=0)
    np.testing.assert_allclose(after.xy_mm, middle, atol=1)
    if after.tile != before.tile:
        assert after.first_s >= begins_s


def test_a_tile_of_the_next_hand_where_one_lay_before_is_another_tile() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, THERE).placed
    assert not shown(tracker, 1.0, 2.0).placed
    tracker.forget_gone()
    (tile,) = shown(tracker, 2.0, 3.0, THERE).placed
    assert tile.id != before.id
    assert tile.first_s == 2.0


def test_a_half_covered_tile_that_looks_like_none_of_the_game_is_the_same_tile() -> None:
    without_flowers = np.array([not face.endswith("f") for face in FACES], float)
    tracker = Tracker(VIEW, without_flowers)
    (before,) = shown(tracker, 0.0, 1.0, THERE).placed
    (after,) = shown(tracker, 1.0, 2.0, read_at(50, 20, "1f")).placed
    assert after.id == before.id


def test_two_tiles_alike_that_are_pushed_together_are_each_the_nearest_one() -> None:
    tracker = Tracker(VIEW)
    before = shown(tracker, 0.0, 1.0, THERE, read_at(90, 20, "3s")).placed
    after = shown(tracker, 1.0, 2.0, read_at(90, 42, "3s"), read_at(50, 42, "3s")).placed
    at = {tile.id: round(tile.x_mm) for tile in before}
    assert {tile.id: round(tile.x_mm) for tile in after} == at


def test_a_tile_that_is_pushed_by_a_hand_is_not_two_before_the_hand_is_gone() -> None:
    tracker = Tracker(VIEW)
    (before,) = shown(tracker, 0.0, 1.0, THERE).placed
    pushed = read_at(85, 20, "3s")
    for step in range(2):
        tracker.update(Look(1.0 + step / 5, [pushed], nowhere))
    (seen,) = tracker.update(look(1.4, pushed)).placed
    assert seen.id == before.id
    (after,) = shown(tracker, 1.6, 2.6, pushed).placed
    assert after.id == before.id


def test_one_wrong_look_among_many_changes_nothing() -> None:
    tracker = Tracker(VIEW)
    shown(tracker, 0.0, 1.0, THERE)
    tracker.update(look(1.0, read_at(50, 20, "4s")))
    (tile,) = shown(tracker, 1.2, 1.6, THERE).placed
    assert tile.tile == "3s"


def test_two_readings_of_one_tile_are_one() -> None:
    assert len(shown(Tracker(VIEW), 0.0, 1.0, THERE, read_at(54, 22, "3s")).placed) == 1


def test_tiles_are_measured_when_enough_of_them_lie() -> None:
    tiles = [read_at(40.0 * place, 0, "3s") for place in range(-4, 5)]
    assert abs((measured_tile_mm(look(0, *tiles), VIEW) or 0) - 30) < 0.5
    assert measured_tile_mm(look(0, *tiles[:4]), VIEW) is None


def test_a_tile_whose_long_side_was_taken_for_its_top_does_not_lie_sideways() -> None:
    turned = replace(THERE, corners_px=np.roll(THERE.corners_px, -1, axis=0))
    (tile,) = shown(Tracker(VIEW), 0.0, 1.0, turned).placed
    (other,) = shown(Tracker(VIEW), 0.0, 1.0, THERE).placed
    assert (tile.turn_deg - other.turn_deg + 1) % 180 < 2


def test_many_looks_at_a_tile_that_lies_still_make_it_no_surer() -> None:
    shares = np.full(38, 0.0, np.float32)
    shares[[3, 4]] = 0.6, 0.4
    (tile,) = shown(Tracker(VIEW), 0.0, 3.0, replace(THERE, probabilities=shares)).placed
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


# --- pictures without colours ---


def in_grey(reading: Read) -> Read:
    return replace(reading, probabilities=without_colour(reading.probabilities))


def faces_in_play(*without: str) -> np.ndarray:
    return np.array([face not in without for face in FACES], float)


@pytest.mark.parametrize("face", ["5p", "0p"])
def test_a_five_in_grey_is_no_face_until_one_look_in_colour(face: str) -> None:
    """However many looks in grey there are, before and after it."""
    tracker = Tracker(VIEW)
    lit = read_at(50, 20, face)
    (tile,) = shown(tracker, 0.0, 8.0, in_grey(lit)).placed
    assert (tile.either_five, tile.tile) == (True, UNKNOWN)
    (tile,) = shown(tracker, 8.0, 8.4, lit).placed
    assert (tile.either_five, tile.tile) == (False, face)
    (tile,) = shown(tracker, 8.4, 16.0, in_grey(lit)).placed
    assert (tile.either_five, tile.tile) == (False, face)
    assert tile.confidence > 0.9


def test_other_faces_are_named_in_grey_as_in_colour() -> None:
    grey, lit = Tracker(VIEW), Tracker(VIEW)
    (one,) = shown(grey, 0.0, 2.0, in_grey(THERE)).placed
    (other,) = shown(lit, 0.0, 2.0, THERE).placed
    assert one.tile == other.tile == "3s"
    np.testing.assert_allclose(one.probabilities, other.probabilities, atol=1e-6)


def test_a_game_without_red_fives_names_a_five_in_grey() -> None:
    tracker = Tracker(VIEW, faces_in_play("0m", "0p", "0s"))
    (tile,) = shown(tracker, 0.0, 2.0, in_grey(read_at(50, 20, "5p"))).placed
    assert (tile.either_five, tile.tile) == (False, "5p")
    assert tile.confidence > 0.9


@pytest.mark.parametrize("face", ["5p", "0p"])
def test_a_game_without_red_fives_names_a_five_of_either_colour(face: str) -> None:
    """Pale light and a set with red fives show what the game does not have."""
    tracker = Tracker(VIEW, faces_in_play("0m", "0p", "0s"))
    (tile,) = shown(tracker, 0.0, 2.0, read_at(50, 20, face)).placed
    assert (tile.either_five, tile.tile) == (False, "5p")
    assert tile.confidence > 0.9


def test_a_red_five_that_was_pushed_in_grey_is_the_same_tile() -> None:
    tracker = Tracker(VIEW)
    lit = read_at(50, 20, "0p")
    (before,) = shown(tracker, 0.0, 1.0, lit).placed
    tracker.update(look(1.0))
    (after,) = shown(tracker, 1.2, 3.0, in_grey(read_at(85, 20, "0p"))).placed
    assert after.id == before.id
