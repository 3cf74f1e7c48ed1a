"""What can happen at a table: one frozen record for each event of the record file.

The type of a field also says how its JSON is read. ``Annotated`` adds what the type does not say: a
reader of ``engine.fields``, or the length of a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from engine import fields as read
from engine.checked import Checked
from engine.tiles import UNKNOWN, Tile

Seat = Annotated[int, read.seat]
"""0 to 3, counterclockwise."""
Count = Annotated[int, read.whole(0)]
Throws = Annotated[tuple[int, ...], read.listing(read.whole(1, 6))]
"""What dice show."""
IndicatorKind = Literal["dora", "kan_dora", "ura_dora", "fortune", "treasure"]


@dataclass(frozen=True)
class GameStart(Checked):
    rules: str
    options: Mapping[str, object] = field(default_factory=dict)
    players: Annotated[tuple[str, ...], 4] | None = None
    points: Annotated[tuple[int, ...], 4] | None = None
    first_dealer: Seat | None = None
    """Who dealt the first hand of the game, also where the record begins half way. None is seat 0.
    """


@dataclass(frozen=True)
class HandStart(Checked):
    """A new hand; fields left out follow from the hand before."""

    dealer: Seat | None = None
    round: Annotated[Tile, read.wind] | None = None
    honba: Count | None = None
    deposits: Count | None = None
    staying: Annotated[int, read.whole(1)] | None = None
    dice: Throws | None = None


@dataclass(frozen=True)
class Deal(Checked):
    seat: Seat
    tiles: tuple[Tile, ...]


@dataclass(frozen=True)
class Indicator(Checked):
    tile: Tile
    kind: IndicatorKind


@dataclass(frozen=True)
class Draw(Checked):
    seat: Seat
    tile: Tile
    end: Literal["wall", "tail"] | None = None
    """Which end of the wall; ``from`` in a record. None is the end that the rules prescribe."""


@dataclass(frozen=True)
class Discard(Checked):
    seat: Seat
    tile: Tile
    ready: bool = False
    drawn: bool | None = None
    """Whether the tile was the one just drawn. None when nobody could see that."""


@dataclass(frozen=True)
class Chow(Checked):
    seat: Seat
    from_seat: Seat
    tile: Tile
    own: tuple[Tile, Tile]
    ready: bool = False


@dataclass(frozen=True)
class Pung(Checked):
    seat: Seat
    from_seat: Seat
    tile: Tile
    own: tuple[Tile, Tile]
    ready: bool = False


@dataclass(frozen=True)
class Kong(Checked):
    seat: Seat
    kind: Literal["open", "closed", "added"]
    tile: Tile
    from_seat: Seat | None = None
    own: Annotated[tuple[Tile, ...], read.some_tiles(1, 4)] | None = None


@dataclass(frozen=True)
class Flower(Checked):
    """A flower or season is laid open, and a tile of the tail takes its place in the hand."""

    seat: Seat
    tile: Tile
    """``?`` for a flower whose number nobody has read."""
    drawn: Tile = UNKNOWN
    """The tile that takes its place."""


@dataclass(frozen=True)
class Position(Checked):
    """A known situation in mid-hand, directly after ``HandStart``. None is unknown."""

    hands: Annotated[tuple[tuple[Tile, ...], ...], 4] | None = None
    sets: Annotated[tuple[tuple[Chow | Pung | Kong, ...], ...], 4] | None = None
    rivers: Annotated[tuple[tuple[Discard, ...], ...], 4] | None = None
    wall_left: Count | None = None
    turn: Seat | None = None
    ready: tuple[Seat, ...] | None = None
    indicators: tuple[Indicator, ...] | None = None
    won: tuple[Seat, ...] | None = None
    """Seats that have won in a hand that goes on, in any order. None is nobody."""
    flowers: Annotated[tuple[tuple[Tile, ...], ...], 4] | None = None
    """Flowers and seasons that lie open before each seat, in games that have them."""

    def shows(self, seat: Seat) -> bool:
        """Whether this seat's hand lies open: it has won, and each of its tiles is named."""
        hand = self.hands[seat] if self.hands else ()
        return seat in (self.won or ()) and bool(hand) and UNKNOWN not in hand


@dataclass(frozen=True)
class Win(Checked):
    seat: Seat
    from_seat: Seat
    """Equal to ``seat`` for a win by own draw."""
    tile: Tile
    hand: tuple[Tile, ...] | None = None
    """Every undeclared tile without the winning one."""
    claimed: Annotated[int, read.whole(1, 9_999)] | None = None
    """The score that the winner announces, in games where people count the hand."""


@dataclass(frozen=True)
class Reveal(Checked):
    seat: Seat
    tiles: tuple[Tile, ...]


@dataclass(frozen=True)
class DrawnHand(Checked):
    reason: Literal["exhausted", "nine_terminals", "four_winds", "four_kongs", "four_ready"]


@dataclass(frozen=True)
class Foul(Checked):
    seat: Seat
    offence: Annotated[str, read.name]
    tiles: tuple[Tile, ...] | None = None


@dataclass(frozen=True)
class Dice(Checked):
    values: Throws


@dataclass(frozen=True)
class HandEnd(Checked):
    pass


@dataclass(frozen=True)
class GameEnd(Checked):
    reason: Literal["finished", "time"] = "finished"


@dataclass(frozen=True)
class Correct(Checked):
    """These events replace event number ``of``; the last correction of a number holds."""

    of: Count
    events: tuple[Entry, ...]
    """Numbers inside a correction are not used."""
    reason: Literal["reread", "answer", "put_back"] | None = None
    """Later pictures changed the reading, a person answered, or tiles were put back."""


Claim = Chow | Pung | Kong

Event = (
    GameStart
    | HandStart
    | Deal
    | Indicator
    | Draw
    | Discard
    | Chow
    | Pung
    | Kong
    | Flower
    | Position
    | Win
    | Reveal
    | DrawnHand
    | Foul
    | Dice
    | HandEnd
    | GameEnd
    | Correct
)


@dataclass(frozen=True)
class ReadAgain(Checked):
    """What a second reading saw of the tiles that show one change of the table."""

    change: str
    tiles: tuple[Tile, ...]
    """The tiles that lie face up there, in no order; ``?`` for one that was not read again."""


@dataclass(frozen=True)
class Entry(Checked):
    """One line of a record: an event and its envelope."""

    event: Event
    t: float | None = None
    """Seconds from the start of the game or video."""
    confidence: Annotated[float, read.number(0, 1)] | None = None
    evidence: Annotated[str | int, read.text_or_count] | None = None
    """A frame index or the name of a picture."""
    source: Literal["camera", "person", "import"] | None = None
    change: Annotated[str, read.text] | None = None
    """The change of the table that this explains, as the camera names it in every line about it."""
    again: tuple[ReadAgain, ...] | None = None
    """What a second reading saw of the tiles that a payout rests on; None where none was made."""
