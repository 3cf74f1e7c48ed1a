"""The recogniser: the face of a tile, as a distribution, and its orientation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bytes, Floats, Ints
from vision.errors import WeightsError
from vision.tiles.confidence import Confidence
from vision.tiles.rectify import CROP_PX, in_crop, rectify
from vision.tiles.shared_net import compile_net, runtime, settings

BATCH: Final = 2
"""Crops per call of the net: one tile, either end up.

Larger batches cost the same per crop, and most looks show few tiles.
"""
OUTPUTS: Final = 5
LOOSE: Final = 0.03
"""Outlines that are off by more than this, in sides of the tile, are cut again."""
PIXEL: Final = (1 / np.array(CROP_PX)).astype(np.float32)
"""Half-pixel correction: positions count from the centre of a pixel, and turning moves it."""
UNMEASURED: Final = 0.99
"""Threshold for corrected readings where the file of the net names none."""
FARTHEST: Final = 0.25
"""Largest correction of an outline, in sides of the crop."""


@dataclass(frozen=True, eq=False)
class Recognition:
    """What was recognised in n tiles."""

    probabilities: Floats
    """(n, 38) over ``FACES``; flat where no single face is seen."""
    first: Ints
    """(n,) index of the corner that is the tile's own top left; either end of a symmetric face."""
    corners_px: Floats
    """(n, 4, 2): the corrected outlines, in the given order."""
    axes: Floats
    """(n,) nats between the two axes along which the face may lie."""
    tiles: Floats
    """(n,) log odds that a tile is there at all."""


@dataclass(frozen=True, eq=False)
class _Seen:
    """The outputs of the net for n crops."""

    faces: Floats
    """(n, 38) logits."""
    turns: Floats
    """(n, 4) logits."""
    embeddings: Floats
    """(n, d)"""
    outlines: Floats
    """(n, 4, 2): error of the corners, in sides of the crop."""
    tiles: Floats
    """(n,) log odds."""


class FaceCorrector(Protocol):
    """Corrects the readings of one particular set of tiles."""

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        """(n, 38): the net's distributions, corrected by the embeddings (n, d) of the tiles."""
        ...


class Recogniser:
    """Names the faces in crops; safe to use from any thread."""

    def __init__(
        self, weights: Path, threads: int | None = None, precise: bool = False, readers: int = 0
    ) -> None:
        """Load ``weights`` (.onnx) and the .json beside it; raises ``WeightsError``.

        ``precise``: as ``settings`` takes it. ``readers``: threads that call it at once; 0
        optimises for the delay of a single picture.
        """
        self._plain_in_company: float | None = None
        self.enrolled: frozenset[int] = frozenset()
        """Faces, as indices in ``FACES``, that the pictures of a set teach."""
        core = runtime()
        chosen = settings(threads, readers, precise)
        try:
            about = json.loads(weights.with_suffix(".json").read_text("utf-8"))
            self.accept_from(float(about["threshold"]), about.get("threshold_in_company"))
            self._temperature = float(about["temperature"])
            self._confidence = _confidence(about)
            own = about.get("enrolled", {"threshold": UNMEASURED})
            self._of_enrolled = float(own["threshold"]), _confidence(own)
            model = core.read_model(weights)
            model.reshape([BATCH, 3, CROP_PX[1], CROP_PX[0]])
            self.net: Callable[[Floats], Any] = compile_net(core, model, chosen)
            self._widths = [int(out.partial_shape[1].get_length()) for out in model.outputs]
            if len(self._widths) != OUTPUTS:
                raise ValueError(f"{len(self._widths)} outputs instead of {OUTPUTS}")
        except Exception as error:  # the runtime raises RuntimeError, or others for odd files
            raise WeightsError(weights, error) from error
        self._corrects: FaceCorrector | None = None

    @property
    def plain_in_company(self) -> float | None:
        """The threshold of plain readings in company, where the pictures of a set correct them."""
        return self._plain_in_company

    @property
    def confidence(self) -> Confidence | None:
        """Calibrated confidence; None where none was measured."""
        return self._confidence

    @property
    def threshold_of_enrolled(self) -> float:
        """The threshold from when on the pictures of a set correct the net."""
        return self._of_enrolled[0]

    def accept_from(self, threshold: float, in_company: float | None = None) -> None:
        """Name faces from this confidence on; from ``in_company`` where other sure faces lie near
        (company.py), or everywhere from the same if it is None."""
        self.threshold = threshold
        self.threshold_in_company = threshold if in_company is None else float(in_company)
        if self._plain_in_company is not None:
            self._plain_in_company = self.threshold_in_company

    def corrected(self, by: FaceCorrector, enrolled: Iterable[int] = ()) -> None:
        """Correct every reading from now on, by pictures of the ``enrolled`` faces.

        Confidence and threshold become those measured on corrected readings.
        """
        plain = self._plain_in_company
        if plain is None:
            plain = self.threshold_in_company
        self._corrects, self.enrolled = by, frozenset(map(int, enrolled))
        threshold, self._confidence = self._of_enrolled
        self.accept_from(threshold)
        self._plain_in_company = plain

    def read(self, image_bgr: Bytes, corners_px: Floats) -> Recognition:
        """Name tiles with corners (n, 4, 2), a short side first.

        If an outline is loose it is corrected, and the tile is read with both outlines.
        """
        crops = np.zeros((len(corners_px), CROP_PX[1], CROP_PX[0], 3), np.uint8)
        for crop, corners in zip(crops, corners_px, strict=True):
            crop[:] = rectify(image_bgr, corners)
        seen = self._both_ways_up(crops)
        better = _put_right(corners_px, seen.outlines)
        readings = self._readings(seen)
        loose = np.flatnonzero(np.abs(seen.outlines).max(axis=(1, 2), initial=0.0) > LOOSE)
        if len(loose):
            cut = np.stack([rectify(image_bgr, better[row]) for row in loose])
            again = self._both_ways_up(cut)
            better[loose] = _put_right(better[loose], again.outlines)
            both = np.sqrt(readings[loose] * self._readings(again))
            readings[loose] = both / both.sum(axis=1, keepdims=True)
            seen.turns[loose] += again.turns
            seen.tiles[loose] = again.tiles
        lengthwise, across = (np.logaddexp.reduce(seen.turns[:, end::2], axis=1) for end in (0, 1))
        return Recognition(
            readings,
            seen.turns.argmax(axis=1),
            better,
            np.abs(lengthwise - across),
            seen.tiles,
        )

    def embed(self, crops_bgr: Bytes) -> Floats:
        """(n, d) unit vectors for crops (n, 64, 48, 3); similar crops have similar vectors."""
        return unit(self._look(crops_bgr).embeddings)

    def read_crops(self, crops_bgr: Bytes) -> tuple[Floats, Ints]:
        """Probabilities (n, 38) and orientations (n,) of crops (n, 64, 48, 3)."""
        seen = self._both_ways_up(crops_bgr)
        return self._readings(seen), seen.turns.argmax(axis=1)

    def logits(self, crops_bgr: Bytes) -> Floats:
        """(n, 38) logits, not scaled to probabilities."""
        return self._both_ways_up(crops_bgr).faces

    def plainly(self, crops_bgr: Bytes) -> tuple[Floats, Floats]:
        """Uncorrected probabilities (n, 38) and embeddings (n, d) of crops (n, 64, 48, 3)."""
        seen = self._both_ways_up(crops_bgr)
        return self._uncorrected(seen), seen.embeddings

    def _readings(self, seen: _Seen) -> Floats:
        """(n, 38): the distributions, corrected by a set's own pictures if there are any."""
        faces = self._uncorrected(seen)
        return faces if self._corrects is None else self._corrects.fuse(faces, seen.embeddings)

    def _uncorrected(self, seen: _Seen) -> Floats:
        logits = seen.faces / self._temperature
        faces = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
        faces /= faces.sum(axis=1, keepdims=True)
        return np.asarray(faces, np.float32)

    def _look(self, crops_bgr: Bytes) -> _Seen:
        count = len(crops_bgr)
        answers = [np.zeros((count, width), np.float32) for width in self._widths]
        tensor = np.zeros((BATCH, 3, CROP_PX[1], CROP_PX[0]), np.float32)
        for start in range(0, count, BATCH):
            part = crops_bgr[start : start + BATCH, ..., ::-1].transpose(0, 3, 1, 2)
            np.multiply(part, np.float32(1 / 255), out=tensor[: len(part)])
            out = self.net(tensor)
            for place, kept in enumerate(answers):
                kept[start : start + BATCH] = out[place][: len(part)]
        faces, turns, embeddings, outlines, tiles = answers
        far = outlines.reshape(-1, 4, 2).clip(-FARTHEST, FARTHEST)
        return _Seen(faces, turns, embeddings, far, tiles[:, 0])

    def _both_ways_up(self, crops_bgr: Bytes) -> _Seen:
        """Average the crops with those turned by half, because either end may be up."""
        both = self._look(np.concatenate([crops_bgr, crops_bgr[:, ::-1, ::-1]]))
        one, other = (
            _Seen(*(output[half] for output in vars(both).values()))
            for half in (slice(None, len(crops_bgr)), slice(len(crops_bgr), None))
        )
        return _Seen(
            _mean(one.faces, other.faces),
            _mean(one.turns, np.roll(other.turns, 2, axis=1)),
            _mean(one.embeddings, other.embeddings),
            _mean(one.outlines, -np.roll(other.outlines, 2, axis=1) - PIXEL),
            _mean(one.tiles, other.tiles),
        )


def _confidence(about: Mapping[str, Any]) -> Confidence | None:
    measured = about.get("confidence")
    return None if measured is None else Confidence.read(measured)


def _mean(one: Floats, other: NDArray[np.floating]) -> Floats:
    return np.asarray((one + other) / 2, np.float32)


def _put_right(corners_px: Floats, outlines: Floats) -> Floats:
    """(n, 4, 2): the corners, moved by the errors seen in their crops."""
    better = np.empty_like(corners_px, np.float32)
    perfect = in_crop()
    for row, (corners, off) in enumerate(zip(corners_px, outlines, strict=True)):
        back = cv2.getPerspectiveTransform(perfect, corners.astype(np.float32))
        there = perfect + off * np.array(CROP_PX, np.float32)
        better[row] = cv2.perspectiveTransform(there[None], back)[0]
    return better


def unit(vectors: Floats) -> Floats:
    """(n, d): the vectors scaled to length 1."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-9), np.float32)
