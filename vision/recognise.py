"""The recogniser: which face a tile shows, as a distribution, and how it is turned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
import openvino
from numpy.typing import NDArray

from vision.boxes import Floats
from vision.classes import FACES
from vision.errors import WeightsError
from vision.profile import Likeness, Profile
from vision.rectify import CROP_PX, rectify

BATCH: Final = 16
"""Crops that the net sees at once; a few tiles more or less do not change its cost a tile."""


class Recogniser:
    """Names faces in crops; not for two threads at once."""

    def __init__(self, weights: Path, threads: int | None = None, precise: bool = False) -> None:
        """Load ``weights`` (.onnx) and the .json beside it; raises ``WeightsError``.

        ``precise`` computes in 32-bit floats where the processor would take shorter ones.
        """
        core = openvino.Core()
        settings: dict[str, object] = {"PERFORMANCE_HINT": "LATENCY"}
        if threads is not None:
            settings["INFERENCE_NUM_THREADS"] = threads
        if precise:
            settings["INFERENCE_PRECISION_HINT"] = "f32"
        try:
            about = json.loads(weights.with_suffix(".json").read_text())
            self.threshold = float(about["threshold"])
            self._temperature = float(about["temperature"])
            model = core.read_model(weights)
            model.reshape([BATCH, 3, CROP_PX[1], CROP_PX[0]])
            self._net = core.compile_model(model, "CPU", settings)
            self._width = int(model.output(2).partial_shape[1].get_length())
        except Exception as error:  # the runtime raises RuntimeError, and others for odd files
            raise WeightsError(weights, error) from error
        self._likeness: Likeness | None = None

    @classmethod
    def load(cls, weights: Path, threads: int | None = None) -> Recogniser:
        """Raises ``WeightsError`` when the file or the metadata beside it cannot be read."""
        return cls(weights, threads)

    def fit(self, profile: Profile) -> None:
        """Read the faces of one set of tiles by its own pictures from now on."""
        self._likeness = None
        self._likeness = Likeness.of(profile, lambda crops: self._look(crops)[2])

    def read(
        self, image_bgr: NDArray[np.uint8], corners_px: Floats
    ) -> tuple[Floats, NDArray[np.int64]]:
        """Faces of tiles with corners (n, 4, 2), a short side first.

        Returns (n, 38) probabilities over ``FACES``, flat where no single face is seen, and (n,)
        which of the corners is the tile's own top left. Of a face that looks the same turned by
        half, either end may be named.
        """
        crops = np.zeros((len(corners_px), CROP_PX[1], CROP_PX[0], 3), np.uint8)
        for crop, corners in zip(crops, corners_px, strict=True):
            crop[:] = rectify(image_bgr, corners)
        return self.read_crops(crops)

    def read_crops(self, crops_bgr: NDArray[np.uint8]) -> tuple[Floats, NDArray[np.int64]]:
        """As ``read``, of crops (n, 64, 48, 3) already cut."""
        faces, turns, embeddings = self._look(crops_bgr)
        if self._likeness is not None:
            faces = self._likeness.fuse(faces, embeddings)
        return faces, turns.argmax(axis=1)

    def _look(self, crops_bgr: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats]:
        """Probabilities (n, 38), direction logits (n, 4) and embeddings (n, d) of unit length."""
        count = len(crops_bgr)
        faces = np.zeros((count, len(FACES)), np.float32)
        turns = np.zeros((count, 4), np.float32)
        seen = np.zeros((count, self._width), np.float32)
        tensor = np.zeros((BATCH, 3, CROP_PX[1], CROP_PX[0]), np.float32)
        for start in range(0, count, BATCH):
            part = crops_bgr[start : start + BATCH, ..., ::-1].transpose(0, 3, 1, 2)
            np.multiply(part, np.float32(1 / 255), out=tensor[: len(part)])
            out = self._net(tensor)
            for kept, answer in zip((faces, turns, seen), range(3), strict=True):
                kept[start : start + BATCH] = out[answer][: len(part)]
        faces = np.exp((faces - faces.max(axis=1, keepdims=True)) / self._temperature)
        faces /= faces.sum(axis=1, keepdims=True)
        seen /= np.linalg.norm(seen, axis=1, keepdims=True) + np.float32(1e-9)
        return faces, turns, seen
