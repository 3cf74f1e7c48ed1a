"""What the shipped detector read in labelled pictures: a bank of real errors.

``models/score.py readings`` writes it. Every tile of the pictures is in it, found or not, with
its probabilities and the error of its outline. So confusions, doubts and misses are drawn as often
and as confidently as the detector makes them.
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
WHOLE: Final = 0.95  # a tile in a picture with this visible share is not covered
LIES_FREE: Final = 0.8
"""A tile in a game's labels with this visible share is free: they count its neighbours' sides."""
PICTURES: Final = 0.3
"""Share of the pictures that one game draws from, for it has one set, one lens and one light."""
READABLE: Final = 0.75
"""Pictures with a smaller share of found faces are left out: nobody would film a game like that."""
JUDGED: Final = 4  # pictures with fewer faces are always used
LEAST: Final = 4  # with fewer such tiles in the game's pictures, all pictures are drawn from
SIDES: Final = (Side.FACE, Side.BACK, Side.STANDING)


@dataclass(frozen=True, eq=False)
class ReadingBank:
    """Tiles of labelled pictures, one row each, and how they were read."""

    picture: NDArray[np.int16]
    side: NDArray[np.int8]
    """Index into ``SIDES``."""
    face: NDArray[np.int8]
    """True face as an index into ``FACES``; -1 for a back or a standing tile."""
    width_px: NDArray[np.float16]
    visible: NDArray[np.float16]
    found: NDArray[np.bool_]
    score: NDArray[np.float16]
    faces: NDArray[np.float16]
    """(n, 38) probabilities."""
    off: NDArray[np.float16]
    """(n, 4, 2) error of each corner, in tile widths, along the top and down the side."""
    turns: NDArray[np.int8]
    """Quarter turns by which the outline was rotated."""
    phantoms: NDArray[np.float16]
    """(m, 38) probabilities where no tile lies."""
    phantom_scores: NDArray[np.float16]
    """(m,) the finder's scores there."""
    pictures: int

    def save(self, path: Path) -> None:
        np.savez_compressed(path, allow_pickle=False, **vars(self))

    @classmethod
    def load(cls, path: Path) -> ReadingBank:
        with np.load(path, allow_pickle=False) as kept:
            rows = {name: kept[name] for name in kept.files if name != "pictures"}
            return cls(**rows, pictures=int(kept["pictures"]))


class ReadingSampler:
    """Draws rows of a bank for one game."""

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
        """Draw a row for a tile like this, ``free`` or covered; None if there is none."""
        place = -1 if face is None else FACES.index(face)
        rows = self._rows.get((SIDES.index(side), place, free))
        return None if rows is None else int(rows[self._rng.randrange(len(rows))])

    def phantom(self) -> tuple[NDArray[np.float16], float]:
        """Draw probabilities and score of a false detection."""
        row = self._rng.randrange(len(self.bank.phantoms))
        return self.bank.phantoms[row], float(self.bank.phantom_scores[row])


def readable(bank: ReadingBank) -> list[int]:
    """Return the pictures in which most faces are found."""
    faces = (bank.side == SIDES.index(Side.FACE)) & (bank.visible >= WHOLE)
    found = [bank.found[faces & (bank.picture == number)] for number in range(bank.pictures)]
    return [
        number
        for number, tiles in enumerate(found)
        if len(tiles) < JUDGED or tiles.mean() >= READABLE
    ]
