"""What the shipped detector truly made of labelled pictures: a bank from which errors are drawn.

``models/measure_readings.py`` writes it. Every tile of the pictures is in it, found or not, with
the distribution that was read and how far the outline was off, so that confusions, doubts and
misses come as often, and as sure of themselves, as the detector makes them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.tiles.classes import FACES, Side

FOLDER: Final = Path(__file__).parent / "readings"
WHOLE: Final = 0.95
"""A tile of a picture of which so much is in sight is not covered."""
LIES_FREE: Final = 0.8
"""The same by the labels of a game, which take the sides of its neighbours for cover."""
PICTURES: Final = 0.3
"""Share of the pictures that one game draws from: one set, one lens and one light go through it."""
READABLE: Final = 0.75
"""Where fewer of the faces in sight are found in a picture, nobody would film a game: left out."""
JUDGED: Final = 4
"""Pictures with fewer faces are not judged so."""
LEAST: Final = 4
"""Where those pictures show fewer tiles of a kind, it is drawn from all."""
SIDES: Final = (Side.FACE, Side.BACK, Side.STANDING)


@dataclass(frozen=True, eq=False)
class ReadingBank:
    """Tiles of labelled pictures, a row each, and what was read there."""

    picture: NDArray[np.int16]
    side: NDArray[np.int8]
    """Place in ``SIDES``."""
    face: NDArray[np.int8]
    """True face as a place in ``FACES``; -1 for a back or a standing tile."""
    width_px: NDArray[np.float16]
    visible: NDArray[np.float16]
    found: NDArray[np.bool_]
    score: NDArray[np.float16]
    faces: NDArray[np.float16]
    """(n, 38) the probabilities that were read."""
    off: NDArray[np.float16]
    """(n, 4, 2) how far each corner was off, in widths, along the top and down the side."""
    turns: NDArray[np.int8]
    """By how many quarters the outline was read turned."""
    phantoms: NDArray[np.float16]
    """(m, 38) what was read where no tile lies."""
    phantom_scores: NDArray[np.float16]
    """(m,) how sure the finder was of it."""
    pictures: int

    def save(self, path: Path) -> None:
        np.savez_compressed(path, allow_pickle=False, **vars(self))

    @classmethod
    def load(cls, path: Path) -> ReadingBank:
        with np.load(path, allow_pickle=False) as kept:
            rows = {name: kept[name] for name in kept.files if name != "pictures"}
            return cls(**rows, pictures=int(kept["pictures"]))


class ReadingSampler:
    """Rows of a bank that one game meets."""

    def __init__(
        self, bank: ReadingBank, widths_px: tuple[float, float], rng: random.Random
    ) -> None:
        self.bank, self._rng = bank, rng
        played = readable(bank)
        chosen = rng.sample(played, max(1, round(PICTURES * len(played))))
        low, high = widths_px
        fair = np.isin(bank.picture, played)
        wide = (bank.width_px >= low) & (bank.width_px < high) & fair
        here = np.isin(bank.picture, chosen)
        self._rows: dict[tuple[int, int, bool], NDArray[np.intp]] = {}
        for side in range(len(SIDES)):
            for face in range(-1, len(FACES)):
                kind = (bank.side == side) & (bank.face == face)
                for whole in (True, False):
                    seen = kind & ((bank.visible >= WHOLE) == whole)
                    ways = (seen & wide & here, seen & wide, seen & fair, kind & wide, kind)
                    rows = next((np.flatnonzero(w) for w in ways if w.sum() >= LEAST), None)
                    if rows is not None:
                        self._rows[side, face, whole] = rows

    def row(self, side: Side, face: str | None, free: bool) -> int | None:
        """A row of the bank for a tile like this, ``free`` or covered; None if it has none."""
        place = -1 if face is None else FACES.index(face)
        rows = self._rows.get((SIDES.index(side), place, free))
        return None if rows is None else int(rows[self._rng.randrange(len(rows))])

    def phantom(self) -> tuple[NDArray[np.float16], float]:
        """What was read in some place without a tile, and how sure the finder was."""
        row = self._rng.randrange(len(self.bank.phantoms))
        return self.bank.phantoms[row], float(self.bank.phantom_scores[row])


def readable(bank: ReadingBank) -> list[int]:
    """Pictures of which most faces are found."""
    faces = (bank.side == SIDES.index(Side.FACE)) & (bank.visible >= WHOLE)
    found = [bank.found[faces & (bank.picture == number)] for number in range(bank.pictures)]
    return [
        number
        for number, tiles in enumerate(found)
        if len(tiles) < JUDGED or tiles.mean() >= READABLE
    ]
