"""Measure what it is worth that the tiles of a game are compared (recogniser/alike.py).

    python models/measure_alike.py runs/held --pictures 8

Reads tables of datasets/crops.py, of which so many pictures in a row show one set, and tells before
and after by how many tiles have been seen: nats a face, and of 1,000 faces how many are named wrong
and how many of these surely. Games by most rule sets have neither flowers nor red fives: tiles that
show them are left out, and nothing is read as one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from evaluation.labels import read_labelled
from evaluation.match import match
from numpy.typing import NDArray
from recogniser.alike import Shares, put_right

from engine.tiles import KINDS
from vision.camera.pictures import read_picture
from vision.detect import Detector
from vision.telling.scene import WRONG
from vision.tiles.classes import FACE_INDEX, FACES, Side
from vision.tracking.track import FLOOR

SEEN: Final = (25, 50, 100, None)
TRIES: Final = 3
"""How often fewer tiles are drawn from those of a set."""
WIDTHS_PX: Final = ((16.0, 25.0), (25.0, 999.0))
SURE: Final = 0.9
IN_PLAY: Final = np.array([face in KINDS for face in FACES], float)

Rows = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Seen:
    """The tiles of one set, as they were found."""

    shares: Shares
    read: Shares
    """What the net gave, down to its smallest."""
    faces: NDArray[np.int64]
    """(n,) places in ``FACES``; -1 where no tile of those in play lies."""
    widths_px: NDArray[np.float64]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="folder of datasets/crops.py")
    parser.add_argument("--pictures", type=int, default=8, help="in a row that show one set")
    given = parser.parse_args(arguments)
    sets = list(_sets(given.source, given.pictures, Detector.load()))
    for seen in SEEN:
        rng = np.random.default_rng(1)
        rows = np.concatenate([_rows(one, seen, rng) for one in sets])
        print(f"{seen or 'all'} tiles seen")
        for least, most in WIDTHS_PX:
            part = rows[(rows[:, 0] >= least) & (rows[:, 0] < most)]
            if len(part):
                print(f"  {len(part)} of {least:.0f} px and more: {_said(part)}")
    return 0


def _said(rows: Rows) -> str:
    nats, after, wrong, wrong_after, sure, sure_after = rows[:, 1:].mean(axis=0)
    return (
        f"nats {nats:.3f} to {after:.3f}, wrong {1000 * wrong:.1f} to {1000 * wrong_after:.1f}, "
        f"surely {1000 * sure:.1f} to {1000 * sure_after:.1f}"
    )


def _sets(source: Path, pictures: int, detector: Detector) -> Iterator[Seen]:
    labelled = read_labelled(source)
    for first in range(0, len(labelled), pictures):
        shares: list[Rows] = []
        read: list[Rows] = []
        faces: list[int] = []
        widths: list[float] = []
        for picture in labelled[first : first + pictures]:
            found = detector.read(read_picture(picture.path))
            lies = {at: picture.tiles[row] for row, at in match(picture.tiles, found).items()}
            for at, tile in enumerate(found):
                truth = lies.get(at)
                face = None if truth is None else truth.face
                unwanted = truth is not None and not truth.wanted
                if tile.side is not Side.FACE or unwanted or (face and face not in KINDS):
                    continue
                own = (tile.probabilities * (1 - FLOOR) + FLOOR) * IN_PLAY
                shares.append(own / own.sum())
                read.append(tile.probabilities.astype(np.float64))
                faces.append(-1 if face is None else FACE_INDEX[face])
                widths.append(tile.width_px)
        yield Seen(
            np.array(shares).reshape(-1, len(FACES)),
            np.array(read).reshape(-1, len(FACES)),
            np.array(faces, np.int64),
            np.array(widths),
        )


def _rows(one: Seen, seen: int | None, rng: np.random.Generator) -> Rows:
    """(n, 7) of every face: width, then nats, wrong, surely wrong, each before and after."""
    found = [np.zeros((0, 7))]
    for _ in range(1 if seen is None or seen >= len(one.faces) else TRIES):
        drawn = rng.permutation(len(one.faces))[:seen]
        before = one.shares[drawn]
        after = put_right(before, one.read[drawn], IN_PLAY)
        told = [_told(shares, one.faces[drawn]) for shares in (before, after)]
        columns = [one.widths_px[drawn], *(each[kind] for kind in range(3) for each in told)]
        found.append(np.stack(columns, axis=1)[one.faces[drawn] >= 0])
    return np.concatenate(found)


def _told(shares: Shares, faces: NDArray[np.int64]) -> tuple[Rows, Rows, Rows]:
    """(n,) nats, wrong, and surely wrong."""
    mixed = shares * (1 - WRONG) + WRONG / len(FACES)
    wrong = shares.argmax(axis=1) != faces
    nats = -np.log(mixed[np.arange(len(faces)), faces])
    return nats, wrong.astype(float), (wrong & (shares.max(axis=1) > SURE)).astype(float)


if __name__ == "__main__":
    sys.exit(main())
