"""Films that are opened with a record: no line of a game that stands there is changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from engine.codec import read_record, write_record
from engine.events import Correct, Discard, Entry, GameEnd, GameStart
from engine.tiles import Tile
from service.evening.film_in_record import recorded_s
from service.evening.open_table import TableRequest, open_table
from service.machine.records import tell
from service.report.player_standings import results_of
from tests.support.films import film
from tests.support.harbin_game import ENTRIES
from tests.support.placed_tiles import PlainLookResult
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame, FrameSource
from vision.camera.isolated import IsolatedVideo
from vision.camera.live import PacedFile

NAMES = ("Anna", "Bo", "Chie", "Dan")
START = GameStart("harbin-hlr", players=NAMES)
OVER = Entry(GameEnd(), t=1.15, source="person")
OTHER = [
    replace(entry, event=Discard(0, Tile("8m"))) if number == 3 else entry
    for number, entry in enumerate(ENTRIES)
]
"""What another film shows: nearly the same, at the same seconds."""


class Times(ToldReader):
    """Keeps the times of the frames that it is given."""

    times_s: list[float]

    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        self.times_s = []

        def noted() -> Iterator[Frame]:
            for frame in frames:
                self.times_s.append(frame.time_s)
                yield frame

        return super().read(noted())


def watched(source: FrameSource, record: Path, told: Sequence[Entry]) -> Times:
    reader = Times(told)
    with open_table(TableRequest(source, lambda: reader, START, record)) as opened:
        asyncio.run(opened.table.run())
        assert opened.table.problem is None
    return reader


@pytest.fixture
def friday(tmp_path: Path) -> Path:
    """A record of an evening's first film."""
    record = tmp_path / "friday.jsonl"
    watched(PacedFile(film(tmp_path / "a.mp4")).hurried(), record, ENTRIES)
    return record


@pytest.mark.parametrize("over", [True, False], ids=["finished", "broken off"])
@pytest.mark.parametrize("kind", [PacedFile, IsolatedVideo])
def test_another_film_of_the_evening_changes_neither_lines_nor_standings(
    tmp_path: Path, friday: Path, kind: type[PacedFile | IsolatedVideo], over: bool
) -> None:
    if over:
        friday.write_text(friday.read_text() + write_record([OVER]))
    before = read_record(friday.read_text())
    reader = watched(kind(film(tmp_path / "b.mp4", frames=21)).hurried(), friday, OTHER)
    after = read_record(friday.read_text())
    assert after[: len(before)] == before
    assert [line.event for line in after[len(before) :]] == [START, *(e.event for e in OTHER[1:])]
    assert not any(isinstance(line.event, Correct) for line in after)
    evening = date(2026, 11, 27)
    results = [list(results_of(tell(lines), evening)) for lines in (before, after)]
    assert results[0] == results[1]
    assert len(results[1]) == over
    assert reader.before is not None
    assert reader.before[: len(before)] == before
    assert isinstance(reader.before[-1].event, GameEnd)


@pytest.mark.parametrize("kept", [3, 7, len(ENTRIES)])
def test_the_same_film_is_read_on_where_the_record_ends(
    tmp_path: Path, friday: Path, kept: int
) -> None:
    lines = read_record(friday.read_text())[:kept]
    friday.write_text(write_record(lines))
    again = film(tmp_path / "friday's copy.mp4")  # the name says nothing
    last_s = ENTRIES[kept - 1].t or 0.0
    left = [replace(entry, t=(entry.t or 0.0) - last_s) for entry in ENTRIES[kept:]]
    reader = watched(PacedFile(again).hurried(), friday, left)
    assert reader.before == tuple(lines)
    assert reader.times_s == pytest.approx(
        [at / 10 - last_s for at in range(20) if at / 10 > last_s + 1e-9]
    )
    assert read_record(friday.read_text())[:kept] == lines


def test_a_film_is_known_among_others_by_the_games_that_it_began() -> None:
    first = Entry(START, t=0.0, evidence="film a")
    second = Entry(START, t=20.0, evidence="film b")
    camera = Entry(START, t=50.0, source="camera")
    named = Entry(Correct(1, (Entry(START),)), source="person")
    more = Entry(Discard(0, Tile("8m")), t=28.0)
    assert recorded_s([], "film a") is None
    assert recorded_s([camera, more], "film a") is None
    assert recorded_s([first, more], "film a") == 28.0
    assert recorded_s([first, replace(more, t=18.0), second, named, more], "film b") == 10.0
    assert recorded_s([first, second, more], "film a") is None
    assert recorded_s([first, more, camera], "film a") is None
    halves = [first, more, replace(first, t=40.0), replace(more, t=44.0)]
    assert recorded_s(halves, "film a") == 44.0
