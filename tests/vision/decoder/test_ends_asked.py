"""The end of a hand that may be paid wrong is asked: a fifth copy, an indicator, a refused win."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from games.recorded import RecordedDecoder

from engine.events import Discard, Entry, Event, GameStart, Indicator, Reveal, Win
from engine.tiles import COPIES, UNKNOWN, Tile, parse
from tests.support.recorded import Recorded
from tests.support.tables import VIEW
from vision.decoder.question import Question

THROWN = ["9s"] * COPIES + [
    *(f"{rank}m" for rank in range(1, 10) for _ in range(3)),
    *(f"{rank}p" for rank in range(1, 10) for _ in range(2)),
    *(f"{rank}s" for rank in range(1, 7)),
]
"""The discards of a hand in which the wall is used up; one 9s is another tile."""
SHOWN = "234567m 234567p 9s"


def offered(question: Question) -> list[Event]:
    return [event for choice in question.choices for event in choice.events]


def about(questions: Sequence[Question], kind: type[Event]) -> list[Question]:
    return [one for one in questions if any(isinstance(event, kind) for event in offered(one))]


def drawn_out() -> Recorded:
    """All tiles of the wall are drawn and discarded."""
    table = Recorded("sichuan")
    table.deal()
    for number, face in enumerate(THROWN):
        table.stage.put(2, -300 + 31 * (number % 20), 90 + 42 * (number // 20), face)
        table.show(1.0)
    return table


def test_a_shown_hand_with_a_fifth_copy_is_told_and_asked() -> None:
    """One of five tiles was misread; what the hand waits for is paid in this game."""
    table = drawn_out()
    table.stage.stand(1, 0)
    table.stage.lay(1, SHOWN, -190)
    table.show(6.0)
    shown = Reveal(1, parse(SHOWN.replace(" ", "")))
    assert shown in table.hand
    named = [event.tile for event in table.hand if isinstance(event, Discard)]
    assert named.count(Tile("9s")) == COPIES - 1
    (question,) = about(table.decoder.questions(), Reveal)
    assert shown in offered(question)
    assert () in [choice.events for choice in question.choices]
    table.check()


def ready_and_drawn(turned_up: bool, hand: str = "123m 456p 78s 11s 9s") -> Recorded:
    """Seat 2 has claimed ready and wins by its own draw."""
    return ready_and_won(Recorded("harbin-treasure"), turned_up, hand)


def ready_and_won(
    table: Recorded, turned_up: bool, hand: str, *, discarded: bool = False
) -> Recorded:
    wall = [table.stage.put(0, 31 * place, 270) for place in range(4)]
    table.deal()
    table.show(3.0)
    table.plays((0, "1m"))
    table.claim(table.discard(1, "9p"), 2, "999p", lasts_s=3.0)
    table.plays((2, "3s"), place=1)
    table.stage.stand(2, 0)
    row = table.stage.lay(2, "?" * 10, -190)
    table.show(4.0)
    assert table.hand[-1] == Discard(2, Tile("3s"), ready=True)
    if turned_up:
        table.stage.take(wall[1])
        table.stage.put(0, 31, 270, "7z")
        table.show(4.0)
    table.plays((3, "2m"), (0, "8p"), place=2)
    last = table.discard(1, hand[-2:] if discarded else "7m", 2)
    table.stage.take(*row, *([last] if discarded else ()))
    table.stage.lay(2, hand, -190, apart_mm=20.0)
    table.show(5.0)
    assert isinstance(table.hand[-1], Win), table.hand
    return table


def of_treasure(table: Recorded, won: Event) -> list[Question]:
    """The questions what an indicator adds to this win."""
    return [one for one in about(table.decoder.questions(), Indicator) if won in offered(one)]


@pytest.mark.parametrize("turned_up", [False, True])
def test_a_win_by_own_draw_is_asked_where_nobody_saw_the_treasure(turned_up: bool) -> None:
    """It pays another win where the drawn tile is the treasure."""
    table = ready_and_drawn(turned_up)
    won = table.hand[-1]
    table.stage.time_s += 60.0
    table.clear()
    treasure = [
        event
        for one in of_treasure(table, won)
        for event in offered(one)
        if isinstance(event, Indicator)
    ]
    assert treasure == ([] if turned_up else [Indicator(UNKNOWN, "treasure")])


def test_a_win_by_own_draw_is_not_asked_where_no_treasure_was_turned_up_in_sight() -> None:
    """Whoever wins by it turns it up to be paid."""
    table = ready_and_drawn(turned_up=False)
    won = table.hand[-1]
    table.clear()
    assert of_treasure(table, won) == []


def test_a_win_that_only_the_treasure_makes_is_asked_where_it_was_not_read() -> None:
    """The drawn tile completes nothing."""
    table = ready_and_drawn(turned_up=False, hand="123m 456p 78s 11s 5s")
    won = table.hand[-1]
    table.clear()
    assert len(of_treasure(table, won)) == 1


def test_a_win_by_discard_that_only_the_treasure_makes_is_asked_where_it_was_not_read() -> None:
    """An option lets a discarded treasure win, too."""
    table = Recorded("harbin-treasure")
    table.lines = [Entry(GameStart("harbin-treasure", {"discarded_treasure": True}))]
    table.decoder = RecordedDecoder("harbin-treasure", VIEW, before=table.lines)
    ready_and_won(table, turned_up=False, hand="123m 456p 78s 11s 5s", discarded=True)
    won = table.hand[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat) == (2, 1)
    table.clear()
    assert len(of_treasure(table, won)) == 1
