"""Train the finder: YOLO11 nano with oriented boxes, from scratch, on rendered and real pictures.

    python datasets/render.py crops --count 6000 --seed 1 --out runs/crops
    python models/train.py --data runs/crops [--photos DIR] --out runs/finder --steps 12000
    python models/train.py ... --out runs/finder            # continues from the last checkpoint
    python models/train.py ... --init models/weights/finder.pt  # starts from the shipped weights
    python models/train.py --render 1 --faces DIR --textures DIR --out runs/finder  # keeps nothing
    python models/export.py runs/finder/last.pt

The classes are the sides of a tile (face, back, standing); the recogniser names the faces. At run
time the net sees tiles of about one size, so every sample is a window of a picture, turned by any
angle and scaled to a short side of 16 to 60 pixels. Where labels are incomplete (finder/data.py)
the loss is masked. With ``--coarse-share`` some windows are so coarse that a chair is as large as a
tile in the others.

With ``--render`` pictures are rendered during the training: this many renderers fill a ring in
OUT/ring at the lowest priority, where new pictures replace the oldest (datasets/render.py ring).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

import numpy as np
import torch
from finder.data import CLASSES, MOST_DECODED, Sample, Samples, read_photos
from finder.net import build
from training import (
    Recipe,
    Tensors,
    Training,
    add_options,
    add_rendering,
    ahead,
    start_rendering,
)

BOX_GAIN, CLASS_GAIN, DFL_GAIN, ANGLE_GAIN = 7.5, 0.5, 1.5, 1.0
RECIPE = Recipe(0.01, 0.98, warm_up_steps=300, ema_steps=1500, most_gradient=10.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, help="folder of rendered crops")
    add_rendering(parser)
    parser.add_argument("--photos", type=Path, help="label file of real photos, completed")
    parser.add_argument("--photo-share", type=float, default=0.25, help="of the samples")
    parser.add_argument(
        "--coarse-share", type=float, default=0.0, help="of the samples; they show no tile"
    )
    parser.add_argument("--size", type=int, default=320, help="side of a window in pixels")
    parser.add_argument(
        "--decoded", type=int, default=MOST_DECODED, help="pictures to keep in memory"
    )
    add_options(parser, steps=12000, minutes=1e9, batch=16, save_every=250)
    args = parser.parse_args()
    if args.data is None and not args.render:
        parser.error("give --data, --render or both")
    torch.manual_seed(args.seed)
    photos = read_photos(args.photos) if args.photos else []
    net = build()
    net.args = SimpleNamespace(box=BOX_GAIN, cls=CLASS_GAIN, dfl=DFL_GAIN, angle=ANGLE_GAIN)
    training = Training(net, RECIPE, args)
    criterion = net.init_criterion()
    folders = [] if args.data is None else [args.data]
    if args.render:
        folders.append(start_rendering(args, training.step))
    seed, coarse = args.seed + training.step, args.coarse_share
    samples = Samples(folders, photos, args.photo_share, args.size, seed, coarse, args.decoded)
    if args.workers > 1:
        samples.decode_all()

    def prepared(worker: int) -> Iterator[Tensors]:
        samples.reseed(seed * 1000 + worker)
        return (tensors(batch, args.size) for batch in samples.batches(args.batch))

    def losses(batch: Sequence[torch.Tensor]) -> dict[str, torch.Tensor]:
        images, trusted, owner, classes, boxes = batch
        with torch.autocast(images.device.type, torch.bfloat16):
            predictions = net(net_input(images))
        criterion.class_weights = anchor_weights(trusted, args.size)
        wanted = {"batch_idx": owner, "cls": classes, "bboxes": boxes}
        loss, _ = criterion.loss(to_float(predictions), wanted)
        return dict(zip(("box", "class", "dfl", "angle"), loss, strict=True))

    recipe = {key: str(value) for key, value in vars(args).items()}
    training.run(
        ahead(prepared, args.workers),
        losses,
        lambda: {"pictures": len(samples.seen)},
        recipe=recipe,
        classes=list(CLASSES),
    )


def tensors(batch: list[Sample], size: int) -> Tensors:
    """Return the images (B, S, S, 3) BGR bytes, the trusted places (B, S / 8, S / 8), and of the
    tiles of all images (n): which image, class, box relative to the window, angle in radians.
    """
    boxes = np.concatenate([sample.boxes.xywhr for sample in batch]).astype(np.float32)
    boxes[:, :4] /= size
    owner = np.concatenate([np.full(len(s.boxes), i, np.float32) for i, s in enumerate(batch)])
    classes = np.concatenate([sample.boxes.classes for sample in batch]).astype(np.float32)
    parts = (
        np.stack([sample.image_bgr for sample in batch]),
        np.stack([sample.trusted for sample in batch]),
        owner,
        classes,
        boxes,
    )
    return tuple(torch.from_numpy(part) for part in parts)


def net_input(images_bgr: torch.Tensor) -> torch.Tensor:
    """Convert (B, S, S, 3) bytes to (B, 3, S, S) float 0..1, red green blue."""
    pictures = images_bgr.permute(0, 3, 1, 2).flip(1).float() / 255
    return pictures.contiguous(memory_format=torch.channels_last)


def anchor_weights(trusted: torch.Tensor, size: int) -> torch.Tensor:
    """Return (B, anchors, 1): 0 where a sample's labels are not trusted, else 1."""
    masks = trusted.float()[:, None]
    levels = [
        torch.nn.functional.interpolate(masks, size=size // stride, mode="nearest").flatten(1)
        for stride in (8, 16, 32)
    ]
    return torch.cat(levels, 1)[:, :, None]


def to_float(value: Any) -> Any:
    """Convert the net's nested outputs to float32 for the loss."""
    match value:
        case torch.Tensor():
            return value.float()
        case dict():
            return {key: to_float(item) for key, item in value.items()}
        case list() | tuple():
            return [to_float(item) for item in value]
    return value


if __name__ == "__main__":
    main()
