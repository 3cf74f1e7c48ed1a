"""The pictures of a film as an interrupted camera takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from games.interruptions import SHOULDERS_MM, InterruptedFilm, Interruption, interrupted
from numpy.typing import NDArray

from engine.codec import read_record
from engine.events import GameStart
from studio.film.director import Mark
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.table.view import TableView, from_seat

SKIN_PX: Final = 0.025
"""Size of the blurred spots of a hand before the lens, as a share of the picture's width."""
TREMBLES: Final = 0.007
"""How far it trembles, as a share of that width."""
LAMPS_OFF: Final = 0.06
"""Light that is left once the lamps are off: monitors, a window at night."""
GRAIN: Final = 2.0
"""Standard deviation of the noise in the dark, in grey levels."""
HEAD_MM: Final = 350.0
"""How high a person who leans over the table is above it."""
CLOTH: Final = (70, 55, 50)


def interruptions_of(folder: Path, name: str) -> InterruptedFilm:
    """Return what interrupts a film of ``datasets/simulate.py``, and what is then true of it."""
    record = read_record((folder / "record.jsonl").read_text(encoding="utf-8"))
    start = record[0].event
    assert isinstance(start, GameStart), "a record begins with the game"
    marks = [Mark(entry.t or 0.0, entry.event) for entry in record]
    return interrupted(name, marks, start.rules, len(record))


class InterruptedPictures:
    """Spoils frames, and leaves out those before a late start or after an early stop."""

    def __init__(self, film: InterruptedFilm, view: TableView) -> None:
        self._film, self._view = film, view
        width, height = view.picture_px
        rng = np.random.default_rng(11)
        spots = rng.integers(20, 120, (round(1 / SKIN_PX), round(1 / SKIN_PX), 3)).astype(np.uint8)
        skin = cv2.resize(spots, (width, height), interpolation=cv2.INTER_CUBIC)
        self._skin = np.asarray(skin, np.uint8)
        self._noise = rng

    def frames(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        start = self._film.start
        for index, frame in enumerate(frames):
            film_s = round(start.film_s(frame.time_s), 3)
            if frame.time_s >= start.from_s and film_s <= start.until_s:
                yield replace(frame, pixels=self._seen(frame, film_s), time_s=film_s, index=index)

    def _seen(self, frame: Frame, film_s: float) -> Picture:
        picture = frame.image_bgr
        person = self._film.at("leaning", film_s)
        if person is not None:
            picture = self._with_person(picture, person, self._film.start.played_s(film_s))
        if self._film.at("dark", film_s) is not None:
            levels = np.arange(256) * LAMPS_OFF ** (1 / 2.2)
            dark = levels.astype(np.float32)[picture]
            dark += self._noise.normal(0, GRAIN, picture.shape).astype(np.float32)
            picture = np.asarray(np.clip(dark, 0, 255), np.uint8)
        if self._film.at("covered", film_s) is not None:
            picture = self._covered(film_s)
        return picture

    def _covered(self, film_s: float) -> Picture:
        height, width = self._skin.shape[:2]
        moved = np.eye(3)[:2]
        moved[:, 2] = TREMBLES * width * np.array([np.sin(5 * film_s), np.sin(7 * film_s)])
        seen = cv2.warpAffine(self._skin, moved, (width, height), borderMode=cv2.BORDER_REFLECT)
        return np.asarray(seen, np.uint8)

    def _with_person(self, picture: Picture, person: Interruption, played_s: float) -> Picture:
        """The picture with the shoulders and the head of somebody who leans over the table."""
        out = picture.copy()
        half_mm = min(self._view.half_mm)
        reach_mm = person.reach_at(played_s)
        for wide_mm, deep_mm, colour in (
            (SHOULDERS_MM, reach_mm + SHOULDERS_MM / 2, CLOTH),
            (90.0, reach_mm / 3, (25, 25, 30)),
        ):
            own = self._ellipse(wide_mm, deep_mm, half_mm + SHOULDERS_MM / 2)
            outline = self._view.to_image(from_seat(own, person.seat), HEAD_MM)
            cv2.fillPoly(out, [np.rint(outline).astype(np.int32)], colour)
        return out

    @staticmethod
    def _ellipse(wide_mm: float, deep_mm: float, at_mm: float) -> NDArray[np.float64]:
        turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        return np.column_stack([wide_mm * np.cos(turn), at_mm - deep_mm * np.sin(turn)])
