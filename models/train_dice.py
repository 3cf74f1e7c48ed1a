"""Train the dice net on pictures that are drawn beside the training (dice/drawing.py).

    python models/train_dice.py --out runs/dice         # continues from the last checkpoint
    python models/export_dice.py runs/dice/last.pt

A step takes 0.08 s of one core's work: half for the net, half for the pictures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

import torch
from dice.data import DrawnSamples, losses, net_input
from dice.net import DiceNet
from training import Recipe, Tensors, Training, add_options, ahead

RECIPE = Recipe(0.01, 0.98, warm_up_steps=100, ema_steps=300, most_gradient=5.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kept", type=int, default=12000, help="drawn pictures in memory")
    add_options(parser, steps=6000, minutes=1e9, batch=64, save_every=250)
    parser.set_defaults(rate=4e-3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    net = DiceNet()
    training = Training(net, RECIPE, args)
    seed = args.seed + training.step

    def prepared(worker: int) -> Iterator[Tensors]:
        return DrawnSamples(args.kept, seed * 1000 + worker).batches(args.batch)

    def loss_of(batch: Sequence[torch.Tensor]) -> dict[str, torch.Tensor]:
        images, dice = batch
        with torch.autocast(images.device.type, torch.bfloat16):
            output = net(net_input(images))
        return losses(output.float(), dice)

    recipe = {key: str(value) for key, value in vars(args).items()}
    training.run(ahead(prepared, args.workers), loss_of, dict, recipe=recipe)


if __name__ == "__main__":
    main()
