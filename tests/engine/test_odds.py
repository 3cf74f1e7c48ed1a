"""What a discard may bring is told from what its seat sees, and follows the facts of the table."""

from __future__ import annotations

from functools import cache

import pytest

from engine.events import Deal, Discard, Draw, GameStart, HandStart
from engine.evolve import evolve
from engine.game import Game
from engine.odds.curves import fitted
from engine.odds.danger import ALL, PLACE, Table, opponent, shapes_left, weight_of
from engine.odds.prospects import Prospect, dealing_in, prospects, table_seen
from engine.play import hidden, with_player
from engine.rules import GAMES, RULE_SETS
from engine.rules.waits import never_won_on
from engine.state import Discarded, Meld, Phase, Player, SetKind, State
from engine.tiles import KINDS, UNKNOWN, Tile, parse
from tests.support.random_games import played
from tests.support.riichi_sample import ENTRIES

FULL = (4,) * len(KINDS)
LOSSES = fitted("riichi")


@cache
def decided() -> tuple[State, ...]:
    """States of the sample game in which a seat chooses its discard."""
    game, found = Game(), []
    for entry in ENTRIES:
        game.submit(entry)
        state = game.state
        player = state.players[state.turn]
        if state.phase is Phase.TO_DISCARD and player.known and not player.ready:
            found.append(state)
    return tuple(found)


def told(state: State) -> tuple[Prospect, ...]:
    rules = RULE_SETS[state.rules]
    return prospects(rules, state, rules.hint(state, state.turn))


def risk(of: str, river: str, unseen: tuple[int, ...] = FULL, ready: bool = True) -> float:
    """The risk of a tile to one seat that has discarded these, without dora."""
    thrown = tuple(
        Discarded(each, ready=ready and not place) for place, each in enumerate(parse(river))
    )
    player = Player(river=thrown, ready=ready)
    state = evolve(State(rules="riichi"), players=(Player(), player, Player(), Player()))
    barred = frozenset(one.tile for one in thrown)
    one = opponent(state, 1, unseen, barred, {}, 40)
    table = Table(unseen, {}, frozenset(), (one,), 40)
    return dealing_in(LOSSES, table, Tile(of))[0]


def without(kind: str, copies: int) -> tuple[int, ...]:
    """What is unseen when so many copies of a kind are seen."""
    unseen = list(FULL)
    unseen[PLACE[Tile(kind)]] -= copies
    return tuple(unseen)


def test_chances_are_chances_and_the_best_comes_first() -> None:
    for state in decided()[::7]:
        rows = told(state)
        assert {row.tile for row in rows} <= set(state.players[state.turn].hand)
        assert all(0 <= row.risk <= 1 and 0 <= row.win <= 1 for row in rows)
        assert all(row.points > 0 and row.loss >= 0 for row in rows)
        assert [row.change for row in rows] == sorted((row.change for row in rows), reverse=True)


def test_hidden_hands_change_nothing() -> None:
    for state in decided()[::23]:
        covered = state
        for seat, player in enumerate(state.players):
            if seat != state.turn:
                covered = with_player(covered, seat, hand=hidden(len(player.hand)))
        assert told(covered) == told(state)


def test_what_a_ready_seat_discarded_or_let_pass_it_cannot_win_on() -> None:
    found = 0
    for state in decided():
        rules = RULE_SETS[state.rules]
        table = table_seen(rules, state, state.turn)
        for one in table.opponents:
            alone = evolve(table, opponents=(one,))
            safe = {thrown.tile.kind for thrown in state.players[one.seat].river}
            assert safe <= one.barred
            for tile in one.barred:
                found += one.ready
                assert dealing_in(LOSSES, alone, tile) == (0, 0)
    assert found > 20


@pytest.mark.parametrize(
    ("safer", "riskier", "river"),
    [
        ("1m", "1p", "4m 9s"),  # suji
        ("7m", "7p", "4m 9s"),
        ("5p", "5s", "2p 8p"),  # suji on both sides
        ("1z", "5p", "9s"),
        ("9m", "6m", "1z"),
    ],
)
def test_a_tile_is_safer_than_another(safer: str, riskier: str, river: str) -> None:
    assert risk(safer, river) < risk(riskier, river)


@pytest.mark.parametrize("tile", ["1z", "4z", "5z"])
def test_an_honour_of_which_more_copies_are_seen_is_safer(tile: str) -> None:
    told = [risk(tile, "2s", without(tile, 4 - left)) for left in range(4)]
    assert told == sorted(told)


@pytest.mark.parametrize(("tile", "wall"), [("1p", "2p"), ("2p", "3p"), ("9s", "8s"), ("8m", "7m")])
def test_a_tile_behind_a_wall_is_safer(tile: str, wall: str) -> None:
    assert risk(tile, "5z", without(wall, 4)) < risk(tile, "5z")


def test_walls_and_barred_ends_only_take_waits_away() -> None:
    free = [weight_of(shapes) for shapes in shapes_left(FULL, frozenset())]
    for kind in map(Tile, KINDS):
        walled = list(FULL)
        walled[PLACE[kind]] = 0
        for left in (shapes_left(walled, frozenset()), shapes_left(FULL, {kind})):
            assert all(weight_of(one) <= all_of for one, all_of in zip(left, free, strict=True))


def test_a_ready_seat_is_more_dangerous_than_one_that_said_nothing() -> None:
    assert risk("5p", "9s 1z 3m") > 3 * risk("5p", "9s 1z 3m", ready=False)


def test_a_game_without_curves_has_no_prospects() -> None:
    state = decided()[0]
    rules = RULE_SETS[state.rules]
    hint = rules.hint(state, state.turn)
    assert prospects(rules, state, evolve(hint, discards=())) == ()


@pytest.mark.parametrize("game", [rules.id for rules in GAMES])
def test_every_game_has_curves_that_tell_what_a_discard_costs(game: str) -> None:
    known = fitted(RULE_SETS[game].teaching.odds)
    assert known.source.startswith("logs" if game == "riichi" else "simulated")
    assert {"loss", "win_0", "win_1", "rest", "points"} <= known.curves.keys()
    assert known.first("danger_ready", "danger") is not None


@pytest.mark.parametrize("game", [rules.id for rules in GAMES])
def test_every_game_tells_chances_of_every_discard(game: str) -> None:
    rules, seen = RULE_SETS[game], 0
    for step in played(game, 1).played[::9]:
        state = step.state
        if state.phase is Phase.TO_DISCARD and state.players[state.turn].known:
            hint = rules.hint(state, state.turn)
            rows = prospects(rules, state, hint)
            assert len(rows) == len(hint.discards)
            assert all(0 <= row.risk <= 1 and 0 <= row.win <= 1 for row in rows)
            seen += len(rows)
    assert seen > 10


@pytest.mark.parametrize("game", [rules.id for rules in GAMES])
def test_chances_are_told_beside_discards_that_nobody_could_read(game: str) -> None:
    rules = RULE_SETS[game]
    tiles = list(rules.wall)[::2][: rules.wall.hand_size + 1]
    options = {"permanent_fortune": True} if game == "hangzhou" else {}
    record = Game()
    record.submit(GameStart(game, options))
    record.submit(HandStart())
    record.submit(Deal(0, tuple(tiles)))
    record.submit(Discard(0, tiles[0]))
    for seat in (1, 2, 3):
        record.submit(Discard(seat, UNKNOWN))
    record.submit(Draw(0, tiles[0]))
    assert not record.state.players[3].river[-1].tile.known
    rows = prospects(rules, record.state, rules.hint(record.state, 0))
    assert {row.tile for row in rows} == set(tiles)


@pytest.mark.parametrize(
    ("stay", "turn", "others_free"),
    [(1, 0, ()), (3, 0, (1, 2, 3)), (3, 1, (0,))],  # the banker is seat 0
)
def test_in_hangzhou_banker_and_player_win_on_each_other_the_third_time(
    stay: int, turn: int, others_free: tuple[int, ...]
) -> None:
    rules, game = RULE_SETS["hangzhou"], Game()
    game.submit(GameStart("hangzhou"))
    state = evolve(game.state, dealer=0, turn=turn, staying=stay)
    barred = {other: never_won_on(rules, state, other) for other in range(4) if other != turn}
    assert tuple(other for other, kinds in barred.items() if not kinds) == others_free
    assert all(len(kinds) == len(ALL) for kinds in barred.values() if kinds)


def test_in_sichuan_a_seat_with_sets_of_two_suits_never_wins_on_the_third() -> None:
    rules = RULE_SETS["sichuan"]
    melds = tuple(Meld(SetKind.PUNG, parse(tiles)) for tiles in ("111m", "555p"))
    state = evolve(State(rules="sichuan"), players=(Player(melds=melds), *(Player(),) * 3))
    assert {tile.suit for tile in never_won_on(rules, state, 0)} == {"s"}
    assert not never_won_on(rules, state, 1)
