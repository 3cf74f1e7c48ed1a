"""Whether a foul rests on what a camera surely saw: else it is asked, and nobody is accused.

What a camera tells has a confidence, and so have the acts before it. Where several of these were
hardly seen, a tile that was missed explains most of what looks like a foul.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from engine.events import Chow, Discard, Entry, Foul, HandStart, Kong, Pung, Reveal, Win
from engine.played import PlayedEvent

SURE: Final = 0.8
"""What accuses is at least so sure: true fouls of hand-made tables are told with 0.83 to 1.0."""
WELL_SEEN: Final = 0.9
"""An act that is less sure was hardly seen."""
RECENT: Final = 8
"""So many acts before it tell how well the table is read."""
MOST_WEAK: Final = 1
"""Of these so many may be hardly seen: one happens at tables that are read well."""

_ACTS: Final = (Discard, Chow, Pung, Kong, Win, Reveal, Foul)


def surely_seen(entry: Entry, before: Sequence[PlayedEvent]) -> bool:
    """Whether what an event breaks may be announced as certain; ``before``: all that came first.

    What people say, and what no camera has told, is certain.
    """
    if entry.source != "camera":
        return True
    sure = entry.confidence is None or entry.confidence >= SURE
    weak = sum(map(_is_weak, islice(_acts_of_hand(before), RECENT)))
    return sure and weak <= MOST_WEAK


def _acts_of_hand(before: Sequence[PlayedEvent]) -> Iterator[Entry]:
    """The acts of the hand that is played, the last one first."""
    for at in range(len(before) - 1, -1, -1):
        entry = before[at].event.entry
        if isinstance(entry.event, HandStart):
            return
        if isinstance(entry.event, _ACTS):
            yield entry


def _is_weak(entry: Entry) -> bool:
    if entry.source != "camera":
        return False
    unnamed = isinstance(entry.event, Discard) and not entry.event.tile.known
    return unnamed or (entry.confidence is not None and entry.confidence < WELL_SEEN)
