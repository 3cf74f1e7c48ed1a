"""A record is told in games and hands, every announcement with the event that caused it."""

from __future__ import annotations

from engine.announce import Payout
from engine.codec import read_record
from engine.game import replay
from service.report.story import tell
from tests.support.harbin_game import ENTRIES, RECORD


def test_nothing_is_lost_or_told_twice() -> None:
    (game,) = tell(ENTRIES)
    assert [event.number for event in game.happened] == list(range(len(ENTRIES)))
    said = [one for event in game.happened for one in event.said]
    assert said == list(replay(ENTRIES).announcements())


def test_events_keep_the_numbers_of_their_lines_after_a_correction() -> None:
    lines = RECORD + '{"type":"correct","of":2,"events":[]}\n'
    (game,) = tell(read_record(lines))
    assert 2 not in [event.number for event in game.happened]
    win = next(event for event in game.happened if event.number == 8)
    (payout,) = (one for one in win.said if isinstance(one, Payout))
    assert payout.of == 8


def test_names_fall_back_to_seats() -> None:
    first, *others = RECORD.splitlines()
    nameless = '{"type":"game_start","rules":"harbin-hlr","players":["Anna","","",""]}'
    (game,) = tell(read_record("\n".join([nameless, *others])))
    assert game.names == ("Anna", "Seat 1", "Seat 2", "Seat 3")
    assert "Anna" in first


def test_hands_know_their_dealer_and_how_they_ended() -> None:
    (game,) = tell(ENTRIES)
    first, second = game.hands
    assert (first.dealer, second.dealer) == (0, 1)
    assert [win.seat for win in first.wins] == [2]
    assert (second.wins, second.drawn) == ((), None)
    assert game.result is None
