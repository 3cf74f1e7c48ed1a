"""What may follow a claim, and what was meant by one that cannot be."""

from __future__ import annotations

from engine.announce import Problem
from engine.events import Chow, Discard, Entry, GameStart, HandStart, Pung, Win
from engine.game import Game
from engine.tiles import Tile


def test_the_chow_of_the_same_ranks_is_the_likeliest_where_the_discard_is_of_another_suit() -> None:
    game = Game()
    for event in (GameStart("harbin-hlr"), HandStart(), Discard(0, Tile("5p"))):
        game.submit(Entry(event))
    said = game.submit(Entry(Chow(1, 0, Tile("5s"), (Tile("4s"), Tile("6s")))))
    ways = [way for one in said if isinstance(one, Problem) for way in one.suggestions]
    assert [entry.event for entry in ways[0]] == [Chow(1, 0, Tile("5p"), (Tile("4p"), Tile("6p")))]


def test_nobody_wins_by_own_draw_on_the_tiles_left_after_a_claim() -> None:
    game = Game()
    for event in (
        GameStart("harbin-hlr"),
        HandStart(dealer=0),
        Discard(0, Tile("3m")),
        Pung(1, 0, Tile("3m"), (Tile("3m"), Tile("3m")), ready=True),
    ):
        game.submit(Entry(event))
    assert not [move for move in game.legal() if isinstance(move, Win)]
    said = game.submit(Entry(Win(1, 1, Tile("6m"))))
    assert [(one.code, one.follows) for one in said if isinstance(one, Problem)] == [
        ("out_of_turn", "not_to_win")
    ]
    assert game.state.winners == ()
