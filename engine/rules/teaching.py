"""What a game teaches: what hints work towards, what a claim costs, a hand that explains it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.announce import Reason
from engine.declare import opens_hand
from engine.events import Claim, Pung, Seat
from engine.hands.goals import Goal
from engine.state import Meld, State
from engine.tiles import Tile

# --- a whole hand by which a game is explained to somebody who knows nothing ---

LEARNER: Final[Seat] = 1
"""Who is told. Seat 0 deals, and is the left neighbour."""
LEFT: Final[Seat] = 0
Groups = tuple[tuple[Tile, ...], ...]


def groups(written: str) -> Groups:
    """Tiles by group, as they are written: ``234m 55s``."""
    return tuple(tuple(Tile(f"{rank}{word[-1]}") for rank in word[:-1]) for word in written.split())


def tiles_of(written: str) -> tuple[Tile, ...]:
    return tuple(tile for group in groups(written) for tile in group)


@dataclass(frozen=True)
class ExampleHand:
    """A whole hand of the learner, and how the last tile came."""

    concealed: str
    """Sets and pair that are not declared, with the winning tile."""
    tile: Tile
    from_seat: Seat = LEARNER
    """The learner for an own draw."""
    sets: tuple[Pung, ...] = ()

    @property
    def groups(self) -> Groups:
        """The declared sets, then the others."""
        return (*((one.tile, *one.own) for one in self.sets), *groups(self.concealed))

    @property
    def held(self) -> tuple[Tile, ...]:
        """The undeclared tiles without the winning one."""
        tiles = list(tiles_of(self.concealed))
        tiles.remove(self.tile)
        return tuple(tiles)


def open_pung(tile: str) -> tuple[Pung, ...]:
    """A set that the learner claimed from the left neighbour."""
    return (Pung(LEARNER, LEFT, Tile(tile), (Tile(tile), Tile(tile))),)


# --- hints ---


@dataclass(frozen=True)
class Teaching:
    """What hints work towards in a game."""

    cost_of_opening: str | None = None
    """Code of what the player gives up with the first claimed set, besides tiles."""
    lacks_worth: str | None = None
    """Code of what a hand lacks that is complete and worth too little to win."""
    example: ExampleHand | None = None
    """An easy hand that wins and shows what the game asks for."""
    odds: str = ""
    """Name of the curves that were fitted to this game; empty for none."""

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...] | None:
        """Kinds of hand that this seat can win with when these sets are declared. None where every
        hand wins that has one of the forms."""
        return None

    def bonus(self, state: State) -> Mapping[Tile, int]:
        """Kinds that make any win worth more (dora), as far as everybody sees them."""
        return {}

    def lacking(self, state: State, seat: Seat, hand: Sequence[Tile]) -> tuple[str, ...]:
        """Conditions of a win, beside sets and a pair, that these tiles do not meet yet.

        With ``not_open`` drawing alone cannot make the hand ready.
        """
        return ()

    def price_of_claim(self, state: State, claim: Claim) -> tuple[Reason, ...]:
        """What else this claim brings or costs the seat."""
        if self.cost_of_opening is None or not opens_hand(state, claim):
            return ()
        return (Reason(self.cost_of_opening),)


PLAIN_TEACHING: Final = Teaching()
