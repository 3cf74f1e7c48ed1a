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

from vision.tiles.classes import FACES

TURN_GAIN = 0.3
OUTLINE_GAIN = 20.0
SMOOTHING = 0.05
WARM_UP_STEPS = 200
EMA_STEPS = 400
SAVED_EACH = 100  # steps


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
    net = RecogniserNet().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    ema = {name: value.detach().clone() for name, value in net.state_dict().items()}
    step, spent_s, last = 0, 0.0, args.out / "last.pt"
    if last.exists():
        state = torch.load(last, weights_only=True)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        ema, step = state["ema"], state["step"]
        spent_s = 0.0 if args.fresh_schedule else state["spent_s"]
        print(f"continues from step {step}")
    elif args.init:
        state = torch.load(args.init, weights_only=True)
        net.load_state_dict(state["ema"], strict=False)  # an older net has fewer parts
        ema |= state["ema"]
        step = state["step"]
    sampler = Sampler(
        [patches for patches, _ in found.train.values()],
        [share for _, share in found.train.values()],
        args.seed + step,
    )
    kept = ("batch", "rate", "seed", "minutes", "drawn")
    recipe = {key: str(vars(args)[key]) for key in kept}
    recipe["shares"] = json.dumps({name: share for name, (_, share) in found.train.items()})
    recipe["patches"] = json.dumps({name: len(p) for name, (p, _) in found.train.items()})
    constant = {"recipe": recipe, "architecture": ARCHITECTURE}

    loss_sum, begun, before_s, log_step = 0.0, time.time(), spent_s, step
    while (spent_s := before_s + time.time() - begun) < 60 * args.minutes:
        share = spent_s / 60 / args.minutes
        rate = args.rate * min(1.0, (step + 1) / WARM_UP_STEPS)
        rate *= 0.5 + 0.5 * math.cos(math.pi * share)
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = _loss(net, sampler.batch(args.batch))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 3.0)
        optimiser.step()
        step += 1
        loss_sum += float(loss.detach())
        average(ema, net, max(1 / EMA_STEPS, 10 / (step + 10)))
        if step % SAVED_EACH == 0:
            save(last, net, optimiser, ema=ema, step=step, spent_s=spent_s, **constant)
            scores = {n: score(ema, p, 600) for n, p in found.held_out.items()}
            line = {
                "step": step,
                "minutes": round(spent_s / 60, 1),
                "loss": round(loss_sum / (step - log_step), 4),
                "samples_a_second": round(
                    (step - log_step) * args.batch / max(1e-9, time.time() - begun), 0
                ),
                "held_out": scores,
            }
            with (args.out / "log.jsonl").open("a") as log:
                log.write(json.dumps(line) + "\n")
            print(json.dumps(line), flush=True)
            loss_sum, log_step = 0.0, step
            before_s, begun = spent_s + time.time() - begun - (spent_s - before_s), time.time()
    save(last, net, optimiser, ema=ema, step=step, spent_s=spent_s, **constant)


def _loss(net: nn.Module, batch: Batch) -> Tensor:
    inputs = to_input(batch.inputs)
    with torch.autocast("cpu", torch.bfloat16):
        out = net(inputs)
    logits, turns, outlines = out.float().split([len(FACES), TURNS, OUTLINE], 1)
    faces = torch.from_numpy(batch.faces)
    one_hot = functional.one_hot(faces.clamp(min=0), len(FACES)).float()
    target = one_hot * (1 - SMOOTHING) + SMOOTHING / len(FACES)
    target[faces == NONSENSE] = 1 / len(FACES)
    loss = functional.cross_entropy(logits, target)
    told = batch.first >= 0
    if told.any():
        first = functional.one_hot(torch.from_numpy(batch.first[told]), 4).float()
        same = torch.tensor([int(face) in SYMMETRIC for face in batch.faces[told]])
        # Turned by half, such a face is the same: both answers are right.
        first[same] = (first[same] + first[same].roll(2, 1)) / 2
        loss = loss + TURN_GAIN * functional.cross_entropy(turns[torch.from_numpy(told)], first)
        off = functional.smooth_l1_loss(
            outlines[torch.from_numpy(told)], torch.from_numpy(batch.outlines[told]), beta=0.02
        )
        loss = loss + OUTLINE_GAIN * off
    return loss


def to_input(inputs_rgb: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Tensor:
    """Convert (n, h, w, 3) bytes to (n, 3, h, w) floats 0..1, channels last in memory."""
    return torch.from_numpy(inputs_rgb).permute(0, 3, 1, 2).float() / 255


def score(weights: dict[str, Tensor], patches: Patches, most: int) -> float:
    """Return the share of held-out tiles that are named right, without augmentation."""
    rows = np.flatnonzero(patches.faces != NONSENSE)
    rows = np.random.default_rng(1).permutation(rows)[:most]
    net = RecogniserNet()
    net.load_state_dict(weights)
    net.eval()
    inputs = np.stack([view(patches.images[row]) for row in rows])
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        out = net(to_input(inputs)).float()
    return round(float((out[:, : len(FACES)].argmax(1).numpy() == patches.faces[rows]).mean()), 4)


if __name__ == "__main__":
    main()
