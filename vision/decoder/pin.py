"""What people have fixed: their words hold while a game is decoded again."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Event
from engine.updates import Pinned
from vision.decoder.question import Answer, EventPlace


@dataclass(frozen=True)
class Pin:
    """The events that the record has for a change of which a person wrote."""

    events: tuple[Event, ...]
    own: frozenset[int] = frozenset()
    """Places of those that a person wrote; the others are the camera's."""

    @classmethod
    def of_person(cls, *events: Event) -> Pin:
        return cls(events, frozenset(range(len(events))))

    @property
    def fixed(self) -> Pin:
        """The events until the last one that a person wrote."""
        return Pin(self.events[: max(self.own, default=-1) + 1], self.own)


@dataclass(frozen=True)
class Pins(Pinned):
    """All that people have said of one game; it replaces what they said before."""

    answers: tuple[Answer, ...] = ()
    """Answers that the record does not hold; they may come before their questions."""

    def settle(self, place: EventPlace) -> bool:
        """Whether people said what a question asks, in the record or beside it."""
        change, seat = place.happening.id, place.seat
        return (
            change in self.removed
            or any(answer.place.same(place) for answer in self.answers)
            or any(
                entry.change == change and seat in (None, getattr(entry.event, "seat", None))
                for entry in self.own
            )
        )
