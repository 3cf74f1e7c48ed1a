"""What people write of the start and the end of hands: both are decoded again with it."""

from __future__ import annotations

import pytest

from engine.events import (
    Correct,
    Discard,
    DrawnHand,
    Entry,
    Event,
    Foul,
    HandEnd,
    HandStart,
    Position,
    Win,
)
from engine.state import Phase
from engine.tiles import Tile
from tests.support.recorded import Recorded, in_rows
from tests.support.tables import discards, pung, won

# --- other hands ---


def two_hands(table: Recorded) -> list[Event]:
    """A hand of eight discards that nobody won, and the first discards of the next."""
    for turn in range(8):
        table.discard(turn % 4, f"{turn + 1}m", turn // 4)
    table.clear()
    table.deal(dealer=1)
    table.plays((1, "9p"), (2, "3s"), (3, "7z"))
    return table.hand


def test_a_correction_in_an_earlier_hand_keeps_the_present_one(table: Recorded) -> None:
    now = two_hands(table)
    assert now == discards((1, "9p"), (2, "3s"), (3, "7z"))
    assert table.correct(table.number(Discard(2, Tile("7m"))), Discard(2, Tile("7p"))) == []
    assert table.hand == now
    assert Discard(2, Tile("7p")) in table.events
    table.discard(0, "2s")
    assert table.hand == [*now, Discard(0, Tile("2s"))]
    table.check()


def test_who_deals_now_follows_from_how_the_last_hand_is_said_to_have_ended() -> None:
    """In Harbin the dealer stays after a draw by another reason; the present hand is kept."""
    table = Recorded("riichi")
    table.deal()
    two_hands(table)
    drawn = next(event for event in table.events if isinstance(event, DrawnHand))
    number = table.number(drawn)
    assert isinstance(table.events[table.events.index(drawn) + 1], HandEnd)
    table.correct(number, DrawnHand("exhausted"))
    table.check()
    assert sum(isinstance(event, HandStart) for event in table.events) == 2


# --- how a hand begins ---


@pytest.mark.parametrize(
    ("rules", "late"), [("harbin-hlr", False), ("riichi", False), ("harbin-hlr", True)]
)
def test_a_person_says_who_deals(rules: str, late: bool) -> None:
    """One tile too many was counted before seat 0; seat 1 has dealt."""
    table = Recorded(rules)
    table.deal()
    if late:
        table.discard(1, "9p")
    start = next(event for event in table.events if isinstance(event, HandStart))
    assert start.dealer == 0
    said = HandStart(dealer=1)
    table.correct(table.number(start), said)
    if not late:
        table.discard(1, "9p")
    table.discard(2, "3s")
    assert table.events == [said, *discards((1, "9p"), (2, "3s"))]
    table.check()


def test_rounds_and_counters_that_a_person_sets_hold() -> None:
    table = Recorded("riichi")
    table.deal()
    (start,) = table.events
    said = HandStart(dealer=2, round=Tile("2z"), honba=3, deposits=1)
    table.correct(table.number(start), said)
    table.plays((2, "1m"), (3, "9p"))
    assert table.events == [said, *discards((2, "1m"), (3, "9p"))]
    state = table.state
    assert (state.round, state.honba, state.pot) == ("2z", 3, 1000)
    table.check()


def joined(rules: str) -> Recorded:
    """A table that has just been dealt, on which two faces lie that were taken for discards."""
    table = Recorded(rules)
    for seat in range(4):
        table.stage.stand(seat, 14 if seat == 0 else 13)
    for place, (seat, face) in enumerate(((1, "5p"), (2, "0p"))):
        table.put(seat, face, place)
    table.show(16.0)
    assert isinstance(table.hand[0], Position)
    return table


@pytest.mark.parametrize("rules", ["harbin-hlr", "riichi"])
def test_a_person_says_that_a_hand_has_just_been_dealt(rules: str) -> None:
    """The position comes back when that is undone."""
    table = joined(rules)
    position = table.hand[0]
    table.correct(table.number(position))
    assert table.hand == []
    table.undo()
    assert table.hand == [position]
    table.undo()
    assert table.hand == []
    dealer = table.state.dealer
    thrown = [((dealer + turn) % 4, face) for turn, face in enumerate(("1m", "9p", "3s", "7z"))]
    table.plays(*thrown, place=6)
    assert table.hand == discards(*thrown)
    table.check()


# --- how a hand ends ---


def won_by_draw(table: Recorded, seat: int) -> Win:
    """A hand of a seat laid open with the tile that it drew apart; what is told of it."""
    table.stage.stand(seat, 0)
    table.stage.lay(seat, "123m 456p 789s 23s 99p 4s", -200, apart_mm=20)
    table.show(8.0)
    win = table.hand[-1]
    assert won(win) == (seat, seat, "4s")
    assert isinstance(win, Win)
    return win


def test_a_win_that_a_person_removes_was_a_hand_that_was_only_shown() -> None:
    table = in_rows()
    table.discard(0, "1m")
    win = won_by_draw(table, 1)
    table.correct(table.number(win))
    assert table.hand == discards((0, "1m"))
    assert table.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD)
    table.check()
    table.undo()
    assert table.hand[-1] == win
    table.check()


def test_from_whom_a_hand_won_is_put_right() -> None:
    table = in_rows()
    table.discard(0, "4s")
    win = won_by_draw(table, 1)
    claimed = Win(1, 0, Tile("4s"), win.hand)
    table.correct(table.number(win), claimed)
    assert table.hand == [Discard(0, Tile("4s")), claimed]
    table.clear()
    assert table.hand[:2] == [Discard(0, Tile("4s")), claimed]
    assert table.events[-1] == HandEnd()
    table.check()


@pytest.mark.parametrize("rules", ["hangzhou", "wsom", "riichi"])
def test_a_win_that_nobody_saw_ends_the_hand_when_a_person_adds_it(rules: str) -> None:
    """In Harbin one who is not ready cannot win, and the hand would go on."""
    table = Recorded(rules)
    table.deal()
    thrown = ((0, "1m"), (1, "9p"), (2, "3s"))
    table.plays(*thrown)
    win = Win(3, 3, Tile("2p"))
    table.write(win)
    assert table.hand == [*discards(*thrown), win]
    table.clear()
    assert table.hand[-2:] == [win, HandEnd()]
    table.deal(dealer=3)
    table.check()


def test_readiness_that_a_person_adds_stays(table: Recorded) -> None:
    table.discard(0, "1m")
    ready = Discard(0, Tile("1m"), ready=True)
    table.correct(table.number(Discard(0, Tile("1m"))), ready)
    table.discard(1, "9p")
    assert table.hand == [ready, Discard(1, Tile("9p"))]
    assert table.state.players[0].ready


def test_readiness_that_a_person_takes_away_is_not_told_again() -> None:
    """Thirteen backs lie before seat 1 as if its hand were laid down."""
    table = Recorded("harbin-hlr")
    table.deal()
    table.plays((0, "1m"), (1, "9p"))
    table.stage.stand(1, 0)
    table.stage.lay(1, "?" * 13, -190)
    table.show(4.0)
    claimed, plain = Discard(1, Tile("9p"), ready=True), Discard(1, Tile("9p"))
    assert table.hand[-1] == claimed
    table.correct(table.number(claimed), plain)
    table.plays((2, "3s"), (3, "2m"), (0, "8p"), place=1)
    assert table.hand[1:] == [plain, *discards((2, "3s"), (3, "2m"), (0, "8p"))]
    table.check()


# --- again and again ---


def test_a_record_is_continued_with_its_corrections() -> None:
    """The program begins again; a line of the time before is corrected and undone then."""
    table = Recorded()
    table.deal()
    table.plays((0, "1m"), (1, "9p"), (2, "3s"))
    table.correct(table.number(Discard(1, Tile("9p"))), Discard(1, Tile("8p")))
    table.restart()
    table.show(4.0)
    assert table.hand == discards((0, "1m"), (1, "8p"), (2, "3s"))
    table.undo()
    table.show(2.0)
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"))
    table.correct(table.number(Discard(2, Tile("3s"))), Discard(2, Tile("4s")))
    table.discard(3, "2m", 3)
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "4s"), (3, "2m"))
    table.check()


CANNOT_BE: dict[str, Event] = {
    "no such line": Correct(999, ()),
    "a claim of nothing": pung(2, 3, "9s"),
    "an end without a win": HandEnd(),
    "no game": Correct(0, ()),
    "no hand": Correct(1, ()),
    "a claim in place of the game": Correct(0, (Entry(pung(2, 3, "9s"), source="person"),)),
}


@pytest.mark.parametrize("name", CANNOT_BE)
def test_what_cannot_be_stops_nothing_and_is_taken_back(table: Recorded, name: str) -> None:
    line = CANNOT_BE[name]
    table.discard(0, "1m")
    before = table.events
    table.write(line)
    number = max(at for at, one in enumerate(table.lines) if one.event == line)
    table.show(1.0)
    table.decoder.questions()
    table.correct(number)
    table.show(1.0)
    assert table.events == before
    table.discard(1, "9p")
    assert table.events == [*before, Discard(1, Tile("9p"))]
    table.check()


def test_a_game_whose_start_is_replaced_late_stops_nothing() -> None:
    table = in_rows()
    table.discard(0, "1m")
    foul = Foul(1, "two_discards", (Tile("9p"),))
    table.correct(table.number(Discard(0, Tile("1m"))), Discard(0, Tile("1m")), foul)
    table.clear()
    table.deal(dealer=1)
    table.discard(1, "3s")
    before = table.events
    table.correct(0, Discard(0, Tile("6p")))
    table.show(1.0)
    table.undo()
    table.show(1.0)
    assert table.events == before
