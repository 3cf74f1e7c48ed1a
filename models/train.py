"""Train the finder: YOLO11 nano with oriented boxes, from scratch, on rendered and real pictures.

    python datasets/crops.py --count 6000 --seed 1 --out runs/crops
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
OUT/ring at the lowest priority, where new pictures replace the oldest (datasets/ring.py).
"""

from __future__ import annotations

import argparse
import atexit
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

import numpy as np
import torch
from checkpoints import average, save
from finder.data import CLASSES, MOST_DECODED, Sample, Samples, read_photos
from finder.net import build
from streams import Tensors, ahead

ROOT = Path(__file__).parent.parent
BOX_GAIN, CLASS_GAIN, DFL_GAIN, ANGLE_GAIN = 7.5, 0.5, 1.5, 1.0
WARM_UP_STEPS = 300
EMA_STEPS = 1500  # time constant of the averaged weights at the end of the run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, help="folder of crops.py")
    parser.add_argument("--render", type=int, default=0, help="renderers beside the training")
    parser.add_argument("--keep", type=int, default=60, help="parts of 8 pictures in the ring")
    parser.add_argument("--faces", type=Path, help="photographed faces, for the renderers")
    parser.add_argument("--textures", type=Path, help="cloth and wood, for the renderers")
    parser.add_argument("--photos", type=Path, help="label file of real photos, completed")
    parser.add_argument("--photo-share", type=float, default=0.25, help="of the samples")
    parser.add_argument(
        "--coarse-share", type=float, default=0.0, help="of the samples; they show no tile"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="checkpoint to start from, with a new schedule")
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--size", type=int, default=320, help="side of a window in pixels")
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="such as cuda")
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare samples")
    parser.add_argument(
        "--decoded", type=int, default=MOST_DECODED, help="pictures to keep in memory"
    )
    parser.add_argument("--save-every", type=int, default=250, help="steps")
    parser.add_argument(
        "--minutes", type=float, default=1e9, help="of all runs; the rate falls to their end"
    )
    args = parser.parse_args()
    if args.data is None and not args.render:
        parser.error("give --data, --render or both")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)

    photos = read_photos(args.photos) if args.photos else []
    net = build()
    net.args = SimpleNamespace(box=BOX_GAIN, cls=CLASS_GAIN, dfl=DFL_GAIN, angle=ANGLE_GAIN)
    net.train()
    device = torch.device(args.device)
    net.to(device, memory_format=torch.channels_last)
    ema = {name: value.detach().clone().float() for name, value in net.state_dict().items()}
    decayed = [p for p in net.parameters() if p.ndim > 1 and p.requires_grad]
    plain = [p for p in net.parameters() if p.ndim <= 1 and p.requires_grad]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98))
    step, before_s, last = 0, 0.0, args.out / "last.pt"
    if last.exists():
        state = torch.load(last, map_location=device, weights_only=True)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        ema, step = state["ema"], state["step"]
        # Older checkpoints have the share of the run instead of the time.
        before_s = state.get("spent_s", 60 * args.minutes * state.get("share", 0.0))
        print(
            f"continues from step {step}, {before_s / 60:.1f} of {args.minutes:g} minutes behind it"
        )
    elif args.init:
        state = torch.load(args.init, map_location=device, weights_only=True)
        net.load_state_dict(state["ema"])
        ema = {
            name: value.float() if value.dtype.is_floating_point else value.clone()
            for name, value in state["ema"].items()
        }
    recipe = {key: str(value) for key, value in vars(args).items()}
    constant = {"recipe": recipe, "classes": list(CLASSES)}

    def keep(ema: dict[str, torch.Tensor], step: int, spent_s: float) -> None:
        save(last, net, optimiser, ema=ema, step=step, spent_s=spent_s, **constant)

    criterion = net.init_criterion()
    folders = [] if args.data is None else [args.data]
    if args.render:
        folders.append(start_rendering(args, step))
    seed, coarse = args.seed + step, args.coarse_share
    samples = Samples(folders, photos, args.photo_share, args.size, seed, coarse, args.decoded)
    if args.workers > 1:
        samples.decode_all()

    def prepared(worker: int) -> Iterator[Tensors]:
        samples.reseed(seed * 1000 + worker)
        return (tensors(batch, args.size) for batch in samples.batches(args.batch))

    batches = ahead(prepared, args.workers)
    begun, log, first, waited_s = time.time(), args.out / "log.jsonl", step, 0.0
    sums = torch.zeros(4, device=device)
    while step < args.steps and (spent_s := before_s + time.time() - begun) < 60 * args.minutes:
        rate = args.rate * schedule(step, max(step / args.steps, spent_s / 60 / args.minutes))
        for group in optimiser.param_groups:
            group["lr"] = rate
        asked = time.time()
        batch = [part.to(device, non_blocking=True) for part in next(batches)]
        waited_s += time.time() - asked
        images, trusted, owner, classes, boxes = batch
        with torch.autocast(device.type, torch.bfloat16):
            predictions = net(net_input(images))
        predictions = to_float(predictions)
        criterion.class_weights = anchor_weights(trusted, args.size)
        wanted = {"batch_idx": owner, "cls": classes, "bboxes": boxes}
        loss, parts = criterion.loss(predictions, wanted)
        optimiser.zero_grad(set_to_none=True)
        loss.sum().backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        optimiser.step()
        step += 1
        average(ema, net, 1 / min(EMA_STEPS, step / 8 + 1))
        sums += torch.stack([value.detach() for value in parts.values()])
        if step % 50 == 0:
            passed_s = time.time() - begun
            speed = (step - first) * args.batch / passed_s
            line = {"step": step, "minutes": round((before_s + passed_s) / 60, 2), "rate": rate}
            line |= {
                "waiting": round(waited_s / passed_s, 4),
                "pictures": len(samples.seen),
                "samples": (step - first) * args.batch,
            }
            means = (sums / 50).round(decimals=4).tolist()
            line |= dict(zip(("box", "class", "dfl", "angle"), means, strict=True))
            print(line, f"{speed:.1f} windows/s", flush=True)
            with log.open("a") as file:
                file.write(json.dumps(line) + "\n")
            sums.zero_()
        if step % args.save_every == 0 or step == args.steps:
            keep(ema, step, spent_s)
    keep(ema, step, before_s + time.time() - begun)


def start_rendering(args: argparse.Namespace, step: int) -> Path:
    """Start the renderers and wait for their first pictures; return the ring's folder."""
    ring = Path(args.out) / "ring"
    command = [sys.executable, str(ROOT / "datasets" / "ring.py"), "--out", str(ring)]
    command += ["--keep", str(args.keep)]
    command += ["--photos", str(args.faces)] if args.faces else []
    command += ["--textures", str(args.textures)] if args.textures else []
    # A continued run takes other seeds, or it would see the same pictures again.
    renderers = [
        subprocess.Popen([*command, "--seed", str((args.seed * 100 + step) * 16 + number)])
        for number in range(args.render)
    ]
    for renderer in renderers:
        atexit.register(renderer.terminate)
    while not any(ring.glob("*/labels.jsonl")):
        if all(renderer.poll() is not None for renderer in renderers):
            raise SystemExit("the renderers ended before they had rendered anything")
        time.sleep(0.2)
    return ring


def schedule(step: int, share: float) -> float:
    """Return the share of the highest learning rate: a short rise, then half a cosine to 2 %.

    ``share`` is the finished part of the run, in steps or in minutes, whichever is more.
    """
    rise = min(1.0, (step + 1) / WARM_UP_STEPS)
    return rise * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, share))))


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
