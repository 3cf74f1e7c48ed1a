"""The live table: on disk before it is announced, and no page can hold it up."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from engine.codec import read_record
from engine.events import Correct, Entry, GameStart, Win
from engine.tiles import Tile
from service.report.public import Json
from service.table.live_table import LiveTable, TableSettings
from service.table.page_messages import QUEUED, TableMessage
from service.table.record_file import RecordFile
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines, frames, played
from tests.support.told_reader import ToldReader, bare
from vision.camera.frames import Frames
from vision.camera.pictures import SourceError


def live(record: KeptLines, entries: list[Entry] = ENTRIES) -> LiveTable:
    return played(entries, record=record)


def test_everything_that_was_seen_is_recorded_and_judged() -> None:
    record = KeptLines()
    table = live(record)
    asyncio.run(table.run())
    assert bare(record.entries) == ENTRIES
    assert table.table()["points"] == [-3, -1, 5, -1]
    assert (table.ended, table.problem) == (True, None)


def test_a_line_is_on_the_disk_before_it_is_announced(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record = RecordFile(path)
    table = played(ENTRIES, record=record)

    async def watch() -> None:
        with table.subscribed() as subscriber:
            running = asyncio.create_task(table.run())
            for number in range(len(ENTRIES)):
                message: Any = await subscriber.messages.get()
                on_disk = read_record(path.read_text())
                assert message["number"] == number
                assert len(on_disk) > number
            await running

    asyncio.run(watch())
    record.close()
    assert bare(read_record(path.read_text())) == ENTRIES


def test_a_correction_shows_the_pages_what_stands_now() -> None:
    misread = Entry(Win(2, 0, Tile("3p")), t=0.7)
    wrong = [*ENTRIES[:8], misread, Entry(Correct(8, (ENTRIES[8],)), t=0.9)]
    table = live(KeptLines(), wrong)

    async def last_of_type(kind: str) -> Json:
        with table.subscribed() as subscriber:
            await table.run()
            messages: list[Any] = [subscriber.messages.get_nowait() for _ in range(len(wrong))]
        return next(message for message in reversed(messages) if message["type"] == kind)

    message = asyncio.run(last_of_type("corrected"))
    assert message["of"] == 8
    happened = json.loads(json.dumps(message["happened"]))
    assert [event["number"] for event in happened] == list(range(9))
    assert {"tile": "2p"} in happened[-1]["parts"]
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
            messages: list[Any] = [await subscriber.messages.get() for _ in range(4)]
            assert (
                messages[-1]["problem"] == "the record cannot be written: No space left on device"
            )
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

    async def last_message() -> TableMessage:
        with table.subscribed() as subscriber:
            await table.run()
            return await subscriber.messages.get()

    message = asyncio.run(last_message())
    assert message["type"] == "status"
    assert message["problem"] == "camera 0 stopped sending pictures; plug it in again"


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


def test_the_picture_is_the_newest_one() -> None:
    table = live(KeptLines())
    assert (table.reader.newest, table.reader.picture()) == (-1, b"")
    asyncio.run(table.run())
    assert table.reader.newest == 14
    assert table.reader.picture().startswith(b"\xff\xd8")


def test_names_and_points_are_shown_before_the_game_begins() -> None:
    start = GameStart("riichi", players=("Anna", "Bo", "", "Dana"))
    settings = TableSettings("riichi", "game.mp4", start=start)
    shown = LiveTable(ToldReader([]), frames(0), KeptLines(), settings).table()
    assert shown["points"] == [30_000] * 4
    assert shown["names"] == ["Anna", "Bo", "Seat 2", "Dana"]
