"""The curve that is fitted tells how often readings turn out right, and keeps wrong ones out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fit_confidence import (
    NOBODYS,
    WRONG_ON_PHOTOS,
    WRONG_ON_TABLES,
    FaceReadings,
    crossed,
    default_threshold,
    fit,
    wrong_and_sure,
)

from vision.tiles.classes import FACES
from vision.tiles.confidence import features


def cases(count: int, seed: int, steep: float = 1.0) -> FaceReadings:
    """Readings that are right as often as a curve of their own says."""
    rng = np.random.default_rng(seed)
    best = 1 - np.exp(rng.uniform(np.log(1e-5), np.log(0.8), count))
    probabilities = np.repeat(((1 - best) / (len(FACES) - 1))[:, None], len(FACES), axis=1)
    probabilities[:, 3] = best
    scores = rng.uniform(0.3, 0.95, count)
    widths = np.exp(rng.uniform(np.log(12), np.log(60), count))
    axes = rng.uniform(0, 12, count)
    tiles = rng.uniform(-4, 8, count)
    told = features(probabilities, *(v.astype(np.float32) for v in (widths, scores, axes, tiles)))
    true = 1 / (1 + np.exp(-steep * (told[:, 1] * 0.6 + told[:, 4] - 0.5)))
    faces = np.where(rng.random(count) < true, 3, 4)
    return FaceReadings(
        probabilities.astype(np.float32), widths.astype(np.float32), told,
        faces, rng.integers(0, 40, count), np.ones(count, bool), np.ones(count, bool),
    )  # fmt: skip


def test_covered_tiles_do_not_rule_the_threshold() -> None:
    part = cases(400, 3)
    sure = np.full(400, 0.9, np.float32)
    covered = replace(part, in_sight=part.right)
    assert wrong_and_sure(part, sure, 0.8) > 0
    assert wrong_and_sure(covered, sure, 0.8) == 0


def test_what_is_told_of_new_readings_comes_true() -> None:
    curve, fresh = fit([cases(4000, 1)]), cases(4000, 2)
    told = curve.of(fresh.features)
    for low, high in ((0.1, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.0)):
        inside = (told >= low) & (told < high)
        assert inside.sum() > 30
        assert told[inside].mean() == pytest.approx(fresh.right[inside].mean(), abs=0.06)
    assert told.mean() == pytest.approx(fresh.right.mean(), abs=0.02)


def test_a_reading_is_never_judged_by_a_curve_that_knew_its_picture() -> None:
    part = cases(600, 5)
    (told,) = crossed([part])
    fold = part.groups % 5 == 2
    # Whatever those readings were, what is told of them stays: only the others were looked at.
    changed = replace(part, faces=np.where(fold, 7 - part.faces, part.faces))
    (again,) = crossed([changed])
    np.testing.assert_array_equal(told[fold], again[fold])
    assert (told[~fold] != again[~fold]).any()


def test_tiles_in_company_have_a_lower_threshold_where_those_alone_are_wrong() -> None:
    part = cases(4000, 5)
    sure = np.random.default_rng(1).uniform(0.5, 1, 4000).astype(np.float32)
    near = np.arange(4000) % 2 == 0
    faces = np.where(~near & (sure < 0.8) & (np.arange(4000) % 10 == 1), 4, 3)
    part = replace(part, faces=faces, in_company=near, widths_px=np.full(4000, 30, np.float32))
    told, limits = {"tables": sure}, {"tables": WRONG_ON_TABLES}
    alone = default_threshold({"tables": part}, told, limits)
    assert alone > 0.75
    assert default_threshold({"tables": part}, told, limits, alone) == 0.5


def test_keys_and_dice_hold_the_threshold_of_photos_but_not_that_of_tables() -> None:
    part = cases(4000, 5)
    sure = np.random.default_rng(1).uniform(0.5, 1, 4000).astype(np.float32)
    things = np.arange(4000) % 100 == 0
    sure[things] = np.linspace(0.6, 0.88, things.sum())
    part = replace(part, faces=np.where(things, NOBODYS, 3), in_company=~things)
    kinds, told = {"photos": part}, {"photos": sure}
    alone = default_threshold(kinds, told, {"photos": WRONG_ON_PHOTOS})
    assert 0.86 < alone <= 0.885, "one of 40 may be named"
    assert default_threshold(kinds, told, {"photos": WRONG_ON_PHOTOS}, alone) == 0.5
    assert default_threshold(kinds, told, {"photos": WRONG_ON_TABLES}) == 0.5
