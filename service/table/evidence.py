"""Pictures with which a person can check an event; new tiles are marked."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Reveal,
    Win,
)
from engine.tiles import Tile
from service.table.reader import LookResult
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.draw import DrawableTile, around, jpeg, overlay, resized
from vision.tiles.classes import ANY_FLOWER, Side

WIDTH_PX: Final = 1600
"""Wider pictures are scaled down to this: a tile stays readable."""
CROP_WIDTH_PX: Final = 640
APART_S: Final = 0.4
STILL_PX: Final = 2.0
EARLIER_S: Final = 1.2
"""Seconds before an event at which its tile was not on the table yet."""
TRIED: Final = 5
"""Pictures that are searched for the event's tiles."""
KEPT: Final = 600
"""Pictures, some 100 MB: an event may be decided as late as the end of the hand."""

NOT_SEEN: Final = (Draw, Deal, HandEnd, GameStart, GameEnd)
"""Events of which no picture is kept."""


@dataclass(frozen=True)
class Evidence:
    """One event's pictures as JPEG files."""

    whole: bytes
    """The table with every tile outlined and named."""
    part: bytes
    """A crop around what the event changed; the whole where that is not known."""


@dataclass(frozen=True, eq=False)
class AlbumPicture:
    time_s: float
    index: int
    picture: bytes
    """JPEG: raw pictures would not fit into memory."""
    scale: float
    detections: tuple[DrawableTile, ...]


class Album:
    """The last minutes of the table as pictures."""

    def __init__(self, shots: Sequence[AlbumPicture] = ()) -> None:
        """``shots`` are those of an album to continue."""
        self._kept: deque[AlbumPicture] = deque(shots, maxlen=KEPT)

    def add(self, reading: LookResult) -> None:
        """Keep a picture, unless it shows nothing new or follows too soon."""
        frame = reading.frame
        detections = tuple(reading.detections)
        if self._kept and reading.decoding is None:
            last = self._kept[-1]
            if frame.time_s - last.time_s < APART_S or shows_the_same(detections, last.detections):
                return
        scale, picture = kept_picture(frame)
        self._kept.append(AlbumPicture(frame.time_s, frame.index, picture, scale, detections))

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def shots(self) -> tuple[AlbumPicture, ...]:
        """The pictures in order of time."""
        return tuple(self._kept)

    def forget(self, before_s: float) -> None:
        """Forget the pictures before a time, except the last one."""
        while len(self._kept) > 1 and self._kept[0].time_s < before_s:
            self._kept.popleft()

    def evidence(self, entry: Entry) -> Evidence | None:
        """The event's pictures; None where no picture can show it, or it is too old."""
        found = self.showing(entry)
        if found is None:
            return None
        after, marked = found
        image = _picture(after.picture)
        drawn = overlay(image, _scaled(after.detections, after.scale), marked)
        return Evidence(jpeg(drawn), jpeg(_part(drawn, after, marked)))

    def showing(self, entry: Entry) -> tuple[AlbumPicture, tuple[int, ...]] | None:
        """The first picture that shows an event, and the indices of its tiles; None as above."""
        if isinstance(entry.event, NOT_SEEN) or not self._kept:
            return None
        place = self._place(entry)
        return None if place is None else self._first_that_shows(entry.event, place)

    def _place(self, entry: Entry) -> int | None:
        """Index of the first picture after the event."""
        # The time is when the table first showed the event; the frame may be a later one.
        moment: float | None = entry.t
        of_kept = [kept.time_s for kept in self._kept]
        if moment is None and isinstance(entry.evidence, int):
            moment, of_kept = entry.evidence, [float(kept.index) for kept in self._kept]
        if moment is None:
            return len(self._kept) - 1
        if moment < of_kept[0] - 1.0:
            return None
        return min(bisect_left(of_kept, moment), len(self._kept) - 1)

    def _first_that_shows(self, event: Event, place: int) -> tuple[AlbumPicture, tuple[int, ...]]:
        """The first picture in which the event's tiles were read, and those tiles' indices."""
        kept = list(self._kept)
        past_s = kept[place].time_s - EARLIER_S
        before = next((k for k in reversed(kept[:place]) if k.time_s <= past_s), None)
        for after in kept[place : place + TRIED]:
            marked = changed(event, before.detections if before else (), after.detections)
            if marked:
                return after, marked
        return kept[place], ()


def kept_picture(frame: Frame) -> tuple[float, bytes]:
    """The frame as a JPEG file that is small enough to keep, and its scale."""
    scale = min(1.0, WIDTH_PX / frame.size_px[0])
    smaller = frame.scaled_bgr(scale) if scale < 1.0 else None
    picture = resized(frame.image_bgr, scale) if smaller is None else smaller
    return scale, jpeg(picture, quality=85)


def changed(
    event: Event, before: Sequence[DrawableTile], after: Sequence[DrawableTile]
) -> tuple[int, ...]:
    """Indices in ``after`` of the event's tiles; only of new ones if there are any."""
    wanted = {_face(tile) for tile in event_tiles(event)}
    named = [
        place
        for place, tile in enumerate(after)
        if tile.side is Side.FACE and (not wanted or _face(tile.tile) in wanted)
    ]
    new = tuple(place for place in named if not _was_there(after[place], before))
    if new or not isinstance(event, Chow | Pung | Kong | Win):
        return new
    return tuple(named) if len(named) <= 4 else ()


def event_tiles(event: Event) -> tuple[Tile, ...]:
    """The tiles that an event shows; one for all four of a kong."""
    match event:
        case Discard(tile=tile) | Indicator(tile=tile):
            return (tile,)
        case Chow(tile=tile, own=own) | Pung(tile=tile, own=own):
            return (tile, *own)
        case Kong(tile=tile):
            return (tile,)
        case Win(tile=tile, hand=hand):
            return (tile, *(hand or ()))
        case Reveal(tiles=tiles):
            return tiles
        case HandStart() | DrawnHand() | _:
            return ()


def _face(tile: Tile) -> str:
    return ANY_FLOWER if tile.suit == "f" else str(tile)


def _was_there(tile: DrawableTile, before: Sequence[DrawableTile]) -> bool:
    middle = tile.corners_px.mean(axis=0)
    near_px = float(np.linalg.norm(tile.corners_px[1] - tile.corners_px[0])) / 2
    return any(
        other.side is Side.FACE
        # An unknown face says nothing about which tile it is.
        and (other.tile == tile.tile or not tile.tile.known)
        and float(np.linalg.norm(other.corners_px.mean(axis=0) - middle)) < near_px
        for other in before
    )


def shows_the_same(one: Sequence[DrawableTile], other: Sequence[DrawableTile]) -> bool:
    """Whether the same tiles are at the same places."""
    if len(one) != len(other):
        return False
    return all(
        a is b or (a.tile == b.tile and float(np.abs(a.corners_px - b.corners_px).max()) < STILL_PX)
        for a, b in zip(one, other, strict=True)
    )


def _part(drawn: Picture, kept: AlbumPicture, marked: Sequence[int]) -> Picture:
    width = drawn.shape[1]
    if marked:
        corners = [kept.detections[place].corners_px * kept.scale for place in marked]
        drawn = around(drawn, corners, margin_px=width / 11)
    return resized(drawn, min(1.0, CROP_WIDTH_PX / drawn.shape[1]))


def _picture(data: bytes) -> Picture:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("a picture that was just written cannot be read")
    return image.astype(np.uint8, copy=False)


@dataclass(frozen=True, eq=False)
class _Smaller:
    side: Side
    corners_px: np.typing.NDArray[np.float32]
    tile: Tile


def _scaled(detections: Sequence[DrawableTile], scale: float) -> Sequence[DrawableTile]:
    if scale == 1.0:
        return detections
    return [_Smaller(d.side, (d.corners_px * scale).astype(np.float32), d.tile) for d in detections]
