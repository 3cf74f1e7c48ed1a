"""Frames come in order, upright, and only from videos that are whole."""

from __future__ import annotations

import gc
import struct
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import cv2
import numpy as np
import pytest
from av.sidedata.sidedata import Type

from tests.support.films import film, number_of
from vision.attention.schedule import RECORDED
from vision.camera.decoded import UPRIGHT, DecodedFrame, every_nth_row, size_of
from vision.camera.frames import Frame, FramePosition
from vision.camera.live import PacedFile
from vision.camera.packets import PictureDecoder
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return film(tmp_path / "game.mp4", frames=20, fps=10)


def test_a_video_gives_every_frame_with_its_time_or_some_at_a_distance(video: Path) -> None:
    source = VideoFile(video)
    assert (source.width_px, source.height_px, source.fps) == (320, 180, 10)
    assert source.duration_s == pytest.approx(2.0)
    frames = list(source.frames())
    assert [frame.index for frame in frames] == list(range(20))
    assert [round(frame.time_s, 3) for frame in frames] == [n / 10 for n in range(20)]
    assert [number_of(frame.image_bgr) for frame in frames] == list(range(20))
    some = list(VideoFile(video).frames(step_s=0.5))
    assert [frame.index for frame in some] == [0, 5, 10, 15]
    assert [number_of(frame.image_bgr) for frame in some] == [0, 5, 10, 15]


@pytest.mark.parametrize("name", ["game.mp4", "game.ts", "game.avi"])
def test_the_frame_at_a_time_is_the_first_from_then_on(tmp_path: Path, name: str) -> None:
    source = VideoFile(film(tmp_path / name, frames=60, fps=25))
    every = list(source.frames())
    # Around each of the first two key pictures, and at both ends.
    for wanted in (every[at] for at in (0, 1, 9, 10, 11, 19, 20, 21, 58, 59)):
        found = source.frame_at(wanted.time_s - 0.01)
        assert found is not None
        assert number_of(found.image_bgr) == number_of(wanted.image_bgr)
    assert source.frame_at(every[-1].time_s + 0.01) is None


@pytest.mark.parametrize("name", ["game.mp4", "game.ts", "game.avi"])
def test_a_piece_of_a_film_is_each_frame_between_two_times(tmp_path: Path, name: str) -> None:
    source = VideoFile(film(tmp_path / name, frames=60, fps=25))
    every = list(source.frames())
    for first, last in ((0, 5), (9, 12), (15, 40), (50, 59)):
        piece = source.between(every[first].time_s - 0.01, every[last].time_s + 0.01)
        numbers = [number_of(frame.image_bgr) for frame in piece]
        assert numbers == [number_of(frame.image_bgr) for frame in every[first : last + 1]]
    assert list(source.between(every[-1].time_s + 0.01, 99.0)) == []


@pytest.mark.parametrize("name", ["game.mp4", "game.ts", "game.avi"])
def test_frames_at_a_distance_are_the_same_although_others_are_not_decoded(
    tmp_path: Path, name: str
) -> None:
    source = VideoFile(film(tmp_path / name, frames=60, fps=25))
    every = list(source.frames())
    wanted = every[::3]
    taken = list(source.frames(step_s=0.12))
    assert [FramePosition.of(frame) for frame in taken] == [FramePosition.of(one) for one in wanted]
    rest = list(source.frames(0.12, FramePosition.of(wanted[7])))
    assert [FramePosition.of(frame) for frame in rest] == [FramePosition.of(f) for f in wanted[7:]]


@pytest.mark.parametrize(("fps", "every_nth"), [(5, 1), (10, 1), (12, 2), (25, 4), (30, 5)])
def test_a_film_is_looked_at_six_times_a_second_or_as_often_as_it_has_pictures(
    tmp_path: Path, fps: int, every_nth: int
) -> None:
    source = VideoFile(film(tmp_path / "game.mp4", frames=40, fps=fps))
    with closing(RECORDED.frames(source)) as frames:
        assert [frame.index for frame in frames] == list(range(0, 40, every_nth))


def test_the_rotation_that_a_phone_notes_is_applied(video: Path) -> None:
    data = bytearray(video.read_bytes())
    matrix = data.index(b"tkhd") + 4 + 40  # ISO 14496-12, 8.3.2: the track header, version 0
    one, minus_one, unit = 1 << 16, -1 << 16, 1 << 30
    data[matrix : matrix + 36] = struct.pack(
        ">9i", 0, one, 0, minus_one, 0, 0, 180 << 16, 0, unit
    )  # a quarter turn clockwise
    turned = video.with_name("turned.mp4")
    turned.write_bytes(data)
    source = VideoFile(turned)
    assert (source.width_px, source.height_px) == (180, 320)
    last = list(source.frames())[-1].image_bgr
    assert last.shape == (320, 180, 3)
    # The grey square was at the top left; turned clockwise it is at the top right.
    assert last[10:30, -30:-10].mean() > 190
    assert last[10:30, 10:30].mean() < 150


def cut_film(path: Path, share: float, movflags: str | None = None) -> Path:
    """A film of 4 s of which only this share was copied."""
    data = film(path, frames=40, movflags=movflags).read_bytes()
    path.write_bytes(data[: round(share * len(data))])
    return path


@pytest.mark.parametrize("share", [0.4, 0.6, 0.8])
@pytest.mark.parametrize(("name", "movflags"), [("game.mp4", "faststart"), ("game.mkv", None)])
def test_what_there_is_of_a_film_that_is_cut_off_is_read(
    tmp_path: Path, name: str, movflags: str | None, share: float
) -> None:
    source = VideoFile(cut_film(tmp_path / name, share, movflags))
    frames = list(source.frames())
    assert len(frames) == pytest.approx(40 * share, abs=3)
    assert [number_of(frame.image_bgr) for frame in frames] == [
        at % 23 for at in range(len(frames))
    ]
    assert source.duration_s == pytest.approx(len(frames) / 10)
    missing = f"the last {4 - source.duration_s:.1f} of 4.0 s are missing"
    assert missing in str(source.cut_off)
    assert VideoFile(film(tmp_path / f"whole_{name}")).cut_off is None


def test_a_transport_stream_that_is_torn_is_read_and_told(tmp_path: Path) -> None:
    whole = VideoFile(film(tmp_path / "whole.ts", frames=40))
    assert whole.cut_off is None
    torn = VideoFile(cut_film(tmp_path / "torn.ts", 0.6))
    assert "torn.ts is cut off in the middle of a packet" in str(torn.cut_off)
    assert 0 < len(list(torn.frames())) < len(list(whole.frames()))


@pytest.mark.parametrize("share", [0.02, 0.6])
def test_a_film_cut_off_before_its_first_picture_is_refused(tmp_path: Path, share: float) -> None:
    path = cut_film(tmp_path / "game.mp4", share, "faststart" if share < 0.1 else None)
    with pytest.raises(SourceError, match=r"game.* (is cut off|cannot be read as a video)"):
        VideoFile(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "there is no video file"),
        (b"", "cannot be read as a video"),
        (b"not a video", "cannot be read as a video"),
        (b"\x00" * 5000, "cannot be read as a video"),
    ],
)
def test_what_is_no_video_is_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "game.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError, match=said):
        VideoFile(path)


class Clock:
    """Stands in for the time module, so that no test waits or runs late."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("vision.camera.video_file.time", clock)
    return clock


def test_a_video_plays_in_real_time(tmp_path: Path, clock: Clock) -> None:
    video = VideoFile(film(tmp_path / "game.mp4", frames=6, fps=10))
    shown = [(frame.index, round(clock.now_s - 100.0, 3)) for frame in video.in_real_time()]
    assert shown == [(index, index / 10) for index in range(6)]


def test_a_machine_that_is_too_slow_still_shows_frames(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    video = VideoFile(film(tmp_path / "game.mp4", frames=20, fps=10))
    looks = count()  # every look at the clock is a second later
    monkeypatch.setattr(clock, "monotonic", lambda: float(next(looks)))
    assert [frame.index for frame in video.in_real_time()] == [0, 5, 10, 15]
    assert [frame.index for frame in video.in_real_time(every=True)] == list(range(20))


def test_a_recording_waits_for_nobody_unless_all_is_wanted(tmp_path: Path, clock: Clock) -> None:
    path = film(tmp_path / "game.mp4", frames=20, fps=20)
    seen = [frame.index for frame in PacedFile(path).frames()]
    assert seen == sorted(set(seen))
    assert seen[-1] == 19
    assert [frame.index for frame in PacedFile(path, every=True).frames()] == list(range(20))


# --- decoded pictures: the same brightness and colours, however little is converted ---


def decoded(tmp_path: Path) -> DecodedFrame:
    with av.open(str(film(tmp_path / "game.mp4", frames=2, fps=10))) as container:
        return DecodedFrame(next(container.decode(video=0)), UPRIGHT)


def test_a_frame_is_gone_from_memory_as_soon_as_nobody_has_it(tmp_path: Path) -> None:
    path = film(tmp_path / "game.mp4", frames=40, fps=10)
    gc.collect()
    gc.disable()  # a cycle would stay
    try:
        before = frames_in_memory()
        for frame in VideoFile(path).frames():
            frame.small_grey((64, 36))
        kept = frames_in_memory() - before
    finally:
        gc.enable()
    assert kept < 10


def frames_in_memory() -> int:
    return sum(isinstance(one, av.VideoFrame) for one in gc.get_objects())


class Matrix(bytes):
    """The display matrix of a frame."""

    type = Type.DISPLAYMATRIX


class Passed:
    """A decoder whose packets are frames."""

    def decode(self, frame: Any) -> list[Any]:
        return [frame]


def test_a_stream_may_turn_its_pictures_on_the_way() -> None:
    one = 1 << 16
    upright = Matrix(struct.pack("9i", one, 0, 0, 0, one, 0, 0, 0, 1 << 30))
    turned = Matrix(struct.pack("9i", 0, one, 0, -one, 0, 0, 0, 0, 1 << 30))
    decoder = PictureDecoder(SimpleNamespace(codec_context=Passed()))
    pictures = [(0, upright), (-90, turned), (-90, turned), (0, upright)]
    how = list[bool]()
    for at, (rotation, matrix) in enumerate(pictures):
        frame = SimpleNamespace(rotation=rotation, side_data=(matrix,), time=float(at), pts=None)
        frame.is_corrupt, frame.key_frame, frame.dts, frame.time_base = False, True, None, None
        how += [picture.lies.transposed for picture in decoder.decode(frame)]
    assert how == [False, True, True, False]


def test_brightness_is_that_of_the_converted_picture(tmp_path: Path) -> None:
    picture = decoded(tmp_path)
    from_file = picture.small_grey((64, 36)).astype(int)
    converted = Frame(picture.bgr(), 0.0, 0).small_grey((64, 36)).astype(int)
    assert np.abs(from_file - converted).max() <= 4
    assert np.ptp(converted) > 30, "a picture without contrast says nothing"


def test_a_frame_that_shows_other_pixels_has_another_small_picture() -> None:
    frame = Frame(np.full((90, 160, 3), 40, np.uint8), 0.0, 0)
    small = frame.small_grey((16, 9))
    assert replace(frame, shift=np.eye(3)).small_grey((16, 9)) is small
    brighter = replace(frame, pixels=np.full((90, 160, 3), 80, np.uint8))
    assert brighter.small_grey((16, 9)).mean() == 80
    assert frame.small_grey((16, 9)).mean() == 40


@pytest.mark.parametrize("part", [(0, 0, 320, 180), (31, 17, 120, 90), (200, 101, 319, 179)])
def test_a_part_is_converted_as_a_whole(tmp_path: Path, part: tuple[int, int, int, int]) -> None:
    x0, y0, x1, y1 = part
    alone = decoded(tmp_path).parts([part])
    whole = decoded(tmp_path).bgr()
    assert alone.shape == whole.shape
    here = np.abs(alone[y0:y1, x0:x1].astype(int) - whole[y0:y1, x0:x1])
    assert here.max() <= 6


def test_what_is_not_asked_for_is_not_converted(tmp_path: Path) -> None:
    assert not decoded(tmp_path).parts([(0, 0, 40, 40)])[60:, 60:].any()


def test_a_smaller_picture_shows_the_same_as_the_whole(tmp_path: Path) -> None:
    picture = decoded(tmp_path)
    smaller = picture.scaled_bgr(0.42)
    assert smaller is not None
    expected = cv2.resize(picture.bgr(), (134, 76), interpolation=cv2.INTER_AREA)
    assert smaller.shape == expected.shape
    assert np.abs(smaller.astype(int) - expected).mean() < 6
    assert np.ptp(smaller) > 100, "a picture without contrast says nothing"
    assert picture.mirror_image().scaled_bgr(0.42) is None


def test_sizes_are_those_of_the_upright_picture(tmp_path: Path) -> None:
    picture = decoded(tmp_path)
    assert size_of(picture) == size_of(picture.bgr()) == (320, 180)
    assert every_nth_row(picture, 10).shape == (18, 320)
