"""Read labelled pictures with the shipped nets and save the reading of every tile.

    score.py readings runs/held --out models/games/readings/ordinary.npz

The label benchmark draws its errors from such a file (``models/games/bank.py``).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from evaluation.labels import LabelledPicture, TrueTile, read_labelled
from evaluation.match import match, overlaps
from games.bank import SIDES, ReadingBank
from numpy.typing import NDArray

from vision.camera.pictures import read_picture
from vision.detect import Detection, Detector
from vision.tiles.classes import FACE_INDEX, FACES, Side

AWAY: Final = 0.3  # a detection with a smaller overlap with every tile is a false one
Row = dict[str, object]
COLUMNS: Final[dict[str, type[np.generic]]] = {
    **dict.fromkeys(("side", "face", "turns"), np.int8),
    **dict.fromkeys(("width_px", "visible", "score", "faces", "off"), np.float16),
    "picture": np.int16,
    "found": np.bool_,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=Path, help="folder of datasets/render.py crops")
    parser.add_argument("--out", type=Path, required=True, help="the .npz to write")
    parser.add_argument("--weights", type=Path, help="folder; default: the shipped ones")


def run(given: argparse.Namespace) -> None:
    detector = Detector.load(given.weights)
    rows: list[Row] = []
    phantoms: list[Detection] = []
    pictures = read_labelled(given.source)
    for number, picture in enumerate(pictures):
        image = read_picture(picture.path)
        height, width = image.shape[:2]
        detections = detector.read(image)
        rows += _rows(number, picture, detections, (width, height))
        phantoms += _phantoms(picture, detections)
    bank = bank_of(rows, phantoms, len(pictures))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    bank.save(given.out)
    face = bank.side == SIDES.index(Side.FACE)
    right = bank.found & (bank.faces.argmax(axis=1) == bank.face)
    print(
        f"{len(rows)} tiles of {len(pictures)} pictures; {face.sum()} faces, "
        f"{bank.found[face].mean():.1%} of them found, "
        f"{right[face].sum() / max(1, bank.found[face].sum()):.1%} of those named right; "
        f"{len(phantoms)} faces where no tile lies"
    )


def bank_of(rows: Sequence[Row], phantoms: Sequence[Detection], pictures: int) -> ReadingBank:
    """Build the bank, one row for each tile."""
    columns: dict[str, NDArray[Any]] = {
        name: np.array([row[name] for row in rows], kind) for name, kind in COLUMNS.items()
    }
    columns["faces"] = columns["faces"].reshape(-1, len(FACES))
    columns["off"] = columns["off"].reshape(-1, 4, 2)
    return ReadingBank(
        **columns,
        phantoms=np.array([phantom.probabilities for phantom in phantoms], np.float16),
        phantom_scores=np.array([phantom.score for phantom in phantoms], np.float16),
        pictures=pictures,
    )


def _rows(
    number: int, picture: LabelledPicture, detections: Sequence[Detection], size_px: tuple[int, int]
) -> list[Row]:
    pairs = match(picture.tiles, detections)
    found = []
    for place, tile in enumerate(picture.tiles):
        middle = tile.corners.mean(axis=0)
        if not (0 < middle[0] < size_px[0] and 0 < middle[1] < size_px[1]):
            continue
        read = detections[pairs[place]] if place in pairs else None
        off, turns = (np.zeros((4, 2)), 0) if read is None else _off(tile, read)
        found.append(
            Row(
                picture=number,
                side=SIDES.index(Side(tile.side)),
                face=-1 if tile.face is None else FACE_INDEX[tile.face],
                width_px=tile.width_px,
                visible=tile.visible,
                found=read is not None,
                score=0.0 if read is None else read.score,
                faces=np.zeros(len(FACES)) if read is None else read.probabilities,
                off=off,
                turns=turns,
            )
        )
    return found


def _off(tile: TrueTile, read: Detection) -> tuple[NDArray[np.float64], int]:
    """Return the error of the corners in tile widths, and the quarter turns."""
    true = tile.corners.astype(np.float64)
    ways = [np.roll(read.corners_px, turn, axis=0) - true for turn in range(4)]
    turns = int(np.argmin([np.abs(way).sum() for way in ways]))
    along = true[1] - true[0]
    width = float(np.linalg.norm(along))
    along /= width
    axes = np.stack([along, np.array([-along[1], along[0]])])
    return ways[turns] @ axes.T / width, turns


def _phantoms(picture: LabelledPicture, detections: Sequence[Detection]) -> list[Detection]:
    return [
        detection
        for detection in detections
        if detection.side is Side.FACE
        and max((overlaps(tile, [detection])[0] for tile in picture.tiles), default=0.0) < AWAY
    ]
