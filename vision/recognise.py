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
from vision.rectify import CROP_PX, rectify

BATCH: Final = 16


class Recogniser:
    """Names faces in crops; not for two threads at once."""

    def __init__(self, weights: Path, threads: int | None = None) -> None:
        core = openvino.Core()
        settings: dict[str, object] = {"PERFORMANCE_HINT": "LATENCY"}
        if threads is not None:
            settings["INFERENCE_NUM_THREADS"] = threads
        try:
            about = json.loads(weights.with_suffix(".json").read_text())
            self.threshold = float(about["threshold"])
            self._temperature = float(about["temperature"])
            model = core.read_model(weights)
            model.reshape([BATCH, 3, CROP_PX[1], CROP_PX[0]])
            self._net = core.compile_model(model, "CPU", settings)
        except Exception as error:  # the runtime raises RuntimeError, and others for odd files
            raise WeightsError(weights, error) from error

    @classmethod
    def load(cls, weights: Path, threads: int | None = None) -> Recogniser:
        """Raises ``WeightsError`` when the file or the metadata beside it cannot be read."""
        return cls(weights, threads)

    def read(
        self, image_bgr: NDArray[np.uint8], corners_px: Floats
    ) -> tuple[Floats, NDArray[np.int64]]:
        """Faces of tiles with corners (n, 4, 2), a short side first.

        Returns (n, 38) probabilities over ``FACES`` and (n,) which of the corners is the tile's
        own top left.
        """
        count = len(corners_px)
        crops = np.zeros((-(-count // BATCH) * BATCH, CROP_PX[1], CROP_PX[0], 3), np.uint8)
        for crop, corners in zip(crops, corners_px, strict=False):
            crop[:] = rectify(image_bgr, corners)
        return self.read_crops(crops, count)

    def read_crops(self, crops: NDArray[np.uint8], count: int) -> tuple[Floats, NDArray[np.int64]]:
        """As ``read``, of crops (m, 64, 48, 3) already cut; m is a multiple of ``BATCH``."""
        faces = np.zeros((len(crops), len(FACES)), np.float32)
        turns = np.zeros((len(crops), 4), np.float32)
        tensor = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2), np.float32) / 255
        for start in range(0, len(crops), BATCH):
            rows = slice(start, start + BATCH)
            out = self._net(tensor[rows])
            faces[rows], turns[rows] = out[0], out[1]
        faces = np.exp((faces - faces.max(axis=1, keepdims=True)) / self._temperature)
        faces /= faces.sum(axis=1, keepdims=True)
        return faces[:count], turns[:count].argmax(axis=1)
