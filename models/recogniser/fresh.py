"""Tiles made beside a running training: drawn styles never seen before, and rendered tables."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path

import cv2
from recogniser.data import Patches, join, read_crops
from recogniser.faces import compose, with_numerals
from recogniser.sources import drawn_faces, grounds_in
from renders.ring import parts

STYLES_AT_ONCE = 6
TILES_A_STYLE = 140
WITH_NUMERALS = 5  # every so many styles have numerals in their corners
TILES_A_PICTURE = 40
AHEAD = 12  # parts that wait to be taken
SEEDS_APART = 100_000
LOOKS_EVERY_S = 0.5


class FreshTiles:
    """What processes make while the training runs; they end with it."""

    def __init__(self, textures: Path, drawers: int, ring: Path | None, seed: int) -> None:
        """``drawers`` processes draw styles; ``ring`` is a folder that renderers fill."""
        context = get_context("spawn")
        self._drawn: Queue[Patches] = context.Queue(AHEAD)
        self._rendered: queue.Queue[Patches] = queue.Queue(AHEAD)
        for number in range(drawers):
            first = (1 + seed * drawers + number) * SEEDS_APART
            work = (textures, first, self._drawn)
            context.Process(target=_draw, args=work, daemon=True).start()
        if ring is not None:
            threading.Thread(target=self._read, args=(ring,), daemon=True).start()

    def take(self) -> Iterator[tuple[str, Patches]]:
        """Yield what is ready, with the name of its source."""
        for name, made in (("drawn", self._drawn), ("rendered", self._rendered)):
            while True:
                try:
                    yield name, made.get_nowait()
                except queue.Empty:
                    break

    def _read(self, ring: Path) -> None:
        seen: set[str] = set()
        while True:
            for folder in parts(ring):
                if folder.name not in seen:
                    seen.add(folder.name)
                    try:
                        self._rendered.put(read_crops(folder, most=TILES_A_PICTURE))
                    except (FileNotFoundError, ValueError):
                        continue  # its place was needed, or no tile is in sight
            time.sleep(LOOKS_EVERY_S)


def _draw(textures: Path, seed: int, out: Queue[Patches]) -> None:
    os.nice(5)
    cv2.setNumThreads(1)
    grounds = grounds_in(textures)
    while True:
        styles = []
        for _ in range(STYLES_AT_ONCE):
            seed += 1
            faces = drawn_faces(seed, 1)
            if seed % WITH_NUMERALS == 0:
                faces = with_numerals(faces, seed)
            styles.append(compose(faces, TILES_A_STYLE, grounds, seed))
        out.put(join(styles))
