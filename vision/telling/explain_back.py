"""Tiles put back: players undo what they did, or somebody took what was not seen to be laid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.events import Chow, Discard, HandStart, Kong, Pung
from engine.state import Phase
from vision.telling.lying import lying
from vision.telling.scene import TableEvidence
from vision.telling.story import Story
from vision.tracking.taken_back import TakenBack

WHOLE: Final = 0.5
"""The hand that had given the tile holds as many again as before it."""
NOT_WHOLE: Final = 6.0
LOST: Final = 3.0
"""A tile that lies there is not found any more, and the hand seems to have it."""
SET_GONE: Final = 4.0
SET_LOST: Final = 9.0
"""The tiles of a set lie there no more, and the play has gone on: they had been knocked over."""
PAIR: Final = 2
MISCOUNTED: Final = 1
"""One standing tile may not have been found."""


def taken_back(happening: TakenBack, story: Story, scene: TableEvidence) -> Iterator[Story]:
    """The story as it is, and the story as it was before the tiles were put there."""
    if story.state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        yield story
        return
    if len(happening.tiles) > 1:
        yield from _set_back(happening, story, scene)
        return
    (tile,) = happening.tiles
    place = len(story.told) - 1
    told = story.told[place]
    event = told.event
    if told.tile != tile or story.last_tile != tile or not isinstance(event, Discard):
        yield story.unchanged(LOST if _lay_unclaimed(tile, story) else 0.0)
        return
    whole = story.before[place].players[event.seat]
    held = 14 - 3 * len(whole.melds)
    back = happening.standing[event.seat] >= held
    yield story.unchanged(LOST if back else 0.0)
    yield undone(story, place).unchanged(WHOLE if back else NOT_WHOLE)


def _lay_unclaimed(tile: int, story: Story) -> bool:
    """Whether the tile was told as a discard that nobody has claimed: it would still lie there."""
    return any(one.id == tile for one in lying(story))


def _set_back(happening: TakenBack, story: Story, scene: TableEvidence) -> Iterator[Story]:
    place = len(story.told) - 1
    event = story.told[place].event
    if not isinstance(event, Chow | Pung | Kong):
        # It was never told, or others have played on since: then it would lie there.
        yield story.unchanged(SET_LOST if _told_set(happening, story, scene) else 0.0)
        return
    held = 13 - 3 * len(story.before[place].players[event.seat].melds)
    back = happening.standing[event.seat] >= held - MISCOUNTED
    yield story.unchanged(SET_GONE if back else 0.0)
    yield undone(story, place).unchanged(WHOLE if back else NOT_WHOLE)


def _told_set(happening: TakenBack, story: Story, scene: TableEvidence) -> bool:
    """Whether somebody holds a set of what these tiles showed.

    One of them may have been read otherwise, and one of three may not have been found.
    """
    shown = Counter(scene.tiles[tile].tile for tile in happening.tiles)
    pair = shown.total() == PAIR
    return any(
        (shown - Counter(meld.tiles)).total() <= (0 if pair else 1)
        for player in story.state.players
        for meld in player.melds
        if pair or len(meld.tiles) == shown.total()
    )


def undone(story: Story, place: int) -> Story:
    """The story as it stood before one event."""
    told = story.told.until(place)
    last = None
    for before in reversed(told):
        if isinstance(before.event, HandStart):
            break
        if isinstance(before.event, Discard):
            last = before.tile
            break
    return replace(
        story,
        state=story.before[place],
        told=told,
        before=story.before.until(place),
        last_tile=last,
        undone=story.undone + 1,
    )
