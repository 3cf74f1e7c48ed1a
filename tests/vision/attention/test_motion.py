"""Motion: where something moves, what has changed, and what a still table costs."""

from __future__ import annotations

import numpy as np
import pytest

from studio.camera.troubles import Trouble, spoilt
from tests.support.felt_film import laid_table
from tests.support.tables import VIEW
from vision.attention.motion import READS, MotionMap
from vision.camera.frames import Frame
from vision.camera.pictures import Picture

RNG = np.random.default_rng(5)
FELT = np.full((1080, 1920, 3), (70, 110, 60), np.uint8)


NOISE = RNG.normal(0, 3, (1080, 1920, 1)).round().astype(np.int16)


def noisy(picture: Picture) -> Picture:
    """The picture with noise that no other one has."""
    noise = np.roll(NOISE, int(RNG.integers(1, NOISE.size)))
    return np.asarray(np.clip(picture.astype(np.int16) + noise, 0, 255), np.uint8)


def with_tile(x_mm: float, y_mm: float) -> Picture:
    picture = FELT.copy()
    x, y = VIEW.to_image(np.array([[x_mm, y_mm]]), VIEW.lying_mm)[0].astype(int)
    picture[y - 25 : y + 25, x - 19 : x + 19] = 235
    return picture


def read_out(picture: Picture = FELT) -> tuple[MotionMap, float]:
    """A picture that was read until nothing is due, and the time of the last read."""
    motion, time_s = MotionMap(VIEW), 0.0
    motion.update(Frame(noisy(picture), time_s, 0))
    assert motion.regions(60)
    for _ in range(READS + 3):
        time_s += 0.2
        motion.update(Frame(noisy(picture), time_s, 0))
        motion.was_read(motion.regions(60))
    return motion, time_s


def test_a_still_table_is_read_once_and_then_left_alone_however_bright_the_lamp() -> None:
    motion, time_s = read_out()
    for step in range(5):
        motion.update(Frame(noisy(FELT), time_s + step / 5, 0))
        assert motion.regions(60) == []
    motion.update(Frame(noisy(FELT + np.uint8(9)), time_s + 1.0, 0))
    assert motion.unrest < 0.02


def test_only_the_place_of_a_new_tile_is_read_twice_and_only_when_it_is_still() -> None:
    motion, time_s = read_out()
    motion.update(Frame(noisy(with_tile(100, 60)), time_s + 0.1, 0))
    assert motion.regions(60) == []
    motion.update(Frame(noisy(with_tile(100, 60)), time_s + 0.3, 0))
    (region,) = motion.regions(60)
    x0, y0, x1, y1 = region
    x, y = VIEW.to_image(np.array([[100.0, 60.0]]), VIEW.lying_mm)[0]
    assert x0 < x < x1
    assert y0 < y < y1
    assert (x1 - x0) * (y1 - y0) < 0.05 * 1920 * 1080
    motion.was_read([region])
    motion.read_enough(region, time_s + 0.3)
    motion.update(Frame(noisy(with_tile(100, 60)), time_s + 0.6, 0))
    (region,) = motion.regions(60)
    motion.was_read([region])
    motion.read_enough(region, time_s)
    motion.update(Frame(noisy(with_tile(100, 60)), time_s + 0.8, 0))
    assert motion.regions(60) == [region], "these looks show what was there before the tile came"
    motion.read_enough(region, time_s + 0.6)
    assert motion.regions(60) == [], "two looks agree about it"


def test_it_is_known_since_when_a_place_has_been_as_it_is() -> None:
    motion = MotionMap(VIEW)
    motion.update(Frame(FELT, 1.0, 0))
    for step in range(1, 6):
        motion.update(Frame(with_tile(100, 60), 1.0 + step / 5, 0))
    places = VIEW.to_image(np.array([[100.0, 60.0], [-200.0, 0.0]]))
    tile_s, felt_s = motion.state().clear_in([]).since_s(places)
    assert (tile_s, felt_s) == (1.2, 1.0)


def test_what_is_awaited_is_not_read_a_third_time_before_it_is_known() -> None:
    motion = MotionMap(VIEW)
    motion.update(Frame(FELT, 0.0, 0))
    for step in (1, 2):
        motion.update(Frame(FELT, step / 5, 0))
        regions = motion.regions(60)
        motion.was_read(regions)
    motion.update(Frame(FELT, 0.6, 0))
    assert motion.regions(60)
    assert not motion.regions(60, awaited=regions)
    motion.read_enough(regions[0], 0.6)
    assert not motion.regions(60)


def test_two_looks_at_an_arm_that_lay_still_are_not_the_last_word_on_what_it_hid() -> None:
    motion, time_s = read_out()
    for step in range(1, 5):
        motion.update(Frame(with_tile(100, 60), time_s + step / 5, 0))
        if step in (2, 3):
            motion.was_read(motion.regions(60))
    for step in range(5, 8):
        motion.update(Frame(FELT, time_s + step / 5, 0))
    assert motion.regions(60)


def test_only_what_was_read_counts_as_seen() -> None:
    motion = MotionMap(VIEW)
    motion.update(Frame(FELT, 0.0, 0))
    motion.update(Frame(FELT, 1.0, 0))
    clear = motion.state().clear_in([(600, 300, 900, 600)])
    assert clear(np.array([[750.0, 450.0], [605.0, 450.0], [1200.0, 450.0]])).tolist() == [
        True,
        False,
        False,
    ]


def test_an_arm_is_seen_before_the_seat_that_it_belongs_to() -> None:
    motion = MotionMap(VIEW)
    motion.update(Frame(FELT, 0.0, 0))
    arm = FELT.copy()
    arm[700:1080, 900:1010] = (120, 150, 200)
    motion.update(Frame(arm, 0.1, 0))
    assert motion.busy == {0}
    assert 0.01 < motion.unrest < 0.2


def test_a_hand_that_went_over_tiles_and_is_gone_leaves_nothing_to_read() -> None:
    table = with_tile(100, 60)
    motion, time_s = read_out(table)
    over = table.copy()
    over[300:1080, 900:1200] = (120, 150, 200)
    motion.update(Frame(noisy(over), time_s + 0.1, 0))
    assert motion.unrest > 0.01
    for step in range(2, 8):
        motion.update(Frame(noisy(table), time_s + step / 10, 0))
        assert motion.regions(60) == []


def test_a_tile_that_was_taken_is_looked_for_again() -> None:
    motion, time_s = read_out(with_tile(100, 60))
    motion.update(Frame(noisy(FELT), time_s + 0.1, 0))
    motion.update(Frame(noisy(FELT), time_s + 0.4, 0))
    assert motion.regions(60) != []


HAND_PX = (slice(880, 1000), slice(900, 1020))
"""Where a hand reaches over the rim of the table."""


def with_hand(picture: Picture, grey: int) -> Picture:
    picture = picture.copy()
    picture[HAND_PX] = grey
    return picture


def moving_cells(before: Picture, now: Picture, *, is_noisy: bool = False) -> int:
    motion = MotionMap(VIEW)
    for time_s, picture in enumerate((before, before, now)):
        motion.update(Frame(picture, time_s / 5, time_s), is_noisy)
    return int((motion.state().moved_s > 0.3).sum())


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble(bands=0.25, lamp_hz=97.3),
        Trouble(gain=0.3, gain_hz=0.9, warm=0.15),
        Trouble(balance=0.2),
    ],
)
def test_light_is_no_motion_and_hides_no_hand(trouble: Trouble) -> None:
    table = laid_table()
    frames = ((0.0, table), (0.2, table), (0.2, with_hand(table, 150)))
    before, now, hand = (picture for _, picture in spoilt(trouble, frames, seed=1))
    assert moving_cells(before, now) == 0
    assert moving_cells(before, hand) > 20


def test_a_hand_is_seen_in_a_dim_and_noisy_room() -> None:
    trouble = Trouble(noise_grey=14, light=0.35)
    frames = ((0.0, FELT), (0.0, FELT), (0.0, with_hand(FELT, 118)))
    before, now, hand = (picture for _, picture in spoilt(trouble, frames, seed=1))
    assert moving_cells(before, now, is_noisy=True) == 0
    assert moving_cells(before, hand, is_noisy=True) > 20
