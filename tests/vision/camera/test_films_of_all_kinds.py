"""Films as cameras, phones and cables leave them: damaged, joined, mirrored, oddly named."""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import cv2
import numpy as np
import pytest

from tests.support import films
from tests.support.films import QUICKLY, number_of, shown
from vision.camera.address import readable
from vision.camera.frames import Frame
from vision.camera.isolated import IsolatedVideo
from vision.camera.live import PacedFile
from vision.camera.packets import ClockBreak, steady
from vision.camera.pictures import Picture, SourceError
from vision.camera.stream import StreamWatch
from vision.camera.video_file import VideoFile

WIDTH_PX, HEIGHT_PX = 160, 96
"""Of films of which only the order of the pictures counts: each pixel is decoded several times."""
CODECS = {"h264": "libx264", "hevc": "libx265", "vp9": "libvpx-vp9", "mpeg4": "mpeg4"}


def film(path: Path, frames: int = 20, fps: int = 10, movflags: str | None = None) -> Path:
    return films.film(path, frames, fps, WIDTH_PX, HEIGHT_PX, movflags)


def coded(path: Path, codec: str = "h264", frames: int = 60, plain: bool = False) -> Path:
    """A film of 10 pictures a second, each second of which can be read by itself.

    Equal ones are encoded once.
    """
    path.write_bytes(_encoded(path.suffix, codec, frames, plain))
    return path


@cache
def _encoded(suffix: str, codec: str, frames: int, plain: bool) -> bytes:
    options = {
        "h264": QUICKLY | {"sc_threshold": "0"} | ({"bf": "0"} if plain else {}),
        "hevc": {"preset": "ultrafast", "x265-params": "log-level=none:scenecut=0:bframes=2"},
        "vp9": {"deadline": "realtime", "cpu-used": "8"},
    }.get(codec, {})
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"film{suffix}"
        with av.open(str(path), "w") as container:
            stream = container.add_stream(CODECS[codec], rate=10, options=options | {"g": "10"})
            stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
            for number in range(frames):
                picture = av.VideoFrame.from_ndarray(shown(number, 320, 180), format="bgr24")
                container.mux(stream.encode(picture))
            container.mux(stream.encode())
        return path.read_bytes()


def damage(path: Path, share: float = 0.5, most: int = 40_000) -> Path:
    """Overwrite a piece in the middle with zeros."""
    data = bytearray(path.read_bytes())
    size = min(most, len(data) // 8)
    at = int(share * len(data))
    data[at : at + size] = bytes(size)
    path.write_bytes(data)
    return path


def rises(frames: Sequence[Frame]) -> bool:
    return all(a.time_s < b.time_s for a, b in pairwise(frames))


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("game.mp4", "h264"),
        ("game.mkv", "h264"),
        ("game.ts", "h264"),
        ("game.avi", "mpeg4"),
        ("game.mp4", "hevc"),
        ("game.mkv", "hevc"),
        ("game.webm", "vp9"),
    ],
)
def test_a_film_is_read_behind_a_damaged_place_and_the_place_is_told(
    tmp_path: Path, name: str, codec: str
) -> None:
    whole = list(VideoFile(coded(tmp_path / name, codec)).frames())
    source = VideoFile(damage(tmp_path / name))
    frames = list(source.frames())
    assert 40 <= len(frames) < 60
    assert rises(frames)
    assert frames[-1].time_s == pytest.approx(whole[-1].time_s, abs=1.0)
    true = {round(frame.time_s, 2): number_of(frame.image_bgr) for frame in whole}
    if name != "game.avi":  # which has no times: what follows comes earlier
        seen = [(round(one.time_s, 2), number_of(one.image_bgr)) for one in frames if one.whole]
        assert [true[time_s] for time_s, _ in seen] == [number for _, number in seen]
    gaps = [(frame.gap, frame.time_s) for frame in frames if frame.gap is not None]
    assert len(gaps) == 1
    gap, until_s = gaps[0]
    assert gap is not None
    assert gap.why in ("damaged", "missing")
    assert 0 < gap.since_s < until_s < 6
    told = [notice for frame in frames if frame.whole for notice in StreamWatch().update(frame)]
    assert [notice.kind for notice in told] == ["gap"]
    assert told[0].since_s == gap.since_s
    assert f"{gap.since_s:.1f} to {until_s:.1f} s" in told[0].text
    some = [frame for frame in source.frames(0.5) if frame.gap is not None]
    assert len(some) == 1, "a frame that is not looked at hides no gap"
    assert source.cut_off is None


def test_a_film_in_fragments_is_read_behind_a_damaged_place(tmp_path: Path) -> None:
    path = film(tmp_path / "game.mp4", frames=90, movflags="frag_keyframe+empty_moov")
    data = bytearray(path.read_bytes())
    lost = data.index(b"moof", len(data) // 2) - 4
    data[lost - 2000 : lost + 2000] = bytes(4000)
    path.write_bytes(data)
    source = VideoFile(path)
    frames = list(source.frames())
    assert 70 <= len(frames) < 90
    assert frames[-1].time_s == pytest.approx(8.9)
    assert number_of(frames[-1].image_bgr) == 89 % 23
    assert source.duration_s == pytest.approx(9.0)
    assert sum(frame.gap is not None for frame in frames) == 1
    late = source.frame_at(8.0)
    assert late is not None
    assert number_of(late.image_bgr) == 80 % 23


def test_a_damaged_place_is_told_of_a_film_that_was_sent(tmp_path: Path) -> None:
    path = damage(coded(tmp_path / "game.mp4"))
    own = [(frame.time_s, frame.whole, frame.gap) for frame in VideoFile(path).frames()]
    source = IsolatedVideo(path).hurried()
    assert [(frame.time_s, frame.whole, frame.gap) for frame in source.frames()] == own


@pytest.mark.parametrize("name", ["game.mkv", "game.avi"])
def test_a_damaged_index_does_not_shorten_a_film(tmp_path: Path, name: str) -> None:
    path = film(tmp_path / name, frames=60)
    data = bytearray(path.read_bytes())
    index = data.rindex(b"idx1" if name == "game.avi" else b"\x1c\x53\xbb\x6b")
    data[index : index + 40] = bytes(40)
    path.write_bytes(data)
    source = VideoFile(path)
    assert len(list(source.frames())) >= 58
    assert source.cut_off is None
    at = source.frame_at(4.0)
    assert at is not None
    assert number_of(at.image_bgr) == 40 % 23


@pytest.mark.parametrize("start", range(0, 100, 7))
def test_a_damaged_table_of_contents_is_one_line_or_none(tmp_path: Path, start: int) -> None:
    path = film(tmp_path / "game.mp4", frames=60)
    data = bytearray(path.read_bytes())
    moov = data.rindex(b"moov")
    at = moov + (len(data) - moov) * start // 100
    data[at : at + 24] = bytes(24)
    path.write_bytes(data)
    with contextlib.suppress(SourceError):  # and nothing else
        assert rises(list(VideoFile(path).frames()))


# --- clocks ---


def joined(path: Path, *parts: Path) -> Path:
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    return path


def test_two_transport_streams_put_together_are_read_whole(tmp_path: Path) -> None:
    one, other = (film(tmp_path / f"{n}.ts", frames=40) for n in "ab")
    source = VideoFile(joined(tmp_path / "both.ts", one, other))
    frames = list(source.frames())
    assert [number_of(frame.image_bgr) for frame in frames] == [*(n % 23 for n in range(40))] * 2
    assert rises(frames)
    assert all(frame.whole for frame in frames)
    assert frames[-1].time_s == pytest.approx(7.9, abs=0.3)
    assert source.duration_s == pytest.approx(8.0, abs=0.3)
    (gap,) = [frame.gap for frame in frames if frame.gap is not None]
    assert gap.why == "clock"
    assert gap.since_s == pytest.approx(3.9, abs=0.01)
    late = source.frame_at(frames[60].time_s)
    assert late is not None
    assert number_of(late.image_bgr) == 20
    assert len(list(source.frames(0.5))) == pytest.approx(16, abs=1)


def clusters_moved(path: Path) -> Path:
    """A Matroska film of 6 s whose clock begins again after the third."""
    with av.open(str(path.with_suffix(".mp4"))) as source:
        given = {"cluster_time_limit": "900"}
        with av.open(str(path), "w", options=given) as container:
            stream = container.add_stream_from_template(source.streams.video[0])
            for packet in source.demux(video=0):
                if packet.dts is not None:
                    packet.stream = stream
                    container.mux(packet)
    data = bytearray(path.read_bytes())
    at = data.find(b"\x1f\x43\xb6\x75")
    while at >= 0:
        stamp = at + 4 + 9 - data[at + 4].bit_length()  # behind the size, ...
        stamp += 6 if data[stamp] == 0xBF else 0  # ... and behind a checksum
        assert data[stamp] == 0xE7
        size = data[stamp + 1] & 0x7F
        value = int.from_bytes(data[stamp + 2 : stamp + 2 + size])
        if value >= 3000:
            data[stamp + 2 : stamp + 2 + size] = (value - 3000).to_bytes(size)
        at = data.find(b"\x1f\x43\xb6\x75", at + 4)
    path.write_bytes(data)
    return path


def test_a_matroska_film_whose_clock_begins_again_is_read_whole(tmp_path: Path) -> None:
    coded(tmp_path / "game.mp4", plain=True)
    source = VideoFile(clusters_moved(tmp_path / "game.mkv"))
    frames = list(source.frames())
    assert [number_of(frame.image_bgr) for frame in frames] == [n % 23 for n in range(60)]
    assert rises(frames)
    assert all(frame.whole for frame in frames)
    assert [frame.gap.why for frame in frames if frame.gap is not None] == ["clock"]
    late = source.frame_at(frames[45].time_s)
    assert late is not None
    assert number_of(late.image_bgr) == 45 % 23


@pytest.mark.parametrize("name", ["game.mp4", "game.mkv", "game.ts"])
def test_an_hour_in_which_no_time_passed_is_left_out(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"set_{name}"
    plain = coded(tmp_path / "plain.mp4", plain=True)
    with av.open(str(plain)) as source, av.open(str(path), "w") as container:
        stream = container.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                late = packet.pts * packet.time_base >= 3
                later = round(3600 / packet.time_base) if late else 0
                packet.pts, packet.dts = packet.pts + later, packet.dts + later
                packet.stream = stream
                container.mux(packet)
    frames = list(VideoFile(path).frames())
    assert len(frames) == 60
    assert frames[-1].time_s == pytest.approx(5.9, abs=0.2)
    assert [frame.gap.why for frame in frames if frame.gap is not None] == ["clock"]


class Packet:
    """Stands in for a packet of a container."""

    def __init__(self, dts: int | None, pts: int | None = None) -> None:
        self.dts, self.pts = dts, dts if pts is None else pts
        self.time_base = Fraction(1, 10)


@pytest.mark.parametrize(
    ("times", "due", "breaks"),
    [
        ([0, 1, 2, 3, 0, 1, 2], [0, 1, 2, 3, 4, 5, 6], 1),
        ([50, 51, 52, 3, 4, 5], [50, 51, 52, 53, 54, 55], 1),
        ([0, 1, 2, 36_000, 36_001], [0, 1, 2, 3, 4], 1),
        ([0, 1, 9_000, 2, 3], [0, 1, 2, 3, 4], 2),
        ([2**33, 2**33 + 1, 0, 1], [2**33, 2**33 + 1, 2**33 + 2, 2**33 + 3], 1),
        ([0, 1, 101, 102], [0, 1, 101, 102], 0),
        ([0, 2, 1, 3], [0, 2, 1, 3], 0),
    ],
    ids=["again", "back", "jump", "one", "wrap", "pause", "order"],
)
def test_a_clock_only_goes_forward(times: list[int], due: list[int], breaks: int) -> None:
    found: list[ClockBreak] = []
    steadied = list(steady((Packet(time) for time in times), 0.1, found))
    assert [packet.dts for packet in steadied] == due
    assert [packet.pts for packet in steadied] == due
    assert len(found) == breaks


# --- where a film begins ---


def test_a_film_that_begins_between_key_pictures_is_read_from_the_first_whole_one(
    tmp_path: Path,
) -> None:
    path = tmp_path / "late.ts"
    plain = coded(tmp_path / "plain.mp4", plain=True)
    with av.open(str(plain)) as whole, av.open(str(path), "w") as container:
        stream = container.add_stream_from_template(whole.streams.video[0])
        for packet in list(whole.demux(video=0))[1:-1]:
            packet.stream = stream
            container.mux(packet)
    source = VideoFile(path)
    frames = list(source.frames())
    assert 48 <= len(frames) < 60
    numbers = [number_of(frame.image_bgr) for frame in frames]
    assert numbers == [n % 23 for n in range(60 - len(frames), 60)]
    assert frames[0].time_s == 0.0
    assert all(frame.whole for frame in frames)
    assert "begins between two whole pictures" in source.remarks[0]


# --- which stream ---


def two_streams(path: Path, first: tuple[int, int], second: tuple[int, int], one: bool) -> Path:
    """A film of two videos; of the first, there may be only one picture."""
    with av.open(str(path), "w") as container:
        streams = [container.add_stream("mpeg4", rate=10, options={"g": "5"}) for _ in range(2)]
        for stream, (width, height) in zip(streams, (first, second), strict=True):
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for number in range(20):
            for stream in streams[1 if one and number else 0 :]:
                array = shown(number, stream.width, stream.height)
                container.mux(stream.encode(av.VideoFrame.from_ndarray(array, format="bgr24")))
        for stream in streams:
            container.mux(stream.encode())
    return path


@pytest.mark.parametrize("name", ["game.mkv", "game.mp4", "game.ts", "game.avi"])
@pytest.mark.parametrize(
    ("first", "second", "one"),
    [
        ((160, 96), (320, 192), False),
        ((320, 192), (160, 96), False),
        ((160, 96), (320, 192), True),
        ((640, 384), (320, 192), True),
    ],
    ids=["preview first", "preview last", "cover", "large cover"],
)
def test_the_largest_real_video_is_read(
    tmp_path: Path, name: str, first: tuple[int, int], second: tuple[int, int], one: bool
) -> None:
    source = VideoFile(two_streams(tmp_path / name, first, second, one))
    assert (source.width_px, source.height_px) == (320, 192)
    assert len(list(source.frames())) == 20
    assert len(list(source.frames(0.5))) == 4
    assert next(source.glimpses()).size_px == (320, 192)
    found = source.frame_at(1.0)
    assert found is not None
    assert found.size_px == (320, 192)


# --- how pictures lie ---

EIGHT = [(a, 0, 0, d) for a in (1, -1) for d in (1, -1)]
EIGHT += [(0, b, c, 0) for b in (1, -1) for c in (1, -1)]


def laid(picture: Picture, a: int, b: int, c: int, d: int) -> Picture:
    """Each pixel at its place by the matrix: x' = a x + c y, y' = b x + d y."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    to_x, to_y = a * x + c * y, b * x + d * y
    to_x, to_y = to_x - to_x.min(), to_y - to_y.min()
    upright = np.zeros((to_y.max() + 1, to_x.max() + 1, 3), np.uint8)
    upright[to_y, to_x] = picture
    return upright


@pytest.mark.parametrize("name", ["game.mp4", "game.mov", "game.mkv"])
@pytest.mark.parametrize("matrix", EIGHT)
def test_a_picture_is_turned_and_mirrored_as_the_file_says(
    tmp_path: Path, name: str, matrix: tuple[int, int, int, int]
) -> None:
    plain = coded(tmp_path / "plain.mp4", frames=2)
    (a, b, c, d), one = matrix, 1 << 16
    path = tmp_path / name
    with av.open(str(plain)) as source, av.open(str(path), "w") as container:
        stream = container.add_stream_from_template(source.streams.video[0])
        stream.set_display_matrix([a * one, b * one, 0, c * one, d * one, 0, 0, 0, 1 << 30])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                container.mux(packet)
    frame = next(VideoFile(path).frames())
    upright = laid(next(VideoFile(plain).frames()).image_bgr, a, b, c, d)
    assert frame.size_px == (upright.shape[1], upright.shape[0])
    assert np.array_equal(frame.image_bgr, upright)
    assert np.array_equal(frame.mirror_image().image_bgr, upright[:, ::-1])
    assert np.array_equal(frame.mirror_image().mirror_image().image_bgr, upright)


# --- what stands beside the pictures ---


@pytest.mark.parametrize("encoding", ["gbk", "shift_jis", "big5", "latin-1"])
@pytest.mark.parametrize("name", ["game.mp4", "game.mkv", "game.avi", "game.ts"])
def test_tags_in_any_encoding_are_no_reason_to_stop(
    tmp_path: Path, name: str, encoding: str
) -> None:
    text = {"latin-1": "café", "big5": "麻雀大會"}.get(encoding, "麻雀大会")
    tag = text.encode(encoding) * 3
    placeholder = "Z" * len(tag)
    path = tmp_path / name
    with av.open(str(path), "w") as container:
        container.metadata.update(dict.fromkeys(("title", "comment", "service_name"), placeholder))
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 320, 192, "yuv420p"
        stream.metadata.update({"title": placeholder, "handler_name": placeholder})
        container.set_chapters(
            [
                {
                    "id": 1,
                    "start": 0,
                    "end": 1,
                    "time_base": Fraction(1),
                    "metadata": {"title": placeholder},
                }
            ]
        )
        for number in range(5):
            array = shown(number, 320, 192)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(array, format="bgr24")))
        container.mux(stream.encode())
    data = path.read_bytes()
    assert placeholder.encode() in data
    path.write_bytes(data.replace(placeholder.encode(), tag))
    assert len(list(VideoFile(path).frames())) == 5
    if encoding == "gbk":  # what another process tells of a film comes the same way from all
        assert len(list(IsolatedVideo(path).hurried().frames())) == 5


NONSENSE = [0.0, -1.0, -6e9, 1e12, 1e300, float("nan"), float("inf")]


@pytest.mark.parametrize("seconds", NONSENSE)
def test_a_matroska_film_with_a_nonsense_length_is_read(tmp_path: Path, seconds: float) -> None:
    path = film(tmp_path / "game.mkv", frames=20)
    data = bytearray(path.read_bytes())
    at = data.index(b"\x44\x89\x88") + 3
    data[at : at + 8] = struct.pack(">d", seconds * 1000)
    path.write_bytes(data)
    source = VideoFile(path)
    assert len(list(source.frames())) == 20
    assert source.duration_s == pytest.approx(2.0, abs=0.15)
    assert source.cut_off is None
    assert len(list(source.glimpses())) > 0


@pytest.mark.parametrize("value", [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF])
@pytest.mark.parametrize("box", [b"mvhd", b"tkhd", b"mdhd"])
@pytest.mark.parametrize("movflags", [None, "frag_keyframe+empty_moov"])
def test_an_mp4_film_with_a_nonsense_length_is_read(
    tmp_path: Path, box: bytes, value: int, movflags: str | None
) -> None:
    path = film(tmp_path / "game.mp4", frames=20, movflags=movflags)
    data = bytearray(path.read_bytes())
    at = data.index(box) + 4 + (20 if box == b"tkhd" else 16)
    data[at : at + 4] = struct.pack(">I", value)
    path.write_bytes(data)
    source = VideoFile(path)
    assert len(list(source.frames())) == 20
    assert source.duration_s == pytest.approx(2.0, abs=0.15)


def test_a_film_of_bare_h264_says_that_it_has_no_times(tmp_path: Path) -> None:
    source = VideoFile(film(tmp_path / "game.h264", frames=20, fps=10))
    frames = list(source.frames())
    assert [number_of(frame.image_bgr) for frame in frames] == list(range(20))
    assert "has no times" in source.remarks[0]
    assert f"{source.fps:g} pictures a second" in source.remarks[0]
    assert frames[-1].time_s == pytest.approx(19 / source.fps)
    assert source.duration_s == pytest.approx(20 / source.fps)


# --- names ---

NAMES = ["12:30.mp4", "100%d%.mp4", "-rf.mp4", "two\nlines.mp4", "concat:x.mp4", "file:game.mp4"]
NAMES += [
    "tcp:1.mp4",
    "rtsp:game.mp4",
    "?list.mp4",
    "#1.mp4",
    os.fsdecode("\xb5\xda.mp4".encode("latin-1")),
]


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
@pytest.mark.parametrize("name", NAMES)
def test_a_film_may_have_any_name(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = film(Path(name), frames=5)
    source = VideoFile(path)
    assert len(list(source.frames())) == 5
    assert source.name == readable(name)
    source.name.encode()
    assert PacedFile(path).name == source.name
    isolated = IsolatedVideo(path)
    isolated.name.encode()
    assert len(list(isolated.hurried().frames())) == 5
    path.write_bytes(b"no film")
    with pytest.raises(SourceError) as refused:
        VideoFile(path)
    str(refused.value).encode()


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "bmp", "tiff"])
@pytest.mark.parametrize("name", ["table.{}", "table.mp4"])
def test_a_picture_is_no_film(tmp_path: Path, name: str, ending: str) -> None:
    picture = cv2.imencode(f".{ending}", shown(1, 320, 180))[1].tobytes()
    path = tmp_path / name.format(ending)
    path.write_bytes(picture)
    with pytest.raises(SourceError, match="is a picture; give a video"):
        VideoFile(path)
