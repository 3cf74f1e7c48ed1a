"""Train the recogniser of tile faces.

    python models/train_recogniser.py --data DIR --photos runs/photos.jsonl --cache runs/patches \
        --crops runs/crops/1 --drawn 150 --out runs/recogniser --minutes 60
    python models/train_recogniser.py ... --out runs/recogniser     # continues from the checkpoint
    python models/train_recogniser.py ... --init models/weights/recogniser.pt  # shipped weights
    python models/train_recogniser.py ... --device cuda --batch 3072 --rate 0.004 \
        --draw 8 --render 6                                         # on a graphics card
    python models/export_recogniser.py runs/recogniser/best.pt ...  # writes the file that ships

The first run cuts and keeps all patches, which takes minutes. The training's windows are made where
it runs (recogniser/windows.py): on an H100 40,000 samples a second, more than any number of patches
is worth, so ``--draw`` processes draw styles that were never seen and ``--render`` others render
tables, all the while. What the net has learnt of real tiles is best after a third of such a run,
and then it learns how the studio draws: OUT/best.pt holds the averaged weights of the moment at
which held-out tiles surprised it least (the drawn family that is only measured on aside).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from recogniser.bank import Bank, Batch, Sampler
from recogniser.data import NONSENSE, SYMMETRIC, Patches
from recogniser.fresh import FreshTiles
from recogniser.net import OUTLINE, TURNS, RecogniserNet
from recogniser.sources import FRESH_SHARES, MEASURED_ON, sources
from recogniser.windows import views
from training import Recipe, Tensors, Training, add_options, add_rendering, start_rendering

from vision.tiles.classes import FACES

TURN_GAIN = 0.3
OUTLINE_GAIN = 20.0
SMOOTHING = 0.04
RECIPE = Recipe(0.02, 0.999, warm_up_steps=300, ema_steps=600, most_gradient=3.0)
FRESH_TILES = 220_000
"""Of one source that is made beside the training: 9 GB."""
ENOUGH = 8000
"""So many of them have the whole share of their source."""
JUDGED = 600  # held-out tiles of each source


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="faces/, art/, textures/")
    parser.add_argument("--photos", type=Path, required=True, help="of complete_photos.py")
    parser.add_argument("--art", type=Path, help="drawn faces as PNG files, mg_1m.png ...")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument(
        "--crops", type=Path, nargs="*", default=[], help="folders of rendered crops"
    )
    parser.add_argument("--drawn", type=int, default=0, help="number of drawn styles")
    parser.add_argument("--share", type=float, default=1.0, help="of the composed tiles")
    parser.add_argument(
        "--draw", type=int, default=0, help="processes that draw styles beside the training"
    )
    add_rendering(parser)
    add_options(parser, steps=10**9, minutes=60, batch=128, save_every=100)
    args = parser.parse_args()
    args.faces = args.faces or args.data / "faces"
    args.textures = args.textures or args.data / "textures" / "ambientcg"
    torch.manual_seed(args.seed)
    found = sources(
        args.data, args.cache, args.photos, args.art, args.crops, args.drawn, args.share
    )
    net = begun(args.out / "last.pt", args.init)
    training = Training(net, RECIPE, args)
    seed = args.seed + training.step
    fresh = FreshTiles(
        args.data / "textures", args.draw,
        start_rendering(args, training.step) if args.render else None, seed,
    )  # fmt: skip
    more = {"drawn": args.draw, "rendered": args.render}
    banks = stored(found.train, {name for name, makers in more.items() if makers}, training.device)

    def batches() -> Iterator[Tensors]:
        sampler = Sampler(banks, seed, training.device)
        while True:
            for name, patches in fresh.take():
                banks[name][0].add(patches)
            yield tensors(sampler.batch(args.batch))

    kept = ("batch", "rate", "seed", "minutes", "drawn", "draw", "render")
    recipe = {key: str(vars(args)[key]) for key in kept}
    recipe["shares"] = json.dumps({name: share for name, (_, share) in banks.items()})
    recipe["patches"] = json.dumps({name: bank.added for name, (bank, _) in banks.items()})

    def scores() -> dict[str, object]:
        parts = {name: score(training.ema, part) for name, part in found.held_out.items()}
        chosen_by = [nats for name, (_, nats) in parts.items() if name != MEASURED_ON]
        tiles = {name: bank.added for name, (bank, _) in banks.items()}
        return {"held_out": parts, "nats": round(float(np.mean(chosen_by)), 5), "tiles": tiles}

    training.run(
        batches(),
        lambda batch: losses(training.net, batch),
        scores,
        best="nats",
        recipe=recipe,
        architecture=net.architecture,
    )


def stored(
    tiles: dict[str, tuple[Patches, float]], fresh: set[str], device: torch.device
) -> dict[str, tuple[Bank, float]]:
    """Return the tiles where the training runs, with room for those made beside it."""
    banks = {}
    for name in {**tiles, **dict.fromkeys(fresh)}:
        patches, share = tiles.get(name, (None, FRESH_SHARES.get(name, 0.0)))
        bank = (
            Bank(FRESH_TILES, device, ENOUGH) if name in fresh else Bank(len(patches or ()), device)
        )
        if patches is not None:
            bank.add(patches)
        banks[name] = bank, share
        print(f"{name}: {len(bank)} patches, share {share}", flush=True)
    return banks


def begun(last: Path, start: Path | None) -> RecogniserNet:
    """Return a net with the shape of the checkpoint that the training goes on from, if any."""
    path = last if last.exists() else start
    if path is None:
        return RecogniserNet()
    return RecogniserNet.of(torch.load(path, map_location="cpu", weights_only=True)["ema"])


def tensors(batch: Batch) -> Tensors:
    """Return the images (n, 3, h, w), faces (n,), first corners (n,) and outlines (n, 8)."""
    images = batch.images.contiguous(memory_format=torch.channels_last)
    return images, batch.faces, batch.first, batch.outlines


def losses(net: nn.Module, batch: Sequence[Tensor]) -> dict[str, Tensor]:
    """Return the loss of the names, of the directions and of the outlines."""
    images, faces, first, outlines = batch
    with torch.autocast(images.device.type, torch.bfloat16):
        out = net(images)
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
    return {
        "face": functional.cross_entropy(logits, target),
        "turn": TURN_GAIN * (turn * told).sum() / count,
        "outline": OUTLINE_GAIN * (off * told).sum() / count,
    }


def score(net: nn.Module, patches: Patches) -> tuple[float, float]:
    """Return the share of held-out tiles that are named right, and how much they surprise, in nats.

    They are cut by perfect outlines, and read either way up.
    """
    rows = np.flatnonzero(patches.faces != NONSENSE)
    rows = np.random.default_rng(1).permutation(rows)[:JUDGED]
    device = next(net.parameters()).device
    net.eval()
    inputs = torch.from_numpy(views(patches.images[rows])).permute(0, 3, 1, 2)
    truth = torch.from_numpy(patches.faces[rows]).to(device)
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
        images = inputs.to(device).float() / 255
        both = [net(way)[:, : len(FACES)].float() for way in (images, images.flip(2, 3))]
    told = functional.log_softmax(sum(both) / 2, 1)
    right = (told.argmax(1) == truth).float().mean()
    return round(float(right), 4), round(float(functional.nll_loss(told, truth)), 4)


if __name__ == "__main__":
    main()
