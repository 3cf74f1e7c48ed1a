"""A simulated detector: it reads a game's labels with the errors of a real one."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from games.bank import FOLDER, LIES_FREE, ReadingBank, ReadingSampler
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.table.view import Points, TableView, to_seat
from vision.tiles.classes import FACE_INDEX, FACES, Side, face_class
from vision.tracking.observe import Clear, Look, everywhere

STILL_S: Final = 0.25
MOVED_PX: Final = 1.5
WATCHED_S: Final = 0.9
"""How long a place is read after something moved there: three looks at five frames a second, as
many as ``vision.attention.motion`` gives.
"""
IDLE_S: Final = 0.5  # interval between looks at a quiet table, in which nothing is read
READ: Final = 3.0
CLEAR: Final = 2.4
MOVES: Final = 1.3
"""Tile widths from a change: what is read, what of it is uncut, what may still move."""
UNSEEN_S: Final = 1.0
"""Pictures that are further apart show all of the table anew."""
SEEN_SHARE: Final = 0.45  # a tile less visible than this is not detected
RESTS_PX: Final = 4.0  # a tile that has moved less is at rest
CORNERS: Final = np.arange(4)
NAMED: Final = 0.5  # a reading that is less sure names no face, as ``vision.detect`` has it
SURE: Final = 0.99  # confidence of a detector without errors


Labels = list[dict[str, Any]]  # the tiles of one line of the simulator's label file


@dataclass(frozen=True, eq=False)
class SimulatedDetection:
    side: Side
    corners_px: NDArray[np.float32]
    score: float
    probabilities: NDArray[np.float32]


@dataclass(frozen=True)
class DetectorErrors:
    """The error rates of a detector; by default it makes none."""

    bank: str | None = None
    """File in ``bank.FOLDER`` from which readings are drawn, one for each resting place."""
    widths_px: tuple[float, float] = (25.0, 40.0)
    """Width of the tiles to draw: those that a camera of the grade shows."""
    missed: Mapping[Side, float] = field(default_factory=dict)
    """Share of tiles that a single look misses, besides those that are never found."""
    noise: float = 0.0
    """Standard deviation of the log probabilities between two looks at one tile."""
    shake: float = 0.0
    """Standard deviation of a tile's middle between two looks, in its widths."""
    phantoms: float = 0.0
    """False faces in each look."""
    things: float = 0.0
    """Places on a table that are sometimes taken for a face, such as chips and fingers."""
    confused: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """By face, another one of the same set that looks like it, and how often it is read as that."""
    vague: float = 1.0
    """By what the log probabilities are divided: above 1 the detector is less sure of all."""


PERFECT: Final = DetectorErrors()
_FILMED: Final = DetectorErrors(
    missed={Side.FACE: 0.007, Side.BACK: 0.05, Side.STANDING: 0.14},
    noise=0.2,
    shake=0.01,
    phantoms=0.002,
)
"""Differences of two looks at one table, measured on films 9101 and 9102 (models/README.md)."""
CLEAN: Final = replace(_FILMED, bank="ordinary", widths_px=(40.0, 200.0), phantoms=0.0)
ORDINARY: Final = replace(_FILMED, bank="ordinary", things=1.0)
HARD: Final = replace(_FILMED, bank="hard", things=3.0)
IN_THE_DARK: Final = {Side.FACE: 0.15, Side.BACK: 0.3, Side.STANDING: 0.4}
"""Share of tiles that a look misses while the lamps are off, and ..."""
DARK_NOISE: Final = 0.8
"""... how far its log probabilities are off: chosen, not measured."""


def label_frames(path: Path) -> Iterator[tuple[float, Labels]]:
    """Yield the time and the tiles of each frame of a label file; equal frames share one list."""
    known: dict[int, Labels] = {}
    with path.open(encoding="utf-8") as lines:
        for text in lines:
            line = json.loads(text)
            if "same_as" not in line:
                known = {line["frame"]: line["tiles"]}
            yield line["t"], known[line.get("same_as", line["frame"])]


def looks(
    labelled: Iterable[tuple[float, Labels]],
    view: TableView,
    errors: DetectorErrors = PERFECT,
    seed: int = 0,
    whole: Callable[[float], bool] | None = None,
    clutter: Callable[[ReadingSampler], Sequence[Thing]] | None = None,
    dark: Callable[[float], bool] | None = None,
) -> Iterator[Look]:
    """Yield one look for each frame; a place is clear if nothing near it has changed just now.

    ``whole`` tells at what times the whole table is read, not only what has changed. ``clutter``
    returns what else lies on the table and is sometimes taken for a tile. ``dark`` tells when the
    lamps are off. After a pause of the frames the whole table is read, and nothing has moved.
    """
    rng = random.Random(f"oracle {seed}")
    reader = SimulatedReader(errors, rng, view, clutter)
    begun_s: float | None = None
    before: dict[int, tuple[NDArray[np.float64], float]] = {}
    stirred: deque[tuple[float, NDArray[np.float64]]] = deque()
    looked = framed = float("-inf")
    for time_s, tiles in labelled:
        now = middles(tiles)
        if begun_s is not None and time_s - framed > UNSEEN_S:
            begun_s, before = time_s, now
            stirred.clear()
        framed = time_s
        begun_s = time_s if begun_s is None else begun_s
        reader.errors = in_the_dark(errors) if dark is not None and dark(time_s) else errors
        moved = _moved(before, now)
        before = now
        if len(moved):
            stirred.append((time_s, moved))
        while stirred and time_s - stirred[0][0] > WATCHED_S:
            stirred.popleft()
        everything = whole is not None and whole(time_s)
        # The whole of the first pictures is new, also where nothing lies.
        first = time_s - begun_s <= WATCHED_S
        if not stirred and not everything and not first and time_s - looked < IDLE_S:
            continue
        looked = time_s
        nothing = np.zeros((0, 2))
        changed = np.concatenate([nothing, *(points for _, points in stirred)])
        if everything and now:
            changed = np.array([middle for middle, _ in now.values()])
        fresh = [points for at_s, points in stirred if time_s - at_s <= STILL_S]
        read, clear = (
            None if first else NearTo(changed, width * view.tile_px) for width in (READ, CLEAR)
        )
        yield Look(
            time_s,
            reader.read(tiles, read or everywhere),
            StillNear(clear, NearTo(np.concatenate([nothing, *fresh]), MOVES * view.tile_px)),
            _busy(moved, view),
            len(moved) / max(1, len(now)),
        )


def in_the_dark(errors: DetectorErrors) -> DetectorErrors:
    """Return the errors of a detector while the lamps are off; one without errors makes none."""
    if not errors.missed:
        return errors
    missed = {side: max(errors.missed[side], share) for side, share in IN_THE_DARK.items()}
    return replace(errors, missed=missed, noise=max(errors.noise, DARK_NOISE))


def middles(tiles: Labels) -> dict[int, tuple[NDArray[np.float64], float]]:
    """Return the middle in the picture and the visible share of every tile by its id."""
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


@dataclass(frozen=True, eq=False)
class NearTo:
    """Which points lie this near to one of the places."""

    places_px: Points
    near_px: float

    def __call__(self, points: Points) -> NDArray[np.bool_]:
        if not len(self.places_px) or not len(points):
            return np.zeros(len(points), bool)
        far = np.linalg.norm(points[:, None] - self.places_px[None], axis=2)
        return np.asarray(far.min(axis=1) < self.near_px, np.bool_)


@dataclass(frozen=True, eq=False)
class StillNear:
    """Which points are read again: near to a change, and to none that goes on."""

    read: NearTo | None
    """What is read; None for the whole table."""
    moves: NearTo

    def __call__(self, points: Points) -> NDArray[np.bool_]:
        read = everywhere(points) if self.read is None else self.read(points)
        return read & ~self.moves(points)


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


@dataclass(frozen=True, eq=False)
class Thing:
    """Something that is taken for a tile."""

    outline_mm: NDArray[np.float64]
    """(4, 2) corners on the table."""
    shares: NDArray[np.float16]
    """Probabilities of the faces; zeros for what is taken for a back."""
    score: float
    """The finder's score, which is also about how often a look finds the thing."""
    side: Side = Side.FACE


class SimulatedReader:
    def __init__(
        self,
        errors: DetectorErrors,
        rng: random.Random,
        view: TableView,
        clutter: Callable[[ReadingSampler], Sequence[Thing]] | None = None,
    ) -> None:
        self.errors, self.rng, self.view = errors, rng, view
        self._noise = np.random.default_rng(rng.randrange(1 << 30))
        self._draws: ReadingSampler | None = None
        if errors.bank is not None:
            bank = ReadingBank.load(FOLDER / f"{errors.bank}.npz")
            self._draws = ReadingSampler(bank, errors.widths_px, rng)
        self._resting: dict[tuple[int, bool], tuple[NDArray[np.float64], str, int | None]] = {}
        half = min(view.half_mm)
        whole, part = divmod(errors.things, 1.0)
        count = int(whole) + (rng.random() < part) if self._draws is not None else 0
        self._things = [self._phantom(half) for _ in range(count)]
        if clutter is not None:
            assert self._draws is not None, "what is no tile is drawn from a bank"
            self._things += clutter(self._draws)

    def read(self, tiles: Labels, near: Clear) -> list[SimulatedDetection]:
        """Return the detections in the places that are looked at."""
        corners = np.array([tile["corners"] for tile in tiles], np.float64).reshape(-1, 4, 2)
        looked = near(corners.mean(axis=1))
        found = [
            read
            for tile, outline, here in zip(tiles, corners, looked, strict=True)
            if here and (read := self._one(tile, outline)) is not None
        ]
        return found + self._spurious(near)

    def _one(self, tile: dict[str, Any], corners: NDArray[np.float64]) -> SimulatedDetection | None:
        side = Side(tile["side"])
        row = self._at_rest(tile, corners.mean(axis=0), side)
        missed = self.errors.missed.get(side, 0.0)
        if tile["visible"] < SEEN_SHARE or (missed and self.rng.random() < missed):
            return None
        if row is None:
            faces = np.zeros(len(FACES), np.float32)
            face = face_class(Tile(tile["tile"])) if side is Side.FACE else None
            if face is not None:
                faces += (1 - SURE) / len(FACES)
                faces[FACE_INDEX[face]] += SURE
            return SimulatedDetection(side, corners.astype(np.float32), 0.9, faces)
        assert self._draws is not None, "rows are drawn from a bank"
        bank = self._draws.bank
        # Which backs and standing tiles are missed differs from look to look: see ``missed``.
        if side is Side.FACE and not bank.found[row]:
            return None
        outline = self._outline(corners, bank, row)
        score = float(bank.score[row]) if bank.found[row] else 0.5
        return SimulatedDetection(side, outline, score, self._faces(bank.faces[row]))

    def _outline(
        self, corners: NDArray[np.float64], bank: ReadingBank, row: int
    ) -> NDArray[np.float32]:
        along = corners[1] - corners[0]
        axes = np.stack([along, np.array([-along[1], along[0]])])
        off = bank.off[row].astype(np.float64) + self._noise.normal(0, self.errors.shake, (1, 2))
        outline = (corners + off @ axes)[(CORNERS + int(bank.turns[row])) % 4]
        return np.asarray(outline, np.float32)

    def _faces(self, shares: NDArray[np.float16]) -> NDArray[np.float32]:
        """Return the probabilities as another look reads them."""
        if not shares.any():
            return np.zeros(len(FACES), np.float32)
        log = np.log(shares.astype(np.float64) + 1e-6) / self.errors.vague
        log += self._noise.normal(0, self.errors.noise, len(FACES))
        faces = np.exp(log - log.max())
        return np.asarray(faces / faces.sum(), np.float32)

    def _at_rest(self, tile: dict[str, Any], middle: NDArray[np.float64], side: Side) -> int | None:
        """Return the bank's row for a tile, constant while it rests."""
        if self._draws is None:
            return None
        free = tile["visible"] >= LIES_FREE
        known = self._resting.get((tile["id"], free))
        if known is None or known[1] != side or np.abs(known[0] - middle).max() > RESTS_PX:
            face = self.looks_like(face_class(Tile(tile["tile"]))) if side is Side.FACE else None
            known = (middle, side, self._draws.row(side, face, free))
            self._resting[tile["id"], free] = known
        return known[2]

    def looks_like(self, face: str | None) -> str | None:
        """Return the face that a tile of the set shows to the detector."""
        other, share = self.errors.confused.get(face or "", (face, 0.0))
        return other if share and self.rng.random() < share else face

    def alone(self, face: str) -> str | None:
        """Return what one look names a tile that lies free; None where that is doubtful."""
        assert self._draws is not None, "rows are drawn from a bank"
        row = self._draws.row(Side.FACE, self.looks_like(face), True)
        missed = self.rng.random() < self.errors.missed.get(Side.FACE, 0.0)
        if row is None or missed or not self._draws.bank.found[row]:
            return None
        shares = self._faces(self._draws.bank.faces[row])
        return FACES[int(shares.argmax())] if shares.max() >= NAMED else None

    def _phantom(self, half_mm: float) -> Thing:
        assert self._draws is not None, "what is no tile is drawn from a bank"
        middle = [self.rng.uniform(-half_mm, half_mm), self.rng.uniform(-half_mm, half_mm)]
        upright = np.array([[-1, -1.33], [1, -1.33], [1, 1.33], [-1, 1.33]])
        outline = np.array(middle) + upright * self.view.tile_mm / 2
        return Thing(outline, *self._draws.phantom())

    def _spurious(self, near: Clear) -> list[SimulatedDetection]:
        # The finder's score is about how often it finds such a thing again.
        things = [thing for thing in self._things if self.rng.random() < thing.score]
        if self.errors.phantoms and self.rng.random() < self.errors.phantoms:
            things.append(self._phantom(min(self.view.half_mm)))
        found = []
        for thing in things:
            corners = self.view.to_image(thing.outline_mm, self.view.lying_mm)
            if near(corners.mean(axis=0, keepdims=True))[0]:
                shares = self._faces(thing.shares)
                found.append(
                    SimulatedDetection(thing.side, corners.astype(np.float32), thing.score, shares)
                )
        return found
