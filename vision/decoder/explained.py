"""One step of a hypothesis: an event, or a change that means nothing, with its tracks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from engine.events import Discard, Event, GameStart, Indicator, Seat
from engine.tiles import UNKNOWN, Tile
from vision.decoder.likelihood import Charges, price

BEFORE: Final = -1
"""A change of which the program saw nothing: numbers up to this are those of earlier programs."""
FLAWS: Final = frozenset({"irregular", "not_a_win", "not_ready", "false_ready", "wrong_tile_count"})
"""Charges for broken rules, which follow from the state before a step."""
COMPUTED: Final = ("cost", "face", "mark")
"""Names under which a step keeps what was computed of it."""


@dataclass(frozen=True)
class Explained:
    """One event of a hypothesis, or a change that means nothing."""

    time_s: float
    change: int
    event: Event | None = None
    tile: int | None = None
    """Track that alone shows the event's face: a discard, an indicator."""
    tiles: tuple[int, ...] = ()
    """Tracks that the step explains."""
    charges: Charges = field(default_factory=dict)
    by_person: bool = False
    """A person said that it was so."""
    supplied: bool = False
    """Nobody saw it: what lies on the table and the rules leave nothing else."""
    read_in_row: bool = False
    """A hand that lies open shows it."""
    sure: float = 1.0
    """Confidence in the faces of ``tiles``, 0..1."""
    told_as: Event | None = None
    """What the record says of it, where that names less than is likely."""

    @property
    def told(self) -> Event | None:
        """What the record says."""
        return self.told_as or self.event

    @cached_property
    def cost(self) -> float:
        return price(self.charges)

    @cached_property
    def face(self) -> Tile:
        """Face of ``tile``."""
        event = self.event
        return event.tile if isinstance(event, Discard | Indicator) else UNKNOWN

    @cached_property
    def mark(self) -> int:
        """Names the event with its change; 0 where there is none, as every game begins alike."""
        told = self.event is not None and not isinstance(self.event, GameStart)
        return hash((self.change, self.event)) if told else 0

    @property
    def thrown_by(self) -> tuple[Seat, float] | None:
        """Out of whose hand the tile came, and when; None where it came from none."""
        return (self.event.seat, self.time_s) if isinstance(self.event, Discard) else None

    @property
    def flawed(self) -> bool:
        """Whether the event breaks a rule."""
        return bool(FLAWS & self.charges.keys())

    def charged(self, charges: Charges) -> Explained:
        total = dict(self.charges)
        for name, amount in charges.items():
            if amount:
                total[name] = total.get(name, 0.0) + amount
        return self.but(charges=total)

    def but(self, **changes: object) -> Explained:
        """A copy with changes, like ``dataclasses.replace`` but faster."""
        copy = object.__new__(Explained)
        held = copy.__dict__
        held.update(self.__dict__)
        for name in COMPUTED:
            held.pop(name, None)
        held.update(changes)
        return copy

    def __getstate__(self) -> dict[str, object]:
        """What is kept in checkpoints: another program computes other marks."""
        return {name: value for name, value in self.__dict__.items() if name not in COMPUTED}
