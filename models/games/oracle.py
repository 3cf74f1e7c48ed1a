"""Looks at a simulated game made from its labels instead of a detector, with errors to order."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.reading.classes import FACE_INDEX, FACES, Side
from vision.table.view import Points, TableView, to_seat
from vision.tracking.observe import Look

STILL_S = 0.25
MOVED_PX = 1.5
WATCHED_S, IDLE_S = 0.9, 1.0
"""A table is looked at for so long after anything moved, then only so often."""
STILL_LOOKS, STILL_STEP_S = 7, 0.2
"""A settled table is shown so many times, so far apart."""
SEEN_SHARE = 0.45
"""A tile of which less is visible is not detected."""


@dataclass(frozen=True, eq=False)
class Read:
    """A tile as a detector would give it."""

    side: Side
    corners_px: NDArray[np.float32]
    score: float
    probabilities: NDArray[np.float32]


@dataclass(frozen=True)
class Errors:
    """How a detector errs; the defaults are one that never does."""

    missed: float = 0.0
    """Share of tiles that one look misses."""
    hidden: float = 0.0
    """Share of resting places at which a tile is never found."""
    spurious: float = 0.0
    """Faces a look that are not there."""
    flicker: float = 0.0
    """Share of faces that one look takes for another, and is sure."""
    doubtful: float = 0.0
    """Share of resting places at which a face looks more like another one."""
    shake_px: float = 0.0


PERFECT = Errors()
ORDINARY = Errors(0.02, 0.003, 0.03, 0.01, 0.01, 0.7)
HARD = Errors(0.06, 0.01, 0.1, 0.03, 0.03, 1.5)


def frames(folder: Path) -> Iterator[tuple[float, list[dict[str, Any]]]]:
    """Time and labelled tiles of every frame."""
    known: dict[int, list[dict[str, Any]]] = {}
    with (folder / "labels.jsonl").open(encoding="utf-8") as lines:
        for text in lines:
            line = json.loads(text)
            if "same_as" in line:
                tiles = known[line["same_as"]]
            else:
                tiles = line["tiles"]
                known = {line["frame"]: tiles}
            yield line["t"], tiles


def stills(folder: Path) -> Iterator[tuple[float, list[dict[str, Any]]]]:
    """The settled table after every event, each for a moment: no hands, nothing that moves."""
    clock = 0.0
    for time_s, tiles in frames(folder):
        clock = max(clock, time_s)
        for _ in range(STILL_LOOKS):
            yield round(clock, 3), tiles
            clock += STILL_STEP_S


def looks(
    labelled: Iterable[tuple[float, list[dict[str, Any]]]],
    view: TableView,
    errors: Errors = PERFECT,
    seed: int = 0,
) -> Iterator[Look]:
    """A look a frame; a place is clear when nothing near it has changed for a moment."""
    rng = random.Random(f"oracle {seed}")
    reader = _Reader(errors, rng, view)
    before: dict[int, tuple[NDArray[np.float64], float]] = {}
    stirred: deque[tuple[float, NDArray[np.float64]]] = deque()
    last_moved, looked = float("-inf"), float("-inf")
    for time_s, tiles in labelled:
        now = middles(tiles)
        moved = _moved(before, now) if before else np.zeros((0, 2))
        before = now
        if len(moved):
            last_moved = time_s
            stirred.append((time_s, moved))
        while stirred and time_s - stirred[0][0] > STILL_S:
            stirred.popleft()
        if time_s - last_moved > WATCHED_S and time_s - looked < IDLE_S:
            continue
        looked = time_s
        places = np.concatenate([np.zeros((0, 2)), *(points for _, points in stirred)])
        yield Look(
            time_s,
            reader.read(tiles, moved),
            _clear(places, 1.3 * view.tile_px),
            _busy(moved, view),
            len(moved) / max(1, len(now)),
        )


def middles(tiles: list[dict[str, Any]]) -> dict[int, tuple[NDArray[np.float64], float]]:
    """Middle in the picture, and the share that is in sight, of every tile by its id."""
    corners = np.array([tile["corners"] for tile in tiles], np.float64).reshape(-1, 4, 2)
    return {
        tile["id"]: (middle, tile["visible"])
        for tile, middle in zip(tiles, corners.mean(axis=1), strict=True)
    }


def _moved(
    before: Mapping[int, tuple[NDArray[np.float64], float]],
    now: Mapping[int, tuple[NDArray[np.float64], float]],
) -> NDArray[np.float64]:
    points = []
    for key in before.keys() | now.keys():
        there = [seen[key] for seen in (before, now) if key in seen]
        (one, shown), (two, shown_now) = there[0], there[-1]
        changed = np.abs(one - two).max() > MOVED_PX or abs(shown - shown_now) > 0.08
        if len(there) == 1 or changed:
            points += [middle for middle, _ in there]
    return np.array(points, np.float64).reshape(-1, 2)


def _clear(places: Points, near_px: float) -> Any:
    def clear(points: Points) -> NDArray[np.bool_]:
        if not len(places):
            return np.ones(len(points), bool)
        far = np.linalg.norm(points[:, None] - places[None], axis=2)
        return np.asarray(far.min(axis=1) > near_px, np.bool_)

    return clear


def _busy(moved: NDArray[np.float64], view: TableView) -> frozenset[int]:
    if not len(moved):
        return frozenset()
    places = view.to_table(moved, view.lying_mm)
    half = min(view.half_mm)
    found = set()
    for seat in range(4):
        uv = to_seat(places, seat)
        if ((uv[:, 1] > 0.74 * half) & (np.abs(uv[:, 0]) < 0.8 * half)).any():
            found.add(seat)
    return frozenset(found)


class _Reader:
    def __init__(self, errors: Errors, rng: random.Random, view: TableView) -> None:
        self.errors, self.rng, self.view = errors, rng, view
        self._noise = np.random.default_rng(rng.randrange(1 << 30))
        self._resting: dict[int, tuple[NDArray[np.float64], bool, str | None]] = {}

    def read(self, tiles: list[dict[str, Any]], moved: NDArray[np.float64]) -> list[Read]:
        return [read for tile in tiles if (read := self._one(tile)) is not None] + self._spurious()

    def _one(self, tile: dict[str, Any]) -> Read | None:
        corners = np.array(tile["corners"], np.float64)
        side = Side(tile["side"])
        hidden, other = self._at_rest(tile, corners.mean(axis=0), side)
        if tile["visible"] < SEEN_SHARE or hidden or self.rng.random() < self.errors.missed:
            return None
        if self.errors.shake_px:
            corners = corners + self._noise.normal(0, self.errors.shake_px, (4, 2))
        face = tile["tile"]
        if side is not Side.FACE:
            faces = np.zeros(len(FACES), np.float32)
        elif other is not None:
            faces = self._faces(other, face, self.rng.uniform(0.35, 0.65))
        elif self.rng.random() < self.errors.flicker:
            faces = self._faces(self._another(face), face, 0.8)
        else:
            sure = self.rng.uniform(0.75, 0.99) if self.errors.flicker else 0.99
            faces = self._faces(face, self._another(face), sure)
        return Read(side, corners.astype(np.float32), self.rng.uniform(0.6, 0.95), faces)

    def _at_rest(
        self, tile: dict[str, Any], middle: NDArray[np.float64], side: Side
    ) -> tuple[bool, str | None]:
        known = self._resting.get(tile["id"])
        if known is None or np.abs(known[0] - middle).max() > 4:
            hidden = self.rng.random() < self.errors.hidden
            doubtful = side is Side.FACE and self.rng.random() < self.errors.doubtful
            other = self._another(tile["tile"]) if doubtful else None
            known = (middle, hidden, other)
            self._resting[tile["id"]] = known
        return known[1], known[2]

    def _another(self, face: str) -> str:
        if face[-1] == "z":
            return self.rng.choice(["5z", "6z", "1p"])
        rank = max(1, int(face[0]) or 5)
        near = 5 if rank in (1, 9) else rank + self.rng.choice((-1, 1))
        return f"{near}{face[-1]}"

    @staticmethod
    def _faces(first: str, second: str, sure: float) -> NDArray[np.float32]:
        rest = (1 - sure) * 0.2
        faces = np.full(len(FACES), rest / len(FACES), np.float32)
        faces[FACE_INDEX[first]] += sure
        faces[FACE_INDEX[second]] += (1 - sure) * 0.8
        return faces

    def _spurious(self) -> list[Read]:
        if self.rng.random() >= self.errors.spurious:
            return []
        half = min(self.view.half_mm)
        middle = np.array([[self.rng.uniform(-half, half), self.rng.uniform(-half, half)]])
        size = self.view.tile_mm / 2
        square = np.array([[-1, -1.33], [1, -1.33], [1, 1.33], [-1, 1.33]]) * size
        corners = self.view.to_image(middle + square, self.view.lying_mm)
        face = self.rng.choice(FACES[:34])
        faces = self._faces(face, self._another(face), self.rng.uniform(0.4, 0.9))
        return [Read(Side.FACE, corners.astype(np.float32), 0.5, faces)]
