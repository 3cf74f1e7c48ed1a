"""The live table: on disk before it is announced, troubles shown while they last, restarts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.codec import read_record
from engine.events import Correct, Discard, Entry, GameStart, Win
from engine.tiles import Tile
from service.table.live_table import LiveTable, TableSettings
from service.table.notices import to_terminal
from service.table.reader import EmptyReader
from service.table.record_file import RecordFile
from service.table.view import Moment, newest
from service.web.subscriber import QUEUED
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines, frames, played, seen, written
from tests.support.placed_tiles import PlainLookResult
from tests.support.told_reader import ToldReader, bare
from vision.camera.frames import Frame, Frames
from vision.camera.pictures import SourceError
from vision.notice import Notice


def live(record: KeptLines, entries: list[Entry] = ENTRIES) -> LiveTable:
    return played(entries, record=record)


def test_a_line_is_on_the_disk_before_it_is_announced(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record = RecordFile(path)
    table = played(ENTRIES, record=record)

    async def watch() -> None:
        with table.subscribed() as subscriber:
            running = asyncio.create_task(table.run())
            for number in range(len(ENTRIES)):
                message = seen(await subscriber.messages.get())
                on_disk = read_record(path.read_text())
                assert message["happened"][-1]["number"] == number
                assert len(on_disk) > number
            await running

    asyncio.run(watch())
    record.close()
    assert bare(read_record(path.read_text())) == ENTRIES


def test_a_correction_shows_the_pages_what_stands_now() -> None:
    misread = Entry(Win(2, 0, Tile("3p")), t=0.7)
    wrong = [*ENTRIES[:8], misread, Entry(Correct(8, (ENTRIES[8],)), t=0.9)]
    table = live(KeptLines(), wrong)

    async def last_correction() -> Moment:
        with table.subscribed() as subscriber:
            await table.run()
            moments = [subscriber.messages.get_nowait() for _ in range(len(wrong))]
        return next(moment for moment in reversed(moments) if moment.since is not None)

    moment = asyncio.run(last_correction())
    assert moment.since == 8
    message = seen(moment)
    happened = json.loads(json.dumps(message["happened"]))
    assert [event["number"] for event in happened] == list(range(9))
    assert {"tile": "2p"} in happened[-1]["told"]
    announced = json.loads(json.dumps(message["announced"]))
    assert [one["kind"] for one in announced].count("payout") == 1
    assert json.loads(json.dumps(message["said"])) == announced[-1:]


def test_while_the_disk_is_full_nothing_is_announced_and_afterwards_nothing_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.table.live_table.RETRY_S", 0.01)
    record = KeptLines(room=3)
    table = live(record)

    async def run() -> None:
        with table.subscribed() as subscriber:
            running = asyncio.create_task(table.run())
            moments = [await subscriber.messages.get() for _ in range(4)]
            problem = moments[-1].status["problem"]
            assert problem == "the record cannot be written: No space left on device"
            while record.refused < 4:  # it is tried again and again
                await asyncio.sleep(0.01)
            assert len(table.game.entries) == 3
            assert subscriber.messages.empty()
            record.room = 1000
            await running

    asyncio.run(run())
    assert bare(record.entries) == ENTRIES
    assert table.problem is None


def test_a_source_that_fails_is_told_to_the_pages() -> None:
    def failing() -> Frames:
        yield from frames(3)
        raise SourceError("camera 0 stopped sending pictures; plug it in again")

    table = LiveTable(
        ToldReader([]), failing(), KeptLines(), TableSettings("harbin-hlr", "camera 0")
    )

    async def last() -> Moment:
        with table.subscribed() as subscriber:
            await table.run()
            return await subscriber.messages.get()

    problem = asyncio.run(last()).status["problem"]
    assert problem == "camera 0 stopped sending pictures; plug it in again"


def test_a_fault_of_the_program_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = live(KeptLines())

    async def faulty(_: object) -> None:
        raise KeyError("seat")

    monkeypatch.setattr(table, "_decoded", faulty)
    asyncio.run(table.run())
    assert (table.ended, table.problem) == (True, "the program failed while it watched the table")


def test_a_page_that_is_too_slow_is_dropped_and_holds_nobody_up() -> None:
    table = live(KeptLines(), ENTRIES[:2] + ENTRIES[3:4] * (QUEUED + 20))

    async def run() -> bool:
        with table.subscribed() as slow:
            await table.run()
            return slow.too_slow.is_set()

    assert asyncio.run(run())
    assert len(table.game.entries) == QUEUED + 22


def test_a_page_that_lags_is_shown_the_newest_moment_with_all_that_was_announced() -> None:
    table = live(KeptLines())

    async def lagging() -> list[Moment]:
        with table.subscribed() as page:
            await table.run()
            return newest(await page.waiting())

    (moment,) = asyncio.run(lagging())
    view = seen(moment)
    assert len(view["happened"]) == len(ENTRIES)
    assert view["said"] == view["announced"] != []


def test_the_picture_is_the_newest_one() -> None:
    table = live(KeptLines())
    assert (table.reader.newest, table.pictures.drawn()) == (-1, b"")
    asyncio.run(table.run())
    assert table.reader.newest == 14
    assert table.pictures.drawn().startswith(b"\xff\xd8")


def test_names_and_points_are_shown_before_the_game_begins() -> None:
    start = GameStart("riichi", players=("Anna", "Bo", "", "Dana"))
    settings = TableSettings("riichi", "game.mp4", start=start)
    shown = LiveTable(ToldReader([]), frames(0), KeptLines(), settings).table()
    assert shown["points"] == [30_000] * 4
    assert shown["names"] == ["Anna", "Bo", "Seat 2", "Dana"]


GONE = Notice("gone", 65.2, "camera 0 sends no pictures any more; waiting for it", lasts=True)
BACK = Notice("gone", 70.0, "camera 0 is back; the game goes on", lasts=False)
LIGHT = Notice("light", 80.0, "the light changed; the game goes on", lasts=False)
SLOW = Notice("slow", 60.0, "this computer reads too few pictures", lasts=True)
BUSY = Notice("busy", 60.0, "this computer is too slow: it reads 36%", lasts=True)


class Troubled(EmptyReader):
    """A reader that has something to say about its camera, frame after frame."""

    def __init__(self, *notices: Notice) -> None:
        super().__init__()
        self._notices = notices

    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        for frame, notice in zip(frames, self._notices, strict=False):
            yield PlainLookResult(frame, notices=(notice,))


def statuses(*notices: Notice) -> tuple[list[object], list[Notice]]:
    """The problems that a page is shown one after the other, and what is said besides."""
    table = LiveTable(
        Troubled(*notices), frames(), KeptLines(), TableSettings("harbin-hlr", "camera 0")
    )
    said: list[Notice] = []
    table.on_notice = said.append

    async def watch() -> list[Moment]:
        with table.subscribed() as page:
            await table.run()
            return [page.messages.get_nowait() for _ in range(page.messages.qsize())]

    return [moment.status["problem"] for moment in asyncio.run(watch())], said


@pytest.mark.parametrize(
    ("notices", "problems"),
    [
        ((GONE, BACK), [GONE.text, None, None]),
        ((LIGHT,), [None]),
        ((GONE, LIGHT), [GONE.text, GONE.text]),
        ((SLOW, GONE, BACK), [SLOW.text, GONE.text, SLOW.text]),
        ((BUSY, LIGHT), [BUSY.text, BUSY.text]),
    ],
    ids=[
        "while it lasts",
        "what has passed is none",
        "one ends no other",
        "the worst of two",
        "of the computer",
    ],
)
def test_a_trouble_is_shown_while_it_lasts(
    notices: tuple[Notice, ...], problems: list[str | None]
) -> None:
    shown, said = statuses(*notices)
    assert shown[: len(problems)] == problems
    assert said == list(notices)


def test_a_camera_can_be_given_up_while_it_is_waited_for() -> None:
    table = LiveTable(Troubled(), frames(), KeptLines(), TableSettings("harbin-hlr", "camera 0"))
    given_up: list[bool] = []
    table.reader.let_go = lambda: given_up.append(True)
    asyncio.run(table.run())
    assert given_up == [True]


def test_the_terminal_gets_one_line_with_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    to_terminal(GONE)
    assert capsys.readouterr().err == f"1:05: {GONE.text}\n"


def table_with(before: list[Entry], told: list[Entry], **how: Any) -> tuple[LiveTable, KeptLines]:
    """A table on a record, and the lines that are added by what its source tells."""
    reader, record = ToldReader(told), KeptLines()
    settings = TableSettings("harbin-hlr", "x", before=before, **how)
    table = LiveTable(reader, frames(), record, settings)
    asyncio.run(table.run())
    assert table.problem is None
    assert list(table.game.entries) == before + record.entries
    return table, record


@pytest.mark.parametrize("kept", range(1, len(ENTRIES) + 1))
def test_another_film_begins_a_game_and_changes_no_line_before_it(kept: int) -> None:
    other = [replace(entry, t=(entry.t or 0.0) + 0.1) for entry in ENTRIES]
    other[3] = replace(other[3], event=Discard(0, Tile("8m")))
    before = ENTRIES[:kept]
    table, record = table_with(before, other, film="film b", goes_on=False)
    assert [line.event for line in record.entries] == [line.event for line in other]
    assert record.entries[0].evidence == "film b"
    assert [one.event.entry for one in table.game.played[:kept]] == before
    assert not table.moment.back


def test_a_camera_that_goes_on_is_given_the_record_and_adds_what_is_new() -> None:
    before = ENTRIES[:13]
    fresh = Entry(Discard(2, Tile("4p")), t=0.9, source="camera")
    undone = Entry(Correct(0, ()), t=1.5, source="camera")
    reader, record = ToldReader([fresh, undone]), KeptLines()
    table = LiveTable(reader, frames(), record, TableSettings("harbin-hlr", "x", before=before))
    asyncio.run(table.run())
    assert table.problem is None
    assert reader.before == before
    assert [line.event for line in record.entries] == [
        fresh.event,
        Correct(len(before), (), "reread"),
    ]


def test_a_table_that_goes_on_asks_whether_it_is_still_so_until_something_happens() -> None:
    def table_after(before: list[Entry], goes_on: bool = True) -> LiveTable:
        settings = TableSettings("harbin-hlr", "x", before=before, goes_on=goes_on)
        return LiveTable(ToldReader([]), frames(), KeptLines(), settings)

    table = table_after(ENTRIES[:6])
    assert table.moment.back
    asyncio.run(written(table, ENTRIES[6]))
    assert not table.moment.back
    assert not table_after([]).moment.back
    assert not table_after(ENTRIES[:10]).moment.back  # the hand is over
    assert not table_after(ENTRIES[:6], goes_on=False).moment.back
