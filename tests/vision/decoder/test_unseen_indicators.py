"""What lies under the indicators counts for a ready hand that wins: it is asked where unseen."""

from __future__ import annotations

import pytest

from engine.events import Indicator, Win
from engine.tiles import UNKNOWN, Tile
from tests.support.recorded import Recorded
from tests.support.tables import shares
from vision.tiles.classes import Side


def ready_and_won(ready: bool) -> tuple[Recorded, list[int]]:
    """Seat 0 has won with its own draw; the tiles of the dead wall."""
    table = Recorded("riichi")
    stage = table.stage
    wall = stage.lay(2, "?" * 8, -200, out_mm=245)
    table.deal()
    stage.change(wall[3], side=Side.FACE, probabilities=shares("3p", 0.999), first_s=stage.time_s)
    table.show(3.0)
    stage.busy = frozenset({0})
    table.show(0.4)
    tile = table.put(0, "1z")
    if ready:
        stage.change(tile, turn_deg=90.0)
    stage.stand(0, 13)
    table.show(0.4)
    stage.busy = frozenset()
    table.show(3.0)
    table.plays((1, "9p"), (2, "3s"), (3, "7m"))
    stage.stand(0, 0)
    stage.lay(0, "123m 234p 789s 45p 99m 6p", -190, apart_mm=20.0)
    table.show(5.0)
    assert isinstance(table.hand[-1], Win)
    return table, wall


def covered_until_the_next_deal(table: Recorded) -> None:
    table.stage.time_s += 60.0
    table.clear()
    table.deal(dealer=0)


@pytest.mark.parametrize("ready", [True, False])
def test_the_payment_of_a_ready_hand_is_asked_where_nobody_saw_what_was_turned_up(
    ready: bool,
) -> None:
    table, _ = ready_and_won(ready)
    won = table.hand[-1]
    assert table.decoder.questions() == []
    covered_until_the_next_deal(table)
    asked = table.decoder.questions()
    assert len(asked) == ready
    for question in asked:
        told, more, _ = (choice.events for choice in question.choices)
        assert (told, more) == ((won,), (won, Indicator(UNKNOWN, "ura_dora")))
        table.lines += table.decoder.answer(Recorded.answer_of(question, 1))
        assert table.decoder.questions() == []
        assert Indicator(UNKNOWN, "ura_dora") in table.events
    table.check()


def test_what_was_turned_up_in_sight_is_not_asked() -> None:
    table, wall = ready_and_won(ready=True)
    at_s = table.stage.time_s
    table.stage.take(wall[3])
    under = table.stage.put(2, -104, 200, "6z")
    table.stage.change(under, first_s=at_s + 0.2)
    table.show(4.0)
    told = table.events
    assert told[-1] == Indicator(Tile("6z"), "ura_dora")
    covered_until_the_next_deal(table)
    assert table.decoder.questions() == []
    assert table.events[: len(told)] == told, "cleared away, its tiles tell nothing anew"


@pytest.mark.parametrize("drawn", [True, False])
def test_an_open_indicator_that_nobody_saw_is_asked_for_every_win(drawn: bool) -> None:
    table = Recorded("riichi")
    table.deal()
    table.plays((0, "1z"), (1, "9p"), (2, "3s"))
    tile = table.discard(3, "7z" if drawn else "6p")
    if not drawn:
        table.stage.take(tile)
    table.stage.stand(0, 0)
    table.stage.lay(0, "123m 234p 789s 45p 99m 6p", -190, apart_mm=20.0)
    table.show(5.0)
    won = table.hand[-1]
    assert isinstance(won, Win)
    covered_until_the_next_deal(table)
    (question,) = table.decoder.questions()
    assert question.choices[1].events == (Indicator(UNKNOWN, "dora"), won)
    table.lines += table.decoder.answer(Recorded.answer_of(question, 1))
    assert table.decoder.questions() == []
    table.check()
