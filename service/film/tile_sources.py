"""Labelled pictures: those that were kept or enrolled, and the forms of other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np

from engine.errors import Refused
from service.machine.jpeg import decoded
from service.table.picture_files import TILES_LIST
from vision.arrays import Floats
from vision.camera.pictures import Picture
from vision.given_files import MIB, read_given
from vision.pipeline import TileReader
from vision.tile_set.profile import PATCH_MARGIN, PATCH_PX, Profile
from vision.tiles.classes import CLASS_NAMES, FACES, UNKNOWN_FACE, Side
from vision.tiles.rectify import in_crop
from vision.to_supervision import class_name

Origin = Literal["enrolled", "person", "rules", "asked", "read"]
"""Who vouches for a class. ``asked``: the reader doubted it; ``read``: nobody but the reader."""
LARGEST_LIST: Final = 256 * MIB
LARGEST_PICTURE: Final = 64 * MIB
_RANK: Final[Mapping[str, int]] = {"read": 0, "rules": 1, "asked": 2, "person": 3}


@dataclass(frozen=True, eq=False)
class DatasetTile:
    name: str
    """One of ``CLASS_NAMES``."""
    corners_px: Floats
    """(4, 2) float32, clockwise from the tile's own top left."""
    origin: Origin

    @property
    def doubtful(self) -> bool:
        return self.origin == "asked" or self.name == UNKNOWN_FACE


@dataclass(frozen=True, eq=False)
class DatasetPicture:
    name: str
    """File name, different for every picture."""
    data: bytes
    """The file: JPEG or PNG."""
    size_px: tuple[int, int]
    """Width and height."""
    tiles: tuple[DatasetTile, ...]

    @property
    def asked(self) -> bool:
        """Whether the reader asked about a face in it, and nobody has answered."""
        return any(tile.origin == "asked" for tile in self.tiles)


def read_pictures(source: Path, load: Callable[[], TileReader]) -> Iterator[DatasetPicture]:
    """Return the pictures of one source; raises ``Refused``, ``ProfileError``.

    ``load`` returns a detector, which reads the tiles that nobody spoke about.
    """
    if source.is_dir():
        return _kept(source, load)
    if source.exists():
        return _enrolled(source)
    raise Refused(f"there is no {source}; name a folder of --keep-tiles, or a profile of a set")


def _enrolled(path: Path) -> Iterator[DatasetPicture]:
    profile = Profile.load(path)
    corners = np.asarray(in_crop(PATCH_PX, PATCH_MARGIN), np.float32)
    for number, (patch, face) in enumerate(zip(profile.patches_bgr, profile.faces, strict=True)):
        _, data = cv2.imencode(".png", patch)
        tile = DatasetTile(FACES[int(face)], corners, "enrolled")
        yield DatasetPicture(f"{path.stem}-{number:04}.png", data.tobytes(), PATCH_PX, (tile,))


def _kept(folder: Path, load: Callable[[], TileReader]) -> Iterator[DatasetPicture]:
    for name, data, tiles in kept_pictures(folder):
        image = decoded(data)
        height, width = image.shape[:2]
        yield DatasetPicture(name, data, (width, height), _completed(image, tiles, load()))


def kept_pictures(folder: Path) -> Iterator[tuple[str, bytes, Sequence[DatasetTile]]]:
    """Return the name, the JPEG file and the tiles of every picture that was kept.

    Raises ``Refused``.
    """
    try:
        lines = read_given(folder / TILES_LIST, LARGEST_LIST).decode().splitlines()
    except FileNotFoundError:
        raise Refused(f"{folder} has no {TILES_LIST}; name a folder of --keep-tiles") from None
    pictures: dict[str, list[DatasetTile]] = {}
    for number, line in enumerate(lines, start=1):
        try:
            name, tiles = _picture_of(json.loads(line))
            pictures[name] = _merged(pictures.get(name, tiles), tiles)
        except (ValueError, KeyError, TypeError) as error:
            raise Refused(f"{folder / TILES_LIST} line {number} is damaged: {error!r}") from None
    for name, tiles in pictures.items():
        try:
            data = read_given(folder / name, LARGEST_PICTURE)
        except OSError as error:
            raise Refused(f"{folder / name}: {error.strerror}; was it deleted?") from None
        yield name, data, tiles


def _completed(
    image_bgr: Picture, tiles: Sequence[DatasetTile], reader: TileReader
) -> tuple[DatasetTile, ...]:
    """The tiles that somebody spoke about, and all others that are in the picture.

    While a game is watched only what changes is read, so some outlines are missing or old.
    """
    sides_px = [np.linalg.norm(tile.corners_px[1] - tile.corners_px[0]) for tile in tiles]
    tile_px = float(np.median(sides_px)) if sides_px else None
    spoken = [tile for tile in tiles if tile.origin != "read"]
    others = (
        DatasetTile(class_name(found), found.corners_px, "read")
        for found in reader.read(image_bgr, tile_px=tile_px)
    )
    return (*spoken, *(shown for shown in others if not any(_same(shown, tile) for tile in spoken)))


def _same(one: DatasetTile, other: DatasetTile) -> bool:
    """Whether two outlines are of one tile: the middle of one is inside the other."""
    x, y = (float(value) for value in one.corners_px.mean(axis=0))
    return cv2.pointPolygonTest(other.corners_px, (x, y), False) >= 0


def _picture_of(line: Mapping[str, object]) -> tuple[str, list[DatasetTile]]:
    name, tiles = line["picture"], line["tiles"]
    if not isinstance(name, str) or Path(name).name != name or not isinstance(tiles, list):
        raise ValueError("expected the name of a picture and its tiles")
    return name, [_tile_of(tile) for tile in tiles]


def _tile_of(tile: Mapping[str, object]) -> DatasetTile:
    corners = np.array(tile["corners"], np.float32)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise ValueError("expected four corners")
    side, origin = Side(str(tile["side"])), str(tile.get("by", "read"))
    name = str(tile.get("tile", tile["read"])) if side is Side.FACE else side.value
    named = DatasetTile(name if name in CLASS_NAMES else UNKNOWN_FACE, corners, "read")
    match origin:
        case "person" | "rules" | "asked":
            return replace(named, origin=origin)
    return named


def _merged(known: list[DatasetTile], more: list[DatasetTile]) -> list[DatasetTile]:
    """The tiles of one picture. Where several outlines are of one tile, the surest source counts,
    and of equal ones the later."""
    if len(known) != len(more):
        raise ValueError("other tiles than an earlier line about the same picture")
    return [
        new if _RANK[new.origin] >= _RANK[old.origin] else old
        for old, new in zip(known, more, strict=True)
    ]


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


FORMATS: Final[dict[str, PictureWriter]] = {
    "yolo-obb": write_yolo_obb,
    "coco": write_coco,
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
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
