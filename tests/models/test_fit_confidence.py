"""The curve that is fitted tells how often readings turn out right, and keeps wrong ones out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from evaluation.labels import LabelledPicture
from fit_confidence import (
    NOBODYS,
    FaceReadings,
    crossed,
    default_threshold,
    figures,
    fit,
    read_cases,
    threshold,
    wrong_and_sure,
)

from tests.support.detectors import Blind
from vision.tiles.classes import FACES
from vision.tiles.confidence import FEATURES, features


def cases(count: int, seed: int, steep: float = 1.0) -> FaceReadings:
    """Readings that are right as often as a curve of their own says."""
    rng = np.random.default_rng(seed)
    best = 1 - np.exp(rng.uniform(np.log(1e-5), np.log(0.8), count))
    probabilities = np.repeat(((1 - best) / (len(FACES) - 1))[:, None], len(FACES), axis=1)
    probabilities[:, 3] = best
    scores = rng.uniform(0.3, 0.95, count)
    widths = np.exp(rng.uniform(np.log(12), np.log(60), count))
    told = features(probabilities, widths.astype(np.float32), scores.astype(np.float32))
    true = 1 / (1 + np.exp(-steep * (told[:, 1] * 0.6 + told[:, 4] - 0.5)))
    faces = np.where(rng.random(count) < true, 3, 4)
    return FaceReadings(
        probabilities.astype(np.float32), widths.astype(np.float32), scores.astype(np.float32),
        faces, rng.integers(0, 40, count),
    )  # fmt: skip


def test_what_is_told_of_new_readings_comes_true() -> None:
    curve, fresh = fit([cases(4000, 1)]), cases(4000, 2)
    told = curve.of(fresh.probabilities, fresh.widths_px, fresh.scores)
    for low, high in ((0.1, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.0)):
        inside = (told >= low) & (told < high)
        assert inside.sum() > 30
        assert told[inside].mean() == pytest.approx(fresh.right[inside].mean(), abs=0.06)
    assert told.mean() == pytest.approx(fresh.right.mean(), abs=0.02)


def test_every_kind_of_pictures_weighs_alike_however_many_there_are() -> None:
    easy, hard = cases(3000, 3, steep=2.0), cases(300, 4, steep=0.3)
    alone, both = fit([hard]), fit([easy, hard])
    told = both.of(hard.probabilities, hard.widths_px, hard.scores)
    joined = fit([FaceReadings(*(np.concatenate(pair) for pair in _fields(easy, hard)))])
    plain = joined.of(hard.probabilities, hard.widths_px, hard.scores)
    wanted = alone.of(hard.probabilities, hard.widths_px, hard.scores)
    assert np.abs(told - wanted).mean() < np.abs(plain - wanted).mean()


def _fields(one: FaceReadings, other: FaceReadings) -> list[tuple[np.ndarray, np.ndarray]]:
    names = ("probabilities", "widths_px", "scores", "faces", "groups")
    return [(getattr(one, name), getattr(other, name)) for name in names]


def test_a_reading_is_never_judged_by_a_curve_that_knew_its_picture() -> None:
    part = cases(600, 5)
    (told,) = crossed([part])
    fold = part.groups % 5 == 2
    # Whatever those readings were, what is told of them stays: only the others were looked at.
    changed = replace(part, faces=np.where(fold, 7 - part.faces, part.faces))
    (again,) = crossed([changed])
    np.testing.assert_array_equal(told[fold], again[fold])
    assert (told[~fold] != again[~fold]).any()


def test_the_threshold_is_the_least_that_keeps_wrong_names_rare() -> None:
    part = cases(6000, 6, steep=2.5)
    sure = [fit([part]).of(part.probabilities, part.widths_px, part.scores)]
    least = threshold([part], sure, 0.001)
    assert wrong_and_sure(part, sure[0], least) < 0.001
    assert wrong_and_sure(part, sure[0], least - 0.006) >= 0.001


def test_the_default_threshold_meets_the_limit_of_every_kind_of_pictures() -> None:
    parts = {"photos": cases(6000, 6, steep=2.5), "known": cases(6000, 7), "unseen": cases(900, 8)}
    curve = fit(list(parts.values()))
    told = {n: curve.of(p.probabilities, p.widths_px, p.scores) for n, p in parts.items()}
    limits = {"photos": 0.001, "known": 0.01, "unseen": 0.01}
    least = default_threshold(parts, told, limits)
    wrong = {name: wrong_and_sure(part, told[name], least) for name, part in parts.items()}
    assert wrong["photos"] < 0.001
    assert (wrong["known"] + wrong["unseen"]) / 2 < 0.01
    assert default_threshold(parts, told, dict.fromkeys(limits, 0.01)) < least


def test_pictures_in_which_nothing_is_found_are_no_cases(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), np.zeros((20, 20, 3), np.uint8))
    picture = LabelledPicture(tmp_path / "0.png", "drawn", (), complete=True)
    found = read_cases(Blind(), [(0, picture)])
    assert found.probabilities.shape == (0, len(FACES))
    assert found.features.shape == (0, len(FEATURES))


def test_what_lies_nowhere_is_counted_apart() -> None:
    part = cases(100, 7)
    part = replace(part, faces=np.where(np.arange(100) < 20, NOBODYS, part.faces))
    told = figures(part, np.ones(100, np.float32), 0.9)
    assert (told["tiles"], told["no_tile"], told["no_tile_believed"]) == (80, 20, 20)
    assert told["believed"] == 1.0
