"""Export the recogniser as the ONNX file that ships, with its metadata.

    python models/export_recogniser.py runs/recogniser/last.pt --cache runs/patches \
        --tables runs/tables/known runs/tables/unseen --photos DIR/photos/train.json \
        [--finder vision/weights/finder.onnx] [--out vision/weights] [--pictures DIR]

Of several checkpoints of one training, each trained on from the one before, the mean is exported:
it forgets less of what the first one knew. The temperature is fitted on tiles of held-out photos,
faces and styles. The confidence curve and the default threshold are fitted on whole pictures
(fit_confidence.py): ``--tables`` are folders of rendered crops with seeds never trained on, the
second with styles never trained on; the commands are in making/stages.py. Without ``--tables`` the
plain probabilities are used, with a threshold for single crops.
"""

from __future__ import annotations

import argparse
import datetime
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

import fit_confidence
import numpy as np
import torch
from checkpoints import keep_start, mean, minutes
from evaluation.labels import read_labelled
from numpy.typing import NDArray
from recogniser import tile_head
from recogniser.bank import Sampler
from recogniser.data import NONSENSE, Patches, cached, named_parts, with_red_fives
from recogniser.net import RecogniserNet
from recogniser.report import CropReadings, figures, read_crops, read_patches, worst_picture
from recogniser.tile_head import outlined, scenes, windows
from torch import Tensor, nn

from studio.held_out import HELD_OUT_SHARE, is_kept_out
from vision.detect import Detector, TileReader
from vision.tiles.classes import FACES
from vision.tiles.recogniser import Recogniser

ROOT = Path(__file__).parent.parent
OUTPUTS = ["faces", "directions", "embedding", "outline", "tile"]
FEW_TABLES, FEW_PHOTOS = 550, 6  # so many tables, and every so many photos, to fit ``tile``
WRONG_AND_SURE = 0.001
THRESHOLD_ON = ("photos", "unseen drawing", "unseen font")
MEASURED_ON = "unseen drawn family"
LICENCE = "AGPL-3.0-or-later"
SOURCES = (
    "chinese-mahjong-detection v4, Roboflow Universe user riichimahjongdetection (CC BY 4.0)",
    "13423423c-rethink-bonus-label v3, Roboflow Universe user marco-liu-vwkdl (CC BY 4.0)",
    "my-first-project-fqqce v1, Roboflow Universe user test-ul13l (CC BY 4.0)",
    "Camerash/mahjong-dataset (photographed faces)",
    "I.Mahjong fonts (M+ font licence), mahjong-graphic (free), gl-mahjongtile-svg (Unlicense)",
    "FluffyStuff riichi-mahjong-tiles (CC0), rutopio tiles (OFL)",
    "29 fonts (OFL, Apache-2, MIT, BSD, public domain, Arphic, IPA, Ume, OGDL)",
    "faces drawn by datasets/studio/faces and pictures rendered by datasets/render.py crops",
    "ambientCG textures (CC0)",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--cache", type=Path, required=True, help="as for train_recogniser.py")
    parser.add_argument(
        "--tables", type=Path, nargs="*", default=[], help="folders of rendered crops"
    )
    parser.add_argument(
        "--photos", type=Path, nargs="*", default=[], help="label files of the training photos"
    )
    parser.add_argument("--crops", type=Path, nargs="*", default=[], help="as for training")
    parser.add_argument("--textures", type=Path, help="grounds of pictures without tiles")
    parser.add_argument("--share", type=float, default=1.0, help="of these pictures")
    parser.add_argument("--finder", type=Path, default=ROOT / "vision" / "weights" / "finder.onnx")
    parser.add_argument("--out", type=Path, default=ROOT / "vision" / "weights")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the errors")
    args = parser.parse_args()
    torch.set_num_threads(1)
    state = mean(
        [torch.load(path, map_location="cpu", weights_only=True) for path in args.checkpoints]
    )
    net = RecogniserNet.of(state["ema"])
    net.eval()
    about: dict[str, object] = {
        "architecture": net.architecture,
        "parameters": sum(p.numel() for p in net.parameters()),
        "classes": list(FACES),
        "input": "RGB 0..1, (n, 3, 64, 48)",
        "outputs": "face logits, direction logits, embedding, outline, tile (recogniser/net.py)",
        "step": state["step"],
        "training_minutes": round(minutes(state), 1),
        "recipe": state["recipe"],
        "commit": _commit(),
        "date": datetime.date.today().isoformat(),
        "sources": SOURCES,
        "licence": LICENCE,
        "temperature": 1.0,
        "threshold": 0.5,
    }
    held_out = _held_out(args.cache)
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / "recogniser.onnx"
        _write(net, about, trial)
        shutil.copy(args.finder, folder)
        if args.textures:
            fit_tile(net, Detector.load(Path(folder)), args)
            _write(net, about, trial)
        worn = _worn(Recogniser(trial), held_out)
        about["temperature"] = _temperature(np.log(worn.probabilities + 1e-12), worn.faces)
        _write(net, about, trial)
        recogniser = Recogniser(trial)
        readings = _read(recogniser, held_out)
        worn = _worn(recogniser, held_out)
        least = _threshold([readings[name] for name in THRESHOLD_ON if name in readings], worn)
        about["threshold"] = least
        metrics: dict[str, object] = {
            "single crops, plain probabilities": {
                "threshold": least,
                **{name: figures(reading, least) for name, reading in readings.items()},
            },
            "milliseconds_64_crops": _speed(recogniser),
        }
        if args.tables:
            detector = Detector.load(Path(folder))
            about |= fit_confidence.calibrated(detector, args.photos, args.tables, metrics)
        about["metrics"] = metrics
    args.out.mkdir(parents=True, exist_ok=True)
    _write(net, about, args.out / "recogniser.onnx")
    keep_start(
        "recogniser", args.out, ema=net.state_dict(), step=state["step"],
        spent_s=60 * minutes(state), recipe=state["recipe"], architecture=net.architecture,
    )  # fmt: skip
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
        for name, reading in readings.items():
            worst_picture(reading, args.pictures / f"{name}.png")
    json.dump(about, sys.stdout, indent=1)


def fit_tile(net: RecogniserNet, detector: TileReader, args: argparse.Namespace) -> None:
    """Fit whether a tile is there at all, on what was trained on."""
    tables = [picture for folder in args.crops for picture in read_labelled(folder)]
    tables = tables[:: max(1, len(tables) // FEW_TABLES)]
    sources = [*windows(args.cache, seed=1), *outlined(detector, tables, 0.3)]
    for labels in args.photos:
        rows = json.loads(labels.read_text())
        pictures = zip(rows, read_labelled(labels), strict=True)
        trained = [picture for row, picture in pictures if not is_kept_out(row)]
        few = [picture for picture in trained if picture.no_face] or trained[::FEW_PHOTOS]
        sources += outlined(detector, few, 0.3)
    count = max(20, round(args.share * tile_head.SCENES))
    sources.append(scenes(detector, args.textures, count, seed=1))
    for source in sources:
        print(f"{len(source.sure)} crops, tiles: {source.tiles}", file=sys.stderr)
    tile_head.fit(net, sources)


def _write(net: RecogniserNet, about: dict[str, object], path: Path) -> None:
    """Write the net and its metadata; each file appears only when complete."""
    part = path.with_suffix(".part")
    torch.onnx.export(
        _Apart(net), (torch.zeros(1, 3, 64, 48),), str(part), input_names=["crops"],
        output_names=OUTPUTS, opset_version=17, dynamo=False,
        dynamic_axes={name: {0: "n"} for name in ("crops", *OUTPUTS)},
    )  # fmt: skip
    part.replace(path)
    path.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n")


class _Apart(nn.Module):
    """The net with separate outputs, and the features that they are computed from."""

    def __init__(self, net: RecogniserNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        seen = self.net.body(x * 4 - 2)
        out = self.net.head(seen)
        faces, turns = out[:, : len(FACES)], out[:, len(FACES) :]
        return faces, turns, seen, self.net.outline(seen), self.net.tile(seen)


def _held_out(cache: Path) -> dict[str, Patches]:
    """Return what training held out (recogniser/sources.py), from the cached patches."""
    _, photos = cached(cache / "photos.npz", _missing).split(HELD_OUT_SHARE)
    found = {"photos": photos, "photos with red fives": with_red_fives(photos)}
    for name, file in (
        ("faces", "faces_out"),
        ("unseen drawing", "unseen"),
        ("unseen font", "can"),
        (MEASURED_ON, "drawn-out"),
    ):
        if (cache / f"{file}.npz").exists():
            found[name] = cached(cache / f"{file}.npz", _missing)
    return named_parts(found)


def _missing() -> Patches:
    raise SystemExit("the folder --cache has no patches: run models/train_recogniser.py first")


def _read(recogniser: Recogniser, held_out: dict[str, Patches]) -> dict[str, CropReadings]:
    return {name: read_patches(recogniser, patches) for name, patches in held_out.items()}


def _worn(recogniser: Recogniser, held_out: dict[str, Patches], count: int = 4000) -> CropReadings:
    """Read held-out tiles with augmentation, and nonsense windows.

    The held-out drawn family is not used: it is only measured on.
    """
    names = [name for name in held_out if name not in ("photos with red fives", MEASURED_ON)]
    shares = [1.0 if name == "photos" else 0.2 for name in names]
    parts = [held_out[name] for name in names]
    batch = Sampler.of(list(zip(parts, shares, strict=True)), 5).batch(count, nonsense=0.15)
    crops = (batch.images * 255).round().byte().permute(0, 2, 3, 1).numpy()
    first = batch.first.numpy()
    return read_crops(recogniser, crops, batch.faces.numpy(), first.clip(0), first >= 0)


def _temperature(logits: NDArray[np.float32], faces: NDArray[np.int64]) -> float:
    """Return the temperature with the least cross entropy."""
    known = faces != NONSENSE
    rows, truth = logits[known], faces[known]

    def surprise(temperature: float) -> float:
        scaled = rows / temperature
        scaled = scaled - scaled.max(1, keepdims=True)
        log_sum = np.log(np.exp(scaled).sum(1))
        return float((log_sum - scaled[np.arange(len(truth)), truth]).mean())

    tried = np.exp(np.linspace(np.log(0.2), np.log(3), 80))
    return round(float(min(tried, key=surprise)), 3)


def _threshold(plain: list[CropReadings], worn: CropReadings) -> float:
    """Return the least threshold at which wrong answers are rarer than ``WRONG_AND_SURE``."""
    sure = np.concatenate([reading.probabilities.max(1) for reading in plain])
    wrong = np.concatenate([~reading.right for reading in plain])
    for threshold in np.arange(0.40, 0.96, 0.01):
        garbage = worn.probabilities[worn.faces == NONSENSE].max(1)
        if (wrong & (sure >= threshold)).mean() < WRONG_AND_SURE and (
            garbage >= threshold
        ).mean() < 0.05:
            return round(float(threshold), 2)
    return 0.95


def _speed(recogniser: Recogniser) -> float:
    """Return the median milliseconds for 64 ready crops."""
    crops = np.random.default_rng(1).integers(0, 255, (64, 64, 48, 3)).astype(np.uint8)
    times = []
    for _ in range(30):
        begun = time.perf_counter()
        recogniser.read_crops(crops)
        times.append(time.perf_counter() - begun)
    return round(float(np.median(times)) * 1000, 1)


def _commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    main()
