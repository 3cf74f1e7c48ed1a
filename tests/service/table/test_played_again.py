"""After a restart: what a film tells again is not written again, and a camera goes on."""

from __future__ import annotations

import asyncio

import pytest

from engine.events import Correct, Discard, Entry
from engine.tiles import Tile
from service.table.live_table import LiveTable, TableSettings
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines, frames
from tests.support.told_reader import ToldReader, bare


def gone_on(before: list[Entry], told: list[Entry], plays_again: bool = False) -> list[Entry]:
    """The lines that are added to a record when a camera tells something after a restart."""
    record = KeptLines()
    reader = ToldReader(told)
    table = LiveTable(
        reader,
        frames(),
        record,
        TableSettings("harbin-hlr", "x", before=before, plays_again=plays_again),
    )
    asyncio.run(table.run())
    assert table.problem is None
    assert list(table.game.entries) == before + record.entries
    return bare(record.entries)


@pytest.mark.parametrize("kept", range(1, len(ENTRIES) + 1))
def test_a_video_that_plays_again_ends_in_the_same_record(kept: int) -> None:
    assert gone_on(ENTRIES[:kept], ENTRIES, plays_again=True) == ENTRIES[kept:]


def test_what_was_mended_of_a_video_stays_mended_when_it_plays_again() -> None:
    mend = Entry(Correct(3, (Entry(Discard(0, Tile("8m"))),)), t=0.2, source="person")
    before = [*ENTRIES[:8], mend]
    corrected = Entry(Correct(3, (Entry(Discard(0, Tile("7m"))),)), t=0.65, source="camera")
    told = [*ENTRIES[:8], corrected, *ENTRIES[8:]]
    assert gone_on(before, told, plays_again=True) == ENTRIES[8:]


def test_what_is_told_of_a_film_beside_lines_of_people_adds_what_is_new() -> None:
    noted = Entry(Discard(1, Tile("3z")), t=0.3, source="person")
    added = gone_on([*ENTRIES[:4], noted], ENTRIES[:6], plays_again=True)
    assert [line.event for line in added] == [one.event for one in ENTRIES[4:6]]


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
    def table_after(before: list[Entry], plays_again: bool = False) -> LiveTable:
        settings = TableSettings("harbin-hlr", "x", before=before, plays_again=plays_again)
        return LiveTable(ToldReader([]), frames(), KeptLines(), settings)

    table = table_after(ENTRIES[:6])
    assert table.snapshot()["back"]
    asyncio.run(table.submit(ENTRIES[6]))
    assert not table.snapshot()["back"]
    assert not table_after([]).snapshot()["back"]
    assert not table_after(ENTRIES[:10]).snapshot()["back"]  # the hand is over
    assert not table_after(ENTRIES[:6], plays_again=True).snapshot()["back"]
