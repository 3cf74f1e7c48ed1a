"""Speed is measured on what is measured, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.events import Discard, Entry, GameStart, HandStart
from engine.tiles import Tile
from service.film import benchmark
from service.film.benchmark import (
    FPS,
    LIVE,
    RECORDED,
    WHOLE_LIVE,
    WHOLE_RECORDED,
    AnnouncementTimes,
    Figures,
    Task,
    delays_s,
    measure_size,
    resampled,
    truth_of,
    watch,
    whole,
)
from service.table.reader import EmptyReader
from tests.support.films import film
from tests.support.placed_tiles import PlainLookResult
from vision.camera.frames import Frame, Frames
from vision.camera.pictures import Picture, Region
from vision.camera.video_file import VideoFile
from vision.decoder.decoding import Decoding
from vision.detect import Detection
from vision.tiles.classes import Side

TASK = Task(LIVE, "game.mp4", 1.0, "harbin-hlr")
OUTLINE = np.array([[10, 10], [30, 10], [30, 40], [10, 40]], np.float32)


def discard(tile: str, t: float) -> Entry:
    return Entry(Discard(0, Tile(tile)), t=t)


def frames(count: int) -> Frames:
    for index in range(count):
        yield Frame(np.full((36, 64, 3), index, np.uint8), index / 10, index)


class OneTile:
    """Finds the same tile in every picture; remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[Region | None, float | None]] = []

    def read(
        self,
        image_bgr: Picture,
        region: Region | None = None,
        tile_px: float | None = None,
        beside: Sequence[Detection] = (),
    ) -> list[Detection]:
        self.given.append((region, tile_px))
        return [Detection(Side.FACE, OUTLINE, 0.9, np.full(38, 1 / 38, np.float32), 0.9)]


class TellsAtOnce(EmptyReader):
    """Announces a discard with the third frame."""

    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        for frame in frames:
            told = Decoding((discard("1m", 0.1),)) if frame.index == 2 else None
            yield PlainLookResult(frame, decoding=told)


def test_a_delay_counts_from_the_hand_leaving_to_the_first_right_announcement() -> None:
    announced = AnnouncementTimes()
    begin = [Entry(GameStart("harbin-hlr"), t=0.0), Entry(HandStart(), t=0.0)]
    announced.take(begin, 9.0)
    announced.take([*begin, discard("1m", 10.0), discard("2m", 12.0)], 12.5)
    announced.take([*begin, discard("1m", 10.0), discard("3m", 12.0)], 14.0)
    true = [*begin, discard("1m", 10.2), discard("3m", 12.0), discard("9m", 40.0)]
    assert delays_s(true, announced.entries(), 30.0) == pytest.approx((2.3, 2.0))


def test_a_film_is_enlarged_and_gets_more_pictures_that_differ(tmp_path: Path) -> None:
    source = VideoFile(film(tmp_path / "game.mp4", frames=8, fps=10))
    resampled(source, (640, 360), 0.5, tmp_path / "large.mp4")
    large = VideoFile(tmp_path / "large.mp4")
    shown = list(large.frames())
    assert (large.width_px, large.height_px, large.fps) == (640, 360, FPS)
    assert len(shown) == 15
    assert not np.array_equal(shown[0].image_bgr, shown[1].image_bgr), "the grain is the same"


def test_what_a_reader_tells_is_timed_as_it_comes() -> None:
    done, announced = watch(frames(9), TellsAtOnce(), 0.6)
    (told,) = announced.entries()
    assert done.frames == 7
    assert done.film_s == pytest.approx(0.6)
    assert told.t is not None
    assert done.wall_s >= done.told_wall_s > 0
    assert done.told_film_s == pytest.approx(0.2)


def test_the_plain_way_reads_every_whole_frame_at_the_size_of_its_tiles() -> None:
    detector = OneTile()
    done = whole(frames(5), detector, None, TASK)
    assert detector.given == [(None, None), *[(None, 20.0)] * 4]
    assert done.frames == 4


def test_every_size_is_measured_in_every_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = VideoFile(film(tmp_path / "game.mp4", frames=4, fps=10))
    asked: list[Task] = []

    def run(task: Task) -> Figures:
        asked.append(task)
        wall_s = 2.0 if task.way == RECORDED else 8.0
        late = (0.5, 0.7) if task.way == LIVE else ()
        return Figures(8.0, wall_s, 4.0, 16, 300.0, late, told_film_s=2.0, told_wall_s=1.0)

    monkeypatch.setattr(benchmark, "run", run)
    size = measure_size(source, 640, TASK, 0.2)
    assert [task.way for task in asked] == [RECORDED, LIVE, WHOLE_RECORDED, WHOLE_LIVE]
    assert [task.seconds for task in asked] == [0.2, 1.0, 1.0, 1.0]
    assert len({task.video for task in asked}) == 1
    assert (size.width, size.height, size.as_it_was) == (640, 360, False)
    assert size.times_real == pytest.approx((4.0, 16 / FPS / 8))
    assert size.times_real_in_play == pytest.approx(6.0)
    assert size.share == (0.25, 0.25)
    assert size.delay_s is not None
    assert size.delay_s[0] == pytest.approx(0.6)
    assert size.plain_delay_s == 1.0


@pytest.mark.parametrize("name", ["game.seen.jsonl", "game.record.jsonl", "seen.jsonl"])
def test_a_true_record_is_found_beside_its_film(tmp_path: Path, name: str) -> None:
    assert truth_of(tmp_path / "game.mp4") is None
    (tmp_path / name).touch()
    assert truth_of(tmp_path / "game.mp4") == tmp_path / name
