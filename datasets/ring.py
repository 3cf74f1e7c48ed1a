"""Render pictures for a training that is under way, without end, into a folder that stays small.

    python datasets/ring.py --seed 1 --out runs/finder/ring [--photos DIR] [--textures DIR]

Every part is a folder of a few pictures as ``crops.py`` writes it, with a seed of its own, and
appears whole; when there are more than ``--keep`` parts, the oldest go. It runs at the lowest
priority, beside a trainer that reads what is there, and ends when the process that started it ends.
Several may work on one folder: parts of all of them are counted together. The same seed renders
the same parts in the same order.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from crops import add_sources, make, sources

PART_PICTURES = 8
SEEDS_APART = 1_000_000
"""Renderers with seeds that follow each other never draw the same part."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=int, default=60, help="parts")
    parser.add_argument("--pictures", type=int, default=PART_PICTURES, help="of a part")
    parser.add_argument("--size", type=int, default=960, help="side of a picture in pixels")
    parser.add_argument("--parts", type=int, help="to render before ending; without end if absent")
    add_sources(parser)
    given = parser.parse_args(arguments)
    os.nice(19)
    source, swatches = sources(given)
    given.out.mkdir(parents=True, exist_ok=True)
    parent, number = os.getppid(), 0
    while os.getppid() == parent and (given.parts is None or number < given.parts):
        seed = given.seed * SEEDS_APART + number
        part = given.out / f".{seed}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        make(part, given.pictures, seed, (given.size, given.size), source, swatches)
        add(part, given.out / f"{seed}", given.keep)
        number += 1
    return 0


def add(part: Path, place: Path, keep: int) -> None:
    """Put a finished part into the ring, and take the oldest out where there are too many."""
    shutil.rmtree(place, ignore_errors=True)
    part.rename(place)
    (place / "labels.jsonl").touch()  # the time by which parts are ordered
    for old in parts(place.parent)[:-keep]:
        # The labels go first: a part without them is none, whoever looks at it meanwhile.
        (old / "labels.jsonl").unlink(missing_ok=True)
        shutil.rmtree(old, ignore_errors=True)


def parts(ring: Path) -> list[Path]:
    """The finished parts of a ring, the oldest first."""
    ages = []
    for labels in ring.glob("[!.]*/labels.jsonl"):
        try:
            ages.append((labels.stat().st_mtime_ns, labels.parent))
        except FileNotFoundError:  # another renderer has just taken it out
            continue
    return [folder for _, folder in sorted(ages)]


if __name__ == "__main__":
    sys.exit(main())
