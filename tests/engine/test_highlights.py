"""Which steps tell a hand, and which wins an evening: from what everybody sees alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.codec import read_record
from engine.events import Deal, Discard, Draw, DrawnHand, Event, HandStart, Position, Win
from engine.game import replay
from engine.highlights import MOST_ENDS, MOST_STEPS, WinReason, best_wins, steps_of_hand
from engine.stories import GameStory, HandStory, impossible, tell_game
from tests.support.golden import WITH_GAME, golden
from tests.support.harbin_game import ENTRIES as SHORT
from tests.support.riichi_sample import ENTRIES

GAMES = tell_game(replay(ENTRIES))


def shown(hand: HandStory) -> list[Event]:
    return [hand.happened[at].entry.event for at in steps_of_hand(hand)]


def kinds(hand: HandStory) -> list[str]:
    return [type(event).__name__ for event in shown(hand)]


def test_a_hand_is_told_from_the_deal_to_its_end() -> None:
    for hand in GAMES[0].hands:
        events = shown(hand)
        assert 3 <= len(events) <= MOST_STEPS
        assert isinstance(events[0], Deal)
        assert isinstance(events[-1], Win | DrawnHand)
        at = list(steps_of_hand(hand))
        assert at == sorted(set(at)), "in the order of play, each once"


def test_before_a_win_comes_what_brought_its_tile() -> None:
    for hand in GAMES[0].hands:
        if not hand.wins:
            continue
        *_, brought, win = shown(hand)
        assert isinstance(win, Win)
        assert isinstance(brought, Draw if win.seat == win.from_seat else Discard)
        assert (brought.seat, brought.tile) == (win.from_seat, win.tile)


def test_who_became_ready_goes_before_claims_where_there_are_too_many() -> None:
    many = GAMES[0].hands[0]
    every = [type(event.entry.event).__name__ for event in many.happened]
    assert kinds(many) == ["Deal", "Chow", "Pung", "Pung", "Discard", "Win"]
    assert every.count("Chow") + every.count("Pung") > 3, "later claims have no room"
    ready = GAMES[0].hands[6]
    assert [getattr(event, "ready", False) for event in shown(ready)] == [False, True, False, False]


def test_a_hand_that_goes_on_ends_with_the_last_discard() -> None:
    (game,) = tell_game(replay(SHORT))
    assert kinds(game.hands[0]) == ["HandStart", "Pung", "Discard", "Discard", "Win"]
    last = shown(game.hands[1])[-1]
    assert isinstance(last, Discard)
    assert str(last.tile) == "5m", "nobody discards twice"


@pytest.mark.parametrize("rules", WITH_GAME)
def test_every_hand_of_every_game_is_told(rules: str) -> None:
    for game in tell_game(replay(golden(rules))):
        for hand in game.hands:
            steps = steps_of_hand(hand)
            assert len(steps) <= MOST_STEPS
            assert bool(steps) == any(not impossible(event) for event in hand.happened)
            assert not any(impossible(hand.happened[at]) for at in steps)
            events = shown(hand)
            if events:
                assert kinds(hand).count("Win") >= min(len(hand.wins), MOST_ENDS - 1)
                assert isinstance(events[0], HandStart | Deal | Position), "the deal has a place"


def points(games: Sequence[GameStory], most: int) -> list[int]:
    return [one.points for one in best_wins(games, most)]


def test_the_wins_that_brought_most_are_shown_in_the_order_of_play() -> None:
    assert points(GAMES, 3) == [13200, 12000, 9300]
    assert points(GAMES, 1) == [13200]
    assert points(GAMES, 99) == [2000, 4500, 13200, 12000, 9300, 1100, 6400, 2000, 2600]
    best = best_wins(GAMES, 3)
    assert [one.hand.number for one in best] == [6, 7, 8]
    assert best[0].reasons == (WinReason.LARGEST, WinReason.LEAD), "nobody else led after hand 6"
    assert [one.reasons for one in best[1:]] == [(), ()]


def test_who_leads_for_good_is_known_once_the_game_is_over() -> None:
    (unfinished,) = tell_game(replay(ENTRIES[:-1]))
    reasons = [one.reasons for one in best_wins([unfinished], 3)]
    assert reasons == [(WinReason.LARGEST,), (), ()]
    (only,) = best_wins(tell_game(replay(SHORT)), 9)
    assert only.reasons == (), "the only win is not called the largest"


def test_of_level_wins_the_earlier_is_taken() -> None:
    twice = (*GAMES, *tell_game(replay(ENTRIES)))
    one, other = best_wins(twice, 2)
    assert (one.points, other.points) == (13200, 13200)
    assert one.game is twice[0]
    assert other.game is twice[1]
    (alone,) = best_wins(twice, 1)
    assert alone.game is twice[0]


def test_by_other_rules_a_win_counts_beside_the_largest_of_its_own() -> None:
    mixed = (*GAMES, *tell_game(replay(SHORT)))
    assert points(mixed, 2) == [13200, 5]


def test_what_may_not_be_shown_is_not_chosen() -> None:
    largest = best_wins(GAMES, 1)[0].event
    (next_one,) = best_wins(GAMES, 1, lambda event: event is not largest)
    assert (next_one.points, next_one.reasons) == (12000, ())
    assert best_wins(GAMES, 5, lambda event: False) == ()


def test_the_largest_that_is_shown_is_not_called_the_largest_of_all() -> None:
    largest = best_wins(GAMES, 1)[0].event
    shown = best_wins(GAMES, 99, lambda event: event is not largest)
    assert not [one for one in shown if WinReason.LARGEST in one.reasons]
    assert [one.points for one in shown] == [2000, 4500, 12000, 9300, 1100, 6400, 2000, 2600]


KONG_WIN = """\
{"type":"game_start","rules":"riichi-2016","t":0}
{"type":"hand_start","t":1}
{"type":"deal","seat":0,"tiles":["1m","1m","1m","1m","2p","3p","4p","5p","6p","7p","8s","8s","8m"],"t":2}
{"type":"draw","seat":0,"tile":"9m","t":3}
{"type":"kong","seat":0,"kind":"closed","tile":"1m","t":4}
{"type":"draw","seat":0,"tile":"7m","t":5}
{"type":"win","seat":0,"from":0,"tile":"7m","t":6}
"""


def test_a_win_by_the_tile_of_a_kong_says_so() -> None:
    (game,) = tell_game(replay(read_record(KONG_WIN)))
    assert kinds(game.hands[0]) == ["Deal", "Kong", "Draw", "Win"]
    (best,) = best_wins([game], 9)
    assert WinReason.KONG in best.reasons
    assert WinReason.KONG not in {reason for one in best_wins(GAMES, 9) for reason in one.reasons}
