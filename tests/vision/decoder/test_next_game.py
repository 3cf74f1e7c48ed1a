"""One evening at one table: a person ends a game, and the next one begins with the next deal."""

from __future__ import annotations

import pytest

from engine.corrections import EditHistory, next_game, undone
from engine.errors import Refused
from engine.events import Discard, DrawnHand, GameEnd, GameStart, HandEnd, HandStart
from engine.game import replay
from engine.log import in_force
from tests.support.recorded import Recorded, in_rows
from tests.support.tables import discards

PLAYERS = ("Anna", "Bo", "Chie", "Eve")
GAMES = [GameStart, HandStart, Discard, Discard, DrawnHand, HandEnd, GameEnd, GameStart, HandStart]


def kinds(table: Recorded) -> list[type]:
    return [type(event.entry.event) for event in in_force(table.lines)]


def begin(table: Recorded) -> None:
    for line in next_game(replay(table.lines), PLAYERS, None):
        table.lines += [line, *table.decoder.write(line)]


@pytest.mark.parametrize("tapped", ["at the result", "at a bare table", "after the deal"])
def test_the_next_game_begins_with_the_next_deal(tapped: str) -> None:
    table = in_rows()
    table.discard(0, "3s")
    table.discard(1, "4p")
    table.write(DrawnHand("exhausted"))
    if tapped == "at the result":
        begin(table)
    table.clear()
    for seat in range(4):
        table.stage.stand(seat, 0)
    table.show(3.0)
    if tapped == "at a bare table":
        begin(table)
    table.deal(2)
    if tapped == "after the deal":
        begin(table)
        table.show(1.0)
    assert [kind for kind in kinds(table) if kind is not HandEnd] == [
        kind for kind in GAMES if kind is not HandEnd
    ]
    table.discard(2, "5z")
    table.discard(3, "6z")
    state = replay(table.lines).state
    assert (state.dealer, state.hand_number, state.names) == (2, 1, PLAYERS)
    assert table.hand == discards((2, "5z"), (3, "6z"))
    table.restart()
    table.show(3.0)
    table.discard(0, "7z")
    assert table.hand == discards((2, "5z"), (3, "6z"), (0, "7z"))


def test_a_game_of_which_only_the_first_hand_is_dealt_does_not_end() -> None:
    table = in_rows()
    with pytest.raises(Refused, match="no hand has been played"):
        next_game(replay(table.lines), None, None)


def test_the_next_game_is_undone_at_once() -> None:
    table = in_rows()
    table.discard(0, "3s")
    table.write(DrawnHand("exhausted"))
    table.clear()
    before = kinds(table)
    begin(table)
    for line in undone(EditHistory(table.lines)):
        table.lines += [line, *table.decoder.write(line)]
    assert kinds(table) == before
