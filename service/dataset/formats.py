"""Writes labelled pictures in the forms of training and labelling programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from service.dataset.sources import DatasetPicture, DatasetTile
from vision.arrays import Floats
from vision.tiles.classes import CLASS_NAMES

VALIDATED: Final = 5
"""One in so many pictures is for validation."""

PictureWriter = Callable[[Path, Sequence[DatasetPicture]], None]
"""Writes pictures into an empty folder."""


def write_yolo_obb(out: Path, pictures: Sequence[DatasetPicture]) -> None:
    """Oriented boxes as Ultralytics reads them: ``class x1 y1 ... x4 y4``, in shares of the size.

    Pictures with a face that was asked about are in a folder of their own, ``doubtful``: nothing in
    a label file says that a class is doubtful. https://docs.ultralytics.com/datasets/obb/
    """
    by_part: dict[str, list[DatasetPicture]] = {}
    for picture, part in zip(pictures, _parts(pictures), strict=True):
        by_part.setdefault(part, []).append(picture)
    for part, ours in by_part.items():
        _copy(out / "images" / part, ours)
        for picture in ours:
            lines = [_yolo_line(tile, picture.size_px) for tile in picture.tiles]
            _write(out / "labels" / part / f"{Path(picture.name).stem}.txt", lines)
    sure = next(part for part in ("train", "doubtful") if part in by_part)
    folders = {"train": sure, "val": "val" if "val" in by_part else sure}
    folders |= {part: part for part in by_part if part == "doubtful" != sure}
    lines = [f"{name}: images/{part}" for name, part in folders.items()]
    names = [f"  {number}: {name}" for number, name in enumerate(CLASS_NAMES)]
    _write(out / "data.yaml", [*lines, "names:", *names])


def write_coco(out: Path, pictures: Sequence[DatasetPicture]) -> None:
    """Polygons and boxes as COCO has them: https://cocodataset.org/#format-data

    ``attributes`` of each tile is where CVAT keeps what COCO has no field for.
    """
    _copy(out / "images", pictures)
    tiles = [(number, tile) for number, picture in enumerate(pictures, 1) for tile in picture.tiles]
    content = {
        "info": {"description": "Mahjong tiles, written by tilesight"},
        "licenses": [],
        "images": [
            {
                "id": number,
                "file_name": picture.name,
                "width": picture.size_px[0],
                "height": picture.size_px[1],
            }
            for number, picture in enumerate(pictures, 1)
        ],
        "categories": [
            {"id": number, "name": name, "supercategory": "tile"}
            for number, name in enumerate(CLASS_NAMES, 1)
        ],
        "annotations": [
            {"id": number, "image_id": picture} | _coco_tile(tile)
            for number, (picture, tile) in enumerate(tiles, 1)
        ],
    }
    _write(out / "annotations" / "instances_default.json", [json.dumps(content)])


def write_dota(out: Path, pictures: Sequence[DatasetPicture]) -> None:
    """Four corners, class and difficulty as DOTA v1.0 has them; a doubtful tile is difficult.

    https://captain-whu.github.io/DOTA/dataset.html
    """
    out = out / "train"
    _copy(out / "images", pictures)
    for picture in pictures:
        lines = [
            " ".join([*(f"{value:.1f}" for value in tile.corners_px.ravel()), tile.name])
            + f" {int(tile.doubtful)}"
            for tile in picture.tiles
        ]
        header = ["imagesource:tilesight", "gsd:null"]
        _write(out / "labelTxt" / f"{Path(picture.name).stem}.txt", [*header, *lines])


FORMATS: Final[dict[str, PictureWriter]] = {
    "yolo-obb": write_yolo_obb,
    "coco": write_coco,
    "dota": write_dota,
}


def _parts(pictures: Sequence[DatasetPicture]) -> list[str]:
    """For each picture ``train``, ``val`` or ``doubtful``: the same in every export."""
    sure = sorted(
        (picture.name for picture in pictures if not picture.asked),
        key=lambda name: sha256(name.encode()).digest(),
    )
    validated = set(sure[: -(-len(sure) // VALIDATED)]) if len(sure) > 1 else set()
    return [
        "doubtful" if picture.asked else "val" if picture.name in validated else "train"
        for picture in pictures
    ]


def _yolo_line(tile: DatasetTile, size_px: tuple[int, int]) -> str:
    shares = (tile.corners_px / np.array(size_px)).clip(0, 1).ravel()
    return " ".join([str(CLASS_NAMES.index(tile.name)), *(f"{share:.6f}" for share in shares)])


def _coco_tile(tile: DatasetTile) -> dict[str, object]:
    (left, top), (right, bottom) = tile.corners_px.min(axis=0), tile.corners_px.max(axis=0)
    return {
        "category_id": CLASS_NAMES.index(tile.name) + 1,
        "segmentation": [[round(float(value), 1) for value in tile.corners_px.ravel()]],
        "bbox": [round(float(value), 1) for value in (left, top, right - left, bottom - top)],
        "area": round(_area(tile.corners_px), 1),
        "iscrowd": 0,
        "attributes": {"origin": tile.origin, "doubtful": tile.doubtful},
    }


def _area(corners_px: Floats) -> float:
    x, y = corners_px[:, 0], corners_px[:, 1]
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def _copy(folder: Path, pictures: Sequence[DatasetPicture]) -> None:
    folder.mkdir(parents=True)
    for picture in pictures:
        (folder / picture.name).write_bytes(picture.data)


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
