"""The end of a hand that may be paid wrong is asked: a fifth copy, an indicator, a refused win."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.events import Discard, Event, Indicator, Reveal, Win
from engine.tiles import COPIES, UNKNOWN, Tile, parse
from tests.support.recorded import Recorded
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


def ready_and_drawn(turned_up: bool) -> Recorded:
    """Seat 1 has claimed ready and wins by its own draw."""
    table = Recorded("harbin-treasure")
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
    table.plays((3, "2m"), (0, "8p"), (1, "7m"), place=2)
    table.stage.take(*row)
    table.stage.lay(2, "123m 456p 78s 11s 9s", -190, apart_mm=20.0)
    table.show(5.0)
    assert isinstance(table.hand[-1], Win), table.hand
    return table


@pytest.mark.parametrize("turned_up", [False, True])
def test_a_win_by_own_draw_is_asked_where_nobody_saw_the_treasure(turned_up: bool) -> None:
    """It pays another win where the drawn tile is the treasure."""
    table = ready_and_drawn(turned_up)
    won = table.hand[-1]
    table.clear()
    asked = [one for one in table.decoder.questions() if won in offered(one)]
    treasure = [event for one in asked for event in offered(one) if isinstance(event, Indicator)]
    assert treasure == ([] if turned_up else [Indicator(UNKNOWN, "treasure")])
