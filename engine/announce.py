"""What the engine announces: data; the word catalogues make sentences of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Claim, Entry, Seat, Win
from engine.tiles import Tile


@dataclass(frozen=True)
class Wait:
    tile: Tile
    left: int
    """Copies that the seat told about this wait cannot see."""
    refused: str | None = None
    """Code of the rule that refuses this tile. The tile is then no wait."""
    by_draw_only: str | None = None
    """Why only an own draw wins with this tile."""


@dataclass(frozen=True)
class Ready:
    seat: Seat
    waits: tuple[Wait, ...] = ()
    unknown: bool = False
    """The hand is hidden, so its waits are unknown."""
    on_draw: tuple[Tile, ...] = ()
    """Kinds that win when drawn, whatever the hand waits for (dora, treasure)."""
    audience: Seat | None = None
    """The only seat that may know (``for`` in JSON). None is everybody."""
    not_to: Seat | None = None
    """A seat that is told its waits instead and need not hear this."""
    of: int = -1


@dataclass(frozen=True)
class NotReady:
    seat: Seat
    missing: tuple[str, ...]
    audience: Seat | None = None
    of: int = -1


@dataclass(frozen=True)
class Item:
    """One line that explains a payout."""

    name: str
    value: int
    unit: str


NOTE: Final = "note"
"""The unit of a line without a figure."""


def note(name: str) -> Item:
    """A line without a figure, such as that a hand is unknown."""
    return Item(name, 0, NOTE)


@dataclass(frozen=True)
class Payout:
    seat: Seat | None
    deltas: tuple[int, ...]
    """Four seats. With ``pot`` they sum to zero."""
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
    """Likely corrections, best first: each could replace the event."""
    values: Mapping[str, object] | None = None
    """Values that the sentence names, such as the tile that was held."""
    audience: Seat | None = None
    """The only seat that may know, where only its concealed hand shows the problem. None is
    everybody.
    """
    certain: bool = True
    """False where it rests on what a camera did not surely see: it is asked, and not called out."""
    of: int = -1


@dataclass(frozen=True)
class Reason:
    """A code that says why a hand is far from ready, or what a claim costs."""

    code: str
    value: int | str | None = None
    """Steps that a condition costs or a claim gains, or the name of a kind of hand."""


@dataclass(frozen=True)
class Outlook:
    """How near to ready a hand is that waits for its next tile."""

    distance: int | None
    """Exchanges until the hand is ready. None where it never will be."""
    waits: tuple[Wait, ...] = ()
    """Tiles that the hand wins with, by own draw at least."""
    useful: tuple[Tile, ...] = ()
    """Tiles that bring the hand nearer and of which copies are left."""
    left: int = 0
    """Copies of the useful tiles that this seat cannot see."""
    reasons: tuple[Reason, ...] = ()
    refused: tuple[Wait, ...] = ()
    """Tiles that complete the hand, though the rules refuse a win with them."""


@dataclass(frozen=True)
class HintDiscard:
    tile: Tile
    waits: tuple[Wait, ...] = ()
    distance: int | None = 0
    useful: tuple[Tile, ...] = ()
    left: int = 0
    reasons: tuple[Reason, ...] = ()
    refused: tuple[Wait, ...] = ()


@dataclass(frozen=True)
class HintClaim:
    claim: Claim
    discard: Tile | None = None
    """The best discard after the claim. None after a kong and for a forbidden claim."""
    waits: tuple[Wait, ...] = ()
    distance: int | None = None
    """Distance after that discard."""
    useful: tuple[Tile, ...] = ()
    left: int = 0
    reasons: tuple[Reason, ...] = ()
    refused: tuple[Wait, ...] = ()
    forbidden: bool = False
    """The rules do not allow the claim; only the reasons are given."""


@dataclass(frozen=True)
class Hint:
    seat: Seat
    discards: tuple[HintDiscard, ...]
    """The discards that the rules allow, best first."""
    audience: Seat
    of: int = -1
    win: Win | None = None
    """A win that the rules allow now."""
    now: Outlook | None = None
    """Outlook of a hand that waits."""
    claims: tuple[HintClaim, ...] = ()
    """Claims of the last discard; on the own turn, possible kongs."""
    copies: tuple[Wait, ...] = ()
    """Every useful tile that the hint names, with the copies that this seat cannot see."""
    flower: Tile | None = None
    """A flower in the hand that may be laid open now; nothing else is told before that."""


@dataclass(frozen=True)
class Turn:
    seat: Seat
    wall_left: int
    claims: tuple[Claim, ...] = ()
    """Possible claims of the last discard, as far as the hands are known."""
    audience: Seat | None = None
    """The only seat that may know of these claims. None is everybody."""
    of: int = -1


@dataclass(frozen=True)
class HandResult:
    dealer: Seat | None
    """None where the record cannot tell who deals next."""
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
Announcements = list[Announcement]
"""Announcements about one event, in order."""


Topic = tuple[int, Seat | None, str]
"""Number of the event, seat and topic: two announcements of the same topic compare equal."""


def itself(announcement: Announcement) -> Announcement:
    """What is announced, whatever came before: a payout without the points that follow from it.

    A correction of an earlier hand changes these, and makes no payout another one.
    """
    if isinstance(announcement, Payout):
        return replace(announcement, points=(0, 0, 0, 0))
    return announcement


def seen_by(announcement: Announcement, seat: Seat | None) -> Announcement | None:
    """Return what one seat may know of an announcement (seat None: everybody); None for nothing.

    The consequence of a problem may name tiles of a hand. Only the seat that it concerns is told
    those. No seat is told the suggestions, because they were tried with the hands of all.
    """
    audience = getattr(announcement, "audience", None)
    if audience is not None and audience != seat:
        return None
    if isinstance(announcement, Ready) and announcement.not_to is not None:
        return None if announcement.not_to == seat else replace(announcement, not_to=None)
    if isinstance(announcement, Problem):
        hides = announcement.follows in _NAMES_A_HAND and (
            seat is None or announcement.seat != seat
        )
        follows = "misread" if hides else announcement.follows
        return replace(announcement, suggestions=(), follows=follows)
    return announcement


def heard_by(announcements: Iterable[Announcement], seat: Seat | None) -> list[Announcement]:
    """Return what one seat hears (None: everybody) of these announcements, in the same order.

    A public announcement about this seat is left out where the seat is told more about the same
    topic.
    """
    announcements = list(announcements)
    better = private_topics(announcements, seat)
    return [
        shown
        for announcement in announcements
        if (shown := seen_by(announcement, seat)) is not None
        and (
            getattr(announcement, "audience", None) is not None
            or topic_of(announcement) not in better
        )
    ]


def private_topics(announcements: Iterable[Announcement], seat: Seat | None) -> set[Topic]:
    """The topics on which the seat is told more than everybody."""
    if seat is None:
        return set()
    own = {
        topic_of(announcement)
        for announcement in announcements
        if seat in (getattr(announcement, "audience", None), getattr(announcement, "not_to", None))
    }
    return {which for which in own if which is not None}


def topic_of(announcement: Announcement) -> Topic | None:
    """The topic of an announcement; None where it is about no hand."""
    match announcement:
        case Ready() | NotReady():
            return announcement.of, announcement.seat, "ready"
        case Problem():
            return announcement.of, announcement.seat, announcement.code
        case _:
            return None


_NAMES_A_HAND: Final = frozenset({"drew_other_tile", "other_hand_known"})
"""Keys of sentences that name a tile that only its holder may know."""
