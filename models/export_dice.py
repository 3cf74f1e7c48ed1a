"""Export a checkpoint of the dice net as the ONNX file that ships, with its metadata.

    python models/export_dice.py runs/dice/last.pt [--out vision/weights]

From ``least_present`` on, a cell is a die; it is fitted on drawn pictures with a seed of their own.
From ``least_sure`` on, the mean probability of a value is believed (dice/fitting.py).
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

import cv2
import torch
from checkpoints import minutes
from dice.drawing import PATCH_PX
from dice.fitting import fitted, told_of
from dice.net import DiceNet

from vision.detect import SHIPPED
from vision.dice.finder import DiceFinder

ROOT = Path(__file__).parent.parent
LICENCE = "AGPL-3.0-or-later"
SOURCES = ("pictures drawn by models/dice/drawing.py",)
SEED = 9007
PICTURES = 6000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--pictures", type=int, default=PICTURES, help="drawn for the thresholds")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    state = torch.load(args.checkpoint, map_location="cpu", weights_only=True)
    net = DiceNet()
    net.load_state_dict(state["ema"])
    net.eval()
    args.out.mkdir(parents=True, exist_ok=True)
    weights = args.out / "dice.onnx"
    part = weights.with_suffix(".part")
    torch.onnx.export(
        net, (torch.zeros(1, 3, PATCH_PX, PATCH_PX),), str(part), input_names=["picture"],
        output_names=["cells"], opset_version=17, dynamo=False,
        dynamic_axes={"picture": {2: "height", 3: "width"}, "cells": {2: "rows", 3: "columns"}},
    )  # fmt: skip
    part.replace(weights)
    about: dict[str, object] = {
        "architecture": net.architecture,
        "parameters": sum(p.numel() for p in net.parameters()),
        "input": "RGB 0..1, 1.5 pixels per millimetre of the table",
        "outputs": "for each cell: presence, offset, six values, side, turn (dice/finder.py)",
        "steps": state["step"],
        "training_minutes": round(minutes(state), 1),
        # Paths of the training machine mean nothing elsewhere: keep their names only.
        "recipe": {key: Path(value).name for key, value in state["recipe"].items()},
        "commit": _commit(),
        "date": datetime.date.today().isoformat(),
        "sources": SOURCES,
        "licence": LICENCE,
        "least_present": 0.5,
        "least_sure": 0.5,
    }
    _write(about, weights)
    told = told_of(DiceFinder(weights), args.pictures, SEED)
    about |= fitted(told)
    _write(about, weights)
    json.dump(about, sys.stdout, indent=1)
    print()


def _write(about: dict[str, object], weights: Path) -> None:
    weights.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n")


def _commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    main()
