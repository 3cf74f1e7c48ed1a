"""The loose discards of a hand that was joined half way: they have no order until one is taken."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.events import Position
from vision.telling.story import Story

OTHER_TURN: Final = 2.0
"""Somebody else had discarded last than the rivers and hands made likely."""


def last_of_heap(tile: int, giver: int, story: Story) -> Story | None:
    """A hand that was just joined, with the tile that is taken now as the last discard of all.

    Loose discards have no order, and lie before anybody. None where the hand has gone on already.
    """
    place = len(story.told) - 1
    position = story.told[place].event if story.told else None
    if not isinstance(position, Position) or position.rivers is None:
        return None
    rivers, heap = [list(river) for river in position.rivers], [list(row) for row in story.heap]
    for row, tiles in enumerate(heap):
        if tile in tiles:
            at = tiles.index(tile)
            thrown = rivers[row].pop(at)
            heap[giver].append(tiles.pop(at))
            rivers[giver].append(replace(thrown, seat=giver))
            break
    else:
        return None
    turn = (giver + 1) % 4
    hands = position.hands if position.turn == turn else None
    told = replace(
        story.told[place],
        event=replace(position, rivers=tuple(map(tuple, rivers)), turn=turn, hands=hands),
    )
    after = story.retold(place, told)
    if after is None:
        return None
    moved = 0.0 if position.turn == turn else OTHER_TURN
    return replace(after, heap=tuple(map(tuple, heap)), cost=after.cost + moved)
