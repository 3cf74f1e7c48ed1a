"""How an event is acted at the table, and what people do there that is no event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.events import Event, Seat

GestureKind = Literal[
    "begin_film", "card", "cover_middle", "lay_down", "straighten", "take_up", "touch_wall", "wait"
]


@dataclass(frozen=True)
class Gesture:
    """Something that is done at the table and is no event of the record."""

    do: GestureKind
    seat: Seat = 0
    for_s: float = 0.0
    """How long a ``wait`` lasts, or arms over the middle."""
    card: str = ""
    """The card of a rehearsal that is done from here on."""


@dataclass(frozen=True)
class Retracted:
    """An event that is acted and then undone: every tile goes back, and nothing is recorded."""

    event: Event
    stays_s: float
    """How long the tiles stay before they are put back."""


@dataclass(frozen=True)
class Manner:
    """How one event is acted."""

    first: tuple[Gesture | Retracted, ...] = ()
    """What is done before it."""
    after_s: float | None = None
    """When its motion begins: this long after that of the event before. None: by chance."""
    pace: float = 1.0
    """2 is half as fast."""
    stays_s: float = 0.0
    """How long the hand stays over what it has put down."""
    irregular: bool = False
    """Whether it breaks a rule, so that the engine has to say so."""
    turned: int | None = None
    """Which tile of a claimed set lies sideways, from the left; None: by who threw it."""
    late_s: float = 0.0
    """A draw that is forgotten, and made so long after the discard that should have followed it."""


PLAIN: Final = Manner()
