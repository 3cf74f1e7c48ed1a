"""``tilesight detect``: which tiles lie where in pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from engine.tiles import show
from service.weights import load_detector
from vision.camera.pictures import find_pictures, read_reduced
from vision.detect import Detection
from vision.reading.classes import Side


def run(sources: Sequence[Path], as_json: bool, own_set: Path | None = None) -> int:
    """Print a line for every picture; raises ``SourceError`` before anything is printed."""
    pictures = find_pictures(sources)
    for path in pictures:
        read_reduced(path)
    detector = load_detector(own_set)
    for path in pictures:
        picture = read_reduced(path)
        detections = detector.read(picture.image_bgr)
        if as_json:
            height, width = (side * picture.by for side in picture.image_bgr.shape[:2])
            in_file = [replace(one, corners_px=one.corners_px * picture.by) for one in detections]
            typer.echo(json.dumps(to_json(str(path), width, height, in_file)))
        else:
            typer.echo(f"{path}: {_words(detections)}")
    return 0


def to_json(
    image: str, width_px: int, height_px: int, detections: Iterable[Detection]
) -> dict[str, object]:
    """One picture's tiles; a back or a standing tile is ``?``, as certain as its outline is."""
    return {
        "image": image,
        "width": width_px,
        "height": height_px,
        "tiles": [
            {
                "tile": str(detection.tile),
                "confidence": round(detection.confidence, 4),
                "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
                "side": detection.side.value,
            }
            for detection in detections
            for corners in (detection.corners_px,)
        ],
    }


def _words(detections: Sequence[Detection]) -> str:
    faces = [d.tile for d in detections if d.side is Side.FACE]
    read = [tile for tile in faces if tile.known]
    parts = [f"{len(faces)} faces ({show(sorted(read, key=lambda tile: tile.place))})"]
    if len(read) < len(faces):
        parts.append(f"{len(faces) - len(read)} of them not readable")
    parts += [
        f"{count} {word}"
        for side, word in ((Side.BACK, "face down"), (Side.STANDING, "standing"))
        if (count := sum(d.side is side for d in detections))
    ]
    return ", ".join(parts) if detections else "no tiles"
