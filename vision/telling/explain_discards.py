"""A face appears in the middle: who discarded it, and what was missed before it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Discard, HandStart, Win
from engine.state import Phase
from engine.tiles import Tile
from vision.table.placed_tile import PlacedTile
from vision.telling.explain_indicators import turned_under
from vision.telling.explain_irregular import against_the_order
from vision.telling.lying import lying, uncovered
from vision.telling.missed import missed
from vision.telling.rarity import NONE_LEFT, Rarity
from vision.telling.reread import without_copy
from vision.telling.row_order import out_of_row
from vision.telling.scene import TableEvidence, nothing_there, sideways
from vision.telling.story import Story, Told, some
from vision.tracking.happenings import Put

AFTER_THE_WIN: Final = 0.5
"""A face in the middle when the hand is over."""
AT_ONCE_S: Final = 2.5
"""A hand that wins is opened at most so long before the discard that it wins with is seen."""
SOON_AFTER_THE_WIN: Final = 2.0
"""A face in the middle that came so late might have been that discard, and is not."""
FLEETING: Final = 1.0
"""The same, when it is not there any more and nobody took it."""
GONE_AGAIN: Final = 4.0
"""The same of a tile that was seen well: it was knocked over, or shown to somebody."""
WHILE_DEALT: Final = 1.0
"""The same of a face that was there while tiles were dealt: who discards has the whole hand."""
NOT_READY: Final = 4.0
"""A discard was turned sideways and nothing was meant by it."""
LIKELY_SEAT: Final = 1.5
"""A seat whose turn it is not is thought of where so much more, at most, speaks for another."""
SKIPPED_S: Final = 0.1
"""Discards that nobody saw are told so long before the one that was seen."""
FEW_LOOKS: Final = 3
SEEN_LATE: Final = 1.5
"""A face appears that was put there some time ago."""
LATE_EVENTS: Final = 16
READ_AGAIN: Final = 0.5
"""A discard that nobody claimed is read otherwise, where it lay or was pushed to, ..."""
PUSHED: Final = 0.6
"""... no farther than this share of a tile's width: no other tile can lie there beside it."""


def put(happening: Put, number: int, story: Story, scene: TableEvidence) -> Iterator[Story]:
    placed = scene.tiles[happening.tile]
    if story.state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        under = list(turned_under(happening, number, story, scene))
        yield from under
        won = list(_won_with(happening, number, story, scene))
        yield from won
        after = SOON_AFTER_THE_WIN if won else AFTER_THE_WIN
        yield story.unchanged(nothing_there(placed) if under else after)
        return
    if _lies_again(happening.tile, placed, story, scene):
        yield story.holding(happening.tile)
        return
    # A win that no rule knows may be one by this tile.
    yield from _won_with(happening, number, story, scene)
    nothing = nothing_there(placed)
    if happening.tile not in scene.present:
        nothing = min(nothing, FLEETING if placed.looks < FEW_LOOKS else GONE_AGAIN)
    if happening.early:
        nothing = min(nothing, WHILE_DEALT)
    yield story.unchanged(nothing)
    faces = scene.likely(happening.tile)
    yield from _seen_late(happening, story, faces, scene)
    yield from _read_again(happening.tile, story, scene)
    yield from uncovered(happening.tile, story, scene)
    yield from against_the_order(happening, number, story, scene, faces[0][0])
    for seat in range(4):
        yield from _discarded(happening, seat, number, story, scene)


def _discarded(
    happening: Put, seat: int, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """The tile as this seat's discard, after discards that were missed where it has no turn yet."""
    seat_cost = max(happening.seats) - happening.seats[seat]
    skipped = story.discards_until(seat)
    if skipped and seat_cost > LIKELY_SEAT:
        return
    before = missed(skipped, happening.time_s - SKIPPED_S, number, story, scene)
    if before is None:
        return
    seat_cost += scene.witness.unchanged(seat, happening.time_s)
    seat_cost += out_of_row(happening.tile, seat, len(before.told), before, scene)
    for face, cost in scene.likely(happening.tile, by=(seat, happening.time_s)):
        for way in _with_copies_left(before, face, scene):
            price = cost + Rarity.of(way.rules, way.state).cost(face)
            for ready, ready_cost in _signs(scene.tiles[happening.tile], seat, way, scene):
                told = Told(
                    Discard(seat, face, ready),
                    happening.time_s,
                    number,
                    math.exp(-cost),
                    happening.tile,
                    price,
                )
                thrown = way.telling(told, price + seat_cost + ready_cost)
                if thrown is not None:
                    yield thrown.holding(happening.tile)


def _won_with(happening: Put, number: int, story: Story, scene: TableEvidence) -> Iterator[Story]:
    """The win that was just told, by this discard: the hand was opened before it was seen."""
    place = len(story.told) - 1
    if place < 0:
        return
    told = story.told[place]
    won, before = told.event, story.before[place]
    if not isinstance(won, Win) or before.phase is not Phase.TO_DRAW or before.turn == won.seat:
        return
    if won.from_seat == won.seat or happening.time_s - told.time_s > AT_ONCE_S:
        return
    seat = before.turn
    played = replace(
        story,
        state=before,
        told=story.told.until(place),
        before=story.before.until(place),
        cost=story.cost - told.flaws + max(happening.seats) - happening.seats[seat],
    )
    rarity = Rarity.of(story.rules, before)
    for face, cost in scene.likely(happening.tile, by=(seat, happening.time_s)):
        price, sure = cost + rarity.cost(face), math.exp(-cost)
        thrown = Told(Discard(seat, face), happening.time_s, number, sure, happening.tile, price)
        way = played.telling(thrown, price)
        if way is not None:
            claim = replace(won, from_seat=seat, tile=face)
            yield from some(way.telling(replace(told, event=claim, cause=number)))


def _lies_again(tile: int, placed: PlacedTile, story: Story, scene: TableEvidence) -> bool:
    """Whether the last discard was covered, or put back after somebody had claimed it."""
    last = story.told[-1]
    if not isinstance(last.event, Discard):
        return False
    if last.tile == tile:
        return True
    gone = story.undone > 0 and last.tile not in scene.present
    return gone and placed.tile == last.event.tile


def _with_copies_left(story: Story, face: Tile, scene: TableEvidence) -> Iterator[Story]:
    """The story, or such in which one of all copies of a face was something else."""
    if Rarity.of(story.rules, story.state).cost(face) < NONE_LEFT:
        yield story
    else:
        yield from without_copy(story, face, scene)


def _seen_late(
    happening: Put, story: Story, faces: Sequence[tuple[Tile, float]], scene: TableEvidence
) -> Iterator[Story]:
    """A discard that was missed when it was made is seen now."""
    best = max(happening.seats)
    for place in range(len(story.told) - 1, max(-1, len(story.told) - LATE_EVENTS), -1):
        event = story.told[place].event
        if isinstance(event, HandStart):
            return
        if isinstance(event, Discard) and not event.tile.known:
            face, cost = faces[0]
            told = story.told[place]
            price = cost + Rarity.of(story.rules, story.state).cost(face)
            new = replace(
                told,
                event=replace(event, tile=face),
                sure=math.exp(-cost),
                tile=happening.tile,
                price=price,
            )
            filled = story.retold(place, new)
            if filled is not None:
                off = min(best - happening.seats[event.seat], 2.0)
                off += out_of_row(happening.tile, event.seat, place, story, scene)
                yield filled.unchanged(off + SEEN_LATE)


def _read_again(tile: int, story: Story, scene: TableEvidence) -> Iterator[Story]:
    """A discard that nobody claimed is gone, and this face lies in its place: the same tile."""
    for one in lying(story):
        if one.place is None or one.id is None or one.id in scene.present or one.id == tile:
            continue
        was = scene.tiles.get(one.id)
        if was is None or math.dist(was.xy_mm, scene.tiles[tile].xy_mm) > PUSHED * scene.tile_mm:
            continue
        told = story.told[one.place]
        if not isinstance(told.event, Discard):
            continue
        rarity = Rarity.of(story.rules, story.state)
        # Two readings of one tile.
        faces = [one.tile, *(face for face, _ in scene.likely(tile))]
        costs = {face: scene.cost_of(tile, face) + scene.cost_of(one.id, face) for face in faces}
        face = min(costs, key=lambda face: costs[face])
        again: Story | None = story
        if face != one.tile or not face.known:
            price = scene.cost_of(tile, face) + rarity.cost(face, one.tile)
            event = replace(told.event, tile=face)
            new = replace(told, event=event, sure=math.exp(-costs[face]), tile=tile, price=price)
            again = story.retold(one.place, new)
        if again is not None:
            last = again.holding(tile) if story.last_tile == one.id else again
            yield last.unchanged(READ_AGAIN)


def _signs(
    placed: PlacedTile, seat: int, story: Story, scene: TableEvidence
) -> list[tuple[bool, float]]:
    """Whether readiness was claimed with a discard, as far as the tile tells, and the costs."""
    if not scene.layout.turned_is_ready or story.state.players[seat].ready:
        return [(False, 0.0)]
    if sideways(placed, seat):
        return [(True, 0.0), (False, NOT_READY)]
    return [(False, 0.0)]
