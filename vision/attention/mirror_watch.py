"""Notice that the picture is mirrored although nobody announced it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.detect import Detection, TileReader
from vision.notice import Notice
from vision.table.search import tiles_in
from vision.tiles.classes import DetectedTile, Side
from vision.tiles.handedness import Handedness

OFTEN_S: Final = 2.0
"""Interval between two looks until the faces make it clear, while more of them come; one look takes
30 to 60 ms."""
SELDOM_S: Final = 30.0
"""Interval otherwise, because somebody may turn the mirror on or off during a game."""
MIRRORED: Final = (
    "the picture is mirrored, as selfie cameras film: tiles are misread and the players sit the "
    "wrong way round; start again with --mirrored"
)
NOT_MIRRORED: Final = "the picture is not mirrored; start again without --mirrored"
RIGHT: Final = "the picture is no longer mirrored the wrong way"


@runtime_checkable
class HandednessSource(Protocol):
    """A detector that can measure how much faces speak for a mirrored picture."""

    def handed(
        self, image_bgr: Picture, tiles: Sequence[DetectedTile], /
    ) -> Mapping[str, float]: ...


def wrong_way(announced: bool | None, seen: bool | None) -> str | None:
    """Return one line that says what is wrong, or None.

    ``announced``: whether a person announced mirrored pictures; None if nobody did. Pictures that
    a person called mirrored are turned back before this check. ``seen``: whether the pictures that
    reach the reader look mirrored; None if unclear. A person who says that nothing is mirrored is
    believed.
    """
    if not seen or announced is False:
        return None
    return NOT_MIRRORED if announced else MIRRORED


def _tiles(picture: Picture, detector: TileReader) -> Sequence[Detection]:
    size_px = (picture.shape[1], picture.shape[0])
    return tiles_in(lambda px: detector.read(picture, None, px), size_px)


class MirrorWatch:
    """Checks the faces of a table now and then while it is read."""

    def __init__(self, detector: TileReader, announced: bool | None) -> None:
        self._detector = detector
        self._asks = (
            detector if isinstance(detector, HandednessSource) and announced is not False else None
        )
        self._announced = announced
        self._handed = Handedness()
        self._next_s = self._due_s = float("-inf")
        self._faces = 0
        """Faces at the last look."""
        self._shown = False

    def wrong_in(self, pictures: Iterable[Picture]) -> str | None:
        """What is wrong with pictures of this camera, in one line; call it before the first frame.

        Reads no more of them than it needs, and one alone if that is hardly mirrored. Frames are
        looked at less often once they were clear.
        """
        if self._asks is not None:
            for number, picture in enumerate(pictures):
                self._handed.add(self._asks.handed(picture, _tiles(picture, self._detector)))
                enough = number == 0 and self._handed.likely_plain
                if enough or self._handed.mirrored is not None:
                    break
        return wrong_way(self._announced, self._handed.mirrored)

    def look(self, frame: Frame, tiles: Sequence[Detection]) -> Iterator[Notice]:
        """Notices that follow from the tiles read in this frame."""
        if self._asks is None or frame.time_s < self._next_s:
            return
        faces = sum(tile.side is Side.FACE for tile in tiles)
        if not faces or (faces <= self._faces and frame.time_s < self._due_s):
            return
        self._handed.add(self._asks.handed(frame.image_bgr, tiles))
        seen, self._faces = self._handed.mirrored, faces
        self._due_s = frame.time_s + SELDOM_S
        self._next_s = frame.time_s + OFTEN_S if seen is None else self._due_s
        text = wrong_way(self._announced, seen)
        if text is not None and not self._shown:
            yield Notice("mirrored", frame.time_s, text, lasts=True)
        if self._shown and seen is False:
            yield Notice("mirrored", frame.time_s, RIGHT, lasts=False)
        self._shown = text is not None or (self._shown and seen is None)
