"""What people write reaches the reader; what follows is written, shown and announced once."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from engine.corrections import EditKind, correction, redone, undone
from engine.events import Correct, Discard, Entry, Event, HandStart, Pung, Win
from engine.log import in_force
from engine.tiles import Tile
from service.table import live_table
from service.table.live_table import LiveTable, TableSettings
from service.table.page_messages import Subscriber
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines, frames, in_loop
from tests.support.patience import PATIENCE_S
from tests.support.told_reader import HearingTold, ToldReader, bare
from vision.camera.frames import Frame, Frames
from vision.decoder.question import AnswerChoice, EventPlace, Question

WIN = ENTRIES[8].event
assert isinstance(WIN, Win)
DAI_FEEDS = replace(WIN, from_seat=3)
FED = Entry(Discard(3, Tile("2p")))
"""Dai discards the winning tile, not Anna."""
NOT_ANNA = Entry(Correct(7, (), "reread"), t=0.9, source="camera")
DAI_PAYS = Entry(Correct(8, (Entry(DAI_FEEDS, t=0.7, source="camera"),), "reread"), t=0.9)
FOLLOWS = [NOT_ANNA, DAI_PAYS]
BACK = [
    Entry(Correct(7, (ENTRIES[7],), "reread"), t=1.0, source="camera"),
    Entry(Correct(8, (ENTRIES[8],), "reread"), t=1.0, source="camera"),
]


class Stepping:
    """Frames that come when the test wants them to."""

    def __init__(self) -> None:
        self._go: queue.Queue[bool] = queue.Queue()

    def frames(self) -> Frames:
        for frame in frames(10**6):
            yield Frame(frame.image_bgr, 2 + frame.time_s, frame.index)
            if not self._go.get(timeout=PATIENCE_S):
                return

    def step(self) -> None:
        self._go.put(True)

    def end(self) -> None:
        self._go.put(False)


@dataclass
class Playing:
    """A table at which everything that its reader tells by itself has been told."""

    table: LiveTable
    reader: Any
    record: KeptLines
    film: Stepping
    page: Subscriber

    async def message(self, kind: str = "corrected") -> dict[str, Any]:
        while True:
            message: Any = await asyncio.wait_for(self.page.messages.get(), PATIENCE_S)
            if message["type"] == kind:
                return dict(message)

    async def mend(self, number: int, *events: Entry) -> None:
        async with self.table.writing:
            entries = self.table.game.entries
            how: EditKind = "replace" if events else "remove"
            await self.table.submit(correction(entries, number, 0, how, events))

    async def undo(self) -> None:
        async with self.table.writing:
            await self.table.submit(*undone(self.table.record.history))

    async def redo(self) -> None:
        async with self.table.writing:
            history, entries = self.table.record.history, self.table.game.entries
            await self.table.submit(*redone(history, entries))

    async def end(self) -> None:
        self.film.end()
        while not self.table.ended:
            await self.message("status")

    @property
    def in_force(self) -> list[Entry]:
        return [event.entry for event in in_force(self.table.game.entries)]


@asynccontextmanager
async def playing(
    reader: ToldReader, told: int = len(ENTRIES), before: Sequence[Entry] = ()
) -> AsyncIterator[Playing]:
    """A table whose reader tells so many lines at its first frame."""
    record, film = KeptLines(), Stepping()
    settings = TableSettings("harbin-hlr", "x", before=before)
    table = LiveTable(reader, film.frames(), record, settings)
    with table.subscribed() as page:
        running = asyncio.create_task(table.run())
        for _ in range(told):
            await asyncio.wait_for(page.messages.get(), PATIENCE_S)
        yield Playing(table, reader, record, film, page)
        film.end()
        await asyncio.wait_for(running, PATIENCE_S)


def payouts(message: dict[str, Any]) -> list[list[int]]:
    return [one["deltas"] for one in message["said"] if one["kind"] == "payout"]


@in_loop
async def test_what_follows_from_a_persons_word_is_announced_once_with_all_that_changed() -> None:
    async with playing(HearingTold(ENTRIES, FOLLOWS)) as here:
        await here.mend(6, FED)
        at_once = await here.message()
        assert here.in_force[6].event == FED.event
        assert (at_once["said"], at_once["also"]) == ([], [])
        here.film.step()
        after = await here.message()
        assert here.page.messages.empty()
        (heard,) = here.reader.heard
        assert [one.event for one in heard.own] == [FED.event]
        assert [line.event for line in bare(here.record.entries[-2:])] == [
            line.event for line in FOLLOWS
        ]
        ((*_, dai),) = payouts(after)
        assert dai == -3
        assert not [one for one in after["said"] if one["kind"] == "problem"]
        removed, paid = after["also"]
        assert [len(removed["was"]), len(removed["now"])] == [1, 0]
        assert "Anna" in str(paid["was"][0])
        assert "<b>D</b>" in str(paid["now"][0])


@in_loop
async def test_undone_at_once_nothing_is_announced_and_the_reader_hears_both() -> None:
    async with playing(HearingTold(ENTRIES)) as here:
        await here.mend(6, FED)
        await here.undo()
        assert here.in_force[6].event == ENTRIES[6].event
        messages = [await here.message(), await here.message()]
        here.film.step()
        messages.append(await here.message())
        assert here.reader.pins.own == []
        assert not [one for message in messages for one in message["said"] + message["also"]]
        assert [event.event for event in here.in_force] == [one.event for one in ENTRIES]


@in_loop
async def test_undone_later_the_first_payout_is_announced_again() -> None:
    async with playing(HearingTold(ENTRIES, FOLLOWS, BACK)) as here:
        await here.mend(6, FED)
        here.film.step()
        assert [len(payouts(await here.message())) for _ in range(2)] == [0, 1]
        await here.undo()
        here.film.step()
        assert (await here.message())["said"] == []
        message = await here.message()
        ((anna, *_),) = payouts(message)
        assert anna == -3
        assert [len(one["now"]) for one in message["also"]] == [1, 1]
        assert here.reader.heard[1].own == []
        assert [event.event for event in here.in_force] == [one.event for one in ENTRIES]


@in_loop
async def test_two_corrections_in_one_frame_are_told_together() -> None:
    async with playing(HearingTold(ENTRIES, FOLLOWS)) as here:
        await here.mend(5, Entry(Discard(2, Tile("2s"), ready=True)))
        await here.mend(6, FED)
        assert [(await here.message())["said"] for _ in range(2)] == [[], []]
        here.film.step()
        after = await here.message()
        assert len(payouts(after)) == 1
        (both,) = here.reader.heard
        assert len(both.own) == 2


@in_loop
async def test_what_was_told_before_a_persons_word_was_heard_is_told_with_it() -> None:
    late = Entry(Discard(2, Tile("4p")), t=2.05, source="camera")
    reread = Entry(Correct(13, (Entry(Discard(2, Tile("5p"))),), "reread"), source="camera")

    async with playing(HearingTold([*ENTRIES, late], [reread])) as here:
        await here.mend(12)
        here.film.step()
        while len(here.record.entries) < len(ENTRIES) + 2:
            await here.message()
        assert [event.event for event in here.in_force[-2:]] == [
            ENTRIES[11].event,
            Discard(2, Tile("5p")),
        ]


@in_loop
async def test_a_reader_that_says_nothing_holds_an_announcement_up_only_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_table, "HELD_S", 0.01)

    async with playing(HearingTold(ENTRIES, FOLLOWS)) as here:
        await here.mend(7)
        said = [await here.message(), await here.message()]
        assert [bool(message["said"]) for message in said] == [False, True]
        assert here.reader.heard == []


@in_loop
async def test_what_is_corrected_after_the_video_is_decided_again_too() -> None:
    async with playing(HearingTold(ENTRIES, FOLLOWS, BACK)) as here:
        await here.end()
        for change in (partial(here.mend, 6, FED), here.undo):
            await change()
            assert (await here.message())["said"] == []
            assert len(payouts(await here.message())) == 1
        assert [event.event for event in here.in_force] == [one.event for one in ENTRIES]


@in_loop
async def test_a_line_that_comes_with_the_last_frame_is_not_forgotten() -> None:
    async with playing(HearingTold(ENTRIES, FOLLOWS)) as here:
        here.film.end()
        await here.mend(6, FED)
        while not payouts(await here.message()):
            pass
        assert len(here.record.entries) == len(ENTRIES) + 3


@in_loop
async def test_after_a_fault_of_the_reader_people_go_on_alone() -> None:
    reader = HearingTold(ENTRIES)
    async with playing(reader) as here:
        await here.end()
        reader.broken = True
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, told: faults.append(told))
        await here.mend(7)
        assert (await here.message())["said"] == []
        assert "failed" in (await here.message("status"))["problem"]
        assert (await here.message())["said"]
        await here.undo()
        assert len(payouts(await here.message())) == 1
        assert len(faults) == 1
        assert len(here.record.entries) == len(ENTRIES) + 2


@in_loop
async def test_while_the_disk_is_full_what_follows_waits_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_table, "RETRY_S", 0.01)

    async with playing(HearingTold(ENTRIES, FOLLOWS)) as here:
        here.record.room = len(ENTRIES) + 2
        await here.mend(6, FED)
        await here.message()
        here.film.step()
        assert "No space" in (await here.message("status"))["problem"]
        with pytest.raises(OSError, match="No space"):
            await here.mend(11)
        assert here.page.messages.empty()
        here.record.room = 1000
        assert len(payouts(await here.message())) == 1
        assert here.table.problem is None
        assert len(here.record.entries) == len(ENTRIES) + 3


async def stands(here: Playing, event: Event) -> None:
    """Wait until line 6 says so: the reader hears what people say with its next frame."""
    here.film.step()
    while here.in_force[6].event != event:
        await here.message()


@pytest.mark.parametrize("kind", [ToldReader, HearingTold])
@in_loop
async def test_a_persons_word_stands_over_what_the_reader_says_without_knowing_it(
    kind: type[ToldReader],
) -> None:
    own = Entry(Correct(6, (Entry(Discard(3, Tile("8p"))),), "reread"), t=2.05, source="camera")
    fresh = Entry(Discard(2, Tile("4p")), t=2.05, source="camera")

    async with playing(kind([*ENTRIES, own, fresh])) as here:
        await here.mend(6, FED)
        here.film.step()
        while here.in_force[-1].event != fresh.event:
            await here.message()
        assert here.in_force[6].event == FED.event
        # Undone, the line says what the reader has said last; done again, what the person said.
        await here.undo()
        await stands(here, Discard(3, Tile("8p")))
        await here.redo()
        await stands(here, FED.event)
        await here.undo()
        await stands(here, Discard(3, Tile("8p")))


@pytest.mark.parametrize("number", [1, 11], ids=["an earlier hand", "this hand"])
@in_loop
async def test_a_missed_event_and_a_hand_start_are_heard(number: int) -> None:
    missed = Entry(Pung(2, 1, Tile("5m"), (Tile("5m"), Tile("5m"))), t=2.0, source="person")
    start = Entry(HandStart(dealer=2))

    async with playing(HearingTold(ENTRIES)) as here:
        async with here.table.writing:
            await here.table.submit(missed)
        await here.mend(number, start)
        here.film.step()
        for _ in range(2):
            await here.message()
        events = [one.event for one in here.reader.pins.own]
        assert {type(event) for event in events} == {Pung, HandStart}
        assert start.event in events


class Asking(HearingTold):
    """Asks whether the winning tile was Anna's."""

    def __init__(self, *replies: Sequence[Entry]) -> None:
        super().__init__(ENTRIES, *replies)
        anna = AnswerChoice((ENTRIES[7].event,), 0.6)
        place = EventPlace("laid", 0.6, change="told@7")
        self.questions = (Question(place, (anna, AnswerChoice((), 0.4)), 7),)


@pytest.mark.parametrize("choice", [0, 1], ids=["as recorded", "otherwise"])
@in_loop
async def test_an_answer_reaches_the_reader_in_one_way(choice: int) -> None:
    dai = Entry(Correct(6, (FED,), "reread"), source="camera")

    reader = Asking([dai, DAI_PAYS])
    async with playing(reader) as here:
        await here.table.answer(reader.questions[0].id, choice)
        assert here.table.questions("en") == []
        here.film.step()
        assert reader.answers == []
        if choice == 0:
            said = replace(ENTRIES[7], source="person")
            assert bare(here.record.entries[len(ENTRIES) :])[0].event == Correct(7, (said,))
            assert [one.event for one in reader.pins.own] == [said.event]
            return
        assert [len(payouts(await here.message())) for _ in range(2)] == [0, 1]
        assert [one.change for one in reader.pins.removed] == ["told@7"]


@in_loop
async def test_what_a_person_has_put_right_is_not_asked_any_more() -> None:
    async with playing(Asking([])) as here:
        assert [asked["id"] for asked in here.table.questions("en")] == ["told@7"]
        await here.mend(7)
        assert (await here.message())["questions"] == []
        await here.undo()
        assert len((await here.message())["questions"]) == 1


@in_loop
async def test_nobody_writes_without_holding_the_record() -> None:
    """Of two who write at once, the replay would lose a line, and pages wait for it for ever."""
    async with playing(HearingTold(ENTRIES)) as here:
        with pytest.raises(AssertionError, match="between"):
            await here.table.submit(FED)
        assert len(here.table.game.entries) == len(ENTRIES)


@in_loop
async def test_an_event_that_went_to_another_line_is_shown_as_one_change() -> None:
    moved = [
        Entry(Correct(7, (FED, Entry(DAI_FEEDS, change="told@8")), "reread"), source="camera"),
        Entry(Correct(8, (), "reread"), source="camera"),
    ]

    async with playing(HearingTold(ENTRIES, moved)) as here:
        await here.mend(6)
        here.film.step()
        await here.message()
        discard, win = (await here.message())["also"]
        assert [discard["was"][0][0], discard["now"][0][0]] == [
            "Anna discards",
            "<b>D</b> discards",
        ]
        assert [len(win["was"]), len(win["now"])] == [1, 1]
