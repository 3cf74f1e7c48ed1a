"""Names last: a tile that is not read beyond doubt enters the game as unknown.

It is named by whoever takes it, or when all acts are known: the surest first, by the copies left.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Claim, Discard, Indicator, Position, Win
from engine.tiles import UNKNOWN, Tile
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.layout import copies_cost, copies_left
from vision.decoder.likelihood import COSTS, LIMITS
from vision.decoder.table_evidence import TableEvidence

BEYOND_DOUBT: Final = 0.99
NO_NAMES: Final[Mapping[int, Tile]] = {}


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


def with_face(hypothesis: Hypothesis, place: int, face: Tile) -> Hypothesis | None:
    """The hypothesis with another face in one place; None where it cannot be."""
    return hypothesis.with_step(place, _as(hypothesis.hand[place], face))


def last_named(hypothesis: Hypothesis, event: Claim | Win, table: TableEvidence) -> Hypothesis:
    """The hypothesis whose last discard has no name of its own, named by who takes it.

    What it cannot show is no name for it: then it has the one that it is read as.
    """
    last = hypothesis.last_event()
    if last is None or not isinstance(last[1].event, Discard) or last[1].face.known:
        return hypothesis
    if event.seat == event.from_seat or last[1].event.seat != event.from_seat:
        return hypothesis
    place, step = last
    face = event.tile
    if step.tile is not None and step.tile in table.tiles:
        read = [face for face, _ in table.candidate_faces(step.tile, by=step.thrown_by)]
        face = face if face in read else read[0]
    return with_face(hypothesis, place, face) or hypothesis


def read_now(hypothesis: Hypothesis, table: TableEvidence) -> Hypothesis:
    """The hypothesis with the names that its tiles have by what is known of them now.

    What somebody took is named by that.
    """
    names: dict[int, Tile] = {}
    for place, step in enumerate(hypothesis.hand):
        if step.tile is None:
            continue
        if id(step) not in table.renamed:
            table.renamed[id(step)] = _read_otherwise(step, table)
            table.priced.append(step)
        name = table.renamed[id(step)]
        if name is not None and not (name.known and copies_left(hypothesis, name) < 1):
            names[place] = name
    if names:
        for river in hypothesis.rivers:
            if river.place in names and (river.claimed or river.won):
                del names[river.place]
    return _renamed(hypothesis, names)


def _read_otherwise(step: Explained, table: TableEvidence) -> Tile | None:
    """The name that the tile of a step has now, if that is another one."""
    if step.by_person or step.tile not in table.tiles or step.tile is None:
        return None
    if not isinstance(step.event, Discard | Indicator):
        return None
    if table.surely(step.tile, step.face):
        return None
    name = table.name(step.tile, step.thrown_by)
    return None if name == step.face else name


def named(
    hypothesis: Hypothesis, table: TableEvidence, known: Mapping[int, Tile] = NO_NAMES
) -> Hypothesis:
    """The hypothesis with a name for each tile that shows one, the surest first.

    ``known``: the names that tiles have had, which they keep unless another is likelier by more
    than chance.
    """
    unknown: list[tuple[list[tuple[Tile, float]], int]] = []
    had: dict[int, Tile] = {}
    in_position: list[tuple[list[tuple[Tile, float]], int, int, int]] = []
    for place, step in enumerate(hypothesis.hand):
        tile = step.tile
        if step.by_person:
            continue
        if tile in table.tiles and tile is not None and _is_unnamed(step):
            unknown.append((table.candidate_faces(tile, by=step.thrown_by), place))
            had[place] = known.get(tile, UNKNOWN)
        for (seat, at), track in _of_position(hypothesis, step, UNKNOWN):
            if track in table.tiles and not table.either_five(track):
                in_position.append((table.candidate_faces(track), place, seat, at))
    if not unknown and not in_position:
        return hypothesis
    names: dict[int, Tile] = {}
    used = Counter[Tile]()
    for faces, place in sorted(unknown, key=lambda one: one[0][0][1]):
        face = _likeliest(faces, used, hypothesis, had[place])
        if face.known:
            names[place] = face
    hypothesis = _renamed(hypothesis, names)
    for faces, place, seat, at in sorted(in_position, key=lambda one: one[0][0][1]):
        face = _likeliest(faces, used, hypothesis)
        if face.known:
            hypothesis = _in_position(hypothesis, place, seat, at, face) or hypothesis
    return hypothesis


def _is_unnamed(step: Explained) -> bool:
    return isinstance(step.event, Discard | Indicator) and not step.face.known


def _is_named(step: Explained) -> bool:
    return step.tile is not None and step.face.known


def names_of(hypothesis: Hypothesis) -> dict[int, Tile]:
    """The names of the tiles of this hand, by their tracks."""
    named_steps = (step for _, step in shown(hypothesis) if step.face.known)
    return {step.tile: step.face for step in named_steps if step.tile is not None}


def _likeliest(
    faces: Sequence[tuple[Tile, float]], used: Counter[Tile], hypothesis: Hypothesis,
    had: Tile = UNKNOWN,
) -> Tile:  # fmt: skip
    """The likeliest of these faces by their costs and the copies left; counts it as used.

    ``had``: the name that the tile has had.
    """
    best, face = math.inf, UNKNOWN
    for other, cost in faces:
        left = copies_left(hypothesis, other) - used[other] if other.known else 0
        if left > 0:
            cost = COSTS["face"] * cost - COSTS["copies"] * math.log(left)
            cost -= LIMITS["reread"] if other == had else 0.0
            best, face = min((best, face), (cost, other))
    used[face] += 1
    return face


def _renamed(hypothesis: Hypothesis, names: dict[int, Tile]) -> Hypothesis:
    """The hypothesis with these names by the places of their steps; what cannot be stays."""
    if not names:
        return hypothesis
    first = min(names)
    hand = [
        _as(step, names[place]) if place in names else step
        for place, step in enumerate(hypothesis.hand)
    ]
    all_at_once = hypothesis.until(first).all(hand[first:])
    if all_at_once is not None:
        return all_at_once
    for place, face in names.items():
        hypothesis = with_face(hypothesis, place, face) or hypothesis
    return hypothesis


def _as(step: Explained, face: Tile) -> Explained:
    """The step with another face of its tile."""
    assert isinstance(step.event, Discard | Indicator), "only these are shown by one tile"
    return step.but(event=replace(step.event, tile=face))


# --- a fifth copy ---


def with_copies(
    hypothesis: Hypothesis, step: Explained, own: Sequence[Tile], table: TableEvidence
) -> Iterator[Hypothesis]:
    """The hypothesis with a step; where it shows a fifth copy, another tile was misread before."""
    done = hypothesis.then(step)
    if done is not None:
        yield done
        return
    before: Hypothesis | None = hypothesis
    for face in lacking(hypothesis, own):
        if before is not None:
            takes_last = isinstance(step.event, Claim | Win)
            key = id(before), face, takes_last
            known = table.without_copy.get(key)
            if known is None:
                freed = _without_copy(before, face, table, takes_last)
                known = table.without_copy[key] = before, freed
            before = known[1]
    done = None if before in (None, hypothesis) else before.then(step)
    if done is None and _is_named(step):
        # The tile itself was misread: the others are sure.
        done = hypothesis.then(_as(step, UNKNOWN))
    yield from some(done)


def lacking(hypothesis: Hypothesis, own: Sequence[Tile]) -> Iterator[Tile]:
    """Faces of which fewer copies are left than these, each as often as one lacks."""
    for face, count in Counter(own).items():
        if face.known:
            yield from [face] * min(count, max(0, count - copies_left(hypothesis, face)))


def _without_copy(
    hypothesis: Hypothesis, face: Tile, table: TableEvidence, takes_last: bool
) -> Hypothesis | None:
    """The hypothesis in which the tile that shows this face least surely is unknown.

    ``takes_last``: the last discard is being taken, which names it.
    """
    taken = {river.track for river in hypothesis.rivers if river.claimed or river.won}
    taken |= {hypothesis.last_tile} if takes_last else set()
    holders: list[tuple[float, int, tuple[int, int] | None]] = []
    for place, step in enumerate(hypothesis.hand):
        if step.by_person:
            continue
        tile = step.tile
        if tile is not None and tile in table.tiles and step.face == face and tile not in taken:
            holders.append((table.face_cost(tile, face, step.thrown_by), place, None))
        for (seat, at), track in _of_position(hypothesis, step, face):
            if track in table.tiles and track not in taken:
                holders.append((table.face_cost(track, face), place, (seat, at)))
    for _, place, in_river in sorted(holders, reverse=True, key=lambda one: one[0]):
        freed = (
            with_face(hypothesis, place, UNKNOWN)
            if in_river is None
            else _in_position(hypothesis, place, *in_river, UNKNOWN)
        )
        if freed is not None:
            return freed
    return None


def _of_position(
    hypothesis: Hypothesis, step: Explained, face: Tile
) -> Iterator[tuple[tuple[int, int], int]]:
    """Seat, place and track of each discard of a joined table that is read as this face."""
    if not isinstance(step.event, Position):
        return
    for seat, river in enumerate(step.event.rivers or ()):
        tracks = hypothesis.found.rivers[seat]
        for at, (thrown, track) in enumerate(zip(river, tracks, strict=False)):
            if thrown.tile == face:
                yield (seat, at), track


def _in_position(
    hypothesis: Hypothesis, place: int, seat: int, at: int, face: Tile
) -> Hypothesis | None:
    """The hypothesis with another face of one discard of a joined table."""
    step = hypothesis.hand[place]
    assert isinstance(step.event, Position), "only a position holds rivers"
    rivers = list(step.event.rivers or ())
    river = rivers[seat]
    rivers[seat] = (*river[:at], replace(river[at], tile=face), *river[at + 1 :])
    read = step.but(event=replace(step.event, rivers=tuple(rivers)))
    return hypothesis.with_step(place, read)
