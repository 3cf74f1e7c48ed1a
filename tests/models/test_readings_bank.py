"""The detector's errors of a benchmark without pictures are drawn from what it truly read."""

from __future__ import annotations

import random

import numpy as np
import pytest
from games.bank import FOLDER, LEAST, ReadingBank, ReadingSampler, readable
from games.simulated_detector import CLEAN, HARD, ORDINARY, DetectorErrors, looks

from tests.support.tables import VIEW
from vision.tiles.classes import FACES, Side

FREE = 0.97


def tile(number: int, face: str, x_mm: float) -> dict[str, object]:
    half = np.array([[-13, -17], [13, -17], [13, 17], [-13, 17]])
    corners = VIEW.to_image(half + np.array([x_mm, 0.0]), VIEW.lying_mm)
    return {
        "id": number,
        "tile": face,
        "side": "face",
        "corners": corners.tolist(),
        "visible": FREE,
    }


@pytest.mark.parametrize("errors", [CLEAN, ORDINARY, HARD])
def test_drawn_rows_err_as_often_as_the_detector_does(errors: DetectorErrors) -> None:
    assert errors.bank is not None
    bank = ReadingBank.load(FOLDER / f"{errors.bank}.npz")
    low, high = errors.widths_px
    wide = (bank.width_px >= low) & (bank.width_px < high) & (bank.visible >= 0.95)
    wide &= np.isin(bank.picture, readable(bank))
    kinds = [face for face in FACES if ((bank.face == FACES.index(face)) & wide).sum() >= LEAST]
    wrong, true = [], []
    for game in range(60):
        draws = ReadingSampler(bank, errors.widths_px, random.Random(game))
        for face in kinds:
            row = draws.row(Side.FACE, face, free=True)
            assert row is not None
            assert bank.face[row] == FACES.index(face)
            wrong.append(bank.faces[row].argmax() != bank.face[row])
    for face in kinds:
        rows = wide & (bank.face == FACES.index(face))
        true.append(np.mean(bank.faces[rows].argmax(axis=1) != bank.face[rows]))
    assert abs(np.mean(wrong) - np.mean(true)) < 0.03


def test_a_tile_that_lies_still_is_read_alike_by_every_look() -> None:
    frames = [(step / 5, [tile(1, "5z", -60), tile(2, "9p", 60)]) for step in range(5)]
    read = [look.readings for look in looks(frames, VIEW, ORDINARY, seed=1) if look.readings]
    assert len(read) >= 3
    first = {int(one.probabilities.argmax()) for one in read[0]}
    for readings in read:
        assert {int(reading.probabilities.argmax()) for reading in readings} <= first
