"""Transport streams put together with ``cat``, whose second part numbers its streams otherwise."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import av
import numpy as np
import pytest

from tests.support.films import QUICKLY, number_of, shown
from vision.camera.joined_streams import JoinedStream, parts_of
from vision.camera.video_file import VideoFile

PIDS = {"mpegts_start_pid": "300"}
PMT = {"mpegts_pmt_start_pid": "4352"}
PROGRAM = {"mpegts_service_id": "7", "mpegts_transport_stream_id": "9"}
M2TS = {"mpegts_m2ts_mode": "1"}
OTHERWISE = PIDS | PMT | PROGRAM
WIDTH_PX, HEIGHT_PX = 160, 96
"""Only the order of the pictures counts: each pixel is decoded several times."""


def recorded(
    path: Path,
    first: int = 0,
    codec: str = "libx264",
    sound: bool = False,
    numbers: dict[str, str] | None = None,
) -> Path:
    """Three seconds of numbered pictures, as one part. Equal ones are encoded once."""
    path.write_bytes(_encoded(first, codec, sound, tuple((numbers or {}).items())))
    return path


@cache
def _encoded(first: int, codec: str, sound: bool, numbers: tuple[tuple[str, str], ...]) -> bytes:
    part = io.BytesIO()
    with av.open(part, "w", format="mpegts", options=dict(numbers)) as container:
        given = QUICKLY if codec == "libx264" else {}
        stream = container.add_stream(codec, rate=10, options=given | {"g": "10"})
        stream.width, stream.height, stream.pix_fmt = WIDTH_PX, HEIGHT_PX, "yuv420p"
        heard = container.add_stream("mp2", rate=48000) if sound else None
        for number in range(30):
            array = shown(first + number, WIDTH_PX, HEIGHT_PX)
            picture = av.VideoFrame.from_ndarray(array, format="bgr24")
            container.mux(stream.encode(picture))
            if heard is not None:
                quiet = np.zeros((1, 9600), np.int16)
                sounds = av.AudioFrame.from_ndarray(quiet, format="s16", layout="stereo")
                sounds.sample_rate, sounds.pts = 48000, number * 4800
                container.mux(heard.encode(sounds))
        container.mux(stream.encode())
        if heard is not None:
            container.mux(heard.encode())
    return part.getvalue()


def joined(path: Path, *parts: Path, cut: int = 0) -> Path:
    data = [part.read_bytes() for part in parts]
    path.write_bytes(b"".join([data[0][: len(data[0]) - cut], *data[1:]]))
    return path


def marks(count: int) -> list[int]:
    """What the first pictures show: the numbers begin again."""
    return [number_of(shown(number, WIDTH_PX, HEIGHT_PX)) for number in range(count)]


def numbers(path: Path) -> list[int]:
    return [number_of(frame.image_bgr) for frame in VideoFile(path).frames()]


@pytest.mark.parametrize("first", [{}, M2TS])
@pytest.mark.parametrize("other", [PIDS, PMT, PROGRAM, OTHERWISE])
def test_a_part_that_numbers_its_streams_otherwise_is_read(
    tmp_path: Path, first: dict[str, str], other: dict[str, str]
) -> None:
    one = recorded(tmp_path / "one.ts", numbers=first)
    two = recorded(tmp_path / "two.ts", 30, numbers=first | other)
    film = joined(tmp_path / "game.ts", one, two)
    assert numbers(film) == marks(60)
    video = VideoFile(film)
    assert video.duration_s == pytest.approx(6.0, abs=0.11)
    assert [frame.index for frame in video.frames() if frame.gap is not None] == [30]
    assert video.remarks == ()
    found = video.frame_at(4.5)
    assert found is not None
    assert number_of(found.image_bgr) == marks(60)[45]


def test_sound_that_comes_with_the_second_part_is_no_trouble(tmp_path: Path) -> None:
    one = recorded(tmp_path / "one.ts")
    two = recorded(tmp_path / "two.ts", 30, sound=True, numbers=OTHERWISE)
    assert numbers(joined(tmp_path / "game.ts", one, two)) == marks(60)


def test_three_parts_of_which_two_are_numbered_alike_are_read(tmp_path: Path) -> None:
    parts = [
        recorded(tmp_path / f"{at}.ts", 30 * at, numbers=OTHERWISE if at == 1 else None)
        for at in range(3)
    ]
    assert numbers(joined(tmp_path / "game.ts", *parts)) == marks(90)


def test_a_first_part_that_ends_within_a_packet_costs_its_last_picture(tmp_path: Path) -> None:
    one = recorded(tmp_path / "one.ts")
    two = recorded(tmp_path / "two.ts", 30, numbers=OTHERWISE)
    found = numbers(joined(tmp_path / "game.ts", one, two, cut=77))
    assert found in (marks(60), marks(60)[:29] + marks(60)[30:])


@pytest.mark.parametrize("numbering", [{}, OTHERWISE])
def test_a_part_of_another_kind_is_named_with_its_seconds(
    tmp_path: Path, numbering: dict[str, str]
) -> None:
    one = recorded(tmp_path / "one.ts")
    two = recorded(tmp_path / "two.ts", 30, "mpeg2video", numbers=numbering)
    video = VideoFile(joined(tmp_path / "game.ts", one, two))
    assert [number_of(frame.image_bgr) for frame in video.frames()] == marks(30)
    (remark,) = video.remarks
    assert "game.ts: 3.0 s after" in remark
    assert "are missing" in remark


def test_one_recording_is_read_as_it_is(tmp_path: Path) -> None:
    one = recorded(tmp_path / "one.ts")
    assert parts_of(one) == ()
    same = recorded(tmp_path / "two.ts", 30)
    assert parts_of(joined(tmp_path / "game.ts", one, same)) == ()


@pytest.mark.parametrize("size", [1, 188, 1000, 1 << 16])
def test_bytes_are_the_same_however_they_are_asked_for(tmp_path: Path, size: int) -> None:
    one = recorded(tmp_path / "one.ts")
    two = recorded(tmp_path / "two.ts", 30, numbers=OTHERWISE)
    film = joined(tmp_path / "game.ts", one, two, cut=77)
    parts = parts_of(film)
    with JoinedStream(film, parts) as stream:
        whole = stream.read()
        begin = parts[1].begins - 3 * size
        stream.seek(begin)
        assert b"".join(stream.read(size) for _ in range(9)) == whole[begin : begin + 9 * size]
        assert stream.seek(-5, io.SEEK_END) == len(whole) - 5
        assert stream.read(9) == whole[-5:]
    assert len(whole) == film.stat().st_size
    assert whole[: parts[1].begins] == film.read_bytes()[: parts[1].begins]
