"""What led to an own draw that wins: kongs and floats of the winner's turns without a break.

A hand is followed backwards from the win, when it lies open: what was declared and discarded comes
back into it, what was drawn leaves it. A draw that nobody saw may have been any tile of the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, Literal

from engine.declare import own_tiles
from engine.events import Chow, Deal, Discard, Draw, Kong, Position, Pung, Seat
from engine.rules.hangzhou.fortune import Fortune
from engine.state import State
from engine.tiles import Tile

MOST_UNSEEN: Final = 3
"""Beyond so many draws that nobody saw nothing is said about a hand."""


@dataclass(frozen=True)
class PlayerAct:
    """One thing that the winner did, draws that nobody saw among them."""

    kind: Literal["draw", "claim", "kong", "discard"]
    tiles: tuple[Tile, ...]
    """What came into the hand, or left it; empty for a draw that nobody saw."""
    feeder: Seat | None = None
    """Whose discard a claim took."""


@dataclass(frozen=True)
class SeriesStep:
    """A part of the unbroken series before the win, the earliest first."""

    kind: Literal["kong", "float", "claim"]
    feeder: Seat | None = None


@dataclass(frozen=True)
class Series:
    """The kongs and floats that count for a win by own draw."""

    steps: tuple[SeriesStep, ...] = ()
    """Those that count when the win is by the wild eye."""
    last_kongs: int = 0
    """Kongs after the last discard: they count however the hand is read."""
    unsure: bool = False
    """More may count, but it was not seen what was held."""

    def count(self, kind: str) -> int:
        return sum(step.kind == kind for step in self.steps)


def acts_of(state: State, seat: Seat) -> list[PlayerAct]:
    """What this seat did in this hand before a win by own draw, its last draw at the end."""
    acts: list[PlayerAct] = []
    holds = seat == state.dealer  # dealt fourteen, where no deal was told

    def drawn() -> None:
        if not holds:
            acts.append(PlayerAct("draw", ()))

    for _, entry in state.history:
        event = entry.event
        if isinstance(event, Position):
            holds = event.hands is not None and len(event.hands[seat]) % 3 == 2
            continue
        if getattr(event, "seat", None) != seat:
            continue
        match event:
            case Deal(tiles=tiles):
                holds = len(tiles) % 3 == 2
            case Draw(tile=tile):
                acts.append(PlayerAct("draw", (tile,) if tile.known else ()))
                holds = True
            case Chow() | Pung() | Kong(kind="open"):
                acts.append(PlayerAct("claim", own_tiles(event), event.from_seat))
                holds = not isinstance(event, Kong)
                if not holds:
                    acts.append(PlayerAct("kong", (), event.from_seat))
            case Kong():
                drawn()
                acts.append(PlayerAct("kong", own_tiles(event)))
                holds = False
            case Discard(tile=tile):
                drawn()
                acts.append(PlayerAct("discard", (tile,)))
                holds = False
            case _:
                pass
    drawn()
    return acts


@dataclass
class _Hand:
    """A hand on its way back through the play, the drawn tile left out."""

    fortune: Fortune
    tiles: list[Tile]
    unseen: int = 0
    """Tiles among them that were drawn later, and nobody saw which."""
    steady: bool | None = True
    """Whether it has been a wild-eye hand at every rest from here on; None: cannot tell."""
    steps: list[SeriesStep] = field(default_factory=list)

    def back(self, tiles: Sequence[Tile]) -> None:
        self.tiles += tiles
        if not all(tile.known for tile in tiles):
            self.unseen = MOST_UNSEEN + 1

    def undraw(self, tiles: Sequence[Tile]) -> None:
        if tiles and tiles[0] in self.tiles:
            self.tiles.remove(tiles[0])
        else:
            self.unseen += 1

    def rest(self) -> None:
        """The hand rests here: it must have been a wild-eye hand for a float before it to count."""
        if self.steady is False:
            return
        now = self._is_wild_eye()
        self.steady = False if now is False else self.steady and now

    def _is_wild_eye(self) -> bool | None:
        if self.unseen > MOST_UNSEEN:
            return None
        found = {self.fortune.wild_eye(tiles) for tiles in self._possible()}
        return found.pop() if len(found) == 1 else None

    def _possible(self) -> Iterator[tuple[Tile, ...]]:
        for gone in set(combinations(sorted(self.tiles), self.unseen)):
            rest = list(self.tiles)
            for tile in gone:
                rest.remove(tile)
            yield tuple(rest)


def series_of(
    state: State, seat: Seat, resting: Sequence[Tile] | None, fortune: Fortune | None
) -> Series:
    """The series that ends with the win of this seat by own draw.

    ``resting``: the hand before the winning draw; None where it is not known.
    """
    acts = acts_of(state, seat)
    last_kongs = _kongs_at_end(acts)
    floated = fortune is not None and _floated(acts, fortune)
    if resting is None or fortune is None:
        return Series((SeriesStep("kong"),) * last_kongs, last_kongs, floated)
    hand = _Hand(fortune, list(resting))
    hand.rest()
    unsure = _walk_back(acts[:-1], hand, may_claim=bool(state.options["float_may_claim"]))
    steps = hand.steps
    while steps and steps[-1].kind == "claim":  # before it nothing was floated
        steps.pop()
    return Series(tuple(reversed(steps)), last_kongs, unsure)


def _kongs_at_end(acts: Sequence[PlayerAct]) -> int:
    kongs = 0
    for act in reversed(acts):
        if act.kind == "discard":
            break
        kongs += act.kind == "kong"
    return kongs


def _floated(acts: Sequence[PlayerAct], fortune: Fortune) -> bool:
    """Whether the last discard before the win was a fortune, or may have been."""
    last = next((act for act in reversed(acts) if act.kind == "discard"), None)
    return last is not None and last.tiles[0] in (fortune.kind, "?")


def _walk_back(acts: list[PlayerAct], hand: _Hand, *, may_claim: bool) -> bool:
    """Collect the steps, the last one first; answers whether more may count than are found."""
    while acts:
        act = acts.pop()
        match act.kind:
            case "kong":
                hand.steps.append(SeriesStep("kong"))
                hand.back(act.tiles)
            case "draw":
                hand.undraw(act.tiles)
                hand.rest()
            case "claim":
                # 002, Fortune float: only some let the floating player claim before the next turn.
                floating = bool(acts) and acts[-1].kind == "discard"
                if not (floating and may_claim):
                    return False
                hand.steps.append(SeriesStep("claim", act.feeder))
                hand.back(act.tiles)
                hand.rest()
            case "discard":
                if not act.tiles[0].known:
                    return hand.steady is not False
                if act.tiles[0] != hand.fortune.kind or hand.steady is False:
                    return False
                if hand.steady is None:
                    return True
                hand.steps.append(SeriesStep("float"))
                hand.back(act.tiles)
    return False
