"""Tiles laid beside a hand: chows, pungs and kongs, of whose discard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

import numpy as np

from engine.events import Chow, Discard, Kong, Pung
from engine.state import Phase, SetKind, State
from engine.tiles import UNKNOWN, Tile
from vision.telling.costs import UNSEEN_SET, sure_of
from vision.telling.explain_irregular import false_set
from vision.telling.heap import last_of_heap
from vision.telling.missed import missed
from vision.telling.rarity import Rarity
from vision.telling.reread import claimed
from vision.telling.scene import FACES_TRIED, TableEvidence, but_for_one, sideways
from vision.telling.story import Story, some
from vision.tiles.classes import FACES, Side
from vision.tracking.happenings import Added, SetLaid

STILL_THERE: Final = 4.0
"""A claimed tile still lies in the middle."""
TURNED_OTHERWISE: Final = 2.5
"""The sideways tile of a set points to somebody else."""
A_SET: Final = 5.0
"""Tiles that show a set only at a higher cost may have been laid open and be none."""
KONG: Final = 4
NOT_TURNED: Final = 3.0
"""A tile of a set that lies upright was the claimed one."""


def set_laid(
    happening: SetLaid, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    yield story.unchanged(UNSEEN_SET if story.state.phase is not Phase.SETTLED else 0.5)
    state = story.state
    if state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        return
    yield from _set_laid(happening, number, story, scene)
    if len(happening.tiles) == KONG:  # or a thing lay beside three
        for three, cost in but_for_one(happening.tiles, scene):
            fewer = replace(happening, tiles=three)
            yield from _set_laid(fewer, number, story.unchanged(cost), scene)


def _set_laid(
    happening: SetLaid, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    state, seat, tiles = story.state, happening.seat, happening.tiles
    backs = sum(scene.tiles[tile].side is Side.BACK for tile in tiles)
    if len(tiles) == 4 or (len(tiles) == 3 and backs):
        yield from _closed_kong(happening, number, story, scene)
    yield from _claim_from_heap(happening, number, story, scene)
    last = state.last_discard
    if last is None or last.seat == seat or last.added_kong:
        yield from _claim_of_unseen(happening, number, story, scene)
        return
    cost = 0.0
    if story.last_tile is not None and story.last_tile in scene.present:
        cost += STILL_THERE
    points_to = fed_by(happening, scene)
    if points_to is not None and points_to != last.seat:
        cost += TURNED_OTHERWISE
    found, likeliest = False, math.inf
    for event, faces_cost in claims_shown(state, seat, last.seat, last.tile, tiles, scene):
        found, likeliest = True, min(likeliest, faces_cost)
        faces_cost += scene.witness.held(seat, happening.time_s, event.own or ())
        sure = sure_of(faces_cost)
        yield from claimed(story, event, happening, number, cost + faces_cost, scene, sure)
        if not isinstance(event, Kong):
            yield from _irregular_unless_ready(story, event, happening, number, cost + faces_cost)
    if likeliest > A_SET:
        yield from false_set(happening, number, story, scene)
    if not found or cost > 0:
        yield from _claim_of_unseen(happening, number, story, scene)
    yield from _claim_of_misread(happening, number, story, scene, cost)


def _irregular_unless_ready(
    story: Story, event: Chow | Pung, happening: SetLaid, number: int, cost: float
) -> Iterator[Story]:
    """A chow from across is regular when readiness is claimed with it."""
    plain = story.then(event, happening.time_s, number, cost)
    if plain is not None and plain.cost > story.cost + cost + 1.0:
        ready = story.then(replace(event, ready=True), happening.time_s, number, cost + 0.2)
        yield from some(ready)


def claims_shown(
    state: State, seat: int, from_seat: int, tile: Tile, tiles: Sequence[int], scene: TableEvidence
) -> Iterator[tuple[Chow | Pung | Kong, float]]:
    """Sets with the claimed tile that the laid tiles may show, likeliest first."""
    if not tile.known:
        yield from _claims_of_any(state, seat, from_seat, tiles, scene)
        return
    ways: list[tuple[float, Chow | Pung | Kong]] = []
    kind = tile.kind
    if len(tiles) == 4:
        own_three = _other_three(tile, scene)
        cost = _shown((tile, *own_three), seat, tiles, scene)
        ways.append((cost, Kong(seat, "open", tile, from_seat, own_three)))
    else:
        for own in _with_reds((kind, kind), tile, scene):
            cost = _shown((tile, *own), seat, tiles, scene)
            ways.append((cost, Pung(seat, from_seat, tile, own)))
        for own in _runs_with(tile, state):
            for others in _with_reds(own, tile, scene):
                cost = _shown((tile, *others), seat, tiles, scene)
                ways.append((cost, Chow(seat, from_seat, tile, others)))
    ways.sort(key=lambda way: way[0])
    for cost, event in ways[:3]:
        if cost < ways[0][0] + 5.0 and cost < 9.0:
            yield event, cost


def _runs_with(tile: Tile, state: State) -> Iterator[tuple[Tile, Tile]]:
    """What a chow of this tile may hold besides, tiles that stand for others as they are."""
    kind = state.read_as(tile)
    if kind.suit not in "mps":
        return
    lies = {stood_for: stand_in for stand_in, stood_for in state.stand_ins.items()}
    for low in range(max(1, kind.rank - 2), min(7, kind.rank) + 1):
        run = [Tile(f"{rank}{kind.suit}") for rank in range(low, low + 3)]
        first, second = (lies.get(other, other) for other in run if other != kind)
        yield first, second


def _with_reds(
    own: tuple[Tile, Tile], claimed: Tile, scene: TableEvidence
) -> Iterator[tuple[Tile, Tile]]:
    """The tiles from the hand, and the same with the red five of their suit in it."""
    yield own
    for place, tile in enumerate(own):
        red = scene.red_of(tile)
        if red is not None and red != claimed:
            yield (red, own[1]) if place == 0 else (own[0], red)
            return


def _other_three(tile: Tile, scene: TableEvidence) -> tuple[Tile, ...]:
    """What else is in a kong of this tile: the red five is, where the game has one."""
    kind = tile.kind
    red = scene.red_of(kind)
    return (kind,) * 3 if red is None or red == tile else (kind, kind, red)


def _claims_of_any(
    state: State, seat: int, from_seat: int, tiles: Sequence[int], scene: TableEvidence
) -> Iterator[tuple[Chow | Pung | Kong, float]]:
    """The same where the discard's face was not read: the set tells it."""
    shown = [scene.likely(tile, 2)[0][0] for tile in tiles]
    for face in dict.fromkeys(shown):
        if face.known:
            yield from claims_shown(state, seat, from_seat, face, tiles, scene)


def _shown(faces: Sequence[Tile], seat: int, tiles: Sequence[int], scene: TableEvidence) -> float:
    """Cost of reading the tiles as these faces, the claimed one first; tiles may be missing.

    They lie in whatever order, but the one that lies sideways is the claimed one.
    """
    costs = [[scene.cost_of(tile, face) for face in faces] for tile in tiles]
    turned = [row for row, tile in enumerate(tiles) if sideways(scene.tiles[tile], seat)]
    if len(turned) == 1:
        for place in range(1, len(faces)):
            costs[turned[0]][place] += NOT_TURNED
    missing = 1.5 * max(0, len(faces) - len(tiles))
    if len(tiles) > len(faces):
        return 20.0
    return missing + min(
        sum(row[place] for row, place in zip(costs, places, strict=False))
        for places in permutations(range(len(faces)), len(tiles))
    )


def fed_by(happening: SetLaid, scene: TableEvidence) -> int | None:
    """The seat that the sideways tile points to: left, middle or right for who fed it."""
    turned = [
        place
        for place, tile in enumerate(happening.tiles)
        if sideways(scene.tiles[tile], happening.seat)
    ]
    if len(turned) != 1:
        return None
    place, last = turned[0], len(happening.tiles) - 1
    step = 3 if place == 0 else 1 if place == last else 2
    return (happening.seat + step) % 4


def may_be_claimed(happening: SetLaid, scene: TableEvidence) -> list[tuple[Tile, float]]:
    """Faces of a set that may be the claimed one: that of the sideways tile, if there is one."""
    turned = [t for t in happening.tiles if sideways(scene.tiles[t], happening.seat)]
    costs: dict[Tile, float] = {}
    for tile in happening.tiles:
        cost = 0.0 if len(turned) != 1 or tile in turned else NOT_TURNED
        # What the face costs is counted with the set; here it is only tried.
        for face, _ in scene.likely(tile, FACES_TRIED if tile in turned else 1):
            if face.known:
                costs[face] = min(cost, costs.get(face, cost))
    return list(costs.items())


def _claim_of_unseen(
    happening: SetLaid, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """The claimed tile was discarded and taken before anybody could see it lie there."""
    seat = happening.seat
    if len(happening.tiles) < 2:
        return
    fed = fed_by(happening, scene)
    feeders = [fed] if fed is not None else [other for other in range(4) if other != seat]
    for feeder in feeders:
        skipped = story.discards_until(feeder)
        for face, odd in may_be_claimed(happening, scene):
            unseen = [*skipped, Discard(feeder, face)]
            before = missed(unseen, happening.time_s - 0.5, number, story.unchanged(odd), scene)
            if before is None:
                continue
            for event, cost in claims_shown(
                before.state, seat, feeder, face, happening.tiles, scene
            ):
                yield from claimed(before, event, happening, number, cost, scene, 0.5)


def _claim_from_heap(
    happening: SetLaid, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """A hand was joined a moment ago: which of its loose discards was the last shows only now."""
    if scene.layout.river != "loose":
        return
    fed = fed_by(happening, scene)
    givers = [fed] if fed is not None else [at for at in range(4) if at != happening.seat]
    for tile in (tile for river in story.heap for tile in river if tile not in scene.present):
        for giver in givers:
            before = last_of_heap(tile, giver, story)
            last = None if before is None else before.state.last_discard
            if before is None or last is None:
                continue
            for claim, cost in claims_shown(
                before.state, happening.seat, giver, last.tile, happening.tiles, scene
            ):
                yield from claimed(before, claim, happening, number, cost, scene)


def _claim_of_misread(
    happening: SetLaid, number: int, story: Story, scene: TableEvidence, cost: float
) -> Iterator[Story]:
    """The claimed tile was taken for another one when it was discarded."""
    place = len(story.told) - 1
    event = story.told[place].event if story.told else None
    if not isinstance(event, Discard) or story.last_tile is None:
        return
    rarity = Rarity.of(story.rules, story.state)
    for face, odd in may_be_claimed(happening, scene):
        if face == event.tile:
            continue
        price = scene.cost_of(story.last_tile, face) + rarity.cost(face)
        new = replace(story.told[place], event=replace(event, tile=face), price=price)
        told = story.retold(place, new)
        if told is None:
            continue
        for claim, shown in claims_shown(
            told.state, happening.seat, event.seat, face, happening.tiles, scene
        ):
            sure, price = sure_of(shown), cost + odd + shown
            yield from claimed(told, claim, happening, number, price, scene, sure)


def _closed_kong(
    happening: SetLaid, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    sides = [scene.tiles[tile].side for tile in happening.tiles]
    backs = sides.count(Side.BACK)
    cost = {0: 5.0, 1: 1.0, 2: 0.0, 3: 1.0, 4: 0.5}[backs] + 1.5 * (4 - len(sides))
    before = missed(
        story.discards_until(happening.seat), happening.time_s - 0.5, number, story, scene
    )
    if before is None:
        return
    shown = [tile for tile in happening.tiles if scene.tiles[tile].side is Side.FACE]
    ways = kinds_shown(shown, scene) if shown else [(UNKNOWN, 0.0)]
    for face, face_cost in ways:
        event = Kong(happening.seat, "closed", face, own=(*_other_three(face, scene), face))
        sure = sure_of(face_cost)
        yield from claimed(before, event, happening, number, cost + face_cost, scene, sure)


def kinds_shown(tiles: Sequence[int], scene: TableEvidence) -> list[tuple[Tile, float]]:
    """Kinds that all these tiles may show alike."""
    total = sum(np.log(np.maximum(scene.kinds(tile), 1e-6)) for tile in tiles)
    log = np.asarray(total)
    order = np.argsort(-log)[:FACES_TRIED]
    return [(Tile(FACES[i]).kind, float(-log[i])) for i in order if log[i] > log[order[0]] - 5]


def added(happening: Added, number: int, story: Story, scene: TableEvidence) -> Iterator[Story]:
    seat = happening.seat
    yield story.unchanged(UNSEEN_SET)
    for meld in story.state.players[seat].melds:
        if meld.kind is not SetKind.PUNG:
            continue
        kind = meld.tiles[0].kind
        for face in (kind, scene.red_of(kind)):
            if face is not None:
                cost = scene.cost_of(happening.tile, face)
                event = Kong(seat, "added", face, meld.from_seat, own=(face,))
                yield from claimed(story, event, happening, number, cost, scene)
