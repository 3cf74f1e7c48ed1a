"""The colour of the light, seen on the bodies of tiles and on what lies around them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Floats
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, Region
from vision.detect import Detection
from vision.notice import Notice
from vision.table.quality import QualityCheck, QualityGrade, graded
from vision.tiles import fives
from vision.tiles.classes import Side
from vision.tiles.rectify import MARGIN, rectify

EVERY_S: Final = 2.0
"""Interval between two measurements."""
AT_ONCE: Final = 6
"""Most tiles that one measurement takes."""
KEPT: Final = 40
"""Number of measured tiles, the newest ones, that count."""
LEAST: Final = 2
"""With fewer measured tiles the light is unknown."""
BODY: Final = 60
"""Percentile of brightness from which a tile's pixels show its body, not its print."""
BORDER: Final = 0.16
"""Share of a crop on each side that shows other things than the face."""
USUAL: Final = np.array([-0.06, 0.0, 0.09], np.float32)
"""Logarithms of blue, green and red of a tile against green in light that is called white."""
CORRECTED: Final = 0.3
"""Pictures are corrected if the colour is farther than this from ``USUAL``. Measured: five sets in
white light were up to 0.17 away. At 0.4 to 0.7 one face in forty is taken for a back, and read
rightly once the picture is corrected."""
RENEWED: Final = 0.1
"""A correction that is off by less is kept, so that the same tile is always read in the same way.
"""
AROUND: Final = (16, 9)
"""Number of places, across and down the picture, that show whether everything is coloured like the
tiles."""
PLACE_PX: Final = 8
"""Side of each of these places, in pixels."""
LATELY: Final = 5
"""Number of measurements, the last ones, whose places count."""
SHADED: Final = (25, 250)
"""Places are too dark or too bright to count if their brightest colour is outside of this range."""
LEAST_COLOURED, OF_THAT = 25, 0.12
"""In coloured light, at this percentile the places show at least this share of the tiles' colour.
Measured on three tables: 0.2 to 1.1 in light of four colours, at most 0.05 where tiles of five
colours lay in white light."""
STRONG, WEAK = 0.48, 0.4
"""Distances from white light: people are told of one above the first, and of its end below the
second."""
TOO_STRONG: Final = 1.0
"""Distance from white light at which one colour is almost missing."""
ADVICE: Final = "the light is strongly coloured: set the camera's white balance, or change the lamp"

GREY: Final = (
    "the picture has no colours: red fives cannot be told from others; turn the camera's night "
    "mode off, or give the table light"
)

Whitening = Bytes
"""(1, 256, 3): what each value of blue, green and red becomes."""


class TintWatch:
    """Takes the sure faces of frames, and knows how their light is coloured."""

    def __init__(self) -> None:
        self.whitening: Whitening | None = None
        """None where the light is white enough."""
        self._bodies: deque[Floats] = deque(maxlen=KEPT)
        self._around: deque[Floats] = deque(maxlen=LATELY)
        self._corrected = np.zeros(3, np.float32)
        self._next_s = -np.inf
        self._told = False
        self.grey = False
        """The picture has no colours, ..."""
        self.was_grey = False
        """... or had none once."""
        self._grey_told = False
        self._seen_s = -np.inf
        """When a frame was last asked whether it has colours."""
        self._turned_s = -np.inf
        """When the colours went or came."""
        self.tint: Floats | None = None
        """Logarithms of how much more blue, green and red the light is; None if unknown."""

    def _measured(self) -> Floats | None:
        """The tint by what was seen lately.

        If only the tiles are coloured and the room is not, the tiles themselves have that colour.
        """
        if len(self._bodies) < LEAST:
            return None
        tint = np.median(self._bodies, axis=0) - USUAL
        strength = np.linalg.norm(tint)
        around = np.concatenate(self._around) @ tint
        if len(around) and np.percentile(around, LEAST_COLOURED) < OF_THAT * strength**2:
            tint = np.zeros(3)
        return np.asarray(tint, np.float32)

    @property
    def strength(self) -> float:
        """How far the light is from white."""
        return 0.0 if self.tint is None else float(np.linalg.norm(self.tint))

    def see(self, frame: Frame, apart_s: float = 0.0) -> None:
        """Whether this frame has colours; call it before its tiles are read.

        ``apart_s``: nothing is done where that was asked of a frame less long ago.
        """
        if frame.time_s - self._seen_s < apart_s:
            return
        self._seen_s = frame.time_s
        grey = frame.colourless
        if grey is not self.grey:
            self.grey, self._turned_s = grey, frame.time_s
        self.was_grey |= self.grey

    def take(self, frame: Frame, tiles: Sequence[Detection]) -> bool:
        """Measure tiles now and then; return whether the correction has changed."""
        sure = [tile for tile in tiles if tile.side is Side.FACE and tile.tile.known]
        if frame.time_s < self._next_s or not sure:
            return False
        self._next_s = frame.time_s + EVERY_S
        sure = sorted(sure, key=lambda one: -one.confidence)[:AT_ONCE]
        picture = frame.parts([_crop_of(tile.corners_px) for tile in sure])
        self._bodies += [_body(picture, tile.corners_px) for tile in sure]
        self._around.append(_colours_around(frame, tiles))
        return self._renewed()

    def _renewed(self) -> bool:
        tint = self.tint = self._measured()
        if tint is None or self.strength < CORRECTED:
            tint = np.zeros(3, np.float32)
        if np.abs(tint - self._corrected).max() < RENEWED:
            return False
        self._corrected = tint
        values = np.arange(256)[None, :, None] * np.exp(-tint)
        self.whitening = np.clip(values, 0, 255).astype(np.uint8) if tint.any() else None
        return True

    def findings(self, ever: bool = False) -> tuple[QualityCheck, ...]:
        """How far the light is from white, if enough tiles were seen, and whether there is colour.

        ``ever``: whether there always was.
        """
        known = self.tint is not None
        tint = (graded("tint", self.strength, STRONG, TOO_STRONG),) if known else ()
        grey = self.was_grey if ever else self.grey
        return (*tint, QualityCheck("grey", 1.0, QualityGrade.POOR)) if grey else tint

    def notices(self, now_s: float) -> Iterator[Notice]:
        """What is new to be told of the light."""
        if self.grey is not self._grey_told and now_s - self._turned_s >= EVERY_S:
            self._grey_told = self.grey
            text = GREY if self.grey else "the picture has colours again"
            yield Notice("grey", now_s, text, lasts=self.grey)
        if self.strength > STRONG and not self._told:
            self._told = True
            yield Notice("tint", now_s, ADVICE, lasts=True)
        elif self.strength < WEAK and self._told:
            self._told = False
            yield Notice("tint", now_s, "the light is no longer so coloured", lasts=False)


def without_colour(tiles: Sequence[Detection]) -> list[Detection]:
    """The tiles of a picture without colours: a five may be a red one, which nobody can see."""
    return [_either_five(tile) for tile in tiles]


def _either_five(tile: Detection) -> Detection:
    shares = fives.without_colour(tile.probabilities)
    before, now = float(tile.probabilities.max()), float(shares.max())
    if now == before or tile.trust is None:
        return replace(tile, probabilities=shares)
    return replace(tile, probabilities=shares, trust=tile.trust * now / before)


def whitened(picture: Picture, parts: Sequence[Region], whitening: Whitening | None) -> Picture:
    """The picture, with at least these parts filled in, as white light shows it."""
    if whitening is None:
        return picture
    white = np.zeros_like(picture)
    for x0, y0, x1, y1 in parts:
        here = slice(max(0, y0), max(0, y1)), slice(max(0, x0), max(0, x1))
        if picture[here].size:
            white[here] = cv2.LUT(picture[here], whitening)
    return white


def _colours_around(frame: Frame, tiles: Sequence[Detection]) -> Floats:
    """(n, 3): logarithms of blue, green and red against green in places beside the tiles."""
    width, height = frame.size_px
    across, down = (
        np.linspace(0, size - PLACE_PX, count).astype(int) // 2 * 2
        for size, count in zip((width, height), AROUND, strict=True)
    )
    places = [(x, y, x + PLACE_PX, y + PLACE_PX) for y in down.tolist() for x in across.tolist()]
    for tile in tiles:
        x, y = tile.corners_px.mean(axis=0)
        far = float(np.ptp(tile.corners_px, axis=0).max()) + PLACE_PX
        places = [place for place in places if max(abs(place[0] - x), abs(place[1] - y)) > far]
    picture = frame.parts(places)
    shown = [picture[y0:y1, x0:x1].mean(axis=(0, 1)) for x0, y0, x1, y1 in places]
    colours = np.array(shown, np.float32).reshape(-1, 3)
    brightest = colours.max(axis=1, initial=0.0)
    colours = np.log(colours[(brightest > SHADED[0]) & (brightest < SHADED[1])] + 1)
    return np.asarray(colours - colours[:, 1:2], np.float32)


def _crop_of(corners_px: Floats) -> Region:
    """The pixels that a crop of the tile needs."""
    low, high = corners_px.min(axis=0), corners_px.max(axis=0)
    margin = 2 * MARGIN * (high - low) + 2
    (x0, y0), (x1, y1) = np.floor(low - margin).tolist(), np.ceil(high + margin).tolist()
    return int(x0), int(y0), int(x1), int(y1)


def _body(picture: Picture, corners_px: Floats) -> Floats:
    """(3,): logarithms of blue, green and red of a tile around its print, against green."""
    crop = rectify(picture, corners_px)
    height, width = crop.shape[:2]
    y, x = round(BORDER * height), round(BORDER * width)
    pixels = crop[y : height - y, x : width - x].reshape(-1, 3).astype(np.float32)
    light = pixels.sum(axis=1)
    body = np.log(np.median(pixels[light >= np.percentile(light, BODY)], axis=0) + 1)
    return np.asarray(body - body[1], np.float32)
