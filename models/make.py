"""Train the weights from seeds to the accuracy report, with one command.

    python models/make.py --data DATA --out runs/new              # DATA: see datasets/README.md
    python models/make.py --data DATA --out runs/new --list       # what would be done
    python models/make.py --data DATA --out runs/tiny --tiny      # every stage, in minutes
    python models/make.py --data DATA --out runs/new --device cuda --hours 0.7  # a graphics card

The stages are in making/stages.py. Finished stages are skipped. An interrupted one continues:
rendering with the next part, training from its last checkpoint. ``--hours`` is the total of the
three trainings of finder and recogniser; the rest takes about an hour and a half on two cores of a
Zen 5 machine, and the dice net 0.08 s of one core for each step. The weights go to OUT/weights and
the report to OUT/report; OUT/made.json tells how long each stage took and on what machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence, Set
from datetime import UTC, datetime
from functools import partial
from itertools import dropwhile
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from making.stages import FULL, STAGES, TINY, TrainingPlan, TrainingStep, steps, tiny_data

ROOT = Path(__file__).parent.parent
CHECKPOINTS = ("finder.pt", "recogniser.pt")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--data", type=Path, required=True, help="photos/, photos2/, faces/, art/, textures/"
    )
    parser.add_argument("--out", type=Path, required=True, help="continues in a folder that exists")
    parser.add_argument("--hours", type=float, help=f"of training; {FULL.hours:g} if left out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--from", dest="start", type=Path, help="folder of checkpoints to train on from"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--device", default="cpu", help="of the training, such as cuda")
    parser.add_argument(
        "--workers", type=int, default=max(1, (os.cpu_count() or 1) - 2),
        help="processes that prepare samples for another device than the processor",
    )  # fmt: skip
    parser.add_argument("--tiny", action="store_true", help="a few pictures, a minute of training")
    parser.add_argument("--list", action="store_true", help="list the steps and stop")
    parser.add_argument("--until", choices=[stage.name for stage in STAGES], help="the last stage")
    args = parser.parse_args(arguments)
    missing = [
        part
        for part in ("photos", "photos2", "faces", "art", "textures")
        if not (args.data / part).is_dir()
    ]
    if missing:
        print(
            f"make: {args.data} has no {', '.join(missing)}: see datasets/README.md",
            file=sys.stderr,
        )
        return 2
    if args.start is not None:
        lacks = [name for name in CHECKPOINTS if not (args.start / name).is_file()]
        if lacks:
            print(f"make: {args.start} has no {' and no '.join(lacks)}", file=sys.stderr)
            return 2
    if args.hours is not None and args.hours <= 0:
        parser.error(f"--hours are hours of training, got {args.hours:g}")
    scale = TINY if args.tiny else FULL
    data = args.data.resolve()
    if args.tiny and not args.list:
        data = tiny_data(data, args.out.resolve() / "data")
    start = args.start.resolve() if args.start else None
    hours = args.hours or scale.hours
    plan = TrainingPlan(
        data, args.out.resolve(), hours, args.seed, args.threads, scale, start, args.device,
        args.workers,
    )  # fmt: skip
    # Steps after one that is repeated used its old output, so they are repeated too.
    todo = list(dropwhile(partial(is_done, plan), steps(plan)))
    if args.list:
        for step in steps(plan):
            mark = "    " if step in todo else "done"
            print(f"{mark} {step.name}: {step.does}\n         {' '.join(step.command)}")
        return 0
    forget(plan, {step.name for step in todo})
    for step in todo:
        print(f"== {step.name}: {step.does}", flush=True)
        if code := carry_out(plan, step):
            print(
                f"make: {step.name} ended with {code}; the same command continues from here",
                file=sys.stderr,
            )
            return 1
        if args.until == step.stage:
            break
    return 0


def is_done(plan: TrainingPlan, step: TrainingStep) -> bool:
    """Return whether the same command has been run to its end."""
    for row in made(plan):
        if row["step"] == step.name:
            return bool(row["command"] == list(step.command))
    return False


def made(plan: TrainingPlan) -> list[dict[str, object]]:
    """Return what has been run, in order."""
    path = plan.out / "made.json"
    rows: list[dict[str, object]] = json.loads(path.read_text()) if path.exists() else []
    return rows


def carry_out(plan: TrainingPlan, step: TrainingStep) -> int:
    """Run one step and record it once it has ended; return its exit status."""
    plan.out.mkdir(parents=True, exist_ok=True)
    begun_s, used_s = time.time(), _children_s()
    # Every program here starts its own threads; spinning ones would only wait.
    environment = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
    code = subprocess.run([sys.executable, *step.command], cwd=ROOT, env=environment).returncode
    if code:
        return code
    row: dict[str, object] = {
        "step": step.name,
        "command": list(step.command),
        "minutes": round((time.time() - begun_s) / 60, 2),
        "processor_minutes": round((_children_s() - used_s) / 60, 2),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
    }
    write_made(plan, [*(other for other in made(plan) if other["step"] != step.name), row])
    return 0


def forget(plan: TrainingPlan, names: Set[str]) -> None:
    """Remove these steps from the record, before any of them is run."""
    rows = made(plan)
    kept = [row for row in rows if row["step"] not in names]
    if len(kept) < len(rows):
        write_made(plan, kept)


def write_made(plan: TrainingPlan, rows: Sequence[dict[str, object]]) -> None:
    """Write the record; it appears only when complete."""
    part = plan.out / "made.part"
    part.write_text(json.dumps(rows, indent=1) + "\n")
    part.replace(plan.out / "made.json")


def _children_s() -> float:
    used = os.times()
    return used.children_user + used.children_system


def machine() -> str:
    """Return the number of cores and the name of the processor."""
    name = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        for line in cpus.read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    return f"{os.cpu_count()} cores of {name}"


if __name__ == "__main__":
    sys.exit(main())
