"""Draw detections onto the picture that they were read from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.arrays import Floats
from vision.camera.pictures import Picture
from vision.table.view import TableView
from vision.tiles.classes import Side

Bgr = tuple[int, int, int]

_COLOURS_BGR: Final[dict[Side, Bgr]] = {
    Side.FACE: (90, 220, 90),
    Side.BACK: (235, 170, 60),
    Side.STANDING: (200, 200, 200),
}
_UNKNOWN_BGR: Final[Bgr] = (60, 160, 255)
"""Colour of a face that could not be named: it asks for a look."""
_MARK_BGR: Final[Bgr] = (40, 40, 240)
_INK_BGR: Final[Bgr] = (20, 20, 20)

JPEG_QUALITY: Final = 82
NUMBERED_PX: Final = 110
"""Least width at which tiles with a number and a name are drawn."""

_CROP_SCALE: Final = 2
_GAP_PX: Final = 8
_CAPTION_PX: Final = 30


class DrawableTile(Protocol):
    """A tile that can be drawn."""

    @property
    def side(self) -> Side: ...
    @property
    def corners_px(self) -> Floats:
        """(4, 2) float32, clockwise from the tile's own top left."""
        ...

    @property
    def tile(self) -> Tile: ...


def overlay(
    image_bgr: Picture,
    seen: Iterable[DrawableTile],
    marked: Collection[int] = (),
    scale: float = 1.0,
) -> Picture:
    """The picture, scaled, with an outline and a name on every tile.

    ``marked``: indices in ``seen`` to point at.
    """
    drawn = resized(image_bgr, scale)
    if drawn is image_bgr:
        drawn = image_bgr.copy()
    thickness = max(1, round(max(drawn.shape[:2]) / 900))
    for place, tile in enumerate(seen):
        corners = np.rint(tile.corners_px * scale).astype(np.int32)
        unknown = tile.side is Side.FACE and not tile.tile.known
        colour = _UNKNOWN_BGR if unknown else _COLOURS_BGR[tile.side]
        # One pixel for the many standing tiles and backs, because people check the faces.
        width = thickness if tile.side is Side.FACE else 1
        cv2.polylines(drawn, [corners], True, colour, width, cv2.LINE_AA)
        if tile.side is Side.FACE:
            _name(drawn, str(tile.tile), corners, colour)
        if place in marked:
            _mark(drawn, corners, thickness)
    return drawn


def numbered(
    image_bgr: Picture,
    corners_px: Sequence[Floats],
    names: Sequence[str],
    doubtful: Collection[int] = (),
) -> Picture:
    """The picture with a number, from 1, and a name on every outline.

    ``doubtful`` ones stand out. Small tiles are enlarged, so that the numbers can be read.
    """
    sides_px = [float(np.linalg.norm(corners[1] - corners[0])) for corners in corners_px]
    scale = max(1.0, min(3.0, NUMBERED_PX / max(float(np.median(sides_px)), 1.0)))
    drawn = resized(image_bgr, scale).copy()
    thickness = max(1, round(max(drawn.shape[:2]) / 900))
    for place, (outline, name) in enumerate(zip(corners_px, names, strict=True)):
        corners = np.rint(outline * scale).astype(np.int32)
        colour = _UNKNOWN_BGR if place in doubtful else _COLOURS_BGR[Side.FACE]
        cv2.polylines(drawn, [corners], True, colour, thickness, cv2.LINE_AA)
        _name(drawn, f"{place + 1} {name}", corners, colour)
    return drawn


def with_crops(
    image_bgr: Picture,
    crops_bgr: Sequence[Picture],
    captions: Sequence[str],
    doubtful: Collection[int] = (),
) -> Picture:
    """The picture, and below it rows of crops of one size, each with a caption."""
    high, wide = (side * _CROP_SCALE for side in crops_bgr[0].shape[:2])
    columns = max(1, image_bgr.shape[1] // (wide + _GAP_PX))
    cells = []
    for place, (crop, caption) in enumerate(zip(crops_bgr, captions, strict=True)):
        cell = np.full((high + _CAPTION_PX, wide + _GAP_PX, 3), _INK_BGR, np.uint8)
        cell[:high, :wide] = resized(crop, _CROP_SCALE)
        colour = _UNKNOWN_BGR if place in doubtful else _COLOURS_BGR[Side.FACE]
        at = (2, high + _CAPTION_PX - 8)
        cv2.putText(cell, caption, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, colour, 2, cv2.LINE_AA)
        cells.append(cell)
    rows = -(-len(cells) // columns)
    sheet = np.full((rows * cells[0].shape[0], image_bgr.shape[1], 3), _INK_BGR, np.uint8)
    for place, cell in enumerate(cells):
        row, column = divmod(place, columns)
        y, x = row * cell.shape[0], column * cell.shape[1]
        part = sheet[y : y + cell.shape[0], x : x + cell.shape[1]]
        part[:] = cell[:, : part.shape[1]]
    return np.vstack([image_bgr, sheet])


def table_overlay(image_bgr: Picture, view: TableView) -> Picture:
    """The picture with the outline of the playing field and the name of every seat."""
    drawn = image_bgr.copy()
    thickness = max(2, round(max(drawn.shape[:2]) / 600))
    outline = np.rint(view.field_px).astype(np.int32)
    cv2.polylines(drawn, [outline], True, _COLOURS_BGR[Side.FACE], thickness, cv2.LINE_AA)
    half_x, half_y = view.half_mm
    sides_mm = np.array([[0, half_y], [half_x, 0], [0, -half_y], [-half_x, 0]]) * 0.85
    for seat, (x, y) in enumerate(view.to_image(sides_mm)):
        size = thickness / 2.5
        text = f"seat {seat}"
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thickness)
        place = (round(x - width / 2), round(y + height / 2))
        for colour, weight in ((_INK_BGR, thickness * 3), (_COLOURS_BGR[Side.FACE], thickness)):
            cv2.putText(
                drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, weight, cv2.LINE_AA
            )
    return drawn


def resized(image_bgr: Picture, scale: float) -> Picture:
    if scale == 1.0:
        return image_bgr
    # A little smaller, averaging areas takes ten times as long and looks no better.
    method = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR if scale < 1 else cv2.INTER_CUBIC
    return cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=method).astype(
        np.uint8, copy=False
    )


def around(image_bgr: Picture, corners_px: Sequence[Floats], margin_px: float) -> Picture:
    """The part of the picture that holds the corners, with a margin."""
    height, width = image_bgr.shape[:2]
    points = np.concatenate(list(corners_px))
    left, top = np.floor(points.min(axis=0) - margin_px).astype(int)
    right, bottom = np.ceil(points.max(axis=0) + margin_px).astype(int)
    return image_bgr[max(0, top) : min(height, bottom), max(0, left) : min(width, right)]


def ring(image_bgr: Picture, corners_px: Floats) -> tuple[float, float, float]:
    """Middle and radius of the ring around a tile: shares of the picture's width, height, width."""
    height, width = image_bgr.shape[:2]
    (x, y), radius = _ring_px(corners_px)
    return x / width, y / height, radius / width


def ringed(image_bgr: Picture, corners_px: Floats, width_px: int) -> Picture:
    """A tile with what lies around it, as wide as wanted, and a ring around the tile."""
    (x, y), radius = _ring_px(corners_px)
    reach = 1.6 * radius
    left, top = max(0, round(x - reach)), max(0, round(y - reach))
    part = image_bgr[top : round(y + reach), left : round(x + reach)]
    scale = width_px / part.shape[1]
    drawn = resized(part, scale).copy()
    centre = (round((x - left) * scale), round((y - top) * scale))
    cv2.circle(drawn, centre, round(radius * scale), _MARK_BGR, 3, cv2.LINE_AA)
    return drawn


def with_rings(image_bgr: Picture, middles_px: Floats, radius_px: float) -> Picture:
    """The picture with a ring around each of these points."""
    drawn = image_bgr.copy()
    thickness = max(2, round(radius_px / 12))
    for x, y in middles_px:
        cv2.circle(drawn, (round(x), round(y)), round(radius_px), _MARK_BGR, thickness, cv2.LINE_AA)
    return drawn


def _ring_px(corners_px: Floats) -> tuple[tuple[float, float], float]:
    middle = corners_px.mean(axis=0)
    radius = float(np.linalg.norm(corners_px - middle, axis=1).max()) * 1.35
    return (float(middle[0]), float(middle[1])), radius


def jpeg(image_bgr: Picture, quality: int = JPEG_QUALITY) -> bytes:
    ok, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise ValueError(f"a picture of shape {image_bgr.shape} cannot be written as JPEG")
    return data.tobytes()


def _name(drawn: Picture, text: str, corners: NDArray[np.int32], colour: Bgr) -> None:
    side_px = float(np.linalg.norm(corners[1] - corners[0]))
    # A two-letter name is about 38 pixels wide at size 1; longer ones must fit too.
    size = min(max(side_px / max(45, 18 * len(text)), 0.33), 1.2)
    weight = 2 if size > 0.7 else 1
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, weight)
    middle = corners.mean(axis=0)
    # Write above the tile, so that its face stays visible.
    left, bottom = round(middle[0] - width / 2), max(int(corners[:, 1].min()) - 2, height + 2)
    cv2.rectangle(
        drawn, (left - 2, bottom - height - 2), (left + width + 1, bottom + 2), colour, -1
    )
    cv2.putText(
        drawn, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, size, _INK_BGR, weight, cv2.LINE_AA
    )


def _mark(drawn: Picture, corners: NDArray[np.int32], thickness: int) -> None:
    (x, y), radius = _ring_px(corners.astype(np.float32))
    cv2.circle(drawn, (round(x), round(y)), round(radius), _MARK_BGR, thickness + 1, cv2.LINE_AA)
