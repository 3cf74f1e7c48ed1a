"""The owner's set of tiles, laid out before the camera: its pictures, their names, the profile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engine.errors import Refused
from engine.texts.announcements import tile_name
from engine.tiles import KINDS, REDS, Tile
from service.evening.wire import FaceGiven, LaidPicture, LaidTile, SetGain
from service.machine.files import data_address
from vision.arrays import Bytes
from vision.detect import Detector
from vision.draw import jpeg
from vision.tile_set.agreement import agreeing
from vision.tile_set.enroll import LaidOutSet, laid_out, names_of, profile_of
from vision.tile_set.gain import gain_of
from vision.tile_set.profile import patch_of, upright_crop
from vision.tiles.classes import ANY_FLOWER, FACE_INDEX

MOST_PICTURES: Final = 4
FACES_TO_NAME: Final = (*KINDS, *REDS, ANY_FLOWER)
"""What a person may call a tile."""


@dataclass(frozen=True, eq=False)
class _Picture:
    image_bgr: Bytes
    laid: LaidOutSet

    def corrected(self, said: Mapping[int, int | None]) -> _Picture:
        """The picture with what a person said of its tiles: faces by number, None for no tile."""
        faces, odd, doubtful = list(self.laid.faces), {*self.laid.odd}, {*self.laid.doubtful}
        for number, face in said.items():
            if not 1 <= number <= len(faces):
                raise Refused(f"there is no tile {number}: the picture has 1 to {len(faces)}")
            doubtful.discard(number - 1)
            odd.discard(number - 1)
            if face is None:
                odd.add(number - 1)
            else:
                faces[number - 1] = face
        laid = replace(
            self.laid, faces=tuple(faces), doubtful=tuple(sorted(doubtful)), odd=tuple(sorted(odd))
        )
        return _Picture(self.image_bgr, laid)


class SetLaidOut:
    """Pictures of one set laid out; the methods are called one after the other."""

    def __init__(self, load: Callable[[], Detector]) -> None:
        """``load`` returns a detector that knows no profile."""
        self._load = load
        self._pictures: list[_Picture] = []

    def add(self, image_bgr: Bytes, tile_px: float | None) -> LaidPicture:
        """Name the tiles of another picture; raises ``ProfileError``, ``Refused``.

        ``tile_px`` is the width of a tile as far as the table's place tells it.
        """
        if len(self._pictures) == MOST_PICTURES:
            raise Refused(f"{MOST_PICTURES} pictures are enough; use them or start over")
        laid = laid_out(self._load(), image_bgr, tile_px=tile_px)
        self._pictures.append(_Picture(image_bgr, laid))
        shown = {name for picture in self._pictures for name in names_of(picture.laid.faces)}
        return {
            "picture": len(self._pictures),
            "tiles": _tiles(image_bgr, laid),
            "missing": [kind for kind in KINDS if kind not in shown],
        }

    def use(self, told: Sequence[FaceGiven], out: Path) -> SetGain:
        """Learn the set, write its profile and return what it gains.

        Raises ``ProfileError``, ``Refused``, and ``OSError`` where it cannot be written.
        """
        if not self._pictures:
            raise Refused("take a picture of the set laid out first")
        said = _by_picture(told, len(self._pictures))
        known = [picture.corrected(said[at]) for at, picture in enumerate(self._pictures, 1)]
        settled = [
            {number - 1 for number, face in said[at].items() if face is not None}
            for at in range(1, len(known) + 1)
        ]
        recogniser = self._load().recogniser
        pictures = [(picture.image_bgr, picture.laid) for picture in known]
        profile = profile_of(agreeing(pictures, lambda c: recogniser.plainly(c)[1], settled))
        profile.save(out)
        return SetGain(**vars(gain_of(recogniser, profile)), file=out.name)


def faces_to_name(lang: str) -> dict[str, str]:
    """The faces to choose from, with their names."""
    return {face: tile_name(Tile(face), lang) for face in FACES_TO_NAME}


def _tiles(image_bgr: Bytes, laid: LaidOutSet) -> list[LaidTile]:
    """Each tile with its name and as an upright crop."""
    asked = {*laid.doubtful, *laid.odd}
    rows = enumerate(zip(laid.tiles, names_of(laid.faces), strict=True))
    return [
        {
            "number": place + 1,
            "face": None if place in laid.odd else name,
            "asked": place in asked,
            "crop": _data(upright_crop(patch_of(image_bgr, tile.corners_px))),
        }
        for place, (tile, name) in rows
    ]


def _data(crop_bgr: Bytes) -> str:
    return data_address(jpeg(crop_bgr, quality=90))


def _by_picture(told: Sequence[FaceGiven], pictures: int) -> Mapping[int, dict[int, int | None]]:
    """Return the faces that a person named by picture and tile; None: it is no tile."""
    said: dict[int, dict[int, int | None]] = defaultdict(dict)
    for given in told:
        if not 1 <= given.picture <= pictures:
            raise Refused(f"there are pictures 1 to {pictures}, and no {given.picture}")
        if given.face is not None and given.face not in FACE_INDEX:
            raise Refused(f"expected a tile such as 5m, 0p, 7z or 1f, got {given.face!r}")
        said[given.picture][given.tile] = None if given.face is None else FACE_INDEX[given.face]
    return said
