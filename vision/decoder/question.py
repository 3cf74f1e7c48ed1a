"""A question where the video does not decide: the likeliest readings, and what a person answers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from engine.events import Discard, Event, HandStart
from vision.arrays import Bytes, Floats
from vision.table.placed_tile import PlacedTile
from vision.table.view import HEIGHT_SHARE, TableView
from vision.tiles.classes import Side

SAME_S: Final = 1.0
SAME_MM: Final = 30.0
"""Two decodings of one video mean the same happening when time and place are no farther apart."""
HAND_LEAVES_S: Final = 0.5
"""So long after a tile was first seen to lie somewhere, the hand that laid it is gone."""
INTERRUPTS: Final = 0.03
"""What costs less than this share of a payment on the mean interrupts nobody."""
ALIKE: Final = {
    "setlaid": "opened",
    "added": "opened",
    "laiddown": "opened",
    "turnedup": "put",
    "found": "dealt",
}
"""Words of older files, and the words that replaced them."""
_ID: Final = re.compile(r"([a-z]+)@(\d+(?:\.\d+)?)@(-?\d+),(-?\d+)'*(?:@([0-3]))?")


@dataclass(frozen=True)
class EventPlace:
    """What happened when and where: the same in every decoding of one video."""

    what: str
    """Word for the kind of happening."""
    time_s: float
    x_mm: float = 0.0
    y_mm: float = 0.0
    seat: int | None = None
    """If set, only the discard of this seat is meant; None for all that happened."""
    change: str = field(default="", compare=False)
    """Name of the change, once it has one."""

    @property
    def id(self) -> str:
        named = self.change or f"{self.what}@{self.time_s:.1f}@{self.x_mm:.0f},{self.y_mm:.0f}"
        return named if self.seat is None else f"{named}@{self.seat}"

    @property
    def happening(self) -> EventPlace:
        """All of what happened there."""
        return replace(self, seat=None)

    @classmethod
    def of_id(cls, text: str) -> EventPlace | None:
        """The place that an id names; None where it is none."""
        found = _ID.fullmatch(text)
        if found is None:
            return None
        what, time_s, x_mm, y_mm, seat = found.groups()
        alone = None if seat is None else int(seat)
        return cls(what, float(time_s), float(x_mm), float(y_mm), alone)

    def same(self, other: EventPlace) -> bool:
        if self.change and other.change:
            return (self.change, self.seat) == (other.change, other.seat)
        near = math.hypot(self.x_mm - other.x_mm, self.y_mm - other.y_mm) < SAME_MM
        what, other_what = (ALIKE.get(place.what, place.what) for place in (self, other))
        alike = (what, self.seat) == (other_what, other.seat)
        return near and alike and abs(self.time_s - other.time_s) < SAME_S


def as_read(event: Event) -> Event:
    """The event without what is told beside its tiles: readings hold no dice and no drawn tiles."""
    match event:
        case Discard():
            return replace(event, drawn=None)
        case HandStart():
            return replace(event, dice=None)
        case _:
            return event


def told_as(event: Event, was: Event) -> Event:
    """A reading of what was told, with what was told beside the tiles."""
    if isinstance(event, Discard) and isinstance(was, Discard) and event.seat == was.seat:
        return replace(event, drawn=was.drawn)
    if isinstance(event, HandStart) and isinstance(was, HandStart):
        return replace(event, dice=was.dice)
    return event


@dataclass(frozen=True)
class AnswerChoice:
    """One reading of what happened; no events where nothing was meant by it."""

    events: tuple[Event, ...]
    share: float
    """How likely it is, 0..1."""


@dataclass(frozen=True)
class QuestionTile:
    """A tile that shows what is asked."""

    corners: tuple[tuple[float, float], ...]
    """Clockwise from its own top left, as shares of the picture's width and height."""
    face_up: bool
    first_s: float
    """When it was first seen to lie here."""

    @classmethod
    def of(cls, tile: PlacedTile, view: TableView, since_s: float = 0.0) -> QuestionTile:
        """``since_s`` is the start of the tile's clock in the time of the record."""
        turn = np.radians(tile.turn_deg)
        across = np.array([np.cos(turn), np.sin(turn)]) * view.tile_mm / 2
        along = np.array([-np.sin(turn), np.cos(turn)]) * view.tile_mm * HEIGHT_SHARE / 2
        around = np.array([-across - along, across - along, across + along, along - across])
        corners = view.to_image(tile.xy_mm + around, view.lying_mm) / view.picture_px
        return cls(
            tuple((float(x), float(y)) for x, y in corners),
            tile.side is Side.FACE,
            since_s + tile.first_s,
        )

    def corners_px(self, image_bgr: Bytes) -> Floats:
        """(4, 2): its corners in a picture of any size."""
        height, width = image_bgr.shape[:2]
        return np.array(self.corners, np.float32) * np.array([width, height], np.float32)


@dataclass(frozen=True)
class Question:
    """What a person is asked."""

    place: EventPlace
    choices: tuple[AnswerChoice, ...]
    """Two or three; the first is what the record says meanwhile, the others are likeliest first."""
    number: int
    """Which event of the record is doubtful, counted in the order of play."""
    tiles: tuple[QuestionTile, ...] = ()
    loss: float = 1.0
    """What the record costs here on the mean if it is wrong, in payments of the hand: a whole one
    where nobody has reckoned it."""
    waits: bool = False
    """Whether it waits until somebody looks, whatever it costs: hardly any points hang on what may
    be wrong, as far as it is known yet."""

    @property
    def interrupts(self) -> bool:
        """Whether it is asked at once."""
        return self.loss >= INTERRUPTS and not self.waits

    @property
    def id(self) -> str:
        return self.place.id

    def told(self, events: Sequence[Event]) -> Question:
        """The same question where the record says this of what happened."""
        here = tuple(as_read(event) for event in events)
        if here == self.choices[0].events:
            return self
        others = [choice for choice in self.choices if choice.events != here]
        same = [choice for choice in self.choices if choice.events == here]
        others = others[: len(self.choices) - 1]
        left = max(0.0, 1.0 - sum(choice.share for choice in others))
        return replace(self, choices=(*(same or [AnswerChoice(here, left)]), *others))

    @property
    def shown_s(self) -> float:
        """When all its tiles lay there in plain sight: some may be taken away by now."""
        if not self.tiles:
            return self.place.time_s
        return max(tile.first_s for tile in self.tiles) + HAND_LEAVES_S


@dataclass(frozen=True)
class Answer:
    """What a person said: these events happened there, and nothing else.

    If the place is one seat's discard, the only event is that discard.
    """

    place: EventPlace
    events: tuple[Event, ...]
