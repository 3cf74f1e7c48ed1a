"""Measure how reliably mirrored pictures are noticed.

    python models/measure_mirrored.py DATA/photos/train.json runs/held --least 10

Reads labelled pictures as they are and mirrored; of a label file named train.json only photos held
out of the recogniser's training. Prints two lines of a Markdown table for each source: for pictures
with at least LEAST faces, and for those with five or more faces that a mirror changes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from evaluation.labels import read_labelled
from fit_confidence import held_out_photos

from vision.camera.decoded import mirror_image
from vision.camera.pictures import Picture, read_picture
from vision.detect import Detector
from vision.tiles.classes import Side
from vision.tiles.handedness import Handedness

SPEAKING_FACES = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", type=Path, nargs="+", help="as for evaluate.py")
    parser.add_argument("--least", type=int, default=10, help="faces in a picture")
    parser.add_argument("--most", type=int, default=10**9, help="pictures of a source")
    args = parser.parse_args()
    detector = Detector.load()
    print("| source | pictures | false alarms | undecided | mirrored: noticed | missed |")
    for source in args.sources:
        counts = {0: Counter[tuple[bool, bool | None]](), SPEAKING_FACES: Counter()}
        for path in _paths(source)[: args.most]:
            picture = read_picture(path)
            for mirrored in (False, True):
                image = mirror_image(picture) if mirrored else picture
                faces, speaking, seen = _seen(detector, image)
                for least, count in counts.items():
                    count[mirrored, seen] += faces >= args.least and speaking >= least
        for least, count in counts.items():
            print(_row(f"{source.stem}, {least} telling faces", count))


def _paths(source: Path) -> list[Path]:
    if source.name == "train.json":
        return [picture.path for _, picture in held_out_photos(source)]
    return [picture.path for picture in read_labelled(source)]


def _seen(detector: Detector, image: Picture) -> tuple[int, int, bool | None]:
    """Return the number of faces, how many of them a mirror changes, and the verdict."""
    tiles = detector.read(image)
    said = detector.handed(image, tiles)
    handed = Handedness()
    handed.add(said)
    return sum(tile.side is Side.FACE for tile in tiles), len(said), handed.mirrored


def _row(name: str, count: Counter[tuple[bool, bool | None]]) -> str:
    plain = sum(count[False, seen] for seen in (True, False, None))
    mirrored = sum(count[True, seen] for seen in (True, False, None))
    noticed = count[True, True]
    return (
        f"| {name} | {plain} | {count[False, True]} | {count[False, None]} "
        f"| {noticed} of {mirrored} | {mirrored - noticed}, {count[True, False]} of them wrongly |"
    )


if __name__ == "__main__":
    main()
