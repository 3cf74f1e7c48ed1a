"""What the record says of one change of the table after a person has put something right."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Event


@dataclass(frozen=True)
class Words:
    """The events that the record has for a change now."""

    events: tuple[Event, ...]
    own: frozenset[int] = frozenset()
    """Places of those that a person wrote; the others are the camera's."""

    @classmethod
    def of_person(cls, *events: Event) -> Words:
        return cls(events, frozenset(range(len(events))))

    @property
    def said(self) -> Words:
        """The events until the last one that a person wrote."""
        return Words(self.events[: max(self.own, default=-1) + 1], self.own)
