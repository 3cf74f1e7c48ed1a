"""Lines that end a hand, and whether its end was seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.events import Correct, DrawnHand, Entry, HandEnd
from vision.notice import Notice

UNSEEN_END: Final = 0.5
"""A drawn hand with less confidence than this was not seen to end."""


def unseen_ends(entries: Iterable[Entry], time_s: float) -> Iterator[Notice]:
    """A notice for each hand whose end nobody saw."""
    for entry in entries:
        doubtful = entry.confidence is not None and entry.confidence < UNSEEN_END
        if isinstance(entry.event, DrawnHand) and doubtful:
            text = "a hand ended and nobody saw how: enter who won, or that it was drawn"
            yield Notice("unseen", time_s, text, lasts=False)


def ends_a_hand(line: Entry) -> bool:
    """Whether a line ends a hand, or a correction does that puts the end in place of a doubt."""
    if isinstance(line.event, Correct):
        return any(ends_a_hand(one) for one in line.event.events)
    return isinstance(line.event, HandEnd)
