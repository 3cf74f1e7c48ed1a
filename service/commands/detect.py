"""``tilesight dev detect``: finds the tiles in pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from engine.tiles import show
from service.commands.options import Mirrored, OwnSet, add_to
from service.machine.weights import load_detector
from service.texts.catalogue import terminal_texts
from vision.attention.mirror_watch import wrong_way
from vision.attention.tint import GREY, without_colour
from vision.camera.address import shown
from vision.camera.decoded import mirror_image
from vision.camera.frames import Frame
from vision.camera.pictures import ReducedPicture, find_pictures, read_reduced
from vision.detect import Detection
from vision.tiles.classes import Side
from vision.tiles.handedness import Handedness


def run(
    sources: Sequence[Path],
    as_json: bool,
    own_set: Path | None = None,
    mirrored: bool | None = None,
    sure: float | None = None,
) -> int:
    """Print a line for every picture; raises ``SourceError`` before anything is printed.

    ``mirrored`` is what a person says of the pictures; where one is seen to be otherwise, a line
    on standard error says so. ``sure`` is the least confidence of a named face, 0..1.
    """
    pictures = find_pictures(sources)
    for path in pictures:
        read_reduced(path)
    detector = load_detector(own_set)
    if sure is not None:
        detector.recogniser.accept_from(sure)
    for path in pictures:
        picture = read_reduced(path)
        image = mirror_image(picture.image_bgr) if mirrored else picture.image_bgr
        detections = detector.read(image)
        if Frame(image, 0.0, 0).colourless:
            detections = without_colour(detections)
            typer.echo(f"{shown(path)}: {GREY}", err=True)
        handed = Handedness()
        handed.add(detector.handed(image, detections))
        if wrong := wrong_way(mirrored, handed.mirrored):
            typer.echo(f"{shown(path)}: {wrong}", err=True)
        if as_json:
            height, width = (side * picture.by for side in picture.image_bgr.shape[:2])
            in_file = [_in_file(detection, picture, bool(mirrored)) for detection in detections]
            typer.echo(json.dumps(to_json(shown(path), width, height, in_file)))
        else:
            typer.echo(f"{shown(path)}: {_described(detections)}")
    return 0


def _in_file(tile: Detection, picture: ReducedPicture, mirrored: bool) -> Detection:
    """Return the tile with its corners in pixels of the file."""
    corners = tile.corners_px.copy()
    if mirrored:
        corners[:, 0] = picture.image_bgr.shape[1] - 1 - corners[:, 0]
    return replace(tile, corners_px=corners * picture.by)


def to_json(
    image: str, width_px: int, height_px: int, detections: Iterable[Detection]
) -> dict[str, object]:
    """Return one picture's tiles as JSON; a back or a standing tile is ``?``."""
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


def _described(detections: Sequence[Detection]) -> str:
    texts = terminal_texts()
    faces = [d.tile for d in detections if d.side is Side.FACE]
    read = [tile for tile in faces if tile.known]
    tiles = show(sorted(read, key=lambda tile: tile.place))
    parts = [texts["cli.detect.faces"].format(count=len(faces), tiles=tiles)]
    if len(read) < len(faces):
        parts.append(texts["cli.detect.unreadable"].format(count=len(faces) - len(read)))
    parts += [
        texts[f"cli.detect.{side.value}"].format(count=count)
        for side in (Side.BACK, Side.STANDING)
        if (count := sum(d.side is side for d in detections))
    ]
    return ", ".join(parts) if detections else texts["cli.detect.none"]


app = typer.Typer(add_completion=False)


@add_to(app, "detect")
def command(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE...", help="help.detect.sources")],
    as_json: Annotated[bool, typer.Option("--json", help="help.detect.json")] = False,
    own_set: OwnSet = None,
    mirrored: Mirrored = None,
    sure: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="help.detect.sure")] = None,
) -> int:
    return run(sources, as_json, own_set, mirrored, sure)
