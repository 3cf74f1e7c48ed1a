"""Motion: where something moves, what has changed, and what a still table costs."""

from __future__ import annotations

import numpy as np

from tests.support.tables import VIEW
from vision.attention.motion import READS, MotionMap
from vision.camera.pictures import Picture

RNG = np.random.default_rng(5)
FELT = np.full((1080, 1920, 3), (70, 110, 60), np.uint8)


def noisy(picture: Picture) -> Picture:
    noise = RNG.normal(0, 3, picture.shape[:2])[..., None]
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def with_tile(x_mm: float, y_mm: float) -> Picture:
    picture = FELT.copy()
    x, y = VIEW.to_image(np.array([[x_mm, y_mm]]), VIEW.lying_mm)[0].astype(int)
    picture[y - 25 : y + 25, x - 19 : x + 19] = 235
    return picture


def read_out(gate: MotionMap, picture: Picture, time_s: float) -> float:
    """Read until nothing is due; return the time of the last read."""
    for _ in range(READS + 3):
        time_s += 0.2
        gate.update(noisy(picture), time_s)
        gate.was_read(gate.regions(60))
    return time_s


def test_a_still_table_is_read_once_and_then_left_alone() -> None:
    gate = MotionMap(VIEW)
    gate.update(noisy(FELT), 0.0)
    assert gate.regions(60)
    time_s = read_out(gate, FELT, 0.0)
    for step in range(5):
        gate.update(noisy(FELT), time_s + step / 5)
        assert gate.regions(60) == []


def test_only_the_place_of_a_new_tile_is_read_and_only_when_it_is_still() -> None:
    gate = MotionMap(VIEW)
    gate.update(FELT, 0.0)
    time_s = read_out(gate, FELT, 0.0)
    gate.update(noisy(with_tile(100, 60)), time_s + 0.1)
    assert gate.regions(60) == []
    gate.update(noisy(with_tile(100, 60)), time_s + 0.3)
    ((x0, y0, x1, y1),) = gate.regions(60)
    x, y = VIEW.to_image(np.array([[100.0, 60.0]]), VIEW.lying_mm)[0]
    assert x0 < x < x1
    assert y0 < y < y1
    assert (x1 - x0) * (y1 - y0) < 0.05 * 1920 * 1080


def test_it_is_known_since_when_a_place_has_been_as_it_is() -> None:
    gate = MotionMap(VIEW)
    gate.update(FELT, 1.0)
    for step in range(1, 6):
        gate.update(with_tile(100, 60), 1.0 + step / 5)
    places = VIEW.to_image(np.array([[100.0, 60.0], [-200.0, 0.0]]))
    tile_s, felt_s = gate.state().clear_in([]).since_s(places)
    assert (tile_s, felt_s) == (1.2, 1.0)


def test_what_is_awaited_is_not_read_a_third_time_before_it_is_known() -> None:
    gate = MotionMap(VIEW)
    gate.update(FELT, 0.0)
    for step in (1, 2):
        gate.update(FELT, step / 5)
        regions = gate.regions(60)
        gate.was_read(regions)
    gate.update(FELT, 0.6)
    assert gate.regions(60)
    assert not gate.regions(60, awaited=regions)
    gate.read_enough(regions[0])
    assert not gate.regions(60)


def test_two_looks_at_an_arm_that_lay_still_are_not_the_last_word_on_what_it_hid() -> None:
    gate = MotionMap(VIEW)
    gate.update(FELT, 0.0)
    time_s = read_out(gate, FELT, 0.0)
    for step in range(1, 5):
        gate.update(with_tile(100, 60), time_s + step / 5)
        if step in (2, 3):
            gate.was_read(gate.regions(60))
    for step in range(5, 8):
        gate.update(FELT, time_s + step / 5)
    assert gate.regions(60)


def test_only_what_was_read_counts_as_seen() -> None:
    gate = MotionMap(VIEW)
    gate.update(FELT, 0.0)
    gate.update(FELT, 1.0)
    clear = gate.state().clear_in([(600, 300, 900, 600)])
    assert clear(np.array([[750.0, 450.0], [605.0, 450.0], [1200.0, 450.0]])).tolist() == [
        True,
        False,
        False,
    ]


def test_a_brighter_lamp_is_no_motion() -> None:
    gate = MotionMap(VIEW)
    gate.update(FELT, 0.0)
    time_s = read_out(gate, FELT, 0.0)
    gate.update(noisy(FELT + np.uint8(9)), time_s + 0.1)
    assert gate.unrest < 0.02


def test_an_arm_is_seen_before_the_seat_that_it_belongs_to() -> None:
    gate = MotionMap(VIEW)
    gate.update(FELT, 0.0)
    arm = FELT.copy()
    arm[700:1080, 900:1010] = (120, 150, 200)
    gate.update(arm, 0.1)
    assert gate.busy == {0}
    assert 0.01 < gate.unrest < 0.2


def test_a_hand_that_went_over_tiles_and_is_gone_leaves_nothing_to_read() -> None:
    gate = MotionMap(VIEW)
    table = with_tile(100, 60)
    gate.update(table, 0.0)
    time_s = read_out(gate, table, 0.0)
    over = table.copy()
    over[300:1080, 900:1200] = (120, 150, 200)
    gate.update(noisy(over), time_s + 0.1)
    assert gate.unrest > 0.01
    for step in range(2, 8):
        gate.update(noisy(table), time_s + step / 10)
        assert gate.regions(60) == []


def test_what_two_looks_agree_about_is_not_looked_at_again() -> None:
    gate = MotionMap(VIEW)
    gate.update(FELT, 0.0)
    time_s = read_out(gate, FELT, 0.0)
    gate.update(noisy(with_tile(100, 60)), time_s + 0.1)
    for step in (4, 6):
        gate.update(noisy(with_tile(100, 60)), time_s + step / 10)
        (region,) = gate.regions(60)
        gate.was_read([region])
        gate.read_enough(region)
    gate.update(noisy(with_tile(100, 60)), time_s + 0.8)
    assert gate.regions(60) == []


def test_a_tile_that_was_taken_is_looked_for_again() -> None:
    gate = MotionMap(VIEW)
    gate.update(with_tile(100, 60), 0.0)
    time_s = read_out(gate, with_tile(100, 60), 0.0)
    gate.update(noisy(FELT), time_s + 0.1)
    gate.update(noisy(FELT), time_s + 0.4)
    assert gate.regions(60) != []
