"""Mirrored pictures are recognised by their faces and turned back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.support.films import film, mirrored
from tests.support.paths import FILM
from tests.support.tables import read_at
from vision.attention.mirror_watch import (
    MIRRORED,
    NOT_MIRRORED,
    RIGHT,
    MirrorWatch,
    wrong_way,
)
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.detect import Detection, Detector
from vision.pipeline import ReaderSettings, TableReader
from vision.table.view import TableView
from vision.tiles.classes import DetectedTile
from vision.tiles.handedness import Handedness

TIMES_S = [70 + 0.2 * place for place in range(8)]
"""In the middle of a hand, with a dozen discards on the table."""


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load(threads=1)


@pytest.fixture(scope="module")
def selfie(tmp_path_factory: pytest.TempPathFactory) -> VideoFile:
    """A game as a selfie camera films it."""
    return VideoFile(mirrored(FILM, tmp_path_factory.mktemp("film") / "selfie.mp4", TIMES_S))


@pytest.mark.film
def test_a_reader_says_beforehand_that_a_recording_is_the_wrong_way_round(
    detector: Detector, selfie: VideoFile
) -> None:
    def wrong(said: bool | None) -> str | None:
        return TableReader(detector, "harbin-hlr", ReaderSettings(mirrored=said)).wrong_way(
            selfie.glimpses()
        )

    assert [wrong(None), wrong(True), wrong(False)] == [MIRRORED, None, None]
    plain = TableReader(detector, "harbin-hlr", ReaderSettings(mirrored=True))
    assert plain.wrong_way(VideoFile(FILM).glimpses()) == NOT_MIRRORED
    unsaid = TableReader(detector, "harbin-hlr")
    assert unsaid.wrong_way(VideoFile(FILM).glimpses()) is None


@pytest.mark.film
def test_a_mirrored_table_is_noticed_while_read(detector: Detector, selfie: VideoFile) -> None:
    reader = TableReader(detector, "harbin-hlr")
    said = [notice for one in reader.read(selfie.frames()) for notice in one.notices]
    assert [(one.kind, one.text) for one in said if one.lasts] == [("mirrored", MIRRORED)]


FACE = read_at(0, 0, "1m").detected()


class Tells:
    """A detector whose faces say what the test wants."""

    def __init__(self, *said: float) -> None:
        self.said = list(said)

    def read(self, image_bgr: Picture, *_: object) -> list[Detection]:
        return []

    def handed(self, image_bgr: Picture, tiles: Sequence[DetectedTile]) -> Mapping[str, float]:
        return dict.fromkeys(("1m", "2m"), self.said.pop(0))


def looks(
    detector: Tells, said: bool | None, times_s: Sequence[float], more: int = 1
) -> list[tuple[float, str]]:
    """What is said of looks at a table on which so many ``more`` faces lie each time."""
    watch = MirrorWatch(detector, said)
    black = np.zeros((8, 8, 3), np.uint8)
    frames = [Frame(black, time_s, at) for at, time_s in enumerate(times_s)]
    return [
        (one.time_s, one.text)
        for frame in frames
        for one in watch.look(frame, [FACE] * (1 + more * frame.index))
    ]


def test_what_is_wrong_is_said_once_and_so_is_its_end() -> None:
    # First doubt, then clearly mirrored; nobody asks in between; at last the mirror is off.
    detector = Tells(-1.0, -2.5, 3.0, 4.0)
    assert looks(detector, None, [0, 1, 2, 10, 32, 62]) == [(2, MIRRORED), (62, RIGHT)]
    assert detector.said == []
    assert looks(Tells(-2.0), True, [0]) == [(0, NOT_MIRRORED)]
    assert looks(Tells(2.0), True, [0]) == []
    assert looks(Tells(), False, [0]) == []


def test_the_same_faces_are_seldom_asked_again() -> None:
    detector = Tells(-1.0, -2.5)
    assert looks(detector, None, range(0, 32, 2), more=0) == [(30, MIRRORED)]
    assert detector.said == []


def test_what_glimpses_have_shown_is_not_asked_again() -> None:
    detector = Tells(-1.0, 2.5, 2.5, 2.5)
    watch = MirrorWatch(detector, None)
    black = np.zeros((8, 8, 3), np.uint8)
    assert watch.wrong_in([black] * 4) is None
    assert detector.said == [2.5]
    assert not [one for time_s in range(29) for one in watch.look(Frame(black, time_s, 0), [FACE])]
    assert detector.said == []


def test_glimpses_end_once_they_speak_against_a_mirror() -> None:
    black = np.zeros((8, 8, 3), np.uint8)
    detector = Tells(0.8, 0.8)
    watch = MirrorWatch(detector, None)
    assert watch.wrong_in([black] * 2) is None
    assert detector.said == [0.8]
    # For a mirror, as much decides nothing yet.
    assert MirrorWatch(Tells(-0.8, -2.5), None).wrong_in([black] * 2) == MIRRORED


def test_no_face_decides_alone() -> None:
    handed = Handedness()
    handed.add({"9m": -9.0})
    assert handed.mirrored is None
    handed.add({"9m": -9.0, "3p": -1.1})
    assert handed.mirrored is True
    assert wrong_way(None, None) is None


def test_a_frame_is_turned_round_without_being_converted_first(tmp_path: Path) -> None:
    frame = next(VideoFile(film(tmp_path / "game.mp4", frames=2)).frames())
    turned = frame.mirror_image()
    assert np.array_equal(turned.image_bgr, frame.image_bgr[:, ::-1])
    assert np.array_equal(turned.mirror_image().image_bgr, frame.image_bgr)
    assert turned.parts([(0, 0, 32, 32)]).shape == frame.image_bgr.shape


def test_a_table_lies_mirrored_in_a_mirrored_picture(tmp_path: Path) -> None:
    view = TableView(((10, 5), (90, 8), (80, 70), (20, 60)), (800, 800), (100, 75), "left")
    turned = view.mirror_image()
    assert turned.corners_px == ((9, 8), (89, 5), (79, 60), (19, 70))
    assert (turned.seat0, turned.mirrored) == ("right", True)
    assert turned.mirror_image() == view
    turned.save(tmp_path / "table.toml")
    assert TableView.load(tmp_path / "table.toml") == turned
