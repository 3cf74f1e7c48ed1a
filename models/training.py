"""The training loop of all nets: averaged weights, schedule, checkpoints, batches made ahead."""

from __future__ import annotations

import argparse
import atexit
import json
import math
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import cv2
import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR
from torch.optim.swa_utils import AveragedModel
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

ROOT = Path(__file__).parent.parent
Tensors = tuple[Tensor, ...]
"""One batch, before it goes to the device."""
LOG_EVERY = 100  # steps
LEAST_RATE = 0.02  # of the highest learning rate, at the end of a run


def add_options(
    parser: argparse.ArgumentParser, *, steps: int, minutes: float, batch: int, save_every: int
) -> None:
    """Add the options that all trainings have, with these defaults."""
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="checkpoint to start from, with a new schedule")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument(
        "--minutes", type=float, default=minutes, help="of all runs; the rate falls to their end"
    )
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="such as cuda")
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare samples")
    parser.add_argument("--save-every", type=int, default=save_every, help="steps")


def add_rendering(parser: argparse.ArgumentParser) -> None:
    """Add the options of the pictures that are rendered beside a training."""
    parser.add_argument("--render", type=int, default=0, help="renderers beside the training")
    parser.add_argument("--keep", type=int, default=60, help="parts of 8 pictures in the ring")
    parser.add_argument("--faces", type=Path, help="photographed faces, for the renderers")
    parser.add_argument("--textures", type=Path, help="cloth and wood, for the renderers")


@dataclass(frozen=True)
class Recipe:
    """In what the trainings differ."""

    weight_decay: float
    beta2: float
    warm_up_steps: int
    ema_steps: int
    """Time constant of the averaged weights at the end of the run."""
    most_gradient: float


class Training:
    """A net in training. It continues from OUT/last.pt, or starts from ``--init``."""

    def __init__(self, net: nn.Module, recipe: Recipe, given: argparse.Namespace) -> None:
        torch.set_num_threads(given.threads)
        cv2.setNumThreads(1)  # its idle threads spin
        given.out.mkdir(parents=True, exist_ok=True)
        self.device = torch.device(given.device)
        self.net = net.to(self.device, memory_format=torch.channels_last).train()
        self.step, self._before_s, self._recipe, self._given = 0, 0.0, recipe, given
        self._last, self._least = given.out / "last.pt", math.inf
        # Neither biases nor scales of a batch are drawn towards zero.
        groups = [
            {"params": [p for p in net.parameters() if (p.ndim > 1) == decayed], "weight_decay": by}
            for decayed, by in ((True, recipe.weight_decay), (False, 0.0))
        ]
        self._optimiser = torch.optim.AdamW(groups, lr=given.rate, betas=(0.9, recipe.beta2))
        self._begun = time.time()
        self._scheduler = LambdaLR(self._optimiser, self._rate)
        self._ema = AveragedModel(net, avg_fn=self._averaged, use_buffers=True)
        if self._last.exists():
            state = torch.load(self._last, map_location=self.device, weights_only=True)
            net.load_state_dict(state["net"])
            self._optimiser.load_state_dict(state["optimiser"])
            self._ema.module.load_state_dict(state["ema"])
            self.step, self._before_s = state["step"], state["spent_s"]
            self._least = state.get("least", math.inf)
            self._ema.n_averaged.fill_(self.step)  # the first update of all would copy the net
            print(f"continues from step {self.step}, {self._before_s / 60:.1f} minutes behind it")
        elif given.init:
            state = torch.load(given.init, map_location=self.device, weights_only=True)
            for model in (net, self._ema.module):
                model.load_state_dict(state["ema"], strict=False)  # an older net has fewer parts

    @property
    def ema(self) -> nn.Module:
        """The net with the averaged weights."""
        return cast(nn.Module, self._ema.module)

    def run(
        self,
        batches: Iterator[Tensors],
        losses: Callable[[Sequence[Tensor]], Mapping[str, Tensor]],
        said: Callable[[], Mapping[str, object]],
        best: str | None = None,
        **kept: Any,
    ) -> None:
        """Train until the steps or the minutes are over.

        ``losses`` gives the parts of a batch's loss, which is their sum. ``said`` adds to a line of
        OUT/log.jsonl, ``kept`` to the checkpoint. Where the number that it says by the name
        ``best`` is the least so far, the averaged weights are kept as OUT/best.pt: a run may go on
        for longer than it learns.
        """
        given, recipe = self._given, self._recipe
        begun, first, waited_s = time.time(), self.step, 0.0
        self._begun = begun
        sums: dict[str, Tensor] = {}
        while self._share() < 1:
            asked = time.time()
            batch = [part.to(self.device, non_blocking=True) for part in next(batches)]
            waited_s += time.time() - asked
            parts = losses(batch)
            self._optimiser.zero_grad(set_to_none=True)
            cast(Tensor, sum(parts.values())).backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), recipe.most_gradient)
            self._optimiser.step()
            self.step += 1
            self._scheduler.step()
            self._ema.update_parameters(self.net)
            for name, value in parts.items():
                sums[name] = sums.get(name, 0) + value.detach() / LOG_EVERY
            if self.step % LOG_EVERY == 0:
                passed_s = time.time() - begun
                line: dict[str, object] = {
                    "step": self.step,
                    "minutes": round(self._spent_s / 60, 2),
                    "rate": self._scheduler.get_last_lr()[0],
                    "waiting": round(waited_s / passed_s, 4),
                    "samples_a_second": round((self.step - first) * given.batch / passed_s, 1),
                }
                line |= {name: round(float(value), 4) for name, value in sums.items()}
                line |= self._judged(said(), best, kept)
                print(json.dumps(line), flush=True)
                with (given.out / "log.jsonl").open("a") as log:
                    log.write(json.dumps(line) + "\n")
                sums = {}
            if self.step % given.save_every == 0:
                self._save(**kept)
        self._judged(said(), best, kept)
        self._save(**kept)

    def _judged(
        self, said: Mapping[str, object], best: str | None, kept: Mapping[str, Any]
    ) -> Mapping[str, object]:
        if best is not None and (value := float(str(said[best]))) < self._least:
            self._least = value
            state = {"ema": self.ema.state_dict(), "step": self.step, "spent_s": self._spent_s}
            _write(state | dict(kept), self._last.with_name("best.pt"))
        return said

    def _averaged(self, mean: Tensor, now: Tensor, _: Tensor | int) -> Tensor:
        if not now.dtype.is_floating_point:
            return now
        return mean.lerp(now, 1 / min(self._recipe.ema_steps, self.step / 8 + 1))

    @property
    def _spent_s(self) -> float:
        return self._before_s + time.time() - self._begun

    def _share(self) -> float:
        """The finished part of the run, in steps or in minutes, whichever is more."""
        given = self._given
        return max(self.step / given.steps, self._spent_s / 60 / given.minutes)

    def _rate(self, _: int) -> float:
        """The share of the highest learning rate: a short rise, then half a cosine."""
        rise = min(1.0, (self.step + 1) / self._recipe.warm_up_steps)
        fall = 0.5 * (1 + math.cos(math.pi * min(1.0, self._share())))
        return rise * (LEAST_RATE + (1 - LEAST_RATE) * fall)

    def _save(self, **kept: Any) -> None:
        """Write a complete checkpoint: a run may be stopped at any moment."""
        state = {
            "net": self.net.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "ema": self.ema.state_dict(),
            "step": self.step,
            "spent_s": self._spent_s,
            "least": self._least,
        }
        _write(state | kept, self._last)


def _write(state: Mapping[str, Any], path: Path) -> None:
    part = path.with_suffix(".part")
    torch.save(dict(state), part)
    part.replace(path)


def start_rendering(args: argparse.Namespace, step: int) -> Path:
    """Start the renderers and wait for their first pictures; return the ring's folder."""
    ring = Path(args.out) / "ring"
    command = [sys.executable, str(ROOT / "datasets" / "render.py"), "ring", "--out", str(ring)]
    command += ["--keep", str(args.keep)]
    command += ["--photos", str(args.faces), "--photo-part", "train"] if args.faces else []
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


def ahead(make: Callable[[int], Iterator[Tensors]], workers: int) -> Iterator[Tensors]:
    """Yield endless batches: those of ``make(0)``, prepared in a thread.

    With more than one worker the batches of ``make(0)``, ``make(1)``, ... come in turn, each stream
    from a process of its own. What is loaded before is shared with them.
    """
    if workers > 1:
        loader = DataLoader(
            _Streams(make),
            batch_size=None,
            num_workers=workers,
            prefetch_factor=4,
            pin_memory=torch.cuda.is_available(),
        )
        yield from cast(Iterator[Tensors], loader)
        return
    ready: queue.Queue[Tensors] = queue.Queue(maxsize=4)

    def fill() -> None:
        for batch in make(0):
            ready.put(batch)

    threading.Thread(target=fill, daemon=True).start()
    while True:
        yield ready.get()


class _Streams(IterableDataset[Tensors]):
    def __init__(self, make: Callable[[int], Iterator[Tensors]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Tensors]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        return self._make(worker.id if worker is not None else 0)
