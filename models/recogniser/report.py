"""How well a recogniser reads held-out tiles: accuracy, calibration, confusions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from recogniser.data import NONSENSE, SYMMETRIC, Image, Patches
from recogniser.windows import views

from vision.tiles.classes import FACE_INDEX, FACES
from vision.tiles.recogniser import Recogniser

_PLAIN = {"0m": "5m", "0p": "5p", "0s": "5s"}
_REDS = {FACE_INDEX[red]: FACE_INDEX[plain] for red, plain in _PLAIN.items()}


@dataclass(frozen=True, eq=False)
class CropReadings:
    """What a recogniser read in n tiles."""

    crops: Image
    """(n, 64, 48, 3) RGB."""
    faces: NDArray[np.int64]
    """(n,) true indices into ``FACES``."""
    probabilities: NDArray[np.float32]
    """(n, 38)."""
    right_way: NDArray[np.bool_]
    """(n,) whether the direction is right; True where it is unknown."""

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.asarray(self.probabilities.argmax(1) == self.faces)


def read_patches(recogniser: Recogniser, patches: Patches, most: int = 10**9) -> CropReadings:
    """Cut every tile's crop without augmentation, a third of them turned, and read them."""
    rng = np.random.default_rng(1)
    rows = np.flatnonzero(patches.faces != NONSENSE)
    rows = np.sort(rng.permutation(rows)[:most])
    first = rng.choice(4, len(rows), p=[0.7, 0.03, 0.24, 0.03])
    crops = views(patches.images[rows], first)
    return read_crops(recogniser, crops, patches.faces[rows], first, patches.upright[rows])


def read_crops(
    recogniser: Recogniser,
    crops: Image,
    faces: NDArray[np.int64],
    first: NDArray[np.int64],
    upright: NDArray[np.bool_],
) -> CropReadings:
    probabilities, told = recogniser.read_crops(np.ascontiguousarray(crops[..., ::-1]))
    same = np.isin(faces, list(SYMMETRIC))
    right_way = (told == first) | ~upright | (same & ((told - first) % 2 == 0))
    return CropReadings(crops, faces, probabilities, right_way)


def figures(reading: CropReadings, threshold: float) -> dict[str, object]:
    """Return accuracy (also with red fives as plain ones), calibration and confusions."""
    sure = reading.probabilities.max(1)
    told = reading.probabilities.argmax(1)
    right = reading.right
    plain = np.array([_REDS.get(int(face), int(face)) for face in told])
    plain_truth = np.array([_REDS.get(int(face), int(face)) for face in reading.faces])
    believed = sure >= threshold
    pairs = Counter(
        f"{FACES[int(truth)]} read as {FACES[int(said)]}"
        for truth, said in zip(reading.faces[~right], told[~right], strict=True)
    )
    return {
        "tiles": len(right),
        "accuracy": round(float(right.mean()), 4),
        "accuracy_reds_as_plain": round(float((plain == plain_truth).mean()), 4),
        "direction": round(float(reading.right_way.mean()), 4),
        "believed": round(float(believed.mean()), 4),
        "wrong_and_believed": round(float((believed & ~right).mean()), 5),
        "calibration_error": round(calibration_error(sure, right), 4),
        "confusions": dict(pairs.most_common(10)),
    }


def calibration_error(sure: NDArray[np.float32], right: NDArray[np.bool_]) -> float:
    """Return the mean distance of confidence from accuracy, in ten bins."""
    bins = np.minimum((sure * 10).astype(int), 9)
    parts = [
        abs(float(sure[bins == b].mean()) - float(right[bins == b].mean())) * (bins == b).mean()
        for b in range(10)
        if (bins == b).any()
    ]
    return float(sum(parts))


def worst_picture(reading: CropReadings, path: Path, most: int = 60) -> None:
    """Draw the most confident errors: the truth above, the reading below."""
    wrong = np.flatnonzero(~reading.right)
    sure = reading.probabilities.max(1)
    wrong = wrong[np.argsort(-sure[wrong])][:most]
    cells = []
    for row in wrong:
        cell = np.full((108, 72, 3), 40, np.uint8)
        cell[20:84, 12:60] = reading.crops[row][..., ::-1]
        said = FACES[int(reading.probabilities[row].argmax())]
        truth = FACES[int(reading.faces[row])]
        cv2.putText(cell, truth, (4, 15), 0, 0.5, (90, 255, 90), 1, cv2.LINE_AA)
        cv2.putText(cell, f"{said} {sure[row]:.2f}", (2, 102), 0, 0.42, (90, 90, 255), 1)
        cells.append(cell)
    while len(cells) % 12 or not cells:
        cells.append(np.full((108, 72, 3), 40, np.uint8))
    rows = [np.hstack(cells[i : i + 12]) for i in range(0, len(cells), 12)]
    cv2.imwrite(str(path), np.vstack(rows))
