"""Which parts are looked at soon after a look at much, and when a computer is too slow for it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.felt_film import Film
from tests.support.tables import SMALL_VIEW as VIEW
from tests.support.tables import read_at
from vision.attention.look_times import LATEST, LOOK_S, NEEDED_S, PART, LookPace, LookTimes
from vision.attention.motion import MotionMap
from vision.camera.pictures import Region
from vision.notice import Notice

WHOLE: Region = (0, 0, *VIEW.picture_px)
TILE = read_at(0, 120, "3s")


def due_after(small_first: bool, film: Film, time_s: float) -> list[Region]:
    """What is to be looked at then, where all was looked at with the first frame."""
    times, motion = LookTimes(small_first), MotionMap(VIEW)
    for frame in film.frames():
        motion.update(frame)
        if frame.index == 0:
            motion.was_read([WHOLE])
            times.looked(frame.time_s, 1.0)
        elif frame.time_s >= time_s - 1e-6:
            return times.due(motion, frame.time_s, VIEW.tile_px, ())
    raise AssertionError("the film is longer")


def test_a_tile_that_came_after_a_look_at_all_is_looked_at_before_the_next_one() -> None:
    (region,) = due_after(True, Film({0.2: TILE}, 1.0), 0.4)
    x, y = TILE.seen_in(VIEW).corners_px.mean(axis=0)
    assert region[0] < x < region[2]
    assert region[1] < y < region[3]
    assert (region[2] - region[0]) * (region[3] - region[1]) < np.prod(VIEW.picture_px) / 10


def test_a_film_that_shows_what_comes_next_is_looked_at_when_the_delay_is_over() -> None:
    assert due_after(False, Film({0.2: TILE}, 1.0), 0.4) == []
    assert due_after(False, Film({0.2: TILE}, 1.0), 0.8)


@pytest.mark.parametrize("small_first", [True, False])
def test_what_comes_all_over_the_table_waits_as_ever(small_first: bool) -> None:
    tiles = [read_at(x, y, "3s") for x in range(-240, 241, 60) for y in (-200, -70, 70, 200)]
    much = Film({0.2 + at / 1000: tile for at, tile in enumerate(tiles)}, 1.4)
    assert due_after(small_first, much, 0.5) == []
    assert due_after(small_first, much, 1.0)


def test_what_was_just_looked_at_waits_a_moment_however_small_it_is() -> None:
    times, motion = LookTimes(True), MotionMap(VIEW)
    for frame in Film({0.2: TILE}, 0.6).frames():
        motion.update(frame)
        if frame.index == 0:
            motion.was_read([WHOLE])
            times.looked(frame.time_s, 1.0)
    times.looked(0.4, 0.04)
    assert times.due(motion, 0.4 + LOOK_S / 2, VIEW.tile_px, ()) == []
    assert len(times.due(motion, 0.4 + LOOK_S, VIEW.tile_px, ())) == 1


class Looking:
    """Frames of a camera, one of which is looked at every second."""

    def __init__(self, fps: int = 20, share: float = PART) -> None:
        self.pace, self.fps, self.share, self.index = LookPace(), fps, share, 0

    def looks(self, count: int, takes_s: float) -> list[Notice]:
        """What is said while so many looks are told so long after their frames."""
        said: list[Notice] = []
        for _ in range(count):
            told_s = self.index / self.fps
            for frame in range(self.fps):
                self.pace.sees(self.index / self.fps, self.index)
                said += self.pace.notices()
                self.index += 1
                if frame == int(takes_s * self.fps - 1e-6):
                    self.pace.told(told_s, self.share)
        return said


def test_a_computer_whose_looks_come_late_is_told_once_until_it_is_fast_again() -> None:
    looking = Looking()
    assert looking.looks(LATEST + 1, 0.15) == []
    (slow,) = looking.looks(2 * LATEST, 0.4)
    assert (slow.kind, slow.lasts) == ("busy", True)
    (over,) = looking.looks(2 * LATEST, 0.1)
    assert (over.kind, over.lasts) == ("busy", False)


def test_it_is_said_which_share_is_read_of_the_looks_that_play_needs() -> None:
    (slow,) = Looking().looks(LATEST + 1, 0.4)
    assert slow.text.startswith(f"this computer is too slow: it reads {NEEDED_S / 0.4:.0%} of")


def test_looks_at_much_as_in_the_deal_may_take_long() -> None:
    assert Looking(share=1.1 * PART).looks(3 * LATEST, 0.8) == []


def test_a_camera_of_few_pictures_is_no_slow_computer() -> None:
    assert Looking(fps=4).looks(2 * LATEST, 0.2) == []
    assert len(Looking(fps=4).looks(2 * LATEST, 0.8)) == 1


def test_a_pause_of_the_camera_is_no_slow_computer() -> None:
    looking = Looking()
    looking.looks(LATEST, 0.1)
    looking.pace.told(looking.index / looking.fps, 0.1)
    looking.index += 30 * looking.fps
    assert looking.looks(LATEST, 0.1) == []
