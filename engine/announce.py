"""What the engine says: data, not sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Claim, Entry, Seat
from engine.tiles import Tile


@dataclass(frozen=True)
class Wait:
    tile: Tile
    left: int
    """Copies not seen from where the announcement may be made."""
    refused: str | None = None
    """Code of the rule that refuses this tile; then it is not a wait."""
    by_draw_only: str | None = None
    """Why the tile wins by own draw alone, where the rules let nobody claim it."""


@dataclass(frozen=True)
class Ready:
    seat: Seat
    waits: tuple[Wait, ...] = ()
    unknown: bool = False
    """The hand is hidden, so its waits cannot be told."""
    on_draw: tuple[Tile, ...] = ()
    """Kinds that win when drawn, whatever the hand waits for (dora, treasure), for who may know."""
    audience: Seat | None = None
    """The only seat that may know (``for`` in JSON); None is everybody."""
    not_to: Seat | None = None
    """A seat that need not hear it: its own hand is known, and it is told the waits instead."""
    of: int = -1


@dataclass(frozen=True)
class NotReady:
    seat: Seat
    missing: tuple[str, ...]
    audience: Seat | None = None
    of: int = -1


@dataclass(frozen=True)
class Item:
    """One line of the explanation of a payout."""

    name: str
    value: int
    unit: str


NOTE: Final = "note"
"""The unit of a line without a figure."""


def note(name: str) -> Item:
    """A line that only says something of the payout, such as that a hand is not known."""
    return Item(name, 0, NOTE)


@dataclass(frozen=True)
class Payout:
    seat: Seat | None
    deltas: tuple[int, ...]
    """Four seats; with ``pot`` they sum to zero."""
    points: tuple[int, ...]
    items: tuple[Item, ...] = ()
    pot: int = 0
    of: int = -1

    def __post_init__(self) -> None:
        if sum(self.deltas) + self.pot != 0:
            raise ValueError(f"a payout must sum to zero, got {self.deltas} and pot {self.pot}")


@dataclass(frozen=True)
class Problem:
    code: str
    seat: Seat | None
    impossible: bool
    source: str
    """Document and section of the rule, such as ``000, 2.2``."""
    follows: str
    """Key of the sentence that says what must follow."""
    suggestions: tuple[tuple[Entry, ...], ...] = ()
    """Likely corrections, best first: what could take the place of the event."""
    values: Mapping[str, object] | None = None
    """What the sentence names, such as the tile that was held."""
    audience: Seat | None = None
    """The only seat that may know, where only its concealed hand tells; None is everybody."""
    of: int = -1


@dataclass(frozen=True)
class Reason:
    """Why a hand is as far as it is, or what a claim costs: a code and what it names."""

    code: str
    value: int | str | None = None
    """Steps that a condition costs or a claim gains; the name of a kind of hand."""


@dataclass(frozen=True)
class Outlook:
    """How a hand stands that waits for its next tile."""

    distance: int | None
    """Exchanges until the rules call it ready; None where they never will."""
    waits: tuple[Wait, ...] = ()
    """Of a hand that lacks one tile, refused ones too."""
    useful: tuple[Tile, ...] = ()
    """Tiles in sight of nobody that bring the hand nearer."""
    left: int = 0
    """Copies of these not seen from this seat."""
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class HintDiscard:
    tile: Tile
    waits: tuple[Wait, ...] = ()
    distance: int | None = 0
    useful: tuple[Tile, ...] = ()
    left: int = 0
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class HintClaim:
    claim: Claim
    discard: Tile | None = None
    """The best one after the claim; None after a kong and for a claim that is forbidden."""
    waits: tuple[Wait, ...] = ()
    distance: int | None = None
    """After that discard."""
    useful: tuple[Tile, ...] = ()
    left: int = 0
    reasons: tuple[Reason, ...] = ()
    forbidden: bool = False
    """The rules do not allow it; then nothing follows but the reasons."""


@dataclass(frozen=True)
class Hint:
    seat: Seat
    discards: tuple[HintDiscard, ...]
    audience: Seat
    of: int = -1
    now: Outlook | None = None
    """Of a hand that waits."""
    claims: tuple[HintClaim, ...] = ()
    """Of the last discard; on the own turn, kongs that could be declared."""


@dataclass(frozen=True)
class Turn:
    seat: Seat
    wall_left: int
    claims: tuple[Claim, ...] = ()
    """Claims of the last discard that are possible as far as the hands are known."""
    audience: Seat | None = None
    """The only seat that may know of these claims, when they come from a concealed hand."""
    of: int = -1


@dataclass(frozen=True)
class HandResult:
    dealer: Seat
    round: Tile
    honba: int
    deposits: int
    staying: int
    of: int = -1


@dataclass(frozen=True)
class GameResult:
    points: tuple[int, ...]
    places: tuple[int, ...]
    of: int = -1


Announcement = Ready | NotReady | Payout | Problem | Hint | Turn | HandResult | GameResult


About = tuple[int, Seat | None, str]
"""What an announcement is about, so that two of the same matter are known for such."""


def seen_by(said: Announcement, seat: Seat | None) -> Announcement | None:
    """What of an announcement one seat may know (None: everybody at once); None for nothing.

    What follows from a problem may name tiles of a hand: then only the seat that it concerns is
    told. Suggestions are told to no seat: they are tried with the hands of all.
    """
    audience = getattr(said, "audience", None)
    if audience is not None and audience != seat:
        return None
    if isinstance(said, Ready) and said.not_to is not None:
        return None if said.not_to == seat else replace(said, not_to=None)
    if isinstance(said, Problem):
        hides = said.follows in _NAMES_A_HAND and (seat is None or said.seat != seat)
        follows = "misread" if hides else said.follows
        return replace(said, suggestions=(), follows=follows)
    return said


def heard_by(said: Iterable[Announcement], seat: Seat | None) -> list[Announcement]:
    """What one seat hears (None: everybody at once) of all that is said, in the same order.

    What everybody is told about this seat is left out where the seat is told more of the same.
    """
    said = list(said)
    better = told_better(said, seat)
    return [
        shown
        for one in said
        if (shown := seen_by(one, seat)) is not None
        and (getattr(one, "audience", None) is not None or about(one) not in better)
    ]


def told_better(said: Iterable[Announcement], seat: Seat | None) -> set[About]:
    """What the seat alone is told of itself, so that it need not hear what everybody does."""
    if seat is None:
        return set()
    own = {
        about(one)
        for one in said
        if seat in (getattr(one, "audience", None), getattr(one, "not_to", None))
    }
    return {which for which in own if which is not None}


def about(said: Announcement) -> About | None:
    """Number of the event, seat and matter; None for what is said of no hand."""
    match said:
        case Ready() | NotReady():
            return said.of, said.seat, "ready"
        case Problem():
            return said.of, said.seat, said.code
        case _:
            return None


_NAMES_A_HAND: Final = frozenset({"drew_other_tile", "other_hand_known"})
"""Keys of sentences that name a tile that only its holder may know of."""
