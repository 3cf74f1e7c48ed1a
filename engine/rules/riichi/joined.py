"""What riichi knows of a hand that the record joins half way: what was not told is unknown.

Where nobody has claimed, the rivers show the order of play, and with it what each seat let pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.events import Discard, Kong, Position, Seat
from engine.evolve import evolve
from engine.rules.riichi.table_state import RiichiTable
from engine.rules.wall import UNDEALT
from engine.state import State
from engine.tiles import Tile


def joined(table: RiichiTable, state: State, event: Position) -> RiichiTable:
    """``state``: the one that the position led to."""
    places, all_passed = [], []
    for seat, player in enumerate(state.players):
        passed, unseen = _let_pass(state, event, seat)
        sets = len(player.melds) if player.ready else 0
        places.append(evolve(table.places[seat], passed_unseen=unseen, sets_at_riichi=sets))
        all_passed.append(passed)
    known = tuple(all_passed)
    return evolve(table, places=tuple(places), passed=known, quiet=_quiet(state, event))


# --- the first turn -------------------------------------------------------------------------------


def _quiet(state: State, event: Position) -> bool | None:
    """Whether it is the first go-around and nobody has claimed, as far as the position tells.

    Each seat has discarded at most once then, and drawn one tile at most besides.
    """
    if any(player.melds for player in state.players):
        return False
    rivers = event.rivers
    if rivers is not None and any(len(river) > 1 for river in rivers):
        return False
    turns = 4 if rivers is None else sum(map(len, rivers)) + 1
    if event.wall_left is not None and event.wall_left < UNDEALT - turns:
        return False
    return None if None in (rivers, event.sets) else True


# --- what was let pass ----------------------------------------------------------------------------


def _let_pass(state: State, event: Position, seat: Seat) -> tuple[frozenset[Tile], frozenset[Tile]]:
    """Kinds that this seat let pass since its last own draw or its riichi, and others that it may
    have let pass."""
    rivers = event.rivers or ((),) * 4
    player = state.players[seat]
    if state.turn == seat and player.holds_extra and not player.ready:
        return frozenset(), frozenset()
    order = _order(state, event)
    if order is None:
        thrown = (other.tile for at, river in enumerate(rivers) if at != seat for other in river)
        claimed = (
            claim.tile
            for claims in event.sets or ()
            for claim in claims
            if claim.from_seat not in (None, seat) and _fed(claim)
        )
        return frozenset(), _kinds((*thrown, *claimed))
    since = _own_turn(order, seat, player.ready)
    if since is None and player.ready:
        return frozenset(), _kinds(tile.tile for at, tile in order if at != seat)
    passed = [tile.tile for at, tile in order[since or 0 :] if at != seat]
    if state.last_discard is not None and passed and order[-1][0] != seat:
        passed.pop()  # it may still be won on
    return _kinds(passed), frozenset()


def _fed(claim: object) -> bool:
    return not (isinstance(claim, Kong) and claim.kind == "closed")


def _kinds(tiles: Sequence[Tile] | Iterator[Tile]) -> frozenset[Tile]:
    return frozenset(tile.kind for tile in tiles if tile.known)


def _order(state: State, event: Position) -> Sequence[tuple[Seat, Discard]] | None:
    """Every discard in the order of play. None where a claim, or what was not told, hides it."""
    if event.rivers is None or event.sets is None:
        return None
    if any(meld.is_open for player in state.players for meld in player.melds):
        return None
    left = [list(river) for river in event.rivers]
    order: list[tuple[Seat, Discard]] = []
    seat = state.dealer
    while left[seat]:
        order.append((seat, left[seat].pop(0)))
        seat = (seat + 1) % 4
    return order if seat == state.turn and not any(left) else None


def _own_turn(order: Sequence[tuple[Seat, Discard]], seat: Seat, ready: bool) -> int | None:
    """Where in the order the seat declared riichi, or last discarded."""
    turns = [place for place, (at, thrown) in enumerate(order) if at == seat]
    if ready:
        return next((place for place in turns if order[place][1].ready), None)
    return turns[-1] if turns else None
