"""What riichi keeps besides tiles and points: who declared riichi, what was let pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.events import Discard, Kong, Position, Seat
from engine.evolve import evolve
from engine.rules.wall import ALL_KINDS, UNDEALT
from engine.state import State
from engine.tiles import Tile

ANY: Final = frozenset(ALL_KINDS)
"""The kinds that a tile may be which nobody read."""


@dataclass(frozen=True)
class RiichiSeat:
    """One seat in one hand."""

    passed_unseen: frozenset[Tile] = frozenset()
    """Kinds that may have been let pass: a position does not say when they were discarded, and of
    a discard that nobody read they are all."""
    missed: bool = False
    """Let a winning tile pass before its own claim, where a claim does not end furiten."""
    double: bool = False
    """Declared riichi with its first discard before any claim."""
    deposited: bool = False
    sets_at_riichi: int = 0
    """Sets (closed kongs) that it had declared at riichi; in a position all that lie there, because
    it does not say which kong came later."""


@dataclass(frozen=True)
class RiichiTable:
    """Penalties last for the game, everything else for one hand."""

    penalties: tuple[int, ...] = (0, 0, 0, 0)
    """Added after the placement bonus."""
    places: tuple[RiichiSeat, ...] = (RiichiSeat(),) * 4
    passed: tuple[frozenset[Tile], ...] = (frozenset(),) * 4
    """By seat, kinds that others discarded since its last draw, or since its riichi."""
    pot_before: int = 0
    """Points on the table when the hand began: deposits of earlier hands."""
    dealer_unsure: bool = False
    """The last hand was drawn, and nobody showed whether its dealer stays."""
    ended_by_chombo: bool = False
    """The last hand ended with a chombo, so the same hand is played again or the game is over."""
    due: Seat | None = None
    """Seat whose deposit is due: its riichi discard may still be won on."""
    begun_quiet: bool | None = True
    """Nobody had claimed or declared a kong when the record of this hand began. None where a
    position does not say."""
    swap: frozenset[Tile] = frozenset()
    """Kinds that the claimer may not discard now where swap calling is forbidden."""
    played_on: bool = False
    """Play went on though the hand was to be called off."""
    kongs_to_turn: int = 0
    """Open and added kongs whose indicator is turned with the next discard or kong."""

    def with_place(self, seat: Seat, **changes: Any) -> RiichiTable:
        places = list(self.places)
        places[seat] = evolve(places[seat], **changes)
        return evolve(self, places=tuple(places))

    def nothing_passed(self, seat: Seat) -> RiichiTable:
        """Forget what this seat let pass."""
        if not self.passed[seat]:
            return self
        passed = list(self.passed)
        passed[seat] = frozenset()
        return evolve(self, passed=tuple(passed))


NEW: Final = RiichiTable()


def table_of(state: State) -> RiichiTable:
    return state.kept if isinstance(state.kept, RiichiTable) else NEW


def new_hand(table: RiichiTable) -> RiichiTable:
    return RiichiTable(table.penalties)


def quiet(state: State) -> bool | None:
    """Whether nobody has claimed or declared a kong in this hand. None where nobody knows."""
    return False if state.history.claimed else table_of(state).begun_quiet


def within_one_turn(state: State, seat: Seat) -> bool:
    """Whether its riichi was the last act of the seat, and nobody has claimed since (ippatsu).

    An added kong that is robbed is none yet; the tile that replaces it makes it one.
    """
    acts = state.history.acts
    for place in reversed(range(len(acts))):
        act = acts[place]
        if act.seat == seat:
            declared = isinstance(act, Discard) and act.ready
            return declared and not _was_ready(state, seat)
        robbed = isinstance(act, Kong) and act.kind == "added" and place == len(acts) - 1
        if not (isinstance(act, Discard) or robbed):
            return False
    return False


def _was_ready(state: State, seat: Seat) -> bool:
    """Whether the seat was in riichi before its last discard."""
    at = state.joined
    before = state.players[seat].river[:-1]
    return any(one.ready for one in before) or (at is not None and seat in (at.ready or ()))


# --- a hand that the record joins half way --------------------------------------------------------
# What was not told is unknown. Where nobody has claimed, the rivers show the order of play, and
# with it what each seat let pass.


def joined(table: RiichiTable, state: State, event: Position) -> RiichiTable:
    """``state``: the one that the position led to."""
    places, all_passed = [], []
    for seat, player in enumerate(state.players):
        passed, unseen = _let_pass(state, event, seat)
        sets = len(player.melds) if player.ready else 0
        places.append(evolve(table.places[seat], passed_unseen=unseen, sets_at_riichi=sets))
        all_passed.append(passed)
    known = tuple(all_passed)
    return evolve(table, places=tuple(places), passed=known, begun_quiet=_quiet(state, event))


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
        return frozenset(), _may_be((*thrown, *claimed))
    since = _own_turn(order, seat, player.ready)
    if since is None and player.ready:
        return frozenset(), _may_be(tile.tile for at, tile in order if at != seat)
    passed = [tile.tile for at, tile in order[since or 0 :] if at != seat]
    if state.last_discard is not None and passed and order[-1][0] != seat:
        passed.pop()  # it may still be won on
    return _kinds(passed), frozenset() if all(tile.known for tile in passed) else ANY


def _fed(claim: object) -> bool:
    return not (isinstance(claim, Kong) and claim.kind == "closed")


def _kinds(tiles: Sequence[Tile] | Iterator[Tile]) -> frozenset[Tile]:
    return frozenset(tile.kind for tile in tiles if tile.known)


def _may_be(tiles: Iterator[Tile] | Sequence[Tile]) -> frozenset[Tile]:
    """The kinds of these tiles; every kind where one of them was not read."""
    every = tuple(tiles)
    return _kinds(every) if all(tile.known for tile in every) else ANY


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
