"""Make the tables of ``engine/hands``: how many tiles each suit lacks for its sets and pair.

``python datasets/hand_tables.py`` rewrites the files in ``engine/hands/tables`` that differ.
"""

from __future__ import annotations

import lzma
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

FOLDER: Final = Path(__file__).parent.parent / "engine" / "hands" / "tables"
MOST_SETS: Final = 5
COPIES: Final = 4
NEVER: Final = 15  # more tiles than a full hand ever lacks
MOST_TILES: Final = 18
"""Tiles of one suit in a hand with one tile more; larger counts are never looked up."""

Vectors = NDArray[np.uint8]
"""(suits, 6 sets, 2 pair, 2 pung, 2 chow, 2 outer): missing tiles, at most ``NEVER``."""


@dataclass(frozen=True)
class Recipe:
    """What one table answers."""

    name: str
    ranks: int
    runs: bool = True
    pungs: bool = True
    limit: int = COPIES
    """Most copies of one tile in a hand; more where wild tiles stand in for them."""
    outer_only: bool = False
    """Every set and the pair must hold a terminal."""
    marked: bool = False
    """Hands are kept apart by whether they hold a pung, a chow and a terminal."""


RECIPES: Final = (
    Recipe("suit", 9),
    Recipe("honours", 7, runs=False),
    Recipe("wild_suit", 9, limit=5),
    Recipe("wild_honours", 7, runs=False, limit=5),
    Recipe("middle", 7),
    Recipe("pungs", 9, runs=False),
    Recipe("outside", 9, outer_only=True),
    Recipe("marked_suit", 9, marked=True),
)


def vectors(recipe: Recipe) -> tuple[NDArray[np.int64], Vectors]:
    """Return each suit as a base-five number, lowest rank last, and what it lacks.

    Ranks are added from the highest down. Chows that begin one and two ranks lower are counted.
    At most two chows begin at one rank, because three equal chows are also three pungs.
    """
    begun_before = [(last, older) for last in range(3) for older in range(3)]
    shape = (MOST_SETS + 1, 2, *((2, 2, 2) if recipe.marked else (1, 1, 1)))
    empty = np.full((1, *shape), NEVER, np.uint8)
    nothing = empty.copy()
    nothing[0, 0, 0, 0, 0, 0] = 0
    done = {before: nothing if before == (0, 0) else empty for before in begun_before}
    total, number = np.zeros(1, np.int64), np.zeros(1, np.int64)
    counts = np.arange(COPIES + 1)
    for rank in range(recipe.ranks, 0, -1):
        totals = counts[:, None] + total[None, :]
        kept = totals <= MOST_TILES
        added = {}
        for last, older in begun_before if rank > 1 else [(0, 0)]:
            best = np.full((COPIES + 1, len(total), *shape), NEVER, np.uint8)
            for aim, part in _ways(recipe, rank, last, older, done):
                for count in range(COPIES + 1):
                    lacking = np.minimum(part + np.uint8(max(aim - count, 0)), NEVER)
                    np.minimum(best[count], lacking, out=best[count])
            added[last, older] = best[kept]
        number = (counts[:, None] * 5 ** (rank - 1) + number[None, :])[kept]
        total, done = totals[kept], added
    return number, done[0, 0]


def _ways(
    recipe: Recipe, rank: int, last: int, older: int, done: dict[tuple[int, int], Vectors]
) -> Iterator[tuple[int, Vectors]]:
    """Yield how many tiles of this rank are wanted, with what the higher ranks lack besides."""
    terminal = rank in (1, 9)
    outer = terminal or not recipe.outer_only
    may_begin = recipe.runs and rank <= recipe.ranks - 2
    if recipe.outer_only:
        may_begin = may_begin and rank in (1, 7)
    for begun in range(3 if may_begin else 1):
        due = last + older + begun
        for pungs in range(2 if outer and recipe.pungs else 1):
            for pair in range(2 if outer else 1):
                aim = due + 3 * pungs + 2 * pair
                if aim <= recipe.limit and begun + pungs <= MOST_SETS:
                    rest = done[begun, last]
                    marks = (pungs > 0, begun > 0, terminal and aim > 0)
                    yield aim, _with(rest, begun + pungs, pair > 0, marks)


def _with(rest: Vectors, sets: int, pair: bool, marks: tuple[bool, ...]) -> Vectors:
    made = np.full_like(rest, NEVER)
    if pair:
        made[:, sets:, 1] = rest[:, : MOST_SETS + 1 - sets, 0]
    else:
        made[:, sets:] = rest[:, : MOST_SETS + 1 - sets]
    for axis, mark in enumerate(marks, start=3):
        if mark and made.shape[axis] == 2:
            # With the mark made here, the rest need not have it.
            free = np.take(made, [0], axis)
            made = np.concatenate([free, free], axis)
    return made


def packed(recipe: Recipe) -> bytes:
    """Return the table as the engine reads it: sizes, distinct vectors, one index for each suit."""
    number, lacking = vectors(recipe)
    # Lanes run over the marks first, then the pair, then the sets.
    lanes = lacking.transpose(0, 3, 4, 5, 2, 1).reshape(len(number), -1)
    different, which = np.unique(lanes, axis=0, return_inverse=True)
    wide = len(different) > 255
    # Vector 0 belongs to impossible suits: they lead to no hand.
    different = np.concatenate([np.full((1, lanes.shape[1]), NEVER, np.uint8), different])
    table = np.zeros(5**recipe.ranks, "<u2" if wide else np.uint8)
    table[number] = which.reshape(-1) + 1
    head = struct.pack("<HHB", lanes.shape[1], len(different), table.itemsize)
    return head + different.tobytes() + table.tobytes()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for recipe in RECIPES:
        path, table = FOLDER / f"{recipe.name}.xz", packed(recipe)
        if not path.exists() or lzma.decompress(path.read_bytes()) != table:
            path.write_bytes(lzma.compress(table, preset=9 | lzma.PRESET_EXTREME))
        print(f"{path.name}: {len(table):,} bytes, {path.stat().st_size:,} packed")


if __name__ == "__main__":
    main()
