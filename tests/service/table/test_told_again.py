"""After a restart the camera goes on: what it tells again is not written again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.events import Correct, Discard, Entry, HandStart
from engine.tiles import Tile
from service.table.live_table import LiveTable, TableSettings
from service.table.told_again import CATCH_UP_S
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines, frames
from tests.support.told_reader import ToldReader


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
    return record.entries


@pytest.mark.parametrize("kept", range(1, len(ENTRIES) + 1))
def test_a_video_that_plays_again_ends_in_the_same_record(kept: int) -> None:
    assert gone_on(ENTRIES[:kept], ENTRIES, plays_again=True) == ENTRIES[kept:]


def test_what_was_mended_of_a_video_stays_mended_when_it_plays_again() -> None:
    mend = Entry(Correct(3, (Entry(Discard(0, Tile("8m"))),)), t=0.2, source="person")
    before = [*ENTRIES[:8], mend]
    corrected = Entry(Correct(3, (Entry(Discard(0, Tile("7m"))),)), t=0.65, source="camera")
    told = [*ENTRIES[:8], corrected, *ENTRIES[8:]]
    assert gone_on(before, told, plays_again=True) == ENTRIES[8:]


def test_a_correction_of_the_camera_finds_its_line_behind_those_of_people() -> None:
    noted = Entry(Discard(1, Tile("3z")), t=0.3, source="person")
    before = [*ENTRIES[:4], noted]
    told = [*ENTRIES[:4], ENTRIES[4], Entry(Correct(4, ()), t=0.5, source="camera")]
    assert [line.event for line in gone_on(before, told, plays_again=True)] == [
        ENTRIES[4].event,
        Correct(5, ()),
    ]


def test_a_camera_that_comes_back_tells_the_river_again_and_it_is_not_written_again() -> None:
    before = ENTRIES[:13]  # the second hand, Bo has discarded
    start = replace(ENTRIES[0], t=0.0)
    lying = Entry(Discard(1, Tile("5m")), t=0.4, source="camera")
    fresh = Entry(Discard(2, Tile("4p")), t=0.9, source="camera")
    told = [start, Entry(HandStart(dealer=3), t=0.2), lying, fresh]
    (added,) = gone_on(before, told)
    assert added.event == fresh.event
    assert added.t == pytest.approx(1.1 + 0.9), "the record's time goes on"


def test_between_two_hands_the_next_one_begins_as_the_game_says() -> None:
    told = [replace(ENTRIES[0], t=0.0), Entry(HandStart(dealer=3), t=0.5)]
    (added,) = gone_on(ENTRIES[:10], told)
    assert added.event == HandStart()


def test_much_later_the_same_discard_is_another_one() -> None:
    start = [replace(ENTRIES[0], t=0.0), Entry(HandStart(), t=0.1)]
    late = Entry(Discard(1, Tile("5m")), t=CATCH_UP_S + 1, source="camera")
    (added,) = gone_on(ENTRIES[:12], [*start, late])
    assert added.event == late.event


class KnowsTheRecord(ToldReader):
    """Counts on from the record that it is given."""

    before: Sequence[Entry] = ()

    def take_up(self, before: Sequence[Entry]) -> None:
        self.before = before


def test_a_reader_that_knows_the_record_is_believed_and_may_correct_what_stands_in_it() -> None:
    before = ENTRIES[:13]
    number = next(at for at in range(12, 0, -1) if isinstance(before[at].event, Discard))
    again = Entry(Correct(number, (Entry(Discard(1, Tile("6m"))),)), t=0.2, source="camera")
    fresh = Entry(Discard(2, Tile("4p")), t=0.9, source="camera")
    undone = Entry(Correct(len(before) + 1, ()), t=1.5, source="camera")
    reader, record = KnowsTheRecord([again, fresh, undone]), KeptLines()
    table = LiveTable(reader, frames(), record, TableSettings("harbin-hlr", "x", before=before))
    asyncio.run(table.run())
    assert table.problem is None
    assert reader.before == before
    assert [line.event for line in record.entries] == [again.event, fresh.event, undone.event]
    last_s = max(entry.t or 0.0 for entry in before)
    assert [line.t for line in record.entries] == pytest.approx(
        [last_s + 0.2, last_s + 0.9, last_s + 1.5]
    )
