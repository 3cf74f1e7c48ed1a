"""Who has won plays on in ``sichuan-xueliu``: where the tiles are, and what a record may tell."""

from __future__ import annotations

from engine.announce import Payout, Problem
from engine.events import Discard, Draw, Entry, Event, GameStart, HandStart, Kong, Position, Win
from engine.game import Game, replay
from engine.state import Phase
from engine.tile_counts import copies_named, seen_by
from engine.tiles import Tile, parse
from engine.visibility import concealed
from service.report.public import melds_of, public_table
from tests.support.cases import position

HANDS = {"0": "123m 456m 46s 99s", "2": "123p 456p 46s 22s"}
SETS = {"0": ["777m"], "2": ["999p"]}
TABLE = position(HANDS, SETS, turn=1)
FIVE = Tile("5s")


def told(*events: Event) -> Game:
    start = (GameStart("sichuan-xueliu"), HandStart(), TABLE)
    return replay([Entry(event) for event in (*start, *events)])


def test_a_tile_that_two_have_won_with_exists_once() -> None:
    state = told(Discard(1, FIVE), Win(2, 1, FIVE), Win(0, 1, FIVE)).state
    assert [player.won for player in state.players] == [(FIVE,), (), (FIVE,), ()]
    assert copies_named(state)[FIVE] == 1
    assert seen_by(state, 1)[FIVE] == 1
    assert (state.phase, state.turn, state.retired) == (Phase.TO_DRAW, 1, ())


def test_the_hand_that_won_waits_on_for_the_same_tiles() -> None:
    game = told(Discard(1, FIVE), Win(0, 1, FIVE))
    player = game.state.players[0]
    assert (len(player.hand), player.ready) == (10, True)
    assert game.rules is not None
    assert [wait.tile for wait in game.rules.waits(game.state, 0) or ()] == [FIVE]


def test_an_equal_win_is_paid_once_more() -> None:
    again = (Discard(1, FIVE), Win(0, 1, FIVE))
    rest = (Discard(seat, Tile(f"{seat}p")) for seat in (2, 3))
    game = told(*again, Discard(1, Tile("1p")), *rest, Discard(0, Tile("8p")), *again)
    payouts = [one for event in game.played for one in event.announcements if type(one) is Payout]
    assert [one.deltas for one in payouts] == [(1, -1, 0, 0), (1, -1, 0, 0)]
    assert game.state.points == (2, -2, 0, 0)


def test_the_page_shows_the_tile_beside_the_sets() -> None:
    state = told(Discard(1, FIVE), Win(0, 1, FIVE)).state
    shown = [(meld["kind"], meld["tiles"]) for meld in melds_of(state.players[0])]
    assert shown == [("pung", ["7m", "7m", "7m"]), ("flower", ["5s"])]


def test_nothing_but_the_tile_just_drawn_may_be_discarded() -> None:
    game = told(
        *(Discard(1, FIVE), Win(0, 1, FIVE), Discard(1, Tile("1p")), Discard(2, Tile("1p"))),
        *(Discard(3, Tile("1p")), Draw(0, Tile("7m"))),
    )
    regular = [event for event in game.legal() if not isinstance(event, Win)]
    assert regular == [
        Kong(0, "added", Tile("7m"), 3, (Tile("7m"),)),
        Discard(0, Tile("7m"), drawn=True),
    ]


def test_a_hand_is_not_joined_once_somebody_has_won() -> None:
    joined = Position(turn=1, won=(0,))
    game = replay([Entry(GameStart("sichuan-xueliu")), Entry(HandStart()), Entry(joined)])
    (problem,) = game.played[-1].announcements
    assert isinstance(problem, Problem)
    assert (problem.code, problem.impossible) == ("contradicts", True)


def test_the_tile_just_drawn_lies_open_to_nobody_else() -> None:
    shown = Win(0, 1, FIVE, hand=parse("123456m 46s 99s"))
    passed = (Discard(seat, Tile("1p")) for seat in (1, 2, 3))
    game = told(Discard(1, FIVE), shown, *passed, Draw(0, Tile("8p")))
    state = game.state
    assert game.rules is not None
    view = public_table(state, ("",) * 4)["players"][0]
    assert view["hand"] == [*"1m 2m 3m 4m 5m 6m 4s 6s 9s 9s".split(), "?"]
    assert (view["shown"], view["drawn"]) == (True, None)
    assert [seen_by(state, seat)[Tile("8p")] for seat in (0, 1, None)] == [1, 0, 0]
    assert Tile("8p") not in concealed(state, game.rules, 2).players[0].hand
    assert [wait.left for wait in game.rules.waits(state, 0) or ()] == [3]
