"""Faces read again: what is known of a tile now may speak against what was told of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Chow, Discard, HandStart, Indicator, Kong, Pung
from engine.tiles import UNKNOWN, Tile
from vision.telling.rarity import NONE_LEFT, Rarity
from vision.telling.scene import By, TableEvidence
from vision.telling.story import Story, Told, some
from vision.tracking.happenings import Added, SetLaid

GAIN: Final = 0.3
"""A reading is given up for one that costs less by so much."""
UNLIKELY: Final = 0.02
"""How sure a face is that only the rules speak for."""
BEYOND_DOUBT: Final = 0.99


@dataclass(frozen=True)
class FaceCandidate:
    """What a tile may be, and what it costs to read it so."""

    tile: Tile
    cost: float


def faces_of(
    tile: int, rarity: Rarity, scene: TableEvidence, now: Tile | None, by: By | None = None
) -> list[FaceCandidate]:
    """What one tile may be, likeliest first; ``now`` is what the state takes it for."""
    likely = scene.likely(tile, by=by)
    found = [
        FaceCandidate(face, cost + rarity.cost(face, now)) for face, cost in likely if face.known
    ]
    return sorted(found, key=lambda face: face.cost)


def shares_of(faces: list[FaceCandidate]) -> dict[Tile, float]:
    """How likely each face is, of those that the tile may be."""
    weights = [math.exp(faces[0].cost - face.cost) for face in faces]
    return {face.tile: weight / sum(weights) for face, weight in zip(faces, weights, strict=True)}


def reread(story: Story, scene: TableEvidence) -> Story:
    """The story with every face of this hand priced anew, and told otherwise where that fits."""
    rarity: Rarity | None = None
    for place, tile, told in shown(story):
        if told.settled or scene.surely(tile, face_of(told), BEYOND_DOUBT):
            continue
        rarity = rarity or Rarity.of(story.rules, story.state)
        faces = faces_of(tile, rarity, scene, face_of(told), thrown_by(told))
        if not faces:
            continue
        best, shares = faces[0], shares_of(faces)
        price = scene.cost_of(tile, face_of(told), thrown_by(told)) + rarity.cost(
            face_of(told), face_of(told)
        )
        story = repriced(story, place, price, shares.get(face_of(told), UNLIKELY))
        if best.cost < min(story.told[place].price - GAIN, NONE_LEFT):
            other = told_as(story, place, best, shares[best.tile])
            if other is not None and other.cost < story.cost:
                story, rarity = other, None
    return story


def without_copy(story: Story, face: Tile, scene: TableEvidence) -> Iterator[Story]:
    """The story with one tile that was told as this face told as the next likeliest instead."""
    rarity = Rarity.of(story.rules, story.state)
    for place, tile, told in shown(story):
        if face_of(told) != face or told.settled:
            continue
        faces = faces_of(tile, rarity, scene, face, thrown_by(told))
        other = next((other for other in faces if other.tile != face), None)
        if other is not None and other.cost < NONE_LEFT:
            changed = told_as(story, place, other, shares_of(faces)[other.tile])
            if changed is not None:
                yield changed


def claimed(
    story: Story,
    claim: Chow | Pung | Kong,
    happening: SetLaid | Added,
    number: int,
    cost: float,
    scene: TableEvidence,
    sure: float = 1.0,
) -> Iterator[Story]:
    """The story with a claim; where its set shows a fifth copy, another tile was misread before."""
    told = Told(claim, happening.time_s, number, sure)
    taken = story.telling(told, cost)
    if taken is not None:
        yield taken
        return
    for way in with_room_for(story, claim.own or (), scene):
        yield from some(way.telling(told, cost))


def with_room_for(story: Story, faces: Sequence[Tile], scene: TableEvidence) -> Iterator[Story]:
    """Where these faces are more than are left: such stories in which another tile was misread."""
    rarity = Rarity.of(story.rules, story.state)
    for face, count in Counter(faces).items():
        if face.known and rarity.wall.get(face, 0) - rarity.named.get(face, 0) < count:
            yield from without_copy(story, face, scene)


def shown(story: Story) -> Iterator[tuple[int, int, Told]]:
    """Places in the story of what one tile shows in this hand, and the tile, the latest first."""
    for place in range(len(story.told) - 1, -1, -1):
        told = story.told[place]
        if isinstance(told.event, HandStart):
            return
        if told.tile is not None:
            yield place, told.tile, told


def repriced(story: Story, place: int, price: float, sure: float) -> Story:
    """The story with what a face of it costs now."""
    told = story.told[place]
    if abs(told.price - price) < 0.02 and abs(told.sure - sure) < 0.01:
        return story
    new = replace(told, price=price, sure=sure)
    return replace(story, told=story.told.with_at(place, new), cost=story.cost + price - told.price)


def told_as(story: Story, place: int, face: FaceCandidate, sure: float) -> Story | None:
    """The story with another face in one place; None where it cannot be."""
    told = story.told[place]
    assert isinstance(told.event, Discard | Indicator), "only these are shown by one tile"
    event = replace(told.event, tile=face.tile)
    return story.retold(place, replace(told, event=event, price=face.cost, sure=sure))


def thrown_by(told: Told) -> By | None:
    """Out of whose hand the tile came that shows it, and when; None where it came from none."""
    return (told.event.seat, told.time_s) if isinstance(told.event, Discard) else None


def face_of(told: Told) -> Tile:
    """What the tile that shows it was told as."""
    return told.event.tile if isinstance(told.event, Discard | Indicator) else UNKNOWN
