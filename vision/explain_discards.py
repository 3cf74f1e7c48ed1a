"""A face appears in the middle: who discarded it, and what was missed before it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import (
    Discard,
    HandStart,
)
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from vision.costs import MISSED
from vision.explain_indicators import turned_under
from vision.happen import Put
from vision.observe import LEAST_SURE, Placed
from vision.scene import Scene, sideways
from vision.story import Story

NOISE: Final = 9.0
"""A face in the middle was a misreading of nothing."""
FLEETING: Final = 1.0
"""The same, when it is not there any more and nobody took it."""
NOT_READY: Final = 4.0
"""A discard was turned sideways and nothing was meant by it."""
FEW_LOOKS: Final = 3
SEEN_LATE: Final = 1.5
"""A face appears that was put there some time ago."""
LATE_EVENTS: Final = 16


def put(happening: Put, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    placed = scene.tiles[happening.tile]
    if story.state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        yield story.unchanged(0.5)
        yield from turned_under(happening, number, story, scene)
        return
    fleeting = happening.tile not in scene.present and placed.looks < FEW_LOOKS
    yield story.unchanged(FLEETING if fleeting else NOISE)
    faces = scene.likely(happening.tile)
    yield from _seen_late(happening, story, faces)
    turn = story.state.turn
    best = max(happening.seats)
    for seat in range(4):
        seat_cost = best - happening.seats[seat]
        missed = (seat - turn) % 4
        if missed and seat_cost > 1.5:
            continue
        before = story
        if missed:
            skipped = [Discard((turn + step) % 4, UNKNOWN) for step in range(missed)]
            ways = story.all(skipped, happening.time_s - 0.1, number, MISSED * missed)
            if ways is None:
                continue
            before = ways
        for face, cost in faces:
            sure = math.exp(-cost)
            # A face that nothing speaks for is not written down.
            written = face if sure >= LEAST_SURE or len(faces) > 1 else UNKNOWN
            for ready, ready_cost in _signs(placed, seat, before, scene):
                told = before.then(
                    Discard(seat, written, ready),
                    happening.time_s,
                    number,
                    cost + seat_cost + ready_cost,
                    sure,
                )
                if told is not None:
                    yield told.holding(happening.tile)


def _seen_late(
    happening: Put, story: Story, faces: Sequence[tuple[Tile, float]]
) -> Iterator[Story]:
    """A discard that was missed when it was made is seen now."""
    best = max(happening.seats)
    for place in range(len(story.told) - 1, max(-1, len(story.told) - LATE_EVENTS), -1):
        event = story.told[place].event
        if isinstance(event, HandStart):
            return
        if isinstance(event, Discard) and not event.tile.known:
            face, cost = faces[0]
            filled = story.changed(place, replace(event, tile=face))
            if filled is not None:
                off = min(best - happening.seats[event.seat], 2.0)
                yield filled.unchanged(cost + off + SEEN_LATE)


def _signs(placed: Placed, seat: int, story: Story, scene: Scene) -> list[tuple[bool, float]]:
    """Whether readiness was claimed with a discard, as far as the tile tells, and the costs."""
    if not scene.customs.turned_is_ready or story.state.players[seat].ready:
        return [(False, 0.0)]
    if sideways(placed, seat):
        return [(True, 0.0), (False, NOT_READY)]
    return [(False, 0.0)]
