"""What can happen at a table: one frozen record for each event of the record file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.checked import Checked
from engine.tiles import Tile

Seat = int
"""0 to 3, counterclockwise."""
IndicatorKind = Literal["dora", "kan_dora", "ura_dora", "fortune", "treasure"]


@dataclass(frozen=True)
class GameStart(Checked):
    rules: str
    options: Mapping[str, object] = field(default_factory=dict)
    players: tuple[str, ...] | None = None
    points: tuple[int, ...] | None = None
    first_dealer: Seat | None = None
    """Who dealt the first hand of the game, also where the record begins half way; None is 0."""


@dataclass(frozen=True)
class HandStart(Checked):
    """Fields left out are what the rules say follows from the hand before."""

    dealer: Seat | None = None
    round: Tile | None = None
    honba: int | None = None
    deposits: int | None = None
    staying: int | None = None
    dice: tuple[int, ...] | None = None


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
    """Which end of the wall; written ``from`` in a record; None is what the play calls for."""


@dataclass(frozen=True)
class Discard(Checked):
    seat: Seat
    tile: Tile
    ready: bool = False
    drawn: bool | None = None
    """The tile is the one just drawn; None when that could not be seen."""


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
    own: tuple[Tile, ...] | None = None


@dataclass(frozen=True)
class Position(Checked):
    """A known situation in mid-hand, directly after ``HandStart``; None is not known."""

    hands: tuple[tuple[Tile, ...], ...] | None = None
    sets: tuple[tuple[Chow | Pung | Kong, ...], ...] | None = None
    rivers: tuple[tuple[Discard, ...], ...] | None = None
    wall_left: int | None = None
    turn: Seat | None = None
    ready: tuple[Seat, ...] | None = None
    indicators: tuple[Indicator, ...] | None = None


@dataclass(frozen=True)
class Win(Checked):
    seat: Seat
    from_seat: Seat
    """Equal to ``seat`` for a win by own draw."""
    tile: Tile
    hand: tuple[Tile, ...] | None = None
    """Every undeclared tile without the winning one."""
    claimed: int | None = None
    """The score that the winner calls, where people count the hand."""


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
    offence: str
    tiles: tuple[Tile, ...] | None = None


@dataclass(frozen=True)
class Dice(Checked):
    values: tuple[int, ...]


@dataclass(frozen=True)
class HandEnd(Checked):
    pass


@dataclass(frozen=True)
class GameEnd(Checked):
    reason: Literal["finished", "time"] = "finished"


@dataclass(frozen=True)
class Correct(Checked):
    """The events take the place of event number ``of``; the last correction of a number holds."""

    of: int
    events: tuple[Entry, ...]
    """Numbers inside a correction are not used."""
    reason: Literal["reread", "answer", "put_back"] | None = None
    """What followed told it otherwise, a person was asked, or tiles were put back."""


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
class Entry(Checked):
    """One line of a record: an event and where it came from."""

    event: Event
    t: float | None = None
    """Seconds from the start of the game or video."""
    confidence: float | None = None
    evidence: str | int | None = None
    """Where to look: a frame index or the name of a picture."""
    source: Literal["camera", "person", "import"] | None = None
