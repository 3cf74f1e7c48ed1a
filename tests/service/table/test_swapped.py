"""A discard that was surely read, and then as surely as another tile: the table asks about it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.codec import read_record
from engine.events import Correct, Discard, Entry
from engine.game import replay
from engine.log import in_force
from engine.tiles import Tile
from service.table.live_table import LiveTable, TableSettings
from service.table.questions import swapped
from tests.support.golden import WITH_GAME
from tests.support.live_table import KeptLines, frames, in_loop
from tests.support.recorded import Recorded
from tests.support.tables import shares
from tests.support.told_reader import ToldReader
from vision.decoder.pin import Pins
from vision.tiles.classes import Side

PLACE = "put@0.2@10,100"
BEGUN = """
{"type":"game_start","rules":"harbin-hlr","source":"camera"}
{"type":"hand_start","dealer":0,"t":0.1,"source":"camera"}
"""


def line(tile: str, sure: float, t: float = 0.2) -> Entry:
    return Entry(Discard(0, Tile(tile)), t=t, confidence=sure, source="camera", change=PLACE)


def read_again(
    was: str, now: str, sure: Sequence[float] = (0.99, 0.99), reason: str = "reread"
) -> list[Entry]:
    begun = read_record(BEGUN.strip())
    told = Correct(2, (line(now, sure[1]),), reason)  # type: ignore[arg-type]
    return [*begun, line(was, sure[0]), Entry(told, t=0.6, source="camera")]


def live(entries: list[Entry]) -> LiveTable:
    settings = TableSettings("harbin-hlr", "game.mp4")
    return LiveTable(ToldReader(entries), frames(10), KeptLines(), settings)


@pytest.mark.parametrize(
    ("entries", "asked"),
    [
        (read_again("5m", "3s"), True),
        (read_again("5m", "3s", (0.99, 0.8)), False),  # the reader asks, or it is told as doubtful
        (read_again("5m", "3s", (0.8, 0.99)), False),  # it was misread
        (read_again("?", "3s"), False),
        (read_again("5m", "?"), False),
        (read_again("5m", "5m"), False),
        ([*read_again("5m", "3s"), Entry(Correct(2, (line("5m", 0.99),)), source="camera")], False),
    ],
)
def test_it_is_asked_where_both_readings_were_sure(entries: list[Entry], asked: bool) -> None:
    found = swapped(replay(entries), 0, Pins(), ())
    assert bool(found) is asked
    for question in found:
        told = [choice.events for choice in question.choices]
        assert told == [(Discard(0, Tile("3s")),), (Discard(0, Tile("5m")),)]
        assert swapped(replay(entries), 0, Pins(), [question]) == [], "once"
        assert swapped(replay(entries), len(entries), Pins(), ()) == [], "in this game"


@pytest.mark.parametrize("choice", [0, 1])
@in_loop
async def test_an_answer_settles_it(choice: int) -> None:
    table = live(read_again("5m", "3s"))
    await table.run()
    (asked,) = table.asked()
    await table.answer(asked.id, choice)
    assert table.asked() == []
    (thrown,) = [
        one.entry for one in in_force(table.game.entries) if isinstance(one.entry.event, Discard)
    ]
    assert thrown.event == Discard(0, Tile(("3s", "5m")[choice]))
    assert thrown.source == "person"


@pytest.mark.parametrize(("found_anew", "sure"), [(True, 0.98), (False, 0.98), (False, 0.999)])
@pytest.mark.parametrize("rules", WITH_GAME)
def test_a_tile_that_is_swapped_under_an_arm_is_asked_about(
    rules: str, found_anew: bool, sure: float
) -> None:
    table = Recorded(rules)
    table.deal()
    faces = ("1m", "8p", "6s", "4m", "2p", "9s", "7m", "5s")
    tiles = [table.discard(at % 4, face, at // 4, sure) for at, face in enumerate(faces)]
    table.stage.busy = frozenset({2})
    lies = table.stage.take_up(tiles[5])
    table.show(2.0)
    if found_anew:
        other = table.stage.put(0, 0, 0)
        at = {"x_mm": lies.x_mm + 3.0, "y_mm": lies.y_mm - 2.0, "turn_deg": lies.turn_deg}
        table.stage.change(other, side=Side.FACE, probabilities=shares("3s", sure), **at)
    else:
        table.stage.lay_again(lies)
        table.stage.change(tiles[5], probabilities=shares("3s", sure))
    table.stage.busy = frozenset()
    table.show(4.0)
    (question,) = swapped(replay(table.lines), 0, Pins(), ())
    assert [choice.events for choice in question.choices] == [
        (Discard(1, Tile("3s")),),
        (Discard(1, Tile("9s")),),
    ]
