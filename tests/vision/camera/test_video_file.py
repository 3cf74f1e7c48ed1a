"""Frames come in order, upright, and only from videos that are whole."""

from __future__ import annotations

import struct
from itertools import count
from pathlib import Path

import pytest

from tests.support.films import film, number_of
from vision.camera.frames import FramePosition
from vision.camera.live import PacedFile
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return film(tmp_path / "game.mp4", frames=20, fps=10)


def test_a_video_gives_every_frame_with_its_time(video: Path) -> None:
    frames = list(VideoFile(video).frames())
    assert [frame.index for frame in frames] == list(range(20))
    assert [round(frame.time_s, 3) for frame in frames] == [n / 10 for n in range(20)]
    assert [number_of(frame.image_bgr) for frame in frames] == list(range(20))


def test_frames_can_be_asked_for_at_a_distance(video: Path) -> None:
    frames = list(VideoFile(video).frames(step_s=0.5))
    assert [frame.index for frame in frames] == [0, 5, 10, 15]
    assert [number_of(frame.image_bgr) for frame in frames] == [0, 5, 10, 15]


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


def test_a_video_knows_its_size_and_length(video: Path) -> None:
    source = VideoFile(video)
    assert (source.width_px, source.height_px, source.fps) == (320, 180, 10)
    assert source.duration_s == pytest.approx(2.0)


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
def test_a_film_that_is_cut_off_before_its_index_or_first_picture_is_refused(
    tmp_path: Path, share: float
) -> None:
    path = cut_film(tmp_path / "game.mp4", share, "faststart" if share < 0.1 else None)
    with pytest.raises(SourceError, match=r"game.* (is cut off|cannot be read as a video)"):
        VideoFile(path)


@pytest.mark.parametrize("content", [b"", b"not a video", b"\x00" * 5000])
def test_what_is_no_video_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.mp4"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="cannot be read as a video"):
        VideoFile(path)


def test_a_missing_video_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no video file"):
        VideoFile(tmp_path / "none.mp4")


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


def test_a_recording_waits_for_nobody_unless_every_frame_is_wanted(
    tmp_path: Path, clock: Clock
) -> None:
    path = film(tmp_path / "game.mp4", frames=20, fps=20)
    seen = [frame.index for frame in PacedFile(path).frames()]
    assert seen == sorted(set(seen))
    assert seen[-1] == 19
    assert [frame.index for frame in PacedFile(path, every=True).frames()] == list(range(20))
