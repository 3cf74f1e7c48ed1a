"""What people have fixed: their words hold while a game is decoded again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.events import Discard, Event
from engine.updates import Pinned
from vision.decoder.question import Answer, EventPlace


def same_act(one: Event, other: Event) -> bool:
    """Whether both are the same act; its faces may be read otherwise."""
    return type(one) is type(other) and all(
        getattr(one, what, None) == getattr(other, what, None)
        for what in ("seat", "from_seat", "reason")
    )


@dataclass(frozen=True)
class Pin:
    """The events that the record has for a change of which a person wrote."""

    events: tuple[Event, ...]
    own: frozenset[int] = frozenset()
    """Places of those that a person wrote; the others are the camera's."""
    removed: tuple[Event, ...] = ()
    """What a person took away from this change: it explains none of these acts."""

    @classmethod
    def of_person(cls, *events: Event) -> Pin:
        return cls(events, frozenset(range(len(events))))

    @property
    def fixed(self) -> Pin:
        """The events until the last one that a person wrote."""
        return replace(self, events=self.events[: max(self.own, default=-1) + 1])

    def refuses(self, event: Event) -> bool:
        """Whether a person has said that this act did not happen in this change.

        That another seat put a tile down says nothing of a discard that nobody saw.
        """
        return any(
            same_act(gone, event) and _is_seen(gone) == _is_seen(event) for gone in self.removed
        )


def _is_seen(event: Event) -> bool:
    return not isinstance(event, Discard) or event.tile.known


@dataclass(frozen=True)
class Pins(Pinned):
    """All that people have said of one game; it replaces what they said before."""

    answers: tuple[Answer, ...] = ()
    """Answers that the record does not hold; they may come before their questions."""

    def settle(self, place: EventPlace) -> bool:
        """Whether people said what a question asks, in the record or beside it."""
        change, seat = place.happening.id, place.seat
        return (
            any(entry.change == change for entry in self.removed)
            or any(answer.place.same(place) for answer in self.answers)
            or any(
                entry.change == change and seat in (None, getattr(entry.event, "seat", None))
                for entry in self.own
            )
        )
