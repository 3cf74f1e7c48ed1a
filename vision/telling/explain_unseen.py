"""A winning hand of which one tile was not found: the rules say what it can have been."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Discard, Win
from engine.state import Phase
from engine.tiles import Tile
from vision.telling.missed import missed
from vision.telling.rarity import NONE_LEFT, Rarity
from vision.telling.readings import apart_of, hands, in_order
from vision.telling.scene import TableEvidence
from vision.telling.story import Story
from vision.tracking.happenings import HandOpened

NOT_FOUND: Final = 3.5
"""A tile of an open hand was not found, however long it lay there."""
READINGS: Final = 2


def won_with_one_unseen(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence, size: int
) -> Iterator[Story]:
    """Wins of a hand of ``size`` tiles and the one that it won with, of which one is missing."""
    apart = apart_of(happening, scene, whole=False)
    for faces, cost in hands(happening.tiles, scene, READINGS):
        price = NOT_FOUND + cost
        if len(faces) < size:
            yield from _by_claim(happening, number, story.unchanged(price), scene, faces)
        elif apart is not None:
            hand = (*faces[:apart], *faces[apart + 1 :])
            for way, event in _with_tile_apart(happening, number, story, faces[apart], scene):
                yield from _filled(way.unchanged(price), event, hand, happening, number)


def _by_claim(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence, faces: Sequence[Tile]
) -> Iterator[Story]:
    """The tile that it won with lies where it was discarded."""
    last = story.state.last_discard
    if last is not None and last.seat != happening.seat and story.last_tile in scene.present:
        event = Win(happening.seat, last.seat, last.tile)
        yield from _filled(story, event, faces, happening, number)


def _with_tile_apart(
    happening: HandOpened, number: int, story: Story, tile: Tile, scene: TableEvidence
) -> Iterator[tuple[Story, Win]]:
    """How the tile that lies apart may have come: drawn, claimed, claimed before it was seen."""
    seat, state = happening.seat, story.state
    last, turn = state.last_discard, state.turn
    if turn == seat:
        yield story, Win(seat, seat, tile)
    claimed = last is not None and last.seat != seat and last.tile == tile
    if last is not None and claimed and story.last_tile not in scene.present:
        yield story, Win(seat, last.seat, tile)
    if turn != seat and state.phase is Phase.TO_DRAW and not claimed:
        unseen = Discard(turn, tile)
        thrown = missed([unseen], happening.time_s - 1.0, number, story, scene, sure=0.5)
        if thrown is not None:
            yield thrown, Win(seat, turn, tile)


def _filled(
    story: Story, event: Win, hand: Sequence[Tile], happening: HandOpened, number: int
) -> Iterator[Story]:
    """The win with each tile in the place of the missing one with which the rules have a win."""
    rarity = Rarity.of(story.rules, story.state)
    found: list[Story] = []
    for face in rarity.wall:
        cost = rarity.cost(face)
        if cost >= NONE_LEFT:
            continue
        won = replace(event, hand=in_order((*hand, face)))
        told = story.then(won, happening.time_s, number, cost, sure=0.5)
        if told is not None and told.told[-1].flaws == 0:
            found.append(told)
    # One of so many tiles: each is the less likely, the more there are.
    for told in found:
        yield told.unchanged(math.log(len(found)))
