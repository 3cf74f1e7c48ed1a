"""A reading of an enrolled set may be as sure as the net alone is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.support.paths import ROOT
from vision.arrays import Floats
from vision.tiles.belief import LIKELY, FaceBelief, believed
from vision.tiles.classes import FACES
from vision.tiles.recogniser import Recogniser, Recognition

WEIGHTS = ROOT / "vision" / "weights"


class Same:
    """Corrects nothing: what the two readings are is given."""

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        return probabilities


@pytest.fixture(scope="module")
def enrolled() -> Recogniser:
    recogniser = Recogniser(WEIGHTS / "recogniser.onnx", threads=1)
    recogniser.corrected(Same())
    return recogniser


def read(best: float, face: int = 7) -> Floats:
    """(1, 38): so likely is the face."""
    probabilities = np.full((1, len(FACES)), (1 - best) / (len(FACES) - 1), np.float32)
    probabilities[0, face] = best
    return probabilities


def belief(net: Recogniser, own: Floats, plain: Floats | None) -> FaceBelief:
    """The belief in a well outlined tile that two distributions (1, 38) tell."""
    told = [np.full(1, value, np.float32) for value in (8.0, 5.0)]
    square = np.zeros((1, 4, 2), np.float32)
    named = Recognition(own, np.zeros(1, np.int64), square, told[0], told[1], plain)
    size = [np.full(1, value, np.float32) for value in (30.0, 0.9)]
    return believed(net, named, size[0], size[1])[0]


def trust_of(net: Recogniser, own: Floats) -> float:
    trust = belief(net, own, None).trust
    assert trust is not None
    return trust


def read_with(net: Recogniser, low: float, high: float) -> Floats:
    """A distribution whose own trust lies between these."""
    for best in np.linspace(0.05, 0.999, 400):
        if low <= trust_of(net, read(float(best))) < high:
            return read(float(best))
    raise AssertionError(f"no reading is trusted from {low} to {high}")


def test_what_is_likely_is_as_sure_as_the_net_alone_that_reads_the_same(
    enrolled: Recogniser,
) -> None:
    own = read_with(enrolled, LIKELY, enrolled.threshold)
    raised = belief(enrolled, own, read(0.9999))
    assert enrolled.net_alone is not None
    assert raised.trust is not None
    assert raised.trust >= raised.threshold == enrolled.net_alone.threshold
    assert raised.in_company == enrolled.net_alone.in_company


@pytest.mark.parametrize(
    ("low", "plain", "why"),
    [
        (LIKELY, read(0.9999, face=8), "the net alone reads another face"),
        (LIKELY, read(0.11), "the net alone is less sure: nothing is believed less for it"),
        (0.2, read(0.9999), "the set's own pictures find the face unlikely"),
    ],
)
def test_else_a_face_is_believed_by_its_own_reading(
    enrolled: Recogniser, low: float, plain: Floats, why: str
) -> None:
    own = read_with(enrolled, low, LIKELY if low < LIKELY else enrolled.threshold)
    kept = belief(enrolled, own, plain)
    assert kept.trust == trust_of(enrolled, own), why
    assert kept.threshold == enrolled.threshold


def test_where_none_was_measured_on_enrolled_sets_the_net_alone_gives_no_trust(
    tmp_path: Path,
) -> None:
    shutil.copy(WEIGHTS / "recogniser.onnx", tmp_path)
    about = json.loads((WEIGHTS / "recogniser.json").read_text())
    del about["enrolled"]
    (tmp_path / "recogniser.json").write_text(json.dumps(about))
    recogniser = Recogniser(tmp_path / "recogniser.onnx", threads=1)
    recogniser.corrected(Same())
    kept = belief(recogniser, read(0.8), read(0.9999))
    assert kept.trust is None
    assert kept.threshold == recogniser.threshold
