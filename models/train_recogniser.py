"""Train the recogniser of tile faces.

    python models/train_recogniser.py --data DIR --photos runs/photos.jsonl --cache runs/patches \
        --crops runs/crops/1 --drawn 150 --out runs/recogniser --minutes 60
    python models/train_recogniser.py ... --out runs/recogniser     # continues from the checkpoint
    python models/train_recogniser.py ... --init models/weights/recogniser.pt  # shipped weights
    python models/export_recogniser.py runs/recogniser/last.pt ...  # writes the file that ships

The first run cuts and keeps all patches, which takes minutes. About 450 samples a second on one
core of a Zen 5 machine, with bf16 and channels_last.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from checkpoints import average, save
from recogniser.augmentation import Batch, Sampler, view
from recogniser.data import NONSENSE, SYMMETRIC, Patches
from recogniser.net import ARCHITECTURE, OUTLINE, TURNS, RecogniserNet
from recogniser.sources import sources
from streams import Tensors, ahead

from vision.tiles.classes import FACES

TURN_GAIN = 0.3
OUTLINE_GAIN = 20.0
SMOOTHING = 0.05
WARM_UP_STEPS = 200
EMA_STEPS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="faces/, art/, textures/")
    parser.add_argument("--photos", type=Path, required=True, help="of complete_photos.py")
    parser.add_argument("--art", type=Path, help="drawn faces as PNG files, mg_1m.png ...")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--crops", type=Path, nargs="*", default=[], help="folders of crops.py")
    parser.add_argument("--drawn", type=int, default=0, help="number of drawn styles")
    parser.add_argument("--share", type=float, default=1.0, help="of the composed tiles")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="checkpoint to start from, with a new schedule")
    parser.add_argument("--minutes", type=float, default=60, help="until the rate has fallen to 0")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="such as cuda")
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare samples")
    parser.add_argument("--save-every", type=int, default=100, help="steps")
    parser.add_argument("--fresh-schedule", action="store_true", help="keep the weights only")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)  # its idle threads spin, and crops are tiny
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)

    found = sources(
        args.data, args.cache, args.photos, args.art, args.crops, args.drawn, args.share
    )
    for name, (patches, share) in found.train.items():
        print(f"{name}: {len(patches)} patches, share {share}", flush=True)
    device = torch.device(args.device)
    net = RecogniserNet().to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    ema = {name: value.detach().clone() for name, value in net.state_dict().items()}
    step, spent_s, last = 0, 0.0, args.out / "last.pt"
    if last.exists():
        state = torch.load(last, map_location=device, weights_only=True)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        ema, step = state["ema"], state["step"]
        spent_s = 0.0 if args.fresh_schedule else state["spent_s"]
        print(f"continues from step {step}")
    elif args.init:
        state = torch.load(args.init, map_location=device, weights_only=True)
        net.load_state_dict(state["ema"], strict=False)  # an older net has fewer parts
        ema |= state["ema"]
        step = state["step"]
    parts = [patches for patches, _ in found.train.values()]
    shares = [share for _, share in found.train.values()]
    seed = args.seed + step

    def prepared(worker: int) -> Iterator[Tensors]:
        sampler = Sampler(parts, shares, seed + 1_000_000 * worker)
        while True:
            yield tensors(sampler.batch(args.batch))

    batches = ahead(prepared, args.workers)
    kept = ("batch", "rate", "seed", "minutes", "drawn")
    recipe = {key: str(vars(args)[key]) for key in kept}
    recipe["shares"] = json.dumps({name: share for name, (_, share) in found.train.items()})
    recipe["patches"] = json.dumps({name: len(p) for name, (p, _) in found.train.items()})
    constant = {"recipe": recipe, "architecture": ARCHITECTURE}

    begun, before_s, log_step = time.time(), spent_s, step
    loss_sum = torch.zeros((), device=device)
    while (spent_s := before_s + time.time() - begun) < 60 * args.minutes:
        share = spent_s / 60 / args.minutes
        rate = args.rate * min(1.0, (step + 1) / WARM_UP_STEPS)
        rate *= 0.5 + 0.5 * math.cos(math.pi * share)
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = _loss(net, [part.to(device, non_blocking=True) for part in next(batches)])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 3.0)
        optimiser.step()
        step += 1
        loss_sum += loss.detach()
        average(ema, net, max(1 / EMA_STEPS, 10 / (step + 10)))
        if step % args.save_every == 0:
            save(last, net, optimiser, ema=ema, step=step, spent_s=spent_s, **constant)
            scores = {n: score(ema, p, 600, device) for n, p in found.held_out.items()}
            line = {
                "step": step,
                "minutes": round(spent_s / 60, 1),
                "loss": round(float(loss_sum) / (step - log_step), 4),
                "samples_a_second": round(
                    (step - log_step) * args.batch / max(1e-9, time.time() - begun), 0
                ),
                "held_out": scores,
            }
            with (args.out / "log.jsonl").open("a") as log:
                log.write(json.dumps(line) + "\n")
            print(json.dumps(line), flush=True)
            loss_sum, log_step = torch.zeros((), device=device), step
            before_s, begun = spent_s + time.time() - begun - (spent_s - before_s), time.time()
    save(last, net, optimiser, ema=ema, step=step, spent_s=spent_s, **constant)


def tensors(batch: Batch) -> Tensors:
    """Return the images (n, h, w, 3), faces (n,), first corners (n,) and outlines (n, 8)."""
    parts = (batch.inputs, batch.faces, batch.first, batch.outlines)
    return tuple(torch.from_numpy(part) for part in parts)


def _loss(net: nn.Module, batch: Sequence[Tensor]) -> Tensor:
    images, faces, first, outlines = batch
    with torch.autocast(images.device.type, torch.bfloat16):
        out = net(to_input(images))
    logits, turns, found = out.float().split([len(FACES), TURNS, OUTLINE], 1)
    one_hot = functional.one_hot(faces.clamp(min=0), len(FACES)).float()
    target = one_hot * (1 - SMOOTHING) + SMOOTHING / len(FACES)
    target = torch.where((faces == NONSENSE)[:, None], 1 / len(FACES), target)
    told = (first >= 0).float()
    count = told.sum().clamp(min=1)
    corner = functional.one_hot(first.clamp(min=0), TURNS).float()
    # Turned by half, such a face is the same: both answers are right.
    same = torch.isin(faces, torch.tensor(sorted(SYMMETRIC), device=faces.device))
    corner = torch.where(same[:, None], (corner + corner.roll(2, 1)) / 2, corner)
    turn = functional.cross_entropy(turns, corner, reduction="none")
    off = functional.smooth_l1_loss(found, outlines, reduction="none", beta=0.02).mean(1)
    return (
        functional.cross_entropy(logits, target)
        + TURN_GAIN * (turn * told).sum() / count
        + OUTLINE_GAIN * (off * told).sum() / count
    )


def to_input(inputs_rgb: Tensor) -> Tensor:
    """Convert (n, h, w, 3) bytes to (n, 3, h, w) floats 0..1, channels last in memory."""
    return inputs_rgb.permute(0, 3, 1, 2).float() / 255


def score(weights: dict[str, Tensor], patches: Patches, most: int, device: torch.device) -> float:
    """Return the share of held-out tiles that are named right, without augmentation."""
    rows = np.flatnonzero(patches.faces != NONSENSE)
    rows = np.random.default_rng(1).permutation(rows)[:most]
    net = RecogniserNet().to(device)
    net.load_state_dict(weights)
    net.eval()
    inputs = np.stack([view(patches.images[row]) for row in rows])
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
        out = net(to_input(torch.from_numpy(inputs).to(device))).float()
    named = out[:, : len(FACES)].argmax(1).cpu().numpy()
    return round(float((named == patches.faces[rows]).mean()), 4)


if __name__ == "__main__":
    main()
