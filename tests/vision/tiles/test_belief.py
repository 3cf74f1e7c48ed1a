"""What the program believes of a face: one rule for pictures and for a profile's gain."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.support.paths import ROOT
from vision.arrays import Floats
from vision.tiles.belief import FaceBelief, believed
from vision.tiles.classes import FACES
from vision.tiles.recogniser import Recogniser, Recognition

WEIGHTS = ROOT / "vision" / "weights"


class Same:
    """Corrects nothing: what the reading is is given."""

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        return probabilities


def read(best: float, face: int = 7) -> Floats:
    """(1, 38): so likely is the face."""
    probabilities = np.full((1, len(FACES)), (1 - best) / (len(FACES) - 1), np.float32)
    probabilities[0, face] = best
    return probabilities


def belief(net: Recogniser, told: Floats) -> FaceBelief:
    """The belief in a well outlined tile."""
    seen = [np.full(1, value, np.float32) for value in (8.0, 5.0)]
    square = np.zeros((1, 4, 2), np.float32)
    named = Recognition(told, np.zeros(1, np.int64), square, *seen)
    size = [np.full(1, value, np.float32) for value in (30.0, 0.9)]
    return believed(net, named, size[0], size[1])[0]


@pytest.mark.parametrize("enrolled", [False, True])
def test_a_face_is_believed_by_the_curve_of_the_net_or_of_the_set_that_corrects_it(
    enrolled: bool,
) -> None:
    net = Recogniser(WEIGHTS / "recogniser.onnx", threads=1)
    about = json.loads((WEIGHTS / "recogniser.json").read_text())
    if enrolled:
        net.corrected(Same())
    told = belief(net, read(0.97))
    assert net.confidence is not None
    assert told.features is not None
    assert told.trust == net.confidence.of(told.features[None])[0]
    assert told.threshold == (about["enrolled"] if enrolled else about)["threshold"]
    assert told.in_company == (None if enrolled else about["threshold_in_company"])


def test_where_none_was_measured_on_enrolled_sets_nothing_gives_trust(tmp_path: Path) -> None:
    shutil.copy(WEIGHTS / "recogniser.onnx", tmp_path)
    about = json.loads((WEIGHTS / "recogniser.json").read_text())
    del about["enrolled"]
    (tmp_path / "recogniser.json").write_text(json.dumps(about))
    recogniser = Recogniser(tmp_path / "recogniser.onnx", threads=1)
    recogniser.corrected(Same())
    kept = belief(recogniser, read(0.8))
    assert kept.trust is None
    assert kept.threshold == recogniser.threshold
