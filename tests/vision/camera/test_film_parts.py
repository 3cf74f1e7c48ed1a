"""Several files of one game are one film, whose times go on."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import av
import pytest

from tests.support.films import film, number_of
from vision.attention.schedule import RECORDED
from vision.camera import video_file
from vision.camera.film_parts import film_of
from vision.camera.frames import FramePosition
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile


def begun(path: Path, at: str | None) -> Path:
    """A part of 2 s whose camera noted when it began."""
    plain = film(path.with_name(f"plain_{path.name}"), frames=20)
    with av.open(str(plain)) as source, av.open(str(path), "w") as container:
        if at is not None:
            container.metadata["creation_time"] = at
        stream = container.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                container.mux(packet)
    return path


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    return [film(tmp_path / f"part{n}.mp4", frames=20 + n) for n in range(3)]


def test_times_and_numbers_go_on(parts: list[Path]) -> None:
    source = film_of(parts)
    assert source.name == "part0.mp4, part1.mp4, part2.mp4"
    assert source.duration_s == pytest.approx(6.3)
    frames = list(source.frames())
    assert [frame.index for frame in frames] == list(range(63))
    assert [round(frame.time_s, 3) for frame in frames] == [n / 10 for n in range(63)]
    due = [*range(20), *range(21), *range(22)]
    assert [number_of(frame.image_bgr) for frame in frames] == due
    assert source.remarks == ()
    assert len(list(source.glimpses())) == 24
    some = [round(frame.time_s, 3) for frame in RECORDED.frames(source)]
    assert max(b - a for a, b in pairwise(some)) <= 0.2


@pytest.mark.parametrize("number", [0, 7, 19, 20, 21, 40, 41, 62])
def test_a_film_of_parts_is_entered_anywhere(parts: list[Path], number: int) -> None:
    source = film_of(parts)
    frames = list(source.frames())
    found = source.frame_at(frames[number].time_s - 0.01)
    assert found is not None
    assert found.time_s == pytest.approx(frames[number].time_s)
    assert number_of(found.image_bgr) == number_of(frames[number].image_bgr)
    rest = list(source.frames(since=FramePosition.of(frames[number])))
    positions = [FramePosition.of(frame) for frame in frames[number:]]
    assert [FramePosition.of(frame) for frame in rest] == positions
    assert source.frame_at(7.0) is None


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (None, None),
        ("2026-11-27T18:00:02Z", None),
        ("2026-11-27T18:00:14Z", "begins 12 s after part1.mp4 ends"),
        ("2026-11-27T17:59:50Z", "begins 12 s before part1.mp4 ends"),
    ],
)
def test_a_piece_that_is_missing_between_parts_is_told(
    tmp_path: Path, second: str | None, told: str | None
) -> None:
    paths = [
        begun(tmp_path / "part1.mp4", "2026-11-27T18:00:00Z"),
        begun(tmp_path / "part2.mp4", second),
    ]
    source = film_of(paths)
    assert len(source.remarks) == (told is not None)
    assert all(str(told) in remark for remark in source.remarks)
    gaps = [frame.gap for frame in source.frames() if frame.gap is not None]
    assert len(gaps) == (told is not None and "after" in told)


@pytest.mark.parametrize(
    "clocks",
    [
        [datetime(2026, 11, 27, 18), datetime(2026, 11, 27, 10, 0, 14, tzinfo=UTC)],
        [datetime(2026, 11, 27, tzinfo=UTC)] * 2,
    ],
)
def test_clocks_that_cannot_be_compared_tell_nothing(
    parts: list[Path], monkeypatch: pytest.MonkeyPatch, clocks: list[datetime]
) -> None:
    told = iter(clocks)
    monkeypatch.setattr(video_file, "_begun", lambda container: next(told))
    assert film_of(parts[1:]).remarks == ()


def test_a_part_is_given_once_and_one_file_is_a_film(parts: list[Path]) -> None:
    with pytest.raises(SourceError, match="given twice"):
        film_of([parts[0], parts[1], parts[0]])
    with pytest.raises(SourceError, match="there is no video file"):
        film_of([parts[0], parts[0].with_name("gone.mp4")])
    assert type(film_of(parts[:1])) is VideoFile
