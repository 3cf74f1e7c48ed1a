"""Cut single faces out of labelled photos, as textures for rendered tables.

    python datasets/photo_faces.py runs/photos.jsonl --out runs/photo-faces
    python datasets/render.py crops ... --photos runs/photo-faces

``photos.jsonl`` is a file of models/complete_photos.py. Groups that are kept out of training give
no face. A face is cut where the recogniser agrees with the label, because only it tells which end
is up; a group is one set of tiles. Writes OUT/faces.json and the pictures that it lists.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from studio.files import complete
from vision.camera.pictures import read_picture
from vision.detect import Detection, Detector
from vision.tiles.classes import FACES, SIDES, Side
from vision.tiles.rectify import rectify

LEAST_PX: Final = 36.0
"""Narrowest tile that is sharp enough for a texture."""
LEAST_SURE: Final = 0.95
MOST_OF_A_TILE: Final = 12
"""Pictures of one face in one group."""
LEAST_OF_A_GROUP: Final = 9
"""Different faces, without which a group is no set."""
FACE_PX: Final = (120, 160)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path, help="of models/complete_photos.py")
    parser.add_argument("--out", type=Path, required=True, help="a folder, created if missing")
    given = parser.parse_args(arguments)
    try:
        lines = given.photos.read_text().splitlines()
        given.out.mkdir(parents=True, exist_ok=True)
        count = cut_faces([json.loads(line) for line in lines], given.out)
    except (OSError, ValueError) as error:
        print(f"photo_faces: {error}", file=sys.stderr)
        return 2
    print(f"{count} faces in {given.out}")
    return 0


def cut_faces(rows: list[dict[str, object]], out: Path) -> int:
    """Write the faces of all photos that may be trained on; return their number."""
    detector = Detector.load()
    kept: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["held_out"] or row["complete"]:
            continue
        group = str(row["group"])
        picture = read_picture(Path(str(row["file"])))
        for tile, seen in _agreed(detector, picture, row["tiles"]):
            names = kept[group][tile]
            if len(names) < MOST_OF_A_TILE:
                names.append(f"{len(kept)}-{tile}-{len(names)}.jpg")
                face = rectify(picture, seen.corners_px, FACE_PX, 0.0)
                cv2.imwrite(str(out / names[-1]), face, [cv2.IMWRITE_JPEG_QUALITY, 95])
    sets = {group: tiles for group, tiles in kept.items() if len(tiles) >= LEAST_OF_A_GROUP}
    if not sets:
        raise ValueError(f"no group of the photos has {LEAST_OF_A_GROUP} different faces to cut")
    listed = [
        {"file": name, "tile": tile, "group": group}
        for group, tiles in sets.items()
        for tile, names in tiles.items()
        for name in names
    ]
    with complete(out / "faces.json") as part:
        part.write_text(json.dumps(listed, indent=1) + "\n")
    return len(listed)


def _agreed(detector: Detector, picture: np.ndarray, tiles: object) -> list[tuple[str, Detection]]:
    """The labelled faces that are wide enough and read as their labels say."""
    assert isinstance(tiles, list)
    faces = [tile for tile in tiles if tile["class"] == SIDES.index(Side.FACE)]
    if not faces:
        return []
    quads = np.array([tile["corners"] for tile in faces], np.float32)
    read = detector.read_at(picture, quads, np.ones(len(quads), np.float32))
    return [
        (FACES[int(seen.probabilities.argmax())], seen)
        for tile, seen in zip(faces, read, strict=True)
        if seen.width_px >= LEAST_PX
        and seen.confidence >= LEAST_SURE
        and FACES[int(seen.probabilities.argmax())] == tile["tile"]
    ]


if __name__ == "__main__":
    sys.exit(main())
