"""What the course of a hand means for a win: patterns of luck, who is responsible, who pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.announce import Item, note
from engine.events import Discard, Position, Seat, Win
from engine.rules.arrangement import Finish
from engine.rules.pattern_library import NINE_GATES
from engine.rules.payment import share
from engine.rules.results import after_unseen_kong
from engine.rules.wall import DEAD_WALL, UNDEALT
from engine.rules.wsom.tables import LAST_FREE
from engine.state import State
from engine.tiles import Tile


@dataclass(frozen=True)
class Luck:
    """Patterns of how the hand was won."""

    patterns: frozenset[str]
    unknown: tuple[str, ...] = ()
    """Unknown facts on which more patterns depend."""


def finish(state: State, win: Win, penalty: tuple[Tile, ...]) -> Finish | None:
    """The finished hand; ``state`` is the one that the win led to. None when it is hidden."""
    player = state.players[win.seat]
    own_draw = win.from_seat == win.seat
    tile = winning_tile(state, win)
    if not player.known or not (tile.known or own_draw):
        return None
    if tile not in player.hand:
        # An unnamed draw is one of the tiles; which one makes no difference to the sets.
        tile = player.hand[0]
    return Finish(
        player.hand,
        player.melds,
        tile,
        not own_draw,
        state.seat_wind(win.seat),
        luck(state, win).patterns,
        penalty,
    )


def winning_tile(state: State, win: Win) -> Tile:
    """The winning tile as named with the win, or as it was discarded."""
    last = state.last_discard
    if win.tile.known or win.from_seat == win.seat or last is None:
        return win.tile
    return last.tile


def luck(state: State, win: Win) -> Luck:
    """Zung Jung 2.2 and 9.1 to 9.4."""
    own_draw = win.from_seat == win.seat
    robbed = not own_draw and state.last_discard is not None and state.last_discard.added_kong
    counted = state.wall_counted
    # East was dealt fourteen, and nobody has drawn since.
    first = state.wall_left == UNDEALT - 1 and not any(p.melds for p in state.players)
    patterns: set[str] = set()
    unknown: list[str] = []
    if robbed:
        patterns.add("robbing_a_kong")
    elif state.wall_left <= DEAD_WALL:
        patterns.add("final_draw" if own_draw else "final_discard")
    elif not counted:
        unknown.append("wall_unknown")
    if counted and first and win.from_seat == state.dealer:
        patterns.add("blessing_of_heaven" if own_draw else "blessing_of_earth")
    if own_draw:
        if state.history.kongs_of(win.seat):
            patterns.add("win_on_kong")
        elif after_unseen_kong(state, win):
            unknown.append("kong_unknown")
    if _nine_gates(state, win) and "blessing_of_heaven" not in patterns:
        patterns.add("nine_gates")
    return Luck(frozenset(patterns), tuple(unknown))


def _nine_gates(state: State, win: Win) -> bool:
    """Zung Jung 2.2: thirteen tiles of one suit, told apart from the winning one."""
    player = state.players[win.seat]
    tile = winning_tile(state, win)
    if player.melds or not player.known or tile not in player.hand or _mixed(state, win.seat):
        return False
    place = player.hand.index(tile)
    waiting = player.hand[:place] + player.hand[place + 1 :]
    counts = Counter(tile.rank for tile in waiting)
    one_suit = {tile.suit for tile in waiting} in ({"m"}, {"p"}, {"s"})
    return one_suit and tuple(counts[rank] for rank in range(1, 10)) == NINE_GATES


def _mixed(state: State, seat: Seat) -> bool:
    """Whether people ruled that the winning tile was mixed with the hand."""
    return bool(state.history.fouls_of(seat, "winning_tile_mixed"))


@dataclass(frozen=True)
class Responsible:
    """Who pays for a win on a discard."""

    seat: Seat | None
    """None where the winner discarded the tile earlier; then nobody is responsible."""
    immune: bool = False
    """Whether it is not the actual discarder."""
    unknown: bool = False
    """Whether an unknown discard may change it."""


def responsible(state: State, win: Win) -> Responsible:
    """Zung Jung, same-turn immunity: the first to discard the tile in this turn is responsible."""
    winning = winning_tile(state, win)
    earlier, complete = _since_own_discard(state, win, winning)
    unknown = not (complete and winning.known)
    for seat, tile in earlier:
        if tile == winning and tile.known:
            seat_or_nobody = None if seat == win.seat else seat
            return Responsible(seat_or_nobody, seat != win.from_seat, unknown)
        unknown = unknown or not tile.known
    return Responsible(win.from_seat, False, unknown)


def _since_own_discard(
    state: State, win: Win, winning: Tile
) -> tuple[list[tuple[Seat, Tile]], bool]:
    """Discards since the winner's own last one, without the winning tile, and whether all are
    known.
    """
    thrown = [act for act in state.history.acts if isinstance(act, Discard)]
    if thrown and not (state.last_discard is not None and state.last_discard.added_kong):
        thrown.pop()
    span: list[tuple[Seat, Tile]] = []
    for discard in reversed(thrown):
        span.append((discard.seat, discard.tile))
        if discard.seat == win.seat:
            return span[::-1], True
    if state.joined is None:
        return span[::-1], True
    before, complete = _in_position(state.joined, win.seat, winning, state.dealer)
    return [*before, *reversed(span)], complete


def _in_position(
    position: Position, winner: Seat, winning: Tile, dealer: Seat
) -> tuple[list[tuple[Seat, Tile]], bool]:
    """The same for a position, whose rivers have no common order."""
    if position.rivers is None:
        return [], False
    own = position.rivers[winner]
    if own and own[-1].tile == winning:
        return [(winner, own[-1].tile)], True
    if position.sets is not None and not any(position.sets):
        turn = dealer if position.turn is None else position.turn
        return list(_one_round(position.rivers, winner, (turn - winner) % 4 or 4)), True
    others = [
        discard.tile
        for seat, river in enumerate(position.rivers)
        if seat != winner
        for discard in river
    ]
    claimed = [claim.tile for claims in position.sets or () for claim in claims]
    certain = position.sets is not None and all(
        tile.known and tile != winning for tile in (*others, *claimed)
    )
    return [], certain


def _one_round(
    rivers: Sequence[Sequence[Discard]], seat: Seat, steps: int
) -> Iterator[tuple[Seat, Tile]]:
    """If nobody has claimed, each seat since then has discarded once."""
    for step in range(1, steps):
        other = (seat + step) % 4
        if rivers[other]:
            yield other, rivers[other][-1].tile


def shares(state: State, win: Win, value: int) -> tuple[str, dict[Seat, int], list[Item]]:
    """The row of the payment table, what every loser owes, and notes on unknown facts."""
    owed = share(win, value, value)
    if win.from_seat == win.seat:
        return "self_draw", owed, []
    if value <= LAST_FREE:
        return "discard_shared", owed, []
    payer = responsible(state, win)
    notes = [note("immunity_unknown")] if payer.unknown else []
    if payer.seat is None:
        return "discard_nobody", owed, notes
    owed = share(win, LAST_FREE, LAST_FREE)
    owed[payer.seat] = 3 * value - 2 * LAST_FREE
    return "discard_immune" if payer.immune else "discard_responsible", owed, notes
