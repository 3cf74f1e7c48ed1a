"""A record's games, hands and seats as rows."""

from __future__ import annotations

import pytest

from engine.codec import read_record
from engine.game import replay
from engine.results import SeatCounts, played_game, played_games
from engine.stories import tell_game
from tests.support.golden import WITH_GAME, golden
from tests.support.paths import GAMES

GAME = tell_game(replay(read_record((GAMES / "riichi-tenhou.jsonl").read_text("utf-8"))))[0]


def test_hands_are_counted_as_they_came_out() -> None:
    counts = [seat.counts for seat in played_game(GAME).seats]
    wins = [win for hand in GAME.hands for win in hand.wins]
    assert sum(one.wins for one in counts) == len(wins)
    assert sum(one.self_draws for one in counts) == sum(win.from_seat == win.seat for win in wins)
    assert sum(one.dealt_in for one in counts) == sum(win.from_seat != win.seat for win in wins)
    assert {one.hands for one in counts} == {len(GAME.hands)}
    for seat, one in enumerate(counts):
        won = [hand for hand in GAME.hands if any(win.seat == seat for win in hand.wins)]
        assert one.won_points == sum(hand.deltas[seat] for hand in won)
        fed = [hand for hand in GAME.hands if any(w.from_seat == seat != w.seat for w in hand.wins)]
        assert one.paid_points == -sum(hand.deltas[seat] for hand in fed)
    assert sum((one for one in counts), SeatCounts()).ready == sum(one.ready for one in counts) > 0


@pytest.mark.parametrize("name", WITH_GAME)
def test_rows_add_up_to_what_the_game_says(name: str) -> None:
    stories = tell_game(replay(golden(name)))
    for story, game in zip(stories, played_games(stories), strict=True):
        assert game.is_over == (story.result is not None)
        assert game.last_line == story.happened[-1].number
        if story.result is not None:
            assert tuple(seat.place for seat in game.seats) == story.result.places
        start = story.happened[0].state.points
        assert [seat.points for seat in game.seats] == [
            end - begun for end, begun in zip(story.points, start, strict=True)
        ]
        for hand, told in zip(game.hands, story.hands, strict=True):
            assert [seat.points for seat in hand.seats] == list(told.deltas)
            assert {seat.seat for seat in hand.seats if seat.won} == {w.seat for w in told.wins}
            assert (hand.outcome == "win") == bool(told.wins)
            assert all(bool(seat.patterns) <= seat.won for seat in hand.seats)


def test_a_game_that_is_not_over_has_no_places_and_counts_its_hands() -> None:
    lines = read_record((GAMES / "riichi-tenhou.jsonl").read_text("utf-8"))
    (game,) = played_games(tell_game(replay(lines[:-1])))
    assert not game.is_over
    assert [seat.place for seat in game.seats] == [None] * 4
    assert {seat.counts.hands for seat in game.seats} == {len(game.hands)}
