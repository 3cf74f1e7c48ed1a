"""Discards that were never seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.events import Discard
from vision.telling.costs import MISSED
from vision.telling.scene import TableEvidence
from vision.telling.story import Story

FELL: Final = 2.0
"""A discard was not seen, and the row of its player has lost the tile that it held too many."""
BEFORE_NEXT_S: Final = 0.5
"""Whoever comes next draws and discards at least so long after that."""


def missed(
    discards: Sequence[Discard],
    before_s: float,
    number: int,
    story: Story,
    scene: TableEvidence,
    sure: float = 1.0,
) -> Story | None:
    """The story with discards that nobody saw, one after the other, the last at a moment.

    None if the engine holds one for impossible.
    """
    told: Story | None = story
    since_s = story.told[-1].time_s if story.told else 0.0
    for discard in discards:
        if told is None:
            return None
        held = 14 - 3 * len(told.state.players[discard.seat].melds)
        fell_s = scene.falls.fell(discard.seat, held, since_s, before_s - BEFORE_NEXT_S)
        if fell_s is None:
            told = told.then(discard, before_s, number, MISSED, sure)
        else:
            told = told.then(discard, fell_s, number, FELL, sure)
    return told
