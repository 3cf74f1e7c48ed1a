"""Read the row of standing tiles that a seat's camera sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np

from engine.tiles import COPIES, REDS
from vision.arrays import Bools, Bytes, Doubles
from vision.seat_camera.strip import LEAST, TILE_PX, Quads, Strip, row_of, strip_of, upright
from vision.tiles.boxes import Boxes, corners_of, without_doubles
from vision.tiles.classes import FACES, SIDES, Side, of_kinds
from vision.tiles.finder import Finder
from vision.tiles.recogniser import Recogniser

LEAST_SCORE: Final = 0.1
"""Low, because faces seen from the side look odd to the finder; false boxes are not in a row."""
WIDTHS: Final = (0.062, 0.046, 0.034)
"""Tried tile widths, relative to the width of the picture."""
IN_STRIP: Final = 0.15
FACE: Final = SIDES.index(Side.FACE)
"""The finder's class for faces."""
HIGH: Final = (0.72, 1.3)
"""Relative heights of a tile in the strip; what lies in front of the row is flatter."""
WIDE: Final = (0.6, 1.35)
OFF_LINE: Final = 0.22
"""Furthest that a tile's centre lies above or below the row's, in tile heights."""
MISSING: Final = 0.8
"""Least gap, in tile widths, that has room for a missed tile."""
SEEN_BEYOND: Final = 0.9
"""Least probability of a missed tile beyond the row's ends, where there may be nothing."""
OFF_PLACE: Final = 0.2
SEEN: Final = 0.5
"""Least probability of a missed tile in a gap of the row."""
LIKELY: Final = 0.6
NAMED: Final = 0.4
"""Least share of a row of faces that must be read with probability ``LIKELY``."""
PLENTY: Final = 6
"""Tiles that prove where a row stands."""
PATIENCE: Final = 20
"""Looks for which a covered row is assumed to stand where it stood."""
STRAIGHTENED: Final = 4
"""How often a row is straightened."""
PER_FIVE: Final = np.array([1 / (COPIES - 1) if face in REDS else 1.0 for face in FACES])
"""How many copies there are for each plain one: of the fives of a suit one is red, if any is."""
NEAR_END: Final = 1.6
MOST: Final = 18
"""Most tiles of one row; a hand has 14."""


class DetectorNets(Protocol):
    """The nets of a detector."""

    @property
    def finder(self) -> Finder: ...
    @property
    def recogniser(self) -> Recogniser: ...


@dataclass(frozen=True, eq=False)
class StandingRow:
    """Tiles that stand side by side, from left to right as the player sees them."""

    probabilities: Doubles
    """(n, 38) over ``FACES``."""
    corners_px: Quads
    """(n, 4, 2) in the picture."""
    places: Doubles
    """(n,) position of each tile's centre along the row, in tile widths."""

    def __len__(self) -> int:
        return len(self.places)


class RowReader:
    """Finds and reads one row, picture after picture; not safe for two threads at once."""

    def __init__(self, nets: DetectorNets) -> None:
        self._nets = nets
        self._strip: Strip | None = None
        self._picture_px = (0, 0)
        self._covered = 0

    def read(self, image_bgr: Bytes) -> StandingRow | None:
        """Return the row nearest to the camera; None if there is none.

        It is searched where it stood before, then in the whole picture.
        """
        size = (image_bgr.shape[1], image_bgr.shape[0])
        if size != self._picture_px:
            self._strip, self._picture_px = None, size
        before = self._strip
        row = self._again(image_bgr, before)
        if row is None:
            row = self._again(image_bgr, self._found(image_bgr))
        # If an arm covers most of the row, it still stands where it stood.
        self._covered = 0 if row is not None and len(row) >= PLENTY else self._covered + 1
        if before is not None and 0 < self._covered < PATIENCE:
            self._strip = before
        elif row is None:
            self._strip = None
        return row

    def _again(self, image_bgr: Bytes, strip: Strip | None) -> StandingRow | None:
        """Read a strip, then the strip that its tiles define, until no more are found."""
        row = None if strip is None else self._read_in(image_bgr, strip)
        for _ in range(STRAIGHTENED):
            better = None if row is None else strip_of(row.corners_px)
            if row is None or strip is None or better is None:
                break
            settled = strip is self._strip and better.like(strip)
            self._strip = better
            if settled and not self._reaches(row, strip):
                break
            strip = better
            row = self._read_in(image_bgr, strip) or row
        return row

    @staticmethod
    def _reaches(row: StandingRow, strip: Strip) -> bool:
        """Whether tiles stand so close to an end of the strip that there may be more beyond."""
        wide = strip.size_px[0] / TILE_PX[0]
        return bool(row.places[0] < NEAR_END or row.places[-1] > wide - NEAR_END)

    def _found(self, image_bgr: Bytes) -> Strip | None:
        best, quads = 0.0, np.zeros((0, 4, 2))
        for share in WIDTHS:
            boxes = self._nets.finder.find(image_bgr, share * image_bgr.shape[1], LEAST_SCORE)
            boxes = boxes.take(boxes.classes == FACE)
            found = upright(np.asarray(corners_of(boxes.xywhr), np.float64))
            chosen = row_of(found, boxes.scores)
            if float(boxes.scores[chosen].sum()) > best:
                best, quads = float(boxes.scores[chosen].sum()), found[chosen]
        if len(quads) < LEAST:
            return None
        # The recogniser corrects the outlines, which are loose because the finder expects no slant.
        better = self._nets.recogniser.read(image_bgr, quads.astype(np.float32)).corners_px
        return strip_of(np.asarray(better, np.float64))

    def _read_in(self, image_bgr: Bytes, strip: Strip) -> StandingRow | None:
        flat = strip.flattened(image_bgr)
        boxes = self._nets.finder.find(flat, TILE_PX[0], IN_STRIP)
        boxes = without_doubles(_in_row(boxes.take(boxes.classes == FACE)), 0.3)
        if len(boxes) < LEAST:
            return None
        quads = upright(np.asarray(corners_of(boxes.xywhr), np.float64))
        quads = quads[np.argsort(quads[:, :, 0].mean(axis=1))][:MOST]
        probabilities, quads = self._named(image_bgr, strip, quads)
        if float((_sure(probabilities) > LIKELY).mean()) < NAMED:
            return None  # backs, or something else in a row
        while len(quads) < MOST:
            extra = _between(quads, flat.shape[1])
            if not len(extra):
                break
            more, outlines = self._named(image_bgr, strip, extra)
            inside = (extra[:, :, 0].mean(axis=1) > quads[0, :, 0].mean()) & (
                extra[:, :, 0].mean(axis=1) < quads[-1, :, 0].mean()
            )
            least = np.where(inside, SEEN, SEEN_BEYOND)
            seen = (_sure(more) > least) & _in_place(outlines, extra)
            if not seen.any():
                break
            probabilities = np.concatenate([probabilities, more[seen]])
            quads = np.concatenate([quads, outlines[seen]])
            order = np.argsort(quads[:, :, 0].mean(axis=1))
            probabilities, quads = probabilities[order], quads[order]
        # The outlines are exact now: what is printed is read best.
        probabilities, quads = self._named(image_bgr, strip, quads)
        places = quads[:, :, 0].mean(axis=1) / TILE_PX[0]
        return StandingRow(probabilities, strip.in_picture(quads), places)

    def _named(self, image_bgr: Bytes, strip: Strip, quads: Quads) -> tuple[Doubles, Quads]:
        """Faces and corrected outlines of tiles in the strip.

        They are read in the picture, because the strip has lost some of its sharpness.
        """
        there = strip.in_picture(quads).astype(np.float32)
        named = self._nets.recogniser.read(image_bgr, there)
        shares = named.probabilities * PER_FIVE
        shares /= shares.sum(axis=1, keepdims=True)
        return np.asarray(shares, np.float64), strip.in_strip(np.asarray(named.corners_px, float))


def _sure(probabilities: Doubles) -> Doubles:
    """(n,) how sure the likeliest kinds are: a five is seen where it is not known to be red."""
    return np.asarray(of_kinds(probabilities).max(axis=1), np.float64)


def _in_row(boxes: Boxes) -> Boxes:
    """The boxes that look like tiles of the row."""
    if not len(boxes):
        return boxes
    quads = upright(np.asarray(corners_of(boxes.xywhr), np.float64))
    high = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1) / TILE_PX[1]
    wide = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1) / TILE_PX[0]
    level = quads[:, :, 1].mean(axis=1)
    off = np.abs(level - np.median(level)) / TILE_PX[1]
    fits = (high > HIGH[0]) & (high < HIGH[1]) & (wide > WIDE[0]) & (wide < WIDE[1])
    return boxes.take(fits & (off < OFF_LINE))


def _in_place(outlines: Quads, guessed: Quads) -> Bools:
    """(n,) whether the recogniser confirms a guessed place; it may have found a neighbour."""
    off = (outlines - guessed).mean(axis=1)[:, 0]
    return np.asarray(np.abs(off) < OFF_PLACE * TILE_PX[0], np.bool_)


def _between(quads: Quads, width_px: int) -> Quads:
    """Where missed tiles may stand: in gaps of the row, and at its ends."""
    middles = quads[:, :, 0].mean(axis=1)
    shape = np.median(quads - quads.mean(axis=1, keepdims=True), axis=0)
    pitch = float(np.median(np.diff(middles))) if len(middles) > LEAST else TILE_PX[0]
    if not 0.8 * TILE_PX[0] < pitch < 1.3 * TILE_PX[0]:
        pitch = TILE_PX[0]
    level = quads[:, :, 1].mean(axis=1)
    found = []
    for left, right, low, high in zip(middles, middles[1:], level, level[1:], strict=False):
        room = round(float(right - left) / pitch) - 1
        if room > 0 and (right - left) / pitch - 1 > MISSING:
            steps = np.arange(1, room + 1) / (room + 1)
            found += [(left + (right - left) * step, low + (high - low) * step) for step in steps]
    found += [(middles[0] - pitch, level[0]), (middles[-1] + pitch, level[-1])]
    kept = [(x, y) for x, y in found if pitch / 2 < x < width_px - pitch / 2]
    return np.array([shape + np.array(middle) for middle in kept], np.float64).reshape(-1, 4, 2)


def drawn(image_bgr: Bytes, row: StandingRow, names: list[str]) -> Bytes:
    """Draw the row's outlines and names into the picture."""
    picture = image_bgr.copy()
    for quad, name in zip(row.corners_px, names, strict=True):
        cv2.polylines(picture, [np.rint(quad).astype(np.int32)], True, (80, 220, 60), 2)
        at = (int(quad[3, 0]), int(quad[2:, 1].max()) + 18)
        cv2.putText(picture, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (80, 220, 60), 2)
    return np.asarray(picture, np.uint8)
