"""Pictures beside a running training into a folder that stays small.

    render.py ring --seed 1 --out runs/finder/ring [--photos DIR] [--textures DIR]

Each part is a folder of a few pictures as ``crops`` writes them, with its own seed. A part
appears only when it is complete, and the oldest parts go once there are more than ``--keep``. The
program runs at the lowest priority and ends with the process that started it. Several renderers may
share one folder. The same seed renders the same parts in the same order.
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from renders.crops import make
from renders.labelled import add_sources, sources

PART_PICTURES = 8
SEEDS_APART = 1_000_000
"""Distance between the seeds of two renderers, so that they never draw the same part."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", type=int, default=60, help="parts to keep")
    parser.add_argument("--pictures", type=int, default=PART_PICTURES, help="in each part")
    parser.add_argument("--size", type=int, default=960, help="side of a picture in pixels")
    parser.add_argument("--parts", type=int, help="to render before ending; default: no end")
    add_sources(parser)


def run(given: argparse.Namespace) -> None:
    os.nice(19)
    source, swatches = sources(given)
    parent, number = os.getppid(), 0
    while os.getppid() == parent and (given.parts is None or number < given.parts):
        seed = given.seed * SEEDS_APART + number
        part = given.out / f".{seed}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        make(part, given.pictures, seed, (given.size, given.size), source, swatches)
        add(part, given.out / f"{seed}", given.keep)
        number += 1


def add(part: Path, place: Path, keep: int) -> None:
    """Add a finished part to the ring, and remove the oldest if there are too many."""
    shutil.rmtree(place, ignore_errors=True)
    part.rename(place)
    (place / "labels.jsonl").touch()  # parts are ordered by this time
    for old in parts(place.parent)[:-keep]:
        # Remove the labels first: readers skip a folder without them.
        (old / "labels.jsonl").unlink(missing_ok=True)
        shutil.rmtree(old, ignore_errors=True)


def parts(ring: Path) -> list[Path]:
    """Return the finished parts of a ring, oldest first."""
    ages = []
    for labels in ring.glob("[!.]*/labels.jsonl"):
        try:
            ages.append((labels.stat().st_mtime_ns, labels.parent))
        except FileNotFoundError:  # another renderer has just removed it
            continue
    return [folder for _, folder in sorted(ages)]
