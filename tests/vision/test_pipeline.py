"""The whole pipeline, with pictures of felt and a detector that knows what lies there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from engine.events import Correct, Discard, DrawnHand, Entry, Event, HandEnd, HandStart
from engine.tiles import Tile
from engine.updates import CameraRecord
from tests.support.detectors import Blind
from tests.support.felt_film import FPS, HANDS, Film, hand
from tests.support.patience import PATIENCE_S
from tests.support.tables import SMALL_VIEW as VIEW
from tests.support.tables import Read, read_at, shares
from tests.support.told_reader import lines_of
from vision.attention.schedule import CAMERA, LIVE, RECORDED, Schedule
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, Region, SourceError
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.decoder.question import Answer
from vision.detect import Detection
from vision.pipeline import ReaderSettings, TableReader
from vision.session import FrameResult
from vision.table.calibrate import NoTable
from vision.table.search import Search, table_in
from vision.table.view import TILE_MM, TableView
from vision.tiles.classes import Side
from vision.tracking.observe import Look, measured_tile_mm

pytestmark = pytest.mark.film

THROWN = {3.0: read_at(0, 120, "3s"), 5.0: read_at(120, 0, "9p")}
EVENTS = [Discard(0, Tile("3s")), Discard(1, Tile("9p"))]


def read(film: Film, view: TableView | None = VIEW, schedule: Schedule = LIVE) -> list[FrameResult]:
    reader = TableReader(film, "harbin-hlr", ReaderSettings(view, schedule=schedule))
    return list(reader.read(film.frames()))


def thrown(readings: Iterable[FrameResult]) -> list[Event]:
    return [entry.event for entry in lines_of(readings) if isinstance(entry.event, Discard)]


def test_discards_are_read_from_pictures_and_a_still_table_is_not_read_again() -> None:
    film = Film(THROWN, 8.0)
    reader, readings, reads = TableReader(film, "harbin-hlr", ReaderSettings(VIEW)), [], 0
    for reading in reader.read(film.frames()):
        readings.append(reading)
        reads = len(film.reads) if reading.frame.time_s < 7.0 else reads
    entries = lines_of(readings)
    assert [entry.event for entry in entries[1:]] == [HandStart(dealer=0), *EVENTS]
    assert [entry.t for entry in entries[2:]] == pytest.approx([3.0, 5.0], abs=1.0)
    assert all(entry.evidence is not None for entry in entries[2:])
    assert len(film.reads) == reads
    assert len(readings[-1].detections) == len(HANDS) + len(THROWN)


def test_what_stands_before_the_players_is_counted_once_the_table_is_known() -> None:
    film = Film({}, 3.0)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW))
    assert reader.counted() is None
    for _ in reader.read(film.frames()):
        pass
    counted = reader.counted()
    assert counted is not None
    assert sum(count or 0 for count in counted.standing) == len(HANDS)
    assert (counted.stacks, counted.dice) == ((0, 0, 0, 0), ())


def test_what_lies_there_when_the_frames_end_is_told() -> None:
    readings = read(Film(THROWN, 5.5))
    entries = lines_of(readings)
    last = [entry for entry in entries if entry.event == EVENTS[1]]
    assert [entry.evidence for entry in last] == [readings[-1].frame.index]
    times = [reading.frame.time_s for reading in readings]
    assert times == sorted(times)
    assert all((entry.t or 0) <= times[-1] for entry in entries)
    (notice,) = (notice for reading in readings for notice in reading.notices)
    assert "no result of the last hand was seen" in notice.text


class Covered(Film):
    """An arm reaches over the first tile when the film ends."""

    @property
    def _arm(self) -> int | None:
        return round(1000 * self._time_s) % 300 if self._time_s > 5.0 else None

    def _lying(self) -> list[Read]:
        return HANDS if self._arm is not None else super()._lying()

    def _picture(self) -> Picture:
        picture = super()._picture().copy()
        if self._arm is not None:
            picture[250:540, 400:550] = 90 + self._arm // 4
        return picture


def test_what_an_arm_covers_when_the_frames_end_is_not_gone() -> None:
    entries = lines_of(read(Covered({2.0: read_at(0, 120, "3s")}, 6.2)))
    assert Discard(0, Tile("3s")) in [entry.event for entry in entries]
    assert not [entry for entry in entries if isinstance(entry.event, Correct)]


class Shaken(Film):
    """So much moves in the last picture that the camera may have been knocked."""

    def _picture(self) -> Picture:
        picture = super()._picture().copy()
        if self._time_s > 5.5:
            picture[:, :450] = 200
        return picture


def test_much_that_moves_when_the_frames_end_hides_nothing_that_lies_beside_it() -> None:
    film = Shaken({2.0: read_at(0, 120, "3s"), 5.4: read_at(120, 0, "9p")}, 5.8)
    assert thrown(read(film)) == EVENTS


class Taken(Film):
    """A film in which the first tile is picked up again."""

    taken_s = 4.0

    def _lying(self) -> list[Read]:
        lying = super()._lying()
        return lying[: len(HANDS)] if self._time_s >= self.taken_s else lying


def test_a_tile_that_was_taken_is_gone_though_two_looks_were_enough_to_see_nothing_there() -> None:
    film = Taken({2.0: read_at(0, 120, "3s")}, 6.0)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW))
    lying = [
        (reading.frame.time_s, any(tile.side is Side.FACE for tile in seen.placed))
        for reading in reader.read(film.frames())
        if (seen := reader.observation) is not None
    ]
    assert {there for time_s, there in lying if 2.8 < time_s < 4.0} == {True}
    assert {there for time_s, there in lying if time_s > 5.2} == {False}


def doubtful(x: float, y: float, face: str, other: str) -> Read:
    """A tile that is hardly more likely one face than the other."""
    return replace(read_at(x, y, face), probabilities=shares(face, 0.55, other).astype(np.float32))


def test_a_recording_is_read_behind_by_another_thread_and_told_in_order() -> None:
    film = Film(THROWN, 8.0)
    here, by = threading.get_ident(), set()

    class Noted:
        def read(self, *asked: Any) -> list[Detection]:
            by.add(threading.get_ident())
            return film.read(*asked)

    reader = TableReader(Noted(), "harbin-hlr", ReaderSettings(VIEW, schedule=RECORDED))
    readings = list(reader.read(film.frames()))
    assert thrown(readings) == EVENTS
    times = [reading.frame.time_s for reading in readings[:-1]]
    assert times == [frame.time_s for frame in film.frames()], "none is lost, none comes early"
    assert len(by) == 1
    assert here not in by


class SlowToRead(Film):
    """A film of a camera; while one look is read, so many further frames come."""

    meanwhile = 3

    def __init__(self, arrivals: dict[float, Read] = THROWN) -> None:
        super().__init__(arrivals, 8.0)
        self.came = 0
        self._frame_came = threading.Condition()

    def frames(self) -> Iterator[Frame]:
        for frame in super().frames():
            self._come(1)
            # Another picture each time: were nothing to be done for them, they came all at once.
            yield Frame(frame.image_bgr.copy(), frame.time_s, frame.index)
        self._come(self.meanwhile)

    def _come(self, frames: int) -> None:
        with self._frame_came:
            self.came += frames
            self._frame_came.notify_all()

    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        found = super().found(image_bgr, region)
        with self._frame_came:
            until = self.came + self.meanwhile
            assert self._frame_came.wait_for(lambda: self.came >= until, 60.0)
        return found


def test_a_camera_goes_on_while_a_look_is_read() -> None:
    film, readings, late = SlowToRead(), list[FrameResult](), list[int]()
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW, schedule=CAMERA))
    for reading in reader.read(film.frames()):
        readings.append(reading)
        late.append(film.came - 1 - reading.frame.index)
    assert thrown(readings) == EVENTS
    times = [reading.frame.time_s for reading in readings[:-1]]
    assert times == [frame.time_s for frame in Film(THROWN, 8.0).frames()], "in order, none lost"
    assert late.count(0) > len(late) / 2, "what nothing waits for is told at once"


def test_no_look_waits_for_another_one_where_much_happens() -> None:
    film = SlowToRead({1.0 + 0.4 * at: read_at(40 * at - 200, 60, "3s") for at in range(12)})
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW, schedule=CAMERA))
    late = [film.came - 1 - one.frame.index for one in reader.read(film.frames())]
    assert max(late) <= film.meanwhile + 2


def test_a_look_that_has_been_read_is_told_though_no_further_picture_comes() -> None:
    film, told = SlowToRead(), threading.Event()

    def frames() -> Iterator[Frame]:
        for frame in film.frames():
            yield frame
            if frame.index == 17:  # a look at the first tile is being read
                film._come(film.meanwhile)
                assert told.wait(PATIENCE_S), "the camera is silent, and nothing is told"

    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW, schedule=CAMERA))
    readings = []
    for reading in reader.read(frames()):
        readings.append(reading)
        if reading.frame.index == 17:
            told.set()
    assert thrown(readings) == EVENTS


class AtOnce(ThreadPoolExecutor):
    """Reads each look as quickly as nothing is, however slow this computer is."""

    def submit(self, fn: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*given, **named))
        return done


@pytest.mark.parametrize("came_s", [3.0, 3.1, 3.23])
def test_a_discard_is_told_when_its_moment_has_passed_and_nothing_moves(
    came_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.pipeline.ThreadPoolExecutor", AtOnce)
    film = Film({came_s: read_at(0, 120, "3s")}, 6.0)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW, schedule=CAMERA))
    told_s = next(
        one.frame.time_s for one in reader.read(film.frames()) if thrown([one]) == EVENTS[:1]
    )
    # Pictures lie 0.2 s apart: the tile rests after one of them, and its moment ends before one.
    assert told_s - came_s < 0.8


@pytest.mark.parametrize("pace", [LIVE, CAMERA])
def test_a_camera_that_is_turned_upright_is_read_where_a_person_shows_the_table(
    pace: Schedule,
) -> None:
    class Upright(Film):
        """Nothing is told of a table that lies bare; then the pictures are higher than wide."""

        def _lying(self) -> list[Read]:
            return [tile for seat in range(4) for tile in hand(seat, 6)]

        def frames(self) -> Iterator[Frame]:
            for frame in super().frames():
                if frame.index < 30:
                    yield frame
                    continue
                if frame.index == 45:
                    reader.show_table(((0.1, 0.3), (0.9, 0.3), (0.9, 0.7), (0.1, 0.7)))
                pixels = np.ascontiguousarray(np.rot90(frame.image_bgr))
                yield replace(frame, pixels=pixels)

        def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
            upright = image_bgr.shape[0] > image_bgr.shape[1]
            return [] if upright else super().found(image_bgr, region)

    film = Upright({}, 14.0)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW, schedule=pace))
    said = [notice for reading in reader.read(film.frames()) for notice in reading.notices]
    assert "a person has shown where the table is; the game goes on" in [one.text for one in said]


@pytest.mark.parametrize("pace", [LIVE, CAMERA])
def test_a_picture_that_turns_grey_while_nobody_moves_is_said(pace: Schedule) -> None:
    class Night(Film):
        def _picture(self) -> Picture:
            picture = super()._picture().copy()
            if self._time_s < 4.0:
                return picture
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
            return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)

    said = [notice for one in read(Night({}, 8.0), schedule=pace) for notice in one.notices]
    (grey,) = [notice for notice in said if notice.kind == "grey"]
    assert 4.0 < grey.time_s < 7.0


def test_what_was_seen_before_a_camera_fails_is_told() -> None:
    film = SlowToRead()

    def frames() -> Iterator[Frame]:
        for frame in film.frames():
            yield frame
            if frame.index == 17:  # a look at the first tile is being read
                film._come(film.meanwhile)
                raise SourceError("the camera is gone")

    told_s: list[float] = []
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW, schedule=CAMERA))
    with pytest.raises(SourceError, match="the camera is gone"):
        told_s.extend(one.frame.time_s for one in reader.read(frames()))
    assert told_s[-1] == pytest.approx(17 / FPS)


def test_a_film_is_searched_until_the_same_table_was_found_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Bare(Film):
        def _lying(self) -> list[Read]:
            return []

    film, searched_s = Bare({}, 22.0), list[float]()
    tiles = [read_at(x, 0, "3s").seen_in(VIEW) for x in range(-200, 201, 50)]

    def search(*_: object) -> Search:
        searched_s.append(film._time_s)
        return Search(tiles, replace(VIEW, tile_mm=TILE_MM))

    monkeypatch.setattr("vision.pipeline.look_for_table", search)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(schedule=RECORDED))
    assert not lines_of(reader.read(film.frames()))
    assert searched_s == pytest.approx([0.0, 5.0], abs=0.2)
    width_mm = measured_tile_mm(Look(0.0, tiles), VIEW)
    assert width_mm is not None
    assert abs(width_mm - TILE_MM) > 1.0
    assert reader.view is not None
    assert reader.view.tile_mm == pytest.approx(width_mm, abs=0.1), "the search has measured them"


class Hasty(Film):
    """A film at ten frames a second with a tile that lies for a moment beside motion."""

    lies_s = (3.0, 3.6)

    def frames(self) -> Iterator[Frame]:
        for index in range(round(10 * self.lasts_s)):
            self._time_s = index / 10
            yield Frame(self._picture(), self._time_s, index)

    def _lying(self) -> list[Read]:
        low_s, high_s = self.lies_s
        return HANDS + [tile for tile in self.arrivals.values() if low_s <= self._time_s < high_s]

    def _picture(self) -> Picture:
        picture = super()._picture().copy()
        (tile,) = self.arrivals.values()
        x, y = tile.seen_in(VIEW).corners_px.mean(axis=0).astype(int)
        if 2.5 < self._time_s < 5.0:
            moved = round(10 * self._time_s) % 3 * 7
            picture[y - 30 + moved : y + 10 + moved, x + 37 : x + 60] = 30
        return picture

    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        """Tiles that are bright in the picture that is read."""
        (tile,) = self.arrivals.values()
        shown = Film({-1.0: tile}, 0.0)
        found = shown.found(image_bgr, region)
        middles = [tile.corners_px.mean(axis=0).astype(int) for tile in found]
        bright = [image_bgr[y, x].min() > 200 for x, y in middles]
        return [tile for tile, is_there in zip(found, bright, strict=True) if is_there]


def test_a_recording_does_not_miss_a_tile_that_is_gone_before_all_beside_it_is_still() -> None:
    film = Hasty({3.0: read_at(0, 120, "3s")}, 7.0)
    for pace in (LIVE, RECORDED):
        assert thrown(read(film, schedule=pace)) == EVENTS[:1]


def test_what_is_answered_after_the_last_picture_still_settles_the_record() -> None:
    film = Film({3.0: read_at(0, 120, "3s"), 5.0: doubtful(120, 0, "7s", "8s")}, 8.0)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW))
    record, now = CameraRecord(Pins()), Decoding()
    for reading in reader.read(film.frames()):
        now = reading.decoding or now
        record.take(now)
    number = [entry.event for entry in record.entries].index(Discard(1, Tile("7s")))
    (asked,) = now.questions
    assert [choice.events for choice in asked.choices[:2]] == [
        (Discard(1, Tile("7s")),),
        (Discard(1, Tile("8s")),),
    ]
    record.pin(replace(record.pins, answers=(Answer(asked.place, asked.choices[1].events),)))
    reader.hear(record.pins)
    settled = reader.settled()
    assert settled is not None
    (line,) = record.take(settled)
    assert isinstance(line.event, Correct)
    assert (line.event.of, line.event.reason) == (number, "answer")
    assert [entry.event for entry in line.event.events] == [Discard(1, Tile("8s"))]
    assert (settled.heard, settled.questions) == (1, ())


def test_a_table_whose_edge_is_not_seen_is_found_by_the_hands_that_stand_on_it() -> None:
    assert thrown(read(Film(THROWN, 8.0), view=None)) == EVENTS


def test_a_wrong_table_is_left_for_one_that_is_seen_twice_before_anything_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = []

    def half_of_it_at_first(*seen: Any) -> TableView:
        found = table_in(*seen)
        looks.append(found)
        (x0, y0), (x1, _), _, (_, y3) = found.corners_px
        middle = (x0 + x1) / 2, (y0 + y3) / 2
        half = ((x0, y0), (middle[0], y0), middle, (x0, middle[1]))
        return replace(found, corners_px=half) if len(looks) == 1 else found

    monkeypatch.setattr("vision.table.search.table_in", half_of_it_at_first)
    film = Film({14.0: THROWN[3.0], 16.0: THROWN[5.0]}, 19.0)
    assert thrown(read(film, view=None)) == EVENTS
    assert len(looks) == 3, "what has been told stays"


def test_the_table_is_where_a_person_shows_it() -> None:
    elsewhere = replace(VIEW, corners_px=tuple((x / 2, y / 2) for x, y in VIEW.corners_px))
    film = Film(THROWN, 8.0)
    width, height = VIEW.picture_px
    corners = tuple((x / width, y / height) for x, y in VIEW.corners_px)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(elsewhere))
    with pytest.raises(SourceError, match="corners"):
        reader.show_table(corners[::-1])
    reader.show_table(corners)
    readings = []
    for reading in reader.read(film.frames()):
        readings.append(reading)
        if reading.frame.time_s == 4.0:
            reader.show_table(corners)
    assert thrown(readings) == EVENTS, "also after something was told"
    told = [notice for reading in readings for notice in reading.notices]
    assert [(notice.kind, notice.lasts) for notice in told[:2]] == [("moved", False)] * 2


def test_pictures_without_a_table_are_refused() -> None:
    grey = np.full((270, 480, 3), 90, np.uint8)
    frames = (Frame(grey, index / FPS, index) for index in range(3))
    with pytest.raises(NoTable, match="no table"):
        list(TableReader(Blind(), "harbin-hlr").read(frames))


def test_a_source_without_pictures_is_refused() -> None:
    with pytest.raises(SourceError, match="has no pictures"):
        list(TableReader(Film({}, 0), "harbin-hlr", ReaderSettings(VIEW)).read(iter(())))


def resume(before: list[Entry], film: Film) -> tuple[list[Event], list[str]]:
    """What a new program adds to a record, and its notices."""
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW))
    reader.resume(before)
    readings = list(reader.read(film.frames()))
    lines = lines_of(readings[:-1], before)
    return (
        [entry.event for entry in lines],
        [notice.kind for reading in readings for notice in reading.notices],
    )


def test_a_record_is_taken_up_from_the_picture_where_the_program_was_ended() -> None:
    before = lines_of(read(Film(THROWN, 8.0))[:-1])
    lies = {0.0: read_at(0, 120, "3s"), 0.1: read_at(120, 0, "9p"), 4.0: read_at(0, -120, "1m")}
    events, said = resume(before, Film(lies, 7.0))
    assert events == [Discard(2, Tile("1m"))]
    assert said == ["unseen"], "the film ends before the hand does"
    events, said = resume(before, Film({}, 6.0))
    assert [type(event) for event in events] == [DrawnHand, HandEnd, HandStart]
    assert said == ["unseen", "unseen"], "of the last hand, and of that before the pause"


def test_of_a_hand_that_lies_open_at_first_one_word_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    others = [tile for seat in (0, 1, 3) for tile in hand(seat, 13)]
    monkeypatch.setattr("tests.support.felt_film.HANDS", others)
    laid_open = {-1.0 - at: read_at(-200 + 31 * at, -345, f"{at % 9 + 1}m") for at in range(13)}
    readings = read(Film(laid_open, 5.0))
    notices = [notice for reading in readings for notice in reading.notices]
    assert [notice.kind for notice in notices] == ["unseen"]
    assert "next deal" in notices[0].text
    assert not lines_of(readings)


def test_what_follows_from_a_persons_word_is_told_after_the_last_picture() -> None:
    arrivals = [(0, 120, "3s"), (120, 0, "7s"), (120, -31, "9p"), (0, -120, "2m")]
    film = Film({3.0 + 2 * at: read_at(*tile) for at, tile in enumerate(arrivals)}, 12.0)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW))
    *_, last = (one.decoding for one in reader.read(film.frames()) if one.decoding)
    phantom = next(one for one in last.told if one.event == Discard(1, Tile("7s")))
    stands = tuple(one for one in last.told if one is not phantom)
    reader.hear(Pins(1, stands, (phantom,)))
    settled = reader.settled()
    assert settled is not None
    assert [one.event for one in settled.told[2:]] == [
        Discard(0, Tile("3s")),
        Discard(1, Tile("9p")),
        Discard(2, Tile("2m")),
    ]
    assert settled.heard == 1
    assert reader.settled() is None
