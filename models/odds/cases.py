"""Cases for the curves of ``engine/odds``: what a seat saw at a discard, and what became of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from engine import play
from engine.announce import HintDiscard
from engine.events import Discard, Entry, Event, HandEnd, Seat, Win
from engine.game import Game
from engine.odds.danger import Table, loss_features, tile_features
from engine.odds.own_hand import point_features, rest_features, steps_of, win_features
from engine.odds.prospects import table_seen, worth_claimed
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.rules.hints import Teacher
from engine.rules.waits import may_win
from engine.state import Phase, State
from engine.tiles import Tile

Thrown = tuple[Seat, int]
"""A discard: whose, and its place among those of the hand."""
RULED_OUT = "ruled_out"
"""Not a curve: tiles that a seat is barred from winning on, to see that none is won on."""


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases of one curve."""

    inputs: NDArray[np.float32]
    """(n, features)"""
    outcomes: NDArray[np.float64]
    """(n,) what became of it: 0 or 1, or points"""
    games: NDArray[np.int64]
    """(n,) numbers of the games"""
    played: NDArray[np.bool_]
    """(n,) whether that tile was discarded"""

    def take(self, rows: NDArray[np.bool_]) -> Cases:
        return Cases(*(column[rows] for column in vars(self).values()))


@dataclass
class Collected:
    """Rows of every curve, as games are played."""

    rows: dict[str, list[tuple[tuple[float, ...], float, int, bool]]] = field(default_factory=dict)

    def add(
        self, curve: str, row: tuple[float, ...], outcome: float, game: int, played: bool = True
    ) -> None:
        self.rows.setdefault(curve, []).append((row, outcome, game, played))

    def cases(self) -> dict[str, Cases]:
        found = {}
        for curve, rows in self.rows.items():
            inputs, outcomes, games, played = zip(*rows, strict=True)
            found[curve] = Cases(
                np.array(inputs, np.float32),
                np.array(outcomes, np.float64),
                np.array(games),
                np.array(played),
            )
        return found


@dataclass(frozen=True)
class Decided:
    """The rows of a discard whose hand has not ended yet."""

    before: State
    seat: Seat
    rows: dict[str, tuple[float, ...]]


def collect(entries: Sequence[Entry], number: int, into: Collected, kept: float) -> None:
    """Play one record and add its cases; ``number`` is the game's.

    ``kept``: share of the decisions that are used while nobody is ready; of the others all are.
    """
    rng = random.Random(f"odds {number}")
    pending: list[Decided] = []
    dealt_in: set[Thrown] = set()
    thrown = State()
    """The state before the last discard."""
    for before, event, after in moves(entries):
        if isinstance(event, Discard):
            thrown = before
            ready = any(player.ready for player in before.players)
            if decides(before, event.seat) and (ready or rng.random() < kept):
                rules = RULE_SETS[before.rules]
                table = table_seen(rules, before, event.seat)
                _dangers(rules, before, event, table, into, number)
                pending.append(_decided(rules, before, event, table))
        elif isinstance(event, Win) and event.from_seat != event.seat:
            if thrown.phase is Phase.TO_DISCARD and event.from_seat == thrown.turn:
                # Otherwise a kong was robbed.
                dealt_in.add(_thrown(thrown, thrown.turn))
                loss = _loss_row(thrown, event)
                if after.phase is not Phase.SETTLED:  # play goes on, so it is paid at once
                    lost = before.points[thrown.turn] - after.points[thrown.turn]
                    into.add("loss", loss, lost, number)
                else:
                    pending.append(Decided(thrown, thrown.turn, {"loss": loss}))
        elif isinstance(event, HandEnd):
            for decided in pending:
                _add_ended(decided, before, after, dealt_in, into, number)
            pending, dealt_in = [], set()


def moves(entries: Sequence[Entry]) -> Iterator[tuple[State, Event, State]]:
    """The state before each event that is taken, the event, and the state after it."""
    game = Game()
    for entry in entries:
        before = game.state
        game.submit(entry)
        if game.state is not before:
            yield before, entry.event, game.state


def decides(state: State, seat: Seat) -> bool:
    player = state.players[seat]
    return (
        state.phase is Phase.TO_DISCARD
        and player.known
        and not player.ready
        and len({tile.kind for tile in player.hand}) > 1
    )


def winning_kinds(rules: RuleSet, state: State, seat: Seat) -> frozenset[Tile]:
    """Kinds that this seat would win on if they were discarded now."""
    waits = rules.waits(state, seat) or ()
    return frozenset(wait.tile for wait in waits if not wait.refused and not wait.by_draw_only)


def _dangers(
    rules: RuleSet, state: State, event: Discard, table: Table, into: Collected, number: int
) -> None:
    """Every kind of the hand against every other seat, judged by that seat's real hand."""
    kinds = dict.fromkeys(tile.kind for tile in state.players[event.seat].hand)
    after = play.discard(state, event, -1)
    for opponent in table.opponents:
        may = may_win(rules, after, opponent.seat)
        wins = winning_kinds(rules, state, opponent.seat) if may else ()
        for kind in kinds:
            played = kind == event.tile.kind
            if kind in opponent.barred:
                into.add(RULED_OUT, (1.0,), float(kind in wins), number, played)
                continue
            curve = "danger_ready" if opponent.ready else "danger"
            into.add(
                curve, tile_features(table, opponent, kind), float(kind in wins), number, played
            )


def _decided(rules: RuleSet, state: State, event: Discard, table: Table) -> Decided:
    seat = event.seat
    after = play.discard(state, event, -1)
    player, deals = after.players[seat], seat == state.dealer
    seen = Teacher(rules, state, seat).outlook(after, player.hand)
    row = HintDiscard(event.tile, seen.waits, seen.distance, seen.useful, seen.left)
    claimed = worth_claimed(rules, after, row, seat) if seen.distance == 0 else 0.0
    curve = "points_ready" if claimed else "points"
    return Decided(
        state,
        seat,
        {
            f"win_{steps_of(row)}": win_features(table, row, player),
            curve: point_features(table, row, player, deals, claimed),
            "rest": rest_features(table, row, deals),
        },
    )


def _thrown(state: State, seat: Seat) -> Thrown:
    """The next discard of this seat."""
    return seat, len(state.players[seat].river)


def _loss_row(before: State, event: Win) -> tuple[float, ...]:
    table = table_seen(RULE_SETS[before.rules], before, before.turn)
    (one,) = (opponent for opponent in table.opponents if opponent.seat == event.seat)
    return loss_features(table, one, event.tile)


def _add_ended(
    one: Decided,
    last: State,
    after: State,
    dealt_in: AbstractSet[Thrown],
    into: Collected,
    number: int,
) -> None:
    """``last``: the state at the end of the hand, before it was settled."""
    moved = after.points[one.seat] - one.before.points[one.seat]
    won = one.seat in last.winners
    for curve, row in one.rows.items():
        if curve == "loss":
            if len(last.wins) == 1 and moved < 0:
                into.add(curve, row, -moved, number)
        elif curve.startswith("win"):
            into.add(curve, row, float(won), number)
        elif curve == "rest":
            # A later discard of the seat may be won on; only this one is judged apart.
            if not won and _thrown(one.before, one.seat) not in dealt_in:
                into.add(curve, row, moved, number)
        elif won and moved > 0:
            into.add(curve, row, moved, number)


def joined(parts: Sequence[Mapping[str, Cases]]) -> dict[str, Cases]:
    """The cases of several games."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {
        name: Cases(
            *(
                np.concatenate([getattr(part[name], one.name) for part in parts if name in part])
                for one in fields(Cases)
            )
        )
        for name in names
    }
