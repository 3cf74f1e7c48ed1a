"""The dice net learns from pictures whose labels say what they show, and is exported as read."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from dice.data import CELLS, DrawnSamples, _turned, as_rows, losses  # noqa: E402
from dice.drawing import PATCH_PX, DrawnDie, draw_picture  # noqa: E402
from dice.fitting import LEAST_SURE, Told, fitted  # noqa: E402

from tests.support.paths import ROOT  # noqa: E402
from vision.dice.finder import (  # noqa: E402
    CELL_PX,
    OUTPUTS,
    PER_MM,
    PRESENT,
    VALUE,
    DiceFinder,
)


def test_the_same_seed_draws_the_same_pictures_and_dice_of_every_value() -> None:
    rngs = [np.random.default_rng(3) for _ in range(2)]
    one, two = ([draw_picture(rng) for _ in range(40)] for rng in rngs)
    for (picture, dice), (again, others) in zip(one, two, strict=True):
        assert np.array_equal(picture, again)
        assert dice == others
    assert {die.value for _, dice in one for die in dice} == {1, 2, 3, 4, 5, 6}
    assert sum(not dice for _, dice in one) >= 4


@pytest.mark.parametrize("how", range(8))
def test_a_die_stays_under_its_label_however_the_picture_is_turned(how: int) -> None:
    picture = np.zeros((PATCH_PX, PATCH_PX, 3), np.uint8)
    picture[14, 41] = 255
    die = DrawnDie((41 + 0.5) / PER_MM, (14 + 0.5) / PER_MM, 3, 15.0, 20.0)
    turned, rows = _turned(picture, as_rows([die]), how)
    (row,), (column,) = np.nonzero(turned[..., 0])
    assert rows[0, :2] * CELL_PX == pytest.approx((column + 0.5, row + 0.5), abs=1e-3)
    assert rows[0, 2] == 3
    mirrored = how in (1, 2, 4, 7)
    assert np.rad2deg(rows[0, 4]) % 90 == pytest.approx(70 if mirrored else 20, abs=1e-3)


def test_batches_have_dice_within_their_pictures() -> None:
    for images, dice in islice(DrawnSamples(50, 1).batches(32), 3):
        assert images.shape == (32, PATCH_PX, PATCH_PX, 3)
        there = dice[dice[..., 2] > 0]
        clear = there[there[:, 5] > 0]
        assert len(clear) > 10
        assert ((clear[:, :2] > 0) & (clear[:, :2] < CELLS)).all()


def test_the_loss_is_least_for_what_is_true() -> None:
    die = DrawnDie(20.0, 24.0, 5, 15.0, 30.0)
    dice = torch.from_numpy(as_rows([die]))[None]
    row, column = (int(at * PER_MM / CELL_PX) for at in (die.y_mm, die.x_mm))

    def told(value: int, at: tuple[int, int]) -> dict[str, float]:
        output = torch.zeros(1, OUTPUTS, CELLS, CELLS)
        output[:, PRESENT] = -6.0
        output[0, PRESENT, at[0], at[1]] = 6.0
        output[:, VALUE.start + value - 1] = 6.0
        return {name: float(part) for name, part in losses(output, dice).items()}

    true = told(5, (row, column))
    assert told(2, (row, column))["value"] > true["value"] + 3
    assert told(5, (row, column + 4))["presence"] > true["presence"] + 3


def test_from_the_thresholds_on_few_are_wrong() -> None:
    right = [Told(0.9, 0.95, right=True, true=True)] * 2000
    doubtful = [Told(0.9, 0.7, right=False, true=True)] * 40
    none = [Told(0.3, 0.9, right=False, true=False)] * 60
    found = fitted([*right, *doubtful, *none, Told(0.0, 0.0, right=False, true=True)])
    assert 0.3 < float(str(found["least_present"])) <= 0.9
    assert found["least_sure"] == LEAST_SURE
    told = found["metrics"]
    assert isinstance(told, dict)
    assert told["told wrong in one picture"] == 0
    assert told["found"] == round(2040 / 2041, 4)


def test_a_net_is_trained_and_exported_with_its_metadata(tmp_path: Path) -> None:
    for command in (
        ["models/train_dice.py", "--steps=2", "--batch=8", f"--out={tmp_path}"],
        [
            "models/export_dice.py",
            f"{tmp_path}/last.pt",
            "--pictures=8",
            f"--out={tmp_path}/weights",
        ],
    ):
        subprocess.run([sys.executable, "-W", "ignore", *command], cwd=ROOT, check=True)
    weights = tmp_path / "weights" / "dice.onnx"
    about = json.loads(weights.with_suffix(".json").read_text("utf-8"))
    assert about["steps"] == 2
    finder = DiceFinder(weights)
    assert (finder.least_present, finder.least_sure) == (
        about["least_present"],
        about["least_sure"],
    )
