"""Name all groups of tiles together, and choose which of them to ask a person about.

A set has each kind once, so groups compete for names. A name that two different groups claim is as
doubtful as one that the recogniser is not sure of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import lap
import numpy as np

from engine.tiles import COPIES, FLOWERS, KINDS, REDS, Tile
from vision.arrays import Doubles, Ints
from vision.errors import ProfileError
from vision.tile_set.groups import TileGroups
from vision.tiles.classes import ANY_FLOWER, FACE_INDEX, FACES

LEFT_OUT: Final = -1
"""Used in place of a face for pictures that the owner does not want."""
MOST_EVIDENCE: Final = 3
"""Most tiles of a group that count towards its name, because they share their errors."""
SECOND_COST: Final = 4.0
"""Cost of a second group of one kind, which is rare."""
SPARE_COST: Final = 2.0
"""Extra cost of red fives and flowers, which not every set has. It is lower than for a set laid
out, because a game does not show every kind."""
CERTAIN: Final = 4.0
"""A name is certain if the next best assignment of all names is e^4 times less likely."""
LEAST_READ: Final = 0.8
"""Least probability that the recogniser must give a certain name, because a group shares its
errors."""
SURELY_READ: Final = 0.9
MOST_QUESTIONS: Final = 12
"""Most questions to ask; further doubtful groups are left out."""
LIKELY: Final = 5
"""Number of names that are offered first."""
RED_COPIES: Final = 2
"""Most red fives of one suit in any set."""
_REDS: Final = tuple(FACE_INDEX[red] for red in REDS)
_FLOWER: Final = FACE_INDEX[ANY_FLOWER]
_FORBIDDEN: Final = 1e4
_SLOTS: Final = np.array(
    [
        *([FACE_INDEX[kind] for kind in KINDS] * 2),
        *([FACE_INDEX[red] for red in REDS] * 2),
        *([_FLOWER] * len(FLOWERS)),
    ],
    np.int64,
)
_SLOT_COSTS: Final = np.array(
    [0.0] * len(KINDS)
    + [SECOND_COST] * len(KINDS)
    + [SPARE_COST] * len(REDS)
    + [SPARE_COST + SECOND_COST] * len(REDS)
    + [SPARE_COST] * len(FLOWERS)
)


@dataclass(frozen=True)
class GroupNames:
    """The names of all groups, and the groups to ask about."""

    faces: tuple[int, ...]
    """Index in ``FACES`` of each group, or ``LEFT_OUT``; doubtful groups have the likeliest one."""
    asked: tuple[int, ...]
    """Groups to ask about, the most informative first."""
    likely: tuple[tuple[int, ...], ...]
    """The likeliest faces of each group, best first."""
    certain: tuple[int, ...]
    """Groups whose name needs no answer."""


def named(groups: TileGroups, pinned: Mapping[int, int] | None = None) -> GroupNames:
    """Assign the names; ``pinned`` holds the answers, by group.

    Raises ``ProfileError`` if the answers need more copies of a kind than a set has.
    """
    pinned = pinned or {}
    _refuse_fifth_copies(groups, pinned)
    rows = np.array([row for row in range(len(groups)) if pinned.get(row) != LEFT_OUT], np.int64)
    costs = _costs(groups, pinned)[rows]
    slots, total = _dealt(costs)
    faces = np.full(len(groups), LEFT_OUT, np.int64)
    faces[rows] = _SLOTS[slots]
    margins = np.full(len(groups), np.inf)
    for place, row in enumerate(rows):
        if int(row) not in pinned:
            other = costs.copy()
            other[place, faces[row] == _SLOTS] += _FORBIDDEN
            margins[row] = _dealt(other)[1] - total
    read = np.exp(groups.log_faces[np.arange(len(groups)), faces])
    margins[_disputed(faces, groups.sizes, read, pinned)] = 0.0
    unsure = (margins < CERTAIN) | (read < LEAST_READ)
    doubtful = [row for row in map(int, rows) if row not in pinned and unsure[row]]
    worth = {row: _worth(groups, row, margins[row], float(read[row]), faces) for row in doubtful}
    asked = sorted(doubtful, key=lambda row: (-worth[row], row))[:MOST_QUESTIONS]
    return GroupNames(
        tuple(int(face) for face in faces),
        tuple(asked),
        tuple(_likely(groups, row, int(faces[row])) for row in range(len(groups))),
        tuple(row for row in map(int, rows) if row not in doubtful),
    )


def _costs(groups: TileGroups, pinned: Mapping[int, int]) -> Doubles:
    """(g, slots) cost of giving each group a slot's name."""
    weight = np.minimum(groups.sizes, MOST_EVIDENCE)[:, None]
    costs = -groups.log_faces[:, _SLOTS].astype(np.float64) * weight + _SLOT_COSTS
    at_once = groups.together.max(axis=0, initial=0)
    costs[np.ix_(at_once > RED_COPIES, np.isin(_SLOTS, _REDS))] = _FORBIDDEN
    for row, face in pinned.items():
        costs[row] = np.where(face == _SLOTS, _SLOT_COSTS, _FORBIDDEN)
    return np.asarray(costs, np.float64)


def _dealt(costs: Doubles) -> tuple[Ints, float]:
    """The cheapest assignment of slots to groups, and its cost."""
    if not len(costs):
        return np.zeros(0, np.int64), 0.0
    total, slots, _ = lap.lapjv(costs, extend_cost=True)
    return np.asarray(slots, np.int64), float(total)


def _disputed(faces: Ints, sizes: Ints, read: Doubles, pinned: Mapping[int, int]) -> list[int]:
    """Groups that share their name with another one, unless a person named them.

    A single tile that was hardly read does not make a name disputed.
    """
    found = []
    for row, face in enumerate(faces):
        if face in (LEFT_OUT, _FLOWER) or row in pinned:
            continue
        others = np.flatnonzero(faces == face)
        others = others[others != row]
        weak = [
            int(other) not in pinned and sizes[other] == 1 and read[other] < SURELY_READ
            for other in others
        ]
        strong = sizes[row] > 1 and read[row] >= SURELY_READ
        if len(others) and not (strong and all(weak)):
            found.append(row)
    return found


def _worth(groups: TileGroups, row: int, margin: float, read: float, faces: Ints) -> float:
    """Value of an answer: many tiles, much doubt, a face that no other group shows."""
    size = float(min(groups.sizes[row], COPIES))
    doubt = max(float(np.exp(-margin)), 1 - read)
    shared = size == 1 and (faces == faces[row]).sum() > 1
    return size * doubt * (0.5 if shared else 1.0)


def _likely(groups: TileGroups, row: int, face: int) -> tuple[int, ...]:
    order = [int(place) for place in np.argsort(-groups.log_faces[row], kind="stable")]
    if face != LEFT_OUT:
        order.remove(face)
        order.insert(0, face)
    return tuple(order[:LIKELY])


def _refuse_fifth_copies(groups: TileGroups, pinned: Mapping[int, int]) -> None:
    """Refuse answers that put more tiles of a kind on the table than there are."""
    by_kind: dict[str, list[int]] = {}
    for row, face in pinned.items():
        if face not in (LEFT_OUT, _FLOWER):
            by_kind.setdefault(str(Tile(FACES[face]).kind), []).append(row)
    for kind, rows in by_kind.items():
        most = int(groups.together[:, rows].sum(axis=1).max(initial=0))
        if most > COPIES:
            numbers = " and ".join(str(row + 1) for row in sorted(rows))
            raise ProfileError(
                f"group {numbers} cannot all be {kind}: {most} such tiles lay on the table at "
                f"one moment, and a set has {COPIES}"
            )
