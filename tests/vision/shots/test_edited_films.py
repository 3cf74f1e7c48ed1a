"""Scenes that are not the table are passed over; the game goes on where it is shown again."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from studio.camera.troubles import Trouble, spoilt
from tests.support.felt_film import (
    EVENTS,
    KNOCKED_S,
    Knocked,
    assert_stands,
    floor,
    laid_table,
    plain,
    small_table,
    told,
)
from tests.support.tables import SMALL_VIEW, VIEW, Read, read_at
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.shots.dissolve import dissolves
from vision.shots.other_view import SETTLED_S
from vision.shots.replays import ReplayWatch
from vision.shots.small import share_kept, small_of
from vision.shots.watch import ShotWatch

ELSEWHERE_S = (7.0, 12.0)
LONG_S = 5.0
"""A scene that lasts longer is told before it ends."""


def crowd(time_s: float, size_px: tuple[int, int] = SMALL_VIEW.picture_px) -> Picture:
    """Another place, seen by a camera that pans."""
    coarse = np.random.default_rng(3).integers(0, 255, (36, 64, 3)).astype(np.uint8)
    rolled = np.roll(coarse, round(4 * time_s), axis=1)
    return np.asarray(cv2.resize(rolled, size_px, interpolation=cv2.INTER_LINEAR), np.uint8)


def card(time_s: float) -> Picture:
    picture = plain((60, 30, 20))
    cv2.putText(picture, "FINAL TABLE", (150, 300), cv2.FONT_HERSHEY_DUPLEX, 3, (255,) * 3, 6)
    return picture


class Interrupted(Knocked):
    """A film of the table with another scene in it, where tiles seem to lie too."""

    def __init__(self, scene: Callable[[float], Picture]) -> None:
        super().__init__(np.eye(3))
        self._scene = scene
        self.lasts_s = 17.0

    @property
    def _away(self) -> bool:
        return ELSEWHERE_S[0] <= self._time_s < ELSEWHERE_S[1]

    def _picture(self) -> Picture:
        return self._scene(self._time_s) if self._away else super()._picture()

    def _pose(self) -> np.ndarray:
        return np.eye(3)

    def _lying(self) -> list[Read]:
        return [read_at(60, 60, "5z"), read_at(-60, 60, "6z")] if self._away else super()._lying()


class Moved(Knocked):
    """The film is cut, and its camera hangs elsewhere from then on."""

    def __init__(self) -> None:
        turned = np.array([[0.62, -0.33, 350.0], [0.30, 0.60, -10.0], [0.0, 0.0, 1.0]])
        super().__init__(turned)
        self.arrivals = {3.0: self.arrivals[3.0], 6.0: self.arrivals[6.0]} | {
            KNOCKED_S[1] + SETTLED_S + 5.0: self.arrivals[13.0]
        }
        self.lasts_s = KNOCKED_S[1] + SETTLED_S + 8.0

    def _pose(self) -> np.ndarray:
        return self._to if self._time_s > KNOCKED_S[1] else np.eye(3)


@pytest.mark.parametrize("scene", [crowd, card])
def test_another_scene_is_passed_over(scene: Callable[[float], Picture]) -> None:
    events, notices, _ = told(Interrupted(scene), edited=True)
    assert events == EVENTS
    assert [(notice.kind, notice.since_s, notice.time_s) for notice in notices] == [
        ("cut", *ELSEWHERE_S)
    ]


def test_a_scene_that_ends_the_film_is_told() -> None:
    film = Interrupted(crowd)
    film.lasts_s = ELSEWHERE_S[1] - 1.0
    events, notices, _ = told(film, edited=True)
    assert events[:2] == EVENTS[:2]
    assert [(notice.kind, notice.since_s) for notice in notices] == [("cut", ELSEWHERE_S[0])]


def test_a_long_scene_is_told_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.shots.watch.LONG_S", LONG_S)
    watch, view = ShotWatch(), VIEW.in_picture(640, 360)
    table = np.asarray(cv2.resize(floor(), (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    for index in range(4 * round(LONG_S)):
        picture = crowd(index / 2, (640, 360)) if index > 4 else table
        watch.update(Frame(picture, index / 2, index), view)
    (notice,) = watch.notices
    assert (notice.kind, notice.lasts, notice.since_s) == ("cut", True, None)
    watch.close(index / 2)
    assert (watch.notices[1].lasts, watch.notices[1].since_s) == (False, 2.5)


def test_a_table_that_is_filmed_from_elsewhere_after_a_cut_is_followed() -> None:
    film = Moved()
    events, _, reader = told(film, edited=True)
    assert events == EVENTS
    assert_stands(reader, film._to, atol_px=5.0)


def _grey(picture: Picture) -> np.ndarray:
    return small_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))


def _with_hand(x: int, y: int, tiles: int) -> np.ndarray:
    """The table with some tiles, and a hand over it."""
    picture = floor()
    for at in range(tiles):
        cv2.rectangle(picture, (600 + 60 * at, 500), (650 + 60 * at, 570), (230, 235, 235), -1)
    cv2.line(picture, (960, 1080), (x, y), (120, 150, 200), 90)
    return _grey(picture)


def _played(discards: range) -> list[np.ndarray]:
    """A hand comes, lays a tile and goes, once for each discard."""
    frames = []
    for at in discards:
        reach = [(900 - 70 * step, 1000 - 90 * step) for step in range(6)]
        path = [(x + 60 * at, y) for x, y in reach]
        frames += [_with_hand(x, y, at) for x, y in path]
        frames += [_with_hand(x + 3, y, at + 1) for x, y in reversed(path)]
        frames += [_with_hand(960, 1080, at + 1)] * 3
    return frames


def test_a_replay_in_slow_motion_is_told_from_the_game() -> None:
    live = _played(range(4))
    again = [frame for frame in live[-30:-5] for _ in range(2)]
    rest = _played(range(4, 6))
    watch, found = ReplayWatch(), []
    for number, frame in enumerate([*live, *again, *rest]):
        found.append(watch.update(frame, number / 10))
    replay = slice(len(live) + 10, len(live) + len(again))
    assert not any(found[: len(live)])
    assert all(found[replay])
    assert not any(found[len(live) + len(again) + 2 :])
    swinging = ReplayWatch()
    shown = enumerate([*live, *again])
    assert not any(swinging.update(frame, number / 10, swings=True) for number, frame in shown)


def test_a_dissolve_is_told_from_moving_hands() -> None:
    before, after = _with_hand(700, 600, 3).astype(float), _with_hand(1300, 500, 9).astype(float)
    faded = [
        np.rint(before + share * (after - before)).astype(np.uint8) for share in (0, 0.2, 0.5, 0.7)
    ]
    assert dissolves(faded)
    slow = [_with_hand(700 + 8 * step, 600, 3) for step in range(4)]
    for live in (_played(range(2)), slow):
        assert not any(dissolves(live[at : at + 4]) for at in range(len(live) - 3))


@pytest.mark.parametrize("dark", [1.0, 0.6])
@pytest.mark.parametrize("drift", [0.0, 0.04, 0.08, 0.12])
def test_a_replay_is_told_however_slowly_the_light_changes(drift: float, dark: float) -> None:
    """Bright tiles on dark cloth: few pixels show the change."""
    light = 1 + drift * np.sin(np.arange(60) * 2 * np.pi / 120)
    shown = [np.where(frame > 200, frame, frame * dark) for frame in _played(range(4))]
    for frame in shown:
        frame[:40, :40] = frame[-30:, -60:] = 230
    live = [
        np.clip(np.rint(frame * gain), 0, 255).astype(np.uint8)
        for frame, gain in zip(shown, light, strict=True)
    ]
    again = [frame for frame in live[-30:-5] for _ in range(2)]
    watch = ReplayWatch()
    found = [watch.update(frame, number / 10) for number, frame in enumerate([*live, *again])]
    assert not any(found[: len(live)])
    assert sum(found[len(live) :]) >= 40


HUNTS = {
    "exposure": Trouble(gain=0.05, warm=0.12),
    "strong exposure": Trouble(gain=0.2, gain_hz=0.9, warm=0.2),
    "white balance": Trouble(balance=0.15, gain=0.05, gain_hz=0.4),
    "lamp": Trouble(bands=0.1, lamp_hz=100.7),
    "strong lamp": Trouble(bands=0.15, lamp_hz=119.6),
    "noise": Trouble(noise_grey=14, light=0.6, gain=0.05),
}


@pytest.mark.parametrize("name", HUNTS)
def test_no_camera_makes_a_dissolve_or_a_replay(name: str) -> None:
    table = small_table((480, 270))
    frames = ((index / 14, table) for index in range(90))
    watch, small = ReplayWatch(), []
    for time_s, picture in spoilt(HUNTS[name], frames):
        small.append(_grey(picture))
        assert not watch.update(small[-1], time_s)
    assert not any(dissolves(small[at : at + 4]) for at in range(len(small) - 3))


def test_darkness_is_the_table_and_what_follows_is_compared_with_what_was_before() -> None:
    watch, view = ShotWatch(), VIEW.in_picture(640, 360)
    dark = np.full((1080, 1920, 3), 3, np.uint8)
    shown = []
    for index, picture in enumerate(
        [laid_table()] * 4 + [dark] * 12 + [laid_table()] * 3 + [dark] * 9
    ):
        small = np.asarray(cv2.resize(picture, (640, 360)), np.uint8)
        shown.append(watch.update(Frame(small, index / 10, index), view))
    assert set(shown) == {"table"}
    small = np.asarray(cv2.resize(crowd(0.0), (640, 360)), np.uint8)
    assert watch.update(Frame(small, 3.0, 30), view) == "elsewhere"


def test_a_dimmed_or_covered_table_is_still_thelaid_table() -> None:
    table = _with_hand(960, 1080, 5)
    dimmed = np.rint(table * 0.4).astype(np.uint8)
    assert share_kept(table, dimmed) > 0.9
    covered = table.copy()
    covered[:, : covered.shape[1] // 2] = 90
    assert 0.4 < share_kept(table, covered) < 0.7
    assert share_kept(table, _grey(crowd(0.0))) < 0.3
    assert share_kept(np.full_like(table, 80), table) == 1.0
