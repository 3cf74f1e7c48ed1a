"""Faces read again: what is known now may speak against what was taken for sure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Chow, Discard, Indicator, Kong, Position, Pung, Win
from engine.tiles import COPIES, UNKNOWN, Tile
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.layout import NONE_LEFT, copies_cost, evaluated
from vision.decoder.likelihood import COSTS, LIMITS
from vision.decoder.proposals.context import Context
from vision.decoder.table_evidence import TableEvidence

BEYOND_DOUBT: Final = 0.99
MOST_OF_COPIES: Final = COSTS["copies"] * math.log(COPIES)
"""What the last copy of a face costs more than the first."""


@dataclass(frozen=True)
class FaceCandidate:
    """What a tile may be, and what it costs to read it so."""

    tile: Tile
    cost: float


def faces_of(step: Explained, hypothesis: Hypothesis, table: TableEvidence) -> list[FaceCandidate]:
    """What the tile of a step may be, likeliest first."""
    assert step.tile is not None, "only a tile has a face"
    candidates = [
        FaceCandidate(
            face,
            COSTS["face"] * cost + COSTS["copies"] * copies_cost(hypothesis, face, step.face),
        )
        for face, cost in table.candidate_faces(step.tile, by=step.thrown_by)
        if face.known
    ]
    return sorted(candidates, key=lambda face: face.cost)


def shares_of(faces: Sequence[FaceCandidate]) -> dict[Tile, float]:
    """How likely each face is, of those that the tile may be."""
    weights = [math.exp(faces[0].cost - face.cost) for face in faces]
    return {face.tile: weight / sum(weights) for face, weight in zip(faces, weights, strict=True)}


def shown(hypothesis: Hypothesis) -> Iterator[tuple[int, Explained]]:
    """Places and steps of this hand that one tile shows, the latest first."""
    for place in range(len(hypothesis.hand) - 1, -1, -1):
        step = hypothesis.hand[place]
        if step.tile is not None and isinstance(step.event, Discard | Indicator):
            yield place, step


def reread(hypothesis: Hypothesis, table: TableEvidence) -> Hypothesis:
    """The hypothesis, at its cost now, with the likeliest face of each tile of this hand."""
    for place, step in shown(hypothesis):
        assert step.tile is not None, "shown steps have a tile"
        if step.by_person or step.tile not in table.tiles:
            continue
        if not _doubtful(step, step.tile, table):
            continue
        faces = faces_of(step, hypothesis, table)
        if faces and faces[0].tile != step.face and faces[0].cost < NONE_LEFT:
            for other in some(with_face(hypothesis, place, faces[0].tile)):
                other = evaluated(other, table)
                if other.cost < hypothesis.cost - LIMITS["reread"]:
                    hypothesis = other
    return hypothesis


def _doubtful(step: Explained, tile: int, table: TableEvidence) -> bool:
    """Whether another face may be likelier, whatever is left of its copies."""
    known = table.doubts.get(id(step))
    if known is None:
        known = not table.surely(tile, step.face, BEYOND_DOUBT)
        if known and step.face.known:
            faces = table.candidate_faces(tile, by=step.thrown_by)
            others = [cost for face, cost in faces if face not in (step.face, UNKNOWN)]
            own = table.face_cost(tile, step.face, step.thrown_by)
            known = bool(others) and COSTS["face"] * (min(others) - own) < MOST_OF_COPIES
        table.doubts[id(step)] = known
        table.priced.append(step)
    return known


def with_face(hypothesis: Hypothesis, place: int, face: Tile) -> Hypothesis | None:
    """The hypothesis with another face in one place; None where it cannot be."""
    step = hypothesis.hand[place]
    assert isinstance(step.event, Discard | Indicator), "only these are shown by one tile"
    return hypothesis.with_step(place, step.but(event=replace(step.event, tile=face)))


def without_copy(c: Context, hypothesis: Hypothesis, face: Tile) -> tuple[Hypothesis, ...]:
    """The hypothesis with one tile of this face read as the next likeliest instead."""
    known = c.without_copies.get((hypothesis, face))
    if known is not None:
        return known
    ways: list[Hypothesis] = []
    for place, step in shown(hypothesis):
        if step.face != face or step.by_person or step.tile not in c.table.tiles:
            continue
        others = [
            candidate for candidate in faces_of(step, hypothesis, c.table) if candidate.tile != face
        ]
        if others and others[0].cost < NONE_LEFT:
            ways += some(with_face(hypothesis, place, others[0].tile))
    ways += _found_otherwise(c, hypothesis, face)
    c.without_copies[hypothesis, face] = tuple(ways)
    return tuple(ways)


def _found_otherwise(c: Context, hypothesis: Hypothesis, face: Tile) -> Iterator[Hypothesis]:
    """The same, where the tile lay in a river already when the table was found."""
    for place, step in enumerate(hypothesis.hand):
        if not isinstance(step.event, Position) or step.by_person:
            continue
        for seat, river in enumerate(step.event.rivers or ()):
            for at, tile in enumerate(hypothesis.found.rivers[seat]):
                if len(river) <= at or river[at].tile != face or tile not in c.table.tiles:
                    continue
                others = [
                    FaceCandidate(other, cost + copies_cost(hypothesis, other))
                    for other, cost in c.table.candidate_faces(tile)
                    if other.known and other != face
                ]
                best = min(others, key=lambda other: other.cost, default=None)
                if best is None or best.cost >= NONE_LEFT:
                    continue
                thrown = replace(river[at], tile=best.tile)
                rivers = list(step.event.rivers or ())
                rivers[seat] = (*river[:at], thrown, *river[at + 1 :])
                more = best.cost - c.table.face_cost(tile, face)
                read = replace(step, event=replace(step.event, rivers=tuple(rivers)))
                yield from some(hypothesis.with_step(place, read.charged({"face": more})))


def with_copies(
    c: Context, hypothesis: Hypothesis, step: Explained, own: Sequence[Tile]
) -> Iterator[Hypothesis]:
    """The hypothesis with a step; where it shows a fifth copy, another tile was misread before."""
    faces = lacking(hypothesis, own)
    done = None if _is_fifth_copy(hypothesis, step, faces) else hypothesis.then(step)
    if done is not None:
        yield done
        return
    for face in faces:
        for way in without_copy(c, hypothesis, face):
            if not _is_fifth_copy(way, step, lacking(way, own)):
                yield from some(way.then(step))


def lacking(hypothesis: Hypothesis, own: Sequence[Tile]) -> list[Tile]:
    """Faces of which fewer copies are left than these."""
    wall, named = hypothesis.rules.tiles(hypothesis.state.options), hypothesis.named
    return [
        face
        for face, count in Counter(own).items()
        if face.known and wall.get(face, 0) - named[face] < count
    ]


def _is_fifth_copy(hypothesis: Hypothesis, step: Explained, without: Sequence[Tile]) -> bool:
    """Whether the engine surely refuses a step whose tiles lack copies: it need not be asked.

    What is known of the hand is named already, and one tile may be won with by several.
    """
    event, state = step.event, hypothesis.state
    if not without or state.contested is not None:
        return False
    if not isinstance(event, Chow | Pung | Kong | Win | Discard):
        return False
    if any(tile.known for tile in state.players[event.seat].hand):
        return False
    return not isinstance(event, Win) or any(face != event.tile for face in without)
