"""Cameras that send over UDP alone, that begin between key pictures, or that are plugged in."""

from __future__ import annotations

import contextlib
import os
from itertools import count, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.films import film, number_of
from tests.support.network_camera import SIZE, UdpCamera, http_stream
from vision.camera.cameras import FoundCamera
from vision.camera.live import NetworkStream, is_live, open_live
from vision.camera.pictures import SourceError


def test_a_camera_that_refuses_tcp_is_read_over_udp(tmp_path: Path) -> None:
    with contextlib.closing(UdpCamera(tmp_path)) as camera:
        with contextlib.closing(open_live(camera.address).frames()) as frames:
            seen = list(islice(frames, 3))
        assert camera.refused == 1, "TCP comes first: it loses nothing"
    assert [frame.size_px for frame in seen] == [SIZE] * 3


@pytest.mark.parametrize(
    ("takes", "password", "told"),
    [
        ((), False, "sends its video neither over TCP nor over UDP"),
        (("udp",), True, "refuses the name or password"),
    ],
)
def test_a_camera_that_refuses_says_what_is_wrong(
    tmp_path: Path, takes: tuple[str, ...], password: bool, told: str
) -> None:
    with (
        contextlib.closing(UdpCamera(tmp_path, takes, password)) as camera,
        pytest.raises(SourceError, match=told),
    ):
        NetworkStream(camera.address)


def test_a_stream_is_read_from_its_first_whole_picture(tmp_path: Path) -> None:
    data = film(tmp_path / "game.ts", frames=60).read_bytes()
    data = data[188 * (len(data) // 188 // 12) :]
    seen: list[int] = []
    with (
        http_stream(data) as address,
        contextlib.closing(NetworkStream(address).frames()) as frames,
        contextlib.suppress(SourceError),  # it ends
    ):
        for frame in frames:
            assert frame.whole
            seen.append(number_of(frame.image_bgr))
    # What is not looked at in time is lost; the decoder holds a few back when the stream breaks.
    assert seen[-1] in (57 % 23, 58 % 23, 59 % 23)


class FakeCapture:
    """Stands in for OpenCV's access to a camera."""

    made: list[FakeCapture] = []  # noqa: RUF012 - of the test that runs

    def __init__(self, number: int) -> None:
        self.number = number
        self.grabbed = self.decoded = 0
        self.asked: list[tuple[int, float]] = []
        FakeCapture.made.append(self)

    def set(self, what: int, value: float) -> bool:
        self.asked.append((what, value))
        return True

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def grab(self) -> bool:
        self.grabbed += 1
        return True

    def retrieve(self) -> tuple[bool, Any]:
        self.decoded += 1
        return True, np.zeros((4, 4, 3), np.uint8)


@pytest.mark.parametrize(
    "given", ["2", "/dev/video2", "/dev/v4l/by-id/usb-Table_Camera-video-index0"]
)
def test_a_plugged_in_camera_is_asked_for_jpeg_first(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.camera.live.cv2.VideoCapture", FakeCapture)
    monkeypatch.setattr(os.path, "realpath", lambda path: "/dev/video2")
    monkeypatch.setattr(Path, "exists", lambda path: True)
    FakeCapture.made.clear()
    assert is_live(given)
    source = open_live(given)
    (capture,) = FakeCapture.made
    assert capture.number == 2
    assert capture.asked[0] == (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    assert {what for what, _ in capture.asked[1:]} == {
        cv2.CAP_PROP_FRAME_WIDTH,
        cv2.CAP_PROP_FRAME_HEIGHT,
    }
    assert given in source.name
    with contextlib.closing(source.frames()) as frames:
        assert next(frames).size_px == (4, 4)


def test_of_a_plugged_in_camera_only_the_pictures_that_are_looked_at_are_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = count()
    monkeypatch.setattr("vision.camera.live.cv2.VideoCapture", FakeCapture)
    monkeypatch.setattr("vision.camera.live.newest", lambda frames, silent_s: frames)
    monkeypatch.setattr("vision.camera.live.time.monotonic", lambda: next(now) / 30)
    FakeCapture.made.clear()
    seen = islice(open_live("2").frames(0.07), 10)
    times = [(frame.index, round(frame.time_s, 3)) for frame in seen]
    assert times[:3] == [(0, 0.033), (3, 0.133), (6, 0.233)]
    (capture,) = FakeCapture.made
    assert (capture.grabbed, capture.decoded) == (28, 10)


WEBCAM, TWIN = FoundCamera(3, "HD Webcam"), FoundCamera(5, "Table cam")
THREE = (WEBCAM, TWIN, FoundCamera(6, "Table cam"))


@pytest.fixture
def three_cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.live.cv2.VideoCapture", FakeCapture)
    for module in ("cameras", "live"):
        monkeypatch.setattr(f"vision.camera.{module}.find_cameras", lambda: THREE)
    FakeCapture.made.clear()


@pytest.mark.parametrize("given", ["HD Webcam", "hd webcam", " HD Webcam "])
@pytest.mark.usefixtures("three_cameras")
def test_a_camera_is_opened_by_its_name(given: str) -> None:
    assert is_live(given)
    open_live(given)
    assert [capture.number for capture in FakeCapture.made] == [WEBCAM.number]


@pytest.mark.usefixtures("three_cameras")
def test_of_two_cameras_with_one_name_the_number_is_asked() -> None:
    assert is_live("table cam")
    with pytest.raises(SourceError, match=r"one's number: 5 \(Table cam\), 6 \(Table cam\)$"):
        open_live("table cam")
    assert FakeCapture.made == []


@pytest.mark.usefixtures("three_cameras")
def test_a_file_with_the_name_of_a_camera_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / WEBCAM.name).touch()
    assert not is_live(WEBCAM.name)
    assert not is_live("HD")


@pytest.mark.usefixtures("three_cameras")
def test_who_names_a_camera_that_is_not_there_hears_which_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(SourceError, match=r"here: 3 \(HD Webcam\), 5 "):
        open_live("/dev/video97")
    monkeypatch.setattr(FakeCapture, "isOpened", lambda _: False)
    with pytest.raises(SourceError, match=r"camera 9 cannot be opened.* 3 \(HD Webcam\), 5 "):
        open_live("9")


@pytest.mark.parametrize("given", ["/dev/video97", "/dev/v4l/by-id/gone", "/dev/null"])
def test_a_path_that_leads_to_no_camera_is_one_line(given: str) -> None:
    assert is_live(given)
    with pytest.raises(SourceError, match="is no camera that is plugged in"):
        open_live(given)


@pytest.mark.parametrize("given", ["game.mp4", "12:30.mp4", "dev/video0", "video0"])
def test_a_file_is_no_camera(given: str) -> None:
    assert not is_live(given)


def test_a_film_that_lies_in_memory_is_no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    assert not is_live("/dev/shm/game.mp4")
