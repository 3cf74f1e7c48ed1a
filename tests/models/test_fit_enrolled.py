"""Readings of an enrolled set have a confidence of their own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import fit_enrolled
import numpy as np
import pytest
from fit_confidence import FaceReadings

from tests.support.paths import ROOT
from vision.arrays import Floats
from vision.tiles.classes import FACES
from vision.tiles.confidence import features
from vision.tiles.recogniser import Recogniser


def readings(*_: object) -> FaceReadings:
    """Readings of twenty sets: nine of ten are right, and those have the higher odds."""
    rng = np.random.default_rng(2)
    right = rng.random(800) < 0.9
    best = np.where(right, rng.uniform(0.85, 0.99, 800), rng.uniform(0.4, 0.9, 800))
    probabilities = np.repeat(((1 - best) / (len(FACES) - 1))[:, None], len(FACES), axis=1)
    probabilities[:, 7] = best
    seen = [np.full(800, value, np.float32) for value in (30, 0.9, 8, 5)]
    told, widths = features(probabilities, *seen), seen[0]
    faces = np.where(right, 7, 8)
    return FaceReadings(
        probabilities.astype(np.float32),
        widths,
        told,
        faces,
        np.arange(800) % 20,
        np.ones(800, bool),
        np.ones(800, bool),
    )


class Same:
    """Corrects nothing."""

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        return probabilities


def test_a_corrected_recogniser_uses_what_was_fitted_on_enrolled_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("recogniser.onnx", "recogniser.json"):
        shutil.copy(ROOT / "vision" / "weights" / name, tmp_path)
    monkeypatch.setattr(fit_enrolled, "read_sets", readings)
    assert fit_enrolled.main([str(tmp_path / "sets"), "--weights", str(tmp_path)]) == 0
    about = json.loads((tmp_path / "recogniser.json").read_text())
    fitted = about["enrolled"]
    assert fitted["metrics"]["sets"]["wrong_and_sure"] <= 0.005
    assert set(fitted["fitted_on"]) == {"sets"}
    assert fitted["size_given"] is False
    assert fitted["metrics"]["sets"]["believed"] > 0.5
    recogniser = Recogniser(tmp_path / "recogniser.onnx", threads=1)
    plain = recogniser.confidence
    assert recogniser.threshold == about["threshold"]
    recogniser.corrected(Same())
    assert recogniser.threshold == fitted["threshold"]
    assert recogniser.confidence is not None
    assert recogniser.confidence != plain
    assert recogniser.confidence.weights == tuple(fitted["confidence"].values())
