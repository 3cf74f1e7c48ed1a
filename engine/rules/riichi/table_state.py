"""What riichi keeps besides tiles and points: who declared riichi, what was let pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.events import Seat
from engine.evolve import evolve
from engine.state import State
from engine.tiles import Tile


@dataclass(frozen=True)
class RiichiSeat:
    """One seat in one hand."""

    passed_unseen: frozenset[Tile] = frozenset()
    """Kinds that may have been let pass: a position does not say when they were discarded."""
    missed: bool = False
    """Let a winning tile pass before its own claim, where a claim does not end furiten."""
    double: bool = False
    """Declared riichi with its first discard before any claim."""
    deposited: bool = False
    ippatsu: bool = False
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
    quiet: bool | None = True
    """Nobody has claimed or declared a kong in this hand. None where a position does not say."""
    after_kong: bool = False
    """The current tile is the replacement of a kong."""
    claimed: bool = False
    """The turn came by a chow or pung."""
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


def without_luck(table: RiichiTable) -> RiichiTable:
    """Nothing that is so at this moment only: no ippatsu, first go-around or replacement tile."""
    places = tuple(evolve(place, ippatsu=False) for place in table.places)
    return evolve(table, places=places, quiet=False, after_kong=False)
