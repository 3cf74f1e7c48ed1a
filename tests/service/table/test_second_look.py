"""A table at which large payouts are read a second time before they are told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.codec import read_record
from engine.events import Correct, Discard, Entry, GameEnd, HandEnd, Position, Win
from engine.game import replay
from engine.log import in_force
from engine.tiles import parse
from service.table.live_table import LiveTable, TableSettings
from service.table.options import Options
from service.table.pictures import Pictures
from service.table.second_look import (
    MOST_RECENT,
    RECENT_APART_S,
    FramesOf,
    RecentFrames,
    SecondLook,
    different,
    of_camera,
    of_film,
    read_twice_in,
    spread,
)
from service.table.view import events_of
from service.texts.second_reading import reasons
from tests.support.live_table import KeptLines, frames, in_loop, seen, written
from tests.support.patience import PATIENCE_S
from tests.support.rehearsal_game import CHANGE, told
from tests.support.tables import SMALL_VIEW, pung
from tests.support.told_reader import ToldReader
from tests.support.twice_read import SECRET
from tests.support.won_film import ByPlace
from vision.camera.frames import Frame
from vision.camera.pictures import SourceError
from vision.decoder.decoding import Decoding
from vision.decoder.question import QuestionTile
from vision.detect import TileReader

PAYS = 3
SET, HAND = "999m", "123p 456789s 77z"
"""What was claimed, and what was won with."""
CLAIM = "told@4"
"""What the reader calls the change that shows the set."""


ROBBED = """
{"type":"game_start","rules":"hong-kong","t":0,"source":"camera"}
{"type":"hand_start","t":1,"source":"camera"}
{"type":"discard","seat":0,"tile":"9s","t":2,"source":"camera"}
{"type":"discard","seat":1,"tile":"5p","t":3,"source":"camera"}
{"type":"pung","seat":2,"from":1,"tile":"5p","own":["5p","5p"],"t":3.5,"source":"camera"}
{"type":"discard","seat":2,"tile":"1z","t":4,"source":"camera"}
{"type":"discard","seat":3,"tile":"2z","t":4.5,"source":"camera"}
{"type":"discard","seat":0,"tile":"2z","t":5,"source":"camera"}
{"type":"discard","seat":1,"tile":"3z","t":5.5,"source":"camera"}
{"type":"kong","seat":2,"kind":"added","tile":"5p","t":6,"source":"camera","change":"opened@6.0@0,1"}
{"type":"win","seat":0,"from":2,"tile":"5p","hand":["4p","6p","1m","2m","3m","4m","5m","6m","7m","8m","9m","1m","1m"],\
"t":7,"source":"camera","change":"opened@7.0@0,1"}
""".strip()
"""A win with the tile that another seat adds to its set."""


class Lying(ToldReader):
    """Tells a hand that was won, and where its tiles lie."""

    def _told(self) -> Decoding:
        told = super()._told()
        won = any(isinstance(one.event, Win) for one in told.told)
        return replace(told, lying=LYING if won else {})


def tile(place: int) -> QuestionTile:
    left, top, wide, high = 0.05 + 0.08 * place, 0.4, 0.06, 0.2
    corners = ((left, top), (left + wide, top), (left + wide, top + high), (left, top + high))
    return QuestionTile(corners, face_up=True, first_s=0.0)


LYING = {
    CLAIM: tuple(tile(at) for at in range(3)),
    CHANGE: tuple(tile(at) for at in range(11)),
}


def table_that(nets: Callable[[], TileReader] | None, least: int | None = PAYS) -> LiveTable:
    entries = read_record("\n".join(told(0.99)))
    settings = TableSettings("harbin-hlr", "camera", Options(read_twice=least), nets=nets)
    return LiveTable(Lying(entries), frames(), KeptLines(), settings)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """What the second reader sees, whatever the pictures show."""
    from vision import second_reading

    def say(hand: str) -> None:
        found = [second_reading.ReadFace(one, 0.9) for one in parse(hand)]
        monkeypatch.setattr("service.table.second_look.read_again", lambda *_: found)

    return say


def payouts(table: LiveTable) -> list[dict[str, object]]:
    return [one for one in seen(table.moment)["announced"] if one["kind"] == "payout"]


@in_loop
async def alike(table: LiveTable) -> None:
    await table.run()
    assert table.asked() == []
    assert not any("unsure" in one for one in payouts(table))
    assert [one["again"] for one in seen(table.moment)["happened"] if one["again"]] == [
        "Read twice."
    ]
    assert seen(table.moment)["read_twice"] == "Payouts of 3 or more are read twice."


def test_what_is_read_alike_is_told(reads: Callable[[str], None]) -> None:
    reads(SET + HAND)
    alike(table_that(ByPlace))


@in_loop
async def asked(table: LiveTable) -> None:
    await table.run()
    (question,) = seen(table.moment)["questions"]
    assert question["why"] == "Read again, the one of dots reads as four of dots."
    assert question["spoken"].startswith("Read again")
    (payout,) = payouts(table)
    assert payout["unsure"]
    assert str(payout["text"]).endswith(question["why"])
    assert [len(one.tiles) for one in table.asked()] == [11]
    before = table.game
    await table.answer(question["id"], 0)
    assert table.asked() == []
    assert not any("unsure" in one for one in payouts(table))
    # Undone, it is asked again: what was read stands in the record.
    number = len(table.game.entries) - 1
    await written(table, Entry(Correct(number, ()), source="person"))
    assert [one.id for one in table.asked()] == [question["id"]]
    again = LiveTable(
        ToldReader([]), frames(2), KeptLines(), replace(table.settings, before=before.entries)
    )
    assert [one.id for one in again.asked()] == [question["id"]]


def test_what_is_read_otherwise_is_asked_until_somebody_looks(
    reads: Callable[[str], None],
) -> None:
    reads(SET + HAND.replace("123p", "234p"))
    asked(table_that(ByPlace))


@in_loop
async def as_read_again(table: LiveTable) -> None:
    await table.run()
    (question,) = table.asked()
    assert [len(choice.events) for choice in question.choices] == [1, 1, 0]
    await table.answer(question.id, 1)
    every = (one.event.entry for one in table.game.played)
    (win,) = [entry for entry in every if isinstance(entry.event, Win)]
    assert win.source == "person"
    assert "4p" in str(win.event)
    assert table.asked() == []


def test_the_other_reading_can_be_chosen(reads: Callable[[str], None]) -> None:
    reads(SET + HAND.replace("123p", "234p"))
    as_read_again(table_that(ByPlace))


@in_loop
async def unseen(table: LiveTable) -> None:
    await table.run()
    (question,) = seen(table.moment)["questions"]
    assert question["why"] == "Not all of its tiles were seen a second time."


def test_what_is_not_seen_is_asked(reads: Callable[[str], None]) -> None:
    reads("")
    unseen(table_that(ByPlace))


@in_loop
async def plain(table: LiveTable) -> None:
    await table.run()
    assert table.asked() == []
    assert all(one.again is None for one in table.game.entries)


@pytest.mark.parametrize("least", [None, PAYS + 1])
def test_without_a_limit_or_below_it_no_net_is_loaded(least: int | None) -> None:
    def never() -> TileReader:
        raise AssertionError("nothing is read a second time")

    plain(table_that(never, least))


def test_of_a_hand_that_was_joined_no_other_tile_is_read_again() -> None:
    lines = read_record(ROBBED)
    change = "found@1.0@0,0"
    joined = Position(sets=((pung(0, 2, "8s"),), (), (), ()))
    lines[2] = Entry(joined, t=1.0, source="camera", change=change)
    second = SecondLook(0, ByPlace, lambda from_s, to_s: ())
    wanted = second.wanted(replay([]), lines, Decoding(lying={change: (tile(0), tile(1))}), 0)
    assert [one.lying[change] for one in wanted] == [()]


@in_loop
async def unread(table: LiveTable) -> None:
    await table.run()
    assert table.problem is None
    (question,) = seen(table.moment)["questions"]
    assert question["why"] == "Not all of its tiles were seen a second time."


def test_a_second_reading_that_fails_does_not_end_the_first(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def broken() -> TileReader:
        raise OSError("no nets")

    unread(table_that(broken))
    assert "could not be read a second time: no nets" in capfd.readouterr().err


def test_a_secret_indicator_is_not_named() -> None:
    game = replay(read_record(SECRET))
    texts = [one["again"] for one in events_of(game, "en") if one["again"]]
    assert texts == ["Read again, a tile that is still secret reads otherwise."]
    assert [*reasons(game, "en").values()] == texts


def test_the_tile_of_a_robbed_kong_is_read_where_the_kong_lies() -> None:
    lines = read_record(ROBBED)
    lying = {"opened@6.0@0,1": (tile(0), tile(1)), "opened@7.0@0,1": tuple(map(tile, range(2, 15)))}
    second = SecondLook(1, ByPlace, lambda from_s, to_s: ())
    wanted = second.wanted(replay([]), lines, Decoding(lying=lying), 0)
    assert [one.lying["opened@7.0@0,1"] for one in wanted] == [(*lying["opened@7.0@0,1"], tile(0))]


@in_loop
async def grows(table: LiveTable, corrects: Entry) -> None:
    await table.run()
    assert not any("unsure" in one for one in payouts(table))
    unread = True
    with table.subscribed() as page:
        await written(table, corrects)
        while unread:
            moment = await asyncio.wait_for(page.messages.get(), PATIENCE_S)
            every = (one.event.entry for one in moment.game.played)
            unread = any(isinstance(one.event, Win) and one.again is None for one in every)
            told = [one for one in seen(moment)["announced"] if one["kind"] == "payout"]
            assert [one.get("unsure", False) for one in told] == [unread]
    assert table.asked() == []


def test_a_payout_that_a_person_made_large_waits_for_the_second_reading(
    reads: Callable[[str], None],
) -> None:
    reads(SET + HAND)
    entries = read_record("\n".join(told(0.99)))
    thrown = entries[7].event
    assert isinstance(thrown, Discard)
    ready = replace(thrown, ready=True)  # who is ready pays for itself alone
    entries[7] = replace(entries[7], event=ready, source="camera")
    settings = TableSettings("harbin-hlr", "camera", Options(read_twice=PAYS), nets=ByPlace)
    table = LiveTable(Lying(entries), frames(), KeptLines(), settings)
    person = Entry(thrown, source="person")
    grows(table, Entry(Correct(7, (person,)), source="person"))


def test_a_payout_that_grew_keeps_what_a_person_put_right_on_its_line(
    reads: Callable[[str], None],
) -> None:
    """One undo takes it back, with what the camera wrote since."""
    reads(HAND)
    entries = read_record("\n".join(told(0.99)))
    person = Entry(GameEnd(), source="person")
    entries.append(Entry(Correct(8, (entries[8], person)), source="person"))
    second = SecondLook(PAYS, ByPlace, lambda from_s, to_s: ())
    (line,) = second.lines(replay(entries), [], Decoding(lying=LYING), 0)
    assert isinstance(line.event, Correct)
    assert (line.event.of, line.event.events[0].source) == (9, "person")
    stood = in_force([*entries, line])
    assert [one.entry.again is None for one in stood[-2:]] == [False, True]
    undone = in_force([*entries, line, Entry(Correct(9, ()), source="person")])
    assert undone == in_force(entries[:-1])


def test_a_payout_that_grew_gets_a_line_of_its_own(reads: Callable[[str], None]) -> None:
    """The win was written when it paid less."""
    reads(HAND)
    table = table_that(ByPlace)
    second = table._second
    assert second is not None
    game = replay(read_record("\n".join(told(0.99))))
    decoding = Decoding(lying=LYING)
    wanted = second.wanted(game, [], decoding, 0)
    second.read(wanted, game, 1.0)
    line, ends = second.lines(game, [Entry(HandEnd(), t=1.0)], decoding, 0)[::-1]
    assert isinstance(ends.event, HandEnd)
    assert isinstance(line.event, Correct)
    assert (line.event.of, line.event.reason, line.source) == (8, "reread", "camera")
    assert line.event.events[0].again is not None


def frame(time_s: float, size_px: tuple[int, int] = (64, 36)) -> Frame:
    return Frame(np.zeros((size_px[1], size_px[0], 3), np.uint8), time_s, round(10 * time_s))


def test_the_last_frames_are_few_and_apart() -> None:
    recent = RecentFrames()
    for step in range(200):
        recent.see(frame(0.1 * step), 100.0)
    kept = [one.time_s for one in recent.between(0.0, 1e9)]
    assert len(kept) == MOST_RECENT
    assert min(np.diff(kept)) >= RECENT_APART_S - 1e-9
    assert kept[-1] > 118
    assert recent.between(0.0, 100.0) == []


def times(frames_of: FramesOf, from_s: float, to_s: float) -> list[float]:
    """Of the frames that are read again."""
    return [one.time_s for one in different(frames_of(from_s, to_s))]


def test_no_frame_is_read_twice() -> None:
    film = of_film(lambda time_s: frame(min(round(time_s), 12)))
    assert times(film, 10.0, 12.0) == [11.0, 12.0, 10.0]
    assert times(film, 10.0, 10.0) == [11.0, 12.0, 10.0]
    assert times(lambda *_: [frame(1.0), frame(2.0), frame(1.0)], 0.0, 9.0) == [1.0, 2.0]


def test_large_frames_are_fewer() -> None:
    recent = RecentFrames()
    for step in range(4):
        recent.see(frame(float(step), (7680, 4320)), 0.0)
    assert len(recent.between(0.0, 9.0)) == 2


def test_frames_far_apart_are_read_first() -> None:
    assert spread([*range(9)])[:3] == [4, 8, 0]
    assert sorted(spread([*range(9)])) == [*range(9)]
    assert spread([]) == []
    recent = RecentFrames()
    for step in range(3):
        recent.see(frame(float(step)), 0.0)
    assert [one.time_s for one in of_camera(recent, Pictures())(0.0, 9.0)] == [1.0, 2.0, 0.0]


@pytest.mark.parametrize(
    ("line", "says"), [("", None), ("read_twice = 8000", 8000)], ids=["off", "on"]
)
def test_a_table_file_keeps_the_limit(tmp_path: Path, line: str, says: int | None) -> None:
    path = tmp_path / "table.toml"
    path.write_text(SMALL_VIEW.to_toml() + line)
    assert read_twice_in(path) == says


@pytest.mark.parametrize("wrong", ["0", "-5", '"8000"', "true", "1.5"])
def test_a_limit_that_is_none_is_refused_in_one_line(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(SMALL_VIEW.to_toml() + f"read_twice = {wrong}")
    with pytest.raises(SourceError, match=r"read_twice is a number of points above 0"):
        read_twice_in(path)
