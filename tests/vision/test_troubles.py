"""Troubles of a camera are reported once, nothing is invented, and the game goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.detectors import Blind
from tests.support.felt_film import (
    EVENTS,
    FPS,
    KNOCKED_S,
    LASTS_S,
    RIVER,
    TO,
    Film,
    Knocked,
    assert_stands,
    plain,
    told,
)
from tests.support.tables import SMALL_VIEW, Read, read_at
from vision.attention.motion import MotionMap
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, Region
from vision.camera.stream import FROZEN_S, STARTING_S, StreamWatch
from vision.detect import Detection
from vision.notice import Notice
from vision.pipeline import TableReader
from vision.table.calibrate import NoTable
from vision.table.camera_shift import CLEARED_S, SHAKEN

pytestmark = pytest.mark.film


@pytest.mark.parametrize("edited", [False, True])
def test_a_knocked_camera_is_said_once_and_the_game_goes_on(edited: bool) -> None:
    film = Knocked()
    events, notices, reader = told(film, edited=edited)
    assert events == EVENTS
    assert [(notice.kind, notice.lasts) for notice in notices] == [
        ("moved", True),
        ("moved", False),
    ]
    assert notices[0].time_s >= KNOCKED_S[0]
    assert notices[1].time_s < KNOCKED_S[1] + 3.0
    assert_stands(reader, TO)


def test_a_camera_that_is_knocked_far_is_followed_and_what_is_cut_off_is_said() -> None:
    film = Knocked(np.array([[1.07, 0.15, -70.0], [-0.15, 1.07, 95.0], [0.0, 0.0, 1.0]]))
    events, notices, _ = told(film)
    assert events == EVENTS
    assert [notice.kind for notice in notices] == ["moved", "moved"]
    assert "is cut off: move the camera back" in notices[1].text


def test_nothing_is_told_until_the_table_is_found_again() -> None:
    class Hidden(Knocked):
        """After the knock somebody stands in front of the camera."""

        def _picture(self) -> Picture:
            if self._time_s > KNOCKED_S[1]:
                return plain((25, 25, 25))
            return super()._picture()

        def _lying(self) -> list[Read]:
            return [] if self._time_s > KNOCKED_S[1] else super()._lying()

    film = Hidden()
    film.lasts_s = KNOCKED_S[1] + 3.0
    events, notices, _ = told(film)
    assert events == EVENTS[:2]
    assert [notice.kind for notice in notices if notice.lasts] == ["moved"]


def test_a_camera_that_is_knocked_while_all_tiles_change_is_found_by_the_background() -> None:
    class Cleared(Knocked):
        """During the knock the tiles are pushed together in the middle."""

        def _lying(self) -> list[Read]:
            if self._time_s < KNOCKED_S[0]:
                return super()._lying()
            return [read_at(40 * (at % 8) - 150, 55 * (at // 8) - 80, "2p") for at in range(32)]

    film = Cleared()
    film.lasts_s = KNOCKED_S[1] + CLEARED_S + 2.0
    _, notices, reader = told(film)
    assert [(one.kind, one.lasts) for one in notices] == [("moved", True), ("moved", False)]
    assert notices[1].time_s >= notices[0].time_s + CLEARED_S
    assert_stands(reader, TO)


def test_a_shaken_camera_that_stands_as_before_is_not_worth_a_word() -> None:
    film = Knocked(np.eye(3))
    events, notices, _ = told(film, edited=True)
    assert events == EVENTS
    assert [notice for notice in notices if notice.lasts] == []


class CoveredLens(Knocked):
    """For a while a hand is before the lens, out of focus and never quite still."""

    covered_s = (7.0, 12.0)

    def __init__(self) -> None:
        super().__init__(np.eye(3))
        coarse = np.random.default_rng(3).integers(30, 110, (27, 48, 3)).astype(np.uint8)
        self._skin = cv2.resize(coarse, self.view.picture_px, interpolation=cv2.INTER_CUBIC)

    @property
    def _hidden(self) -> bool:
        return self.covered_s[0] <= self._time_s < self.covered_s[1]

    def _picture(self) -> Picture:
        if not self._hidden:
            return super()._picture()
        trembles = np.eye(3)[:2]
        trembles[:, 2] = 7 * np.sin(5 * self._time_s), 4.5 * np.sin(7 * self._time_s)
        return np.asarray(cv2.warpAffine(self._skin, trembles, self.view.picture_px), np.uint8)

    def _lying(self) -> list[Read]:
        return [] if self._hidden else super()._lying()


def test_a_lens_that_is_covered_by_a_trembling_hand_says_nothing_of_the_table() -> None:
    film = CoveredLens()
    events, notices, reader = told(film)
    assert events == EVENTS
    assert [notice.lasts for notice in notices if notice.kind == "moved"] == [True, False]
    assert reader.view is not None
    np.testing.assert_allclose(reader.view.field_px, SMALL_VIEW.field_px, atol=2.0)


class Swinging(Knocked):
    """A film whose camera hangs on a boom."""

    def _pose(self) -> np.ndarray:
        pose = np.eye(3)
        wave = 2 * np.pi * self._time_s
        pose[:2, 2] = 9 * np.sin(0.8 * wave), 2.5 * np.sin(0.7 * wave)
        return pose


def test_a_camera_that_swings_by_half_a_tile_is_read() -> None:
    film = Swinging()
    events, notices, reader = told(film, edited=True)
    assert events == EVENTS
    (notice,) = notices
    assert (notice.kind, notice.lasts) == ("swing", True)
    assert "0.5 of a tile" in notice.text
    assert reader.view == SMALL_VIEW


def test_pictures_of_another_size_are_followed() -> None:
    film = Film(RIVER, LASTS_S)

    def frames() -> Iterator[Frame]:
        for frame in film.frames():
            small = cv2.resize(frame.image_bgr, (640, 360)).astype(np.uint8)
            yield replace(frame, pixels=small) if frame.time_s > 8 else frame

    class Small(Film):
        def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
            share = image_bgr.shape[1] / SMALL_VIEW.picture_px[0]
            x0, y0, x1, y1 = (round(side / share) for side in region)
            found = film.found(image_bgr, (x0, y0, x1, y1))
            return [replace(tile, corners_px=tile.corners_px * np.float32(share)) for tile in found]

    events, notices, _ = told(Small(RIVER, LASTS_S), frames())
    assert events == EVENTS
    assert [notice.kind for notice in notices] == ["size"]


class Turned(Knocked):
    """A film whose pictures are turned clockwise by a quarter or by half from one frame on."""

    def __init__(self, quarters: int) -> None:
        super().__init__()
        self._quarters = quarters
        reach = {1: (539, 0), 2: (959, 539)}[quarters]
        half = np.round(np.exp(0.5j * np.pi * quarters))
        self._to = np.array([[half.real, -half.imag, reach[0]], [half.imag, half.real, reach[1]]])
        self._to = np.vstack([self._to, (0, 0, 1)])

    def _pose(self) -> np.ndarray:
        return self._to if self._time_s > KNOCKED_S[1] else np.eye(3)

    def _picture(self) -> Picture:
        turned, self._to = self._to, np.eye(3)
        upright = super()._picture()
        self._to = turned
        times = self._quarters if self._time_s > KNOCKED_S[1] else 0
        return np.ascontiguousarray(np.rot90(upright, -times))


@pytest.mark.parametrize(
    ("quarters", "said", "edited"), [(1, ["size"], True), (2, ["moved", "moved"], False)]
)
def test_pictures_that_turn_leave_all_in_their_seat(
    quarters: int, said: list[str], edited: bool
) -> None:
    film = Turned(quarters)
    events, notices, reader = told(film, edited=edited)
    assert events == EVENTS
    assert [notice.kind for notice in notices] == said
    assert_stands(reader, film._to)


def test_another_light_is_said_once_and_is_no_motion() -> None:
    film = Film(RIVER, LASTS_S)

    def frames() -> Iterator[Frame]:
        for frame in film.frames():
            dim = cv2.convertScaleAbs(frame.image_bgr, alpha=0.55)
            yield replace(frame, pixels=np.asarray(dim, np.uint8)) if frame.time_s > 8 else frame

    events, notices, _ = told(film, frames())
    assert events == EVENTS
    assert [notice.kind for notice in notices] == ["light"]


def test_an_exposure_that_hunts_is_said_once() -> None:
    frames = Film({}, 14.0).frames()
    hunting = (
        frame
        if frame.index % 2
        else replace(
            frame, pixels=np.asarray(cv2.convertScaleAbs(frame.image_bgr, alpha=0.6), np.uint8)
        )
        for frame in frames
    )
    _, notices, _ = told(Film({}, 14.0), hunting)
    assert [notice.kind for notice in notices] == ["light"]


def test_where_noise_hides_the_table_it_is_said() -> None:
    rng = np.random.default_rng(2)
    dark = (np.clip(rng.normal(9, 14, (360, 640, 3)), 0, 255).astype(np.uint8) for _ in range(99))
    frames = (Frame(picture, index / 5, index) for index, picture in enumerate(dark))
    with pytest.raises(NoTable, match=r"no table was found.*: give the table more light"):
        list(TableReader(Blind(), "harbin-hlr").read(frames))


@pytest.mark.parametrize("gain", [0.5, 0.8, 1.25, 1.6])
def test_a_change_of_light_is_not_taken_for_a_knock(gain: float) -> None:
    picture = next(Film({}, 1.0).frames()).image_bgr
    gate = MotionMap(SMALL_VIEW)
    gate.update(Frame(picture, 0.0, 0))
    gate.update(Frame(np.clip(picture * gain, 0, 255).astype(np.uint8), 0.2, 1))
    assert gate.unrest < SHAKEN
    assert gate.gain == pytest.approx(gain, rel=0.05)


def test_two_pictures_a_second_are_said_to_be_few_and_are_read() -> None:
    film = Film(RIVER, LASTS_S)
    few = (
        replace(frame, index=frame.index // 3) for frame in film.frames() if frame.index % 3 == 0
    )
    events, notices, _ = told(film, few)
    assert events == EVENTS
    assert [(notice.kind, notice.lasts) for notice in notices] == [("slow", True)]
    assert notices[0].text.startswith("the camera sends only 1.7 pictures a second:")


def test_pictures_that_a_machine_is_too_busy_for_are_no_fault_of_the_camera() -> None:
    watch, rng = StreamWatch(), np.random.default_rng(1)
    said: list[Notice] = []
    for index in [*range(0, 150, 3), *range(150, 250)]:  # one frame in three at first
        image = rng.integers(0, 9, (90, 160, 3)).astype(np.uint8)
        said += watch.update(Frame(image, index / FPS, index))
    assert [notice.lasts for notice in said] == [True, False]
    assert said[0].text.startswith("this computer reads only 1.7 of 5.0 pictures a second:")
    assert said[0].time_s > STARTING_S, "at its start a program is busy with other things"


def noticed(taken: Iterable[int], fps: float, damaged: range = range(0)) -> list[Notice]:
    """What is said where these frames of a camera are taken."""
    watch, rng, said = StreamWatch(), np.random.default_rng(1), list[Notice]()
    for index in taken:
        frame = Frame(rng.integers(0, 9, (90, 160, 3)).astype(np.uint8), index / fps, index)
        if index in damaged:
            watch.pass_over(frame)
        else:
            said += watch.update(frame)
    return said


@pytest.mark.parametrize(("fps", "every_s"), [(5, 4), (3, 4), (30, 10)])
def test_a_computer_that_takes_a_picture_now_and_then_is_slow_and_the_camera_sends_them(
    fps: int, every_s: int
) -> None:
    said = noticed(range(0, 80 * fps, every_s * fps), fps)
    assert ("slow", True) in [(one.kind, one.lasts) for one in said]
    assert not [one for one in said if one.text.startswith("no pictures came")]
    slow = next(one for one in said if one.kind == "slow")
    assert slow.text.startswith("this computer reads only") == (fps >= 5)
    assert not [one for one in said if one.time_s > slow.time_s], "it is said once"


def test_one_moment_in_which_a_computer_takes_no_pictures_is_a_pause_and_no_pace() -> None:
    said = noticed([*range(600), *range(750, 1200)], 15)
    assert [(one.kind, one.lasts) for one in said] == [("gap", False)]
    assert said[0].text.startswith("this computer took no pictures for 10 s;")


def test_damaged_pictures_are_none_of_the_computers_making() -> None:
    said = noticed(range(1200), 15, damaged=range(600, 720))
    assert [(one.kind, one.lasts) for one in said] == [("gap", False)]
    assert said[0].text.startswith("no pictures came for 8 s;")


def test_a_pause_is_said_and_what_lies_there_afterwards_is_told() -> None:
    film = Film(RIVER, LASTS_S)
    sent = (frame for frame in film.frames() if not 4.5 < frame.time_s < 11.0)
    events, notices, _ = told(film, (replace(one, index=at) for at, one in enumerate(sent)))
    assert events == EVENTS
    assert [notice.kind for notice in notices] == ["gap"]


def watched(stills: range, count: int = 120, refined: bool = False) -> list[Notice]:
    """Notices about noisy frames, of which those in ``stills`` are identical.

    ``refined``: but for what an encoder goes on to refine.
    """
    watch, rng = StreamWatch(), np.random.default_rng(1)
    said: list[Notice] = []
    image = np.zeros((90, 160, 3), np.uint8)
    for index in range(count):
        if index not in stills:
            image = rng.integers(0, 9, (90, 160, 3)).astype(np.uint8)
        elif refined:
            image = image.copy()
            image[0, index % 9, 0] ^= 1
        said += watch.update(Frame(image, index / FPS, index))
    return said


@pytest.mark.parametrize("refined", [False, True])
def test_a_frozen_camera_is_said_once_and_that_it_moves_again(refined: bool) -> None:
    said = watched(range(20, 100), refined=refined)
    assert [(notice.kind, notice.lasts) for notice in said] == [("frozen", True), ("frozen", False)]
    assert said[0].time_s == pytest.approx(19 / FPS + FROZEN_S, abs=0.3)


def test_a_few_frames_that_repeat_are_not_worth_a_word() -> None:
    assert watched(range(20, 40)) == []
