"""What a discard may bring is told from what its seat sees, and follows the facts of the table."""

from __future__ import annotations

from functools import cache

import pytest

from engine.evolve import evolve
from engine.game import Game
from engine.odds.curves import fitted
from engine.odds.danger import PLACE, Table, opponent, shapes_left, weight_of
from engine.odds.prospects import Prospect, dealing_in, prospects, table_seen
from engine.play import hidden, with_player
from engine.rules import RULE_SETS
from engine.state import Discarded, Phase, Player, State
from engine.tiles import KINDS, Tile, parse
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


def test_every_named_file_of_curves_tells_what_a_discard_costs() -> None:
    named = {rules.teaching.odds for rules in RULE_SETS.values()} - {""}
    assert {"riichi", "harbin-hlr", "wsom"} <= named
    for name in named:
        known = fitted(name)
        assert known.source == ("logs" if name == "riichi" else "simulated")
        assert {"danger", "loss", "win_0", "win_1", "rest", "points"} <= known.curves.keys()
