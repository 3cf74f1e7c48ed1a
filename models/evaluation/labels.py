"""The true tiles of labelled pictures: photos and rendered ones."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.tiles.classes import face_class

DISPUTED = Path(__file__).parent / "disputed.json"
"""Wrong labels of photos, found by a person who looked at the picture.

Only confident disagreements were looked at, so this list favours the detector. Every figure is also
given by the original labels.
"""
LEAST_VISIBLE = 0.5  # rendered tiles less visible than this count neither as wanted nor as extra
IN_SIGHT = 0.9  # visible share below which a tile counts as covered
GLARE = 0.1  # share of a tile that mirrors a window
BLUR = 0.06  # spread in tile widths beyond which a tile counts as blurred


@dataclass(frozen=True, eq=False)
class TrueTile:
    face: str | None
    """Class of the face; None for a back or a standing tile."""
    side: str
    corners: NDArray[np.float32]
    """(4, 2) pixels; clockwise from the tile's own top left unless ``upright``."""
    upright: bool
    """The label is an upright box around the tile."""
    wanted: bool = True
    visible: float = 1.0
    """Visible share, if known."""
    shows: str | None = None
    """The face that a person sees there, if the label was found to be wrong."""
    state: str = "plain"
    """What makes it hard to read: ``cut`` by the picture's edge, ``covered``, under ``glare``,
    ``blurred``; ``plain`` for nothing known."""
    foreshortened: float | None = None
    """To which share the front of a standing tile is, if it is one."""

    @property
    def width_px(self) -> float:
        return float(np.linalg.norm(self.corners[1] - self.corners[0]))


@dataclass(frozen=True, eq=False)
class LabelledPicture:
    path: Path
    style: str
    """The group it is counted in: the photo's day, or the family of the faces."""
    tiles: tuple[TrueTile, ...]
    complete: bool
    """Every tile in it is labelled."""
    no_face: bool = False
    """It shows no face; its backs are not labelled."""
    light: str | None = None
    """Name of the light, and nominal width of a tile, of a picture of ``render.py unseen``."""
    nominal_px: int | None = None

    @property
    def tile_px(self) -> float | None:
        """Typical short side of its lying tiles, in pixels; None if none is visible."""
        lying = [tile.corners for tile in self.tiles if tile.wanted and tile.side != "standing"]
        if not lying:
            return None
        sides = np.linalg.norm(np.diff(np.array(lying), axis=1), axis=2)[:, :2]
        return float(np.median(sides.min(axis=1)))


def read_labelled(source: Path, style: str = "tables") -> list[LabelledPicture]:
    """Read a label file of photos, or a folder of ``datasets/render.py crops``.

    ``style`` is that of pictures that name none, as the tables of one set.
    """
    return _photos(source) if source.is_file() else _crops(source, style)


def _photos(labels: Path) -> list[LabelledPicture]:
    folder = labels.with_suffix("")
    disputed = {
        (row["picture"], row["tile"], row["label"]): row["shows"]
        for row in json.loads(DISPUTED.read_text())
    }
    rows = json.loads(labels.read_text())
    no_face = not any(row["tiles"] for row in rows)
    return [
        LabelledPicture(
            folder / row["file"],
            row["group"] if "group" in row else session(row["photo"]),
            tuple(
                TrueTile(
                    face_class(Tile(tile["tile"])),
                    "face",
                    np.array(tile["quad"], np.float32),
                    not tile["oriented"],
                    shows=disputed.get((row["file"], place, tile["tile"])),
                )
                for place, tile in enumerate(row["tiles"])
            ),
            complete=False,
            no_face=no_face,
        )
        for row in rows
    ]


def session(photo: str) -> str:
    """Return the day in the name of a phone's photo; otherwise how the name begins."""
    if day := re.match(r"IMG_(\d{4})(\d\d)(\d\d)_", photo):
        return "phone, {}-{}-{}".format(*day.groups())
    if re.match(r"\d+_\d+_\d+", photo):
        return "shared on the web"
    return re.split(r"[\d_]", photo)[0] or "other"


def _crops(folder: Path, style: str) -> list[LabelledPicture]:
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    return [
        LabelledPicture(
            folder / row["file"],
            row["faces"].split("-")[0] if "faces" in row else style,
            tuple(
                TrueTile(
                    face_class(Tile(tile["tile"])) if tile["side"] == "face" else None,
                    tile["side"],
                    np.array(tile["corners"], np.float32),
                    upright=False,
                    wanted=tile["visible"] >= LEAST_VISIBLE and tile["side"] != "front",
                    visible=tile["visible"],
                    state=_state(tile, (row["width"], row["height"])),
                    foreshortened=tile.get("foreshortened"),
                )
                for tile in row["tiles"]
            ),
            complete=True,
            light=row.get("light"),
            nominal_px=row.get("tile_px"),
        )
        for row in rows
    ]


def _state(tile: Mapping[str, Any], size_px: tuple[int, int]) -> str:
    corners = np.array(tile["corners"], np.float32)
    if (corners < 0).any() or (corners > size_px).any():
        return "cut"
    if tile["visible"] < IN_SIGHT:
        return "covered"
    if tile.get("glare", 0.0) > GLARE:
        return "glare"
    return "blurred" if tile.get("blur", 0.0) > BLUR else "plain"
