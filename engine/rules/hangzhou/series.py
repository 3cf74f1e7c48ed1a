"""The kongs (杠) and floats (飘) that led without a break to a winning own draw.

An open hand is followed backwards from the win: declared and discarded tiles come back into it,
drawn tiles leave it. A draw that nobody saw may have been any tile of the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, Literal

from engine.declare import own_tiles
from engine.events import Chow, Deal, Discard, Draw, Kong, Pung, Seat
from engine.rules.hangzhou.fortune import Fortune
from engine.state import State
from engine.tiles import Tile

MOST_UNSEEN: Final = 3
"""With more unseen draws than this, nothing can be said about a hand."""


@dataclass(frozen=True)
class PlayerAct:
    """One action of the winner; unseen draws are included."""

    kind: Literal["draw", "claim", "kong", "discard"]
    tiles: tuple[Tile, ...]
    """Tiles that entered or left the hand; empty for an unseen draw."""
    feeder: Seat | None = None
    """Who discarded the tile of a claim."""


@dataclass(frozen=True)
class SeriesStep:
    """One part of the unbroken series before the win."""

    kind: Literal["kong", "float", "claim"]
    feeder: Seat | None = None


@dataclass(frozen=True)
class Series:
    """The kongs and floats that count for a win by own draw."""

    steps: tuple[SeriesStep, ...] = ()
    """The parts that count when the win is by the wild eye, earliest first."""
    last_kongs: int = 0
    """Kongs after the last discard, which count in every reading."""
    unsure: bool = False
    """More may count, but the hand was not seen."""

    def count(self, kind: str) -> int:
        return sum(step.kind == kind for step in self.steps)


def acts_of(state: State, seat: Seat) -> list[PlayerAct]:
    """What this seat did in this hand up to an own-draw win, the last draw at the end."""
    acts: list[PlayerAct] = []
    at = state.joined
    if at is None:
        holds = seat == state.dealer  # dealt fourteen, where the record has no deal
    else:
        holds = at.hands is not None and len(at.hands[seat]) % 3 == 2

    def drawn() -> None:
        if not holds:
            acts.append(PlayerAct("draw", ()))

    for _, entry in state.history.entries:
        event = entry.event
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
    """A hand followed backwards, without the drawn tile."""

    fortune: Fortune
    tiles: list[Tile]
    unseen: int = 0
    """Number of its tiles that were drawn later, unseen."""
    steady: bool | None = True
    """Whether it was a wild-eye hand at every rest so far. None: unknown."""
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
        """Note that the hand rests here: a float before this counts only for a wild-eye hand."""
        if self.steady is False:
            return
        now = self._is_wild_eye()
        self.steady = False if now is False else self.steady and now

    def _is_wild_eye(self) -> bool | None:
        if self.unseen > MOST_UNSEEN:
            return None
        answers = {self.fortune.wild_eye(tiles) for tiles in self._possible()}
        return answers.pop() if len(answers) == 1 else None

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

    ``resting``: the hand before the winning draw. None where it is unknown.
    """
    acts = acts_of(state, seat)
    last_kongs = _kongs_at_end(acts)
    unseen = fortune is not None and _may_have_floated(state, seat, acts, fortune)
    floated = fortune is not None and (unseen or _floated(acts, fortune))
    if resting is None or fortune is None:
        return Series((SeriesStep("kong"),) * last_kongs, last_kongs, floated)
    hand = _Hand(fortune, list(resting))
    hand.rest()
    unsure = _walk_back(acts[:-1], hand, may_claim=bool(state.options["float_may_claim"]))
    steps = hand.steps
    while steps and steps[-1].kind == "claim":  # no float came before it
        steps.pop()
    unsure = unsure or (unseen and hand.steady is not False)
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


def _may_have_floated(
    state: State, seat: Seat, acts: Sequence[PlayerAct], fortune: Fortune
) -> bool:
    """Whether its last discard lies in a position, and is or may be a fortune."""
    at = state.joined
    if at is None or at.rivers is None or any(act.kind == "discard" for act in acts):
        return False
    own = at.rivers[seat]
    return bool(own) and own[-1].tile in (fortune.kind, "?")


def _walk_back(acts: list[PlayerAct], hand: _Hand, *, may_claim: bool) -> bool:
    """Collect the steps, last one first; return whether more may count than were found."""
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
                # 002, Fortune float: an option lets the floating player claim before the next turn.
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
