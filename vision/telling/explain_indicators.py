"""A tile of the wall turned up: an indicator."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from engine.events import Draw, Indicator, IndicatorKind
from engine.state import Phase, State
from engine.tiles import UNKNOWN
from vision.telling.costs import UNSEEN_SET
from vision.telling.rarity import Rarity
from vision.telling.scene import TableEvidence, nothing_there
from vision.telling.story import Story, Told, some
from vision.tracking.happenings import Put, TurnedUp

UNDER: Final = 2.0
"""The tile from under an indicator is laid beside it: within so many tile heights."""


def turned_up(
    happening: TurnedUp, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    yield story.unchanged(min(UNSEEN_SET, nothing_there(scene.tiles[happening.tile])))
    kind = story.rules.layout.indicator_kind(len(story.state.indicators))
    if kind is None:
        return
    ways = [story]
    if story.state.phase is Phase.TO_DRAW:
        # It is turned up after the last draws, too, when nobody has won.
        drawn = story.drawn_out(happening.time_s - 0.5, number)
        if drawn is not None:
            ways = [story.unchanged(2.0), drawn]
        elif story.state.players[story.state.turn].ready:
            # Who turns it up in play has drawn a tile that wins with it.
            seen = story.then(Draw(story.state.turn, UNKNOWN), happening.time_s, number)
            ways = [story, *some(seen)]
    for way in ways:
        yield from _turned(happening, kind, number, way, scene)


def turned_under(
    happening: Put, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """Who has won in riichi looks at the tiles that lie under the indicators."""
    if not _looks_under(story.state):
        return
    lying = scene.tiles[happening.tile]
    near = UNDER * 1.33 * scene.tile_mm
    beside = any(
        math.dist(lying.xy_mm, scene.tiles[turned].xy_mm) < near
        for turned in story.turned
        if turned in scene.tiles
    )
    if beside:
        yield from _turned(happening, "ura_dora", number, story, scene)


def _looks_under(state: State) -> bool:
    """There are fewer ura indicators than indicators, and a ready player has won."""
    under = sum(one.kind == "ura_dora" for one in state.indicators)
    ready = any(state.players[seat].ready for seat in state.winners)
    return ready and 2 * under < len(state.indicators)


def _turned(
    happening: TurnedUp | Put, kind: IndicatorKind, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    rarity = Rarity.of(story.rules, story.state)
    for face, cost in scene.likely(happening.tile):
        price = cost + rarity.cost(face)
        event, sure = Indicator(face, kind), math.exp(-cost)
        told = Told(event, happening.time_s, number, sure, happening.tile, price)
        turned = story.telling(told, price)
        yield from some(None if turned is None else turned.turning(happening.tile))
