"""A web page with a picture of every error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np
from evaluation.labels import TrueTile
from evaluation.match import ReadPicture
from evaluation.metrics import named
from jinja2 import Environment, FileSystemLoader
from numpy.typing import NDArray

from vision.detect import Detection
from vision.tiles.classes import FACES

SHOWN_PX = 168
SURROUNDINGS = 0.6  # width of the shown surroundings, in sides of the tile
BGR = {"true": (60, 200, 0), "found": (0, 0, 255)}
GREEN, YELLOW, RED = (0, 200, 0), (0, 220, 255), (0, 0, 255)
BLUE, PINK = (255, 0, 0), (255, 0, 255)


class ErrorKind(StrEnum):
    """What went wrong, worst first."""

    SURE = "sure and wrong"
    UNSURE = "named wrongly, but not believed"
    MISSED = "missed"
    EXTRA = "nothing labelled there"


@dataclass(frozen=True)
class Error:
    kind: ErrorKind
    picture: str
    """File name of the whole picture with its errors outlined."""
    style: str
    truth: str
    shows: str
    """What a person sees there, if the label was found to be wrong."""
    read: str
    second: str
    """The second likeliest face."""
    confidence: float
    width_px: float
    crop: str
    """File name of the enlarged tile."""


@dataclass
class ErrorGallery:
    """Collects errors and their pictures in ``out/crops``."""

    out: Path
    found: list[Error] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.out / "crops").mkdir(parents=True, exist_ok=True)

    def add(self, read: ReadPicture, shown: str) -> None:
        """Record the errors of one picture; the file ``shown`` shows it whole."""
        for tile, detection in read.tiles():
            if not tile.wanted or (detection is not None and tile.face is None):
                continue
            if detection is None:
                kind = ErrorKind.MISSED
            elif named(detection) != tile.face:
                kind = ErrorKind.SURE if detection.tile.known else ErrorKind.UNSURE
            else:
                continue
            self._note(read, shown, kind, tile, detection)
        for j, inside in read.extras:
            if inside:
                self._note(read, shown, ErrorKind.EXTRA, None, read.detections[j])

    def _note(
        self,
        whole: ReadPicture,
        shown: str,
        kind: ErrorKind,
        tile: TrueTile | None,
        detection: Detection | None,
    ) -> None:
        outlines = [(tile.corners, "true")] if tile is not None else []
        if detection is not None:
            outlines.append((detection.corners_px, "found"))
        crop = f"{len(self.found):05d}.jpg"
        cv2.imwrite(str(self.out / "crops" / crop), _enlarged(whole.image_bgr, outlines))
        read, second, confidence = "", "", 0.0
        if detection is not None and detection.probabilities.any():
            order = np.argsort(-detection.probabilities)
            names = [named(detection), _with_share(detection, int(order[1]))]
            read, second, confidence = names[0], names[1], detection.confidence
        elif detection is not None:
            read, confidence = detection.side.value, detection.score
        wide = float(np.linalg.norm(outlines[0][0][1] - outlines[0][0][0]))
        truth, shows = ("", "") if tile is None else (tile.face or tile.side, tile.shows or "")
        style = whole.picture.style
        self.found.append(
            Error(kind, shown, style, truth, shows, read, second, confidence, wide, crop)
        )

    def write_page(self, title: str, report: dict[str, object], pictures: Sequence[str]) -> None:
        """Write ``index.html``: the figures, then every error, the most confident first."""
        loader = FileSystemLoader(Path(__file__).parent)
        page = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
        groups = [
            (kind, sorted((e for e in self.found if e.kind is kind), key=lambda e: -e.confidence))
            for kind in ErrorKind
        ]
        text = page.get_template("page.html").render(
            title=title, report=report, groups=groups, pictures=pictures
        )
        (self.out / "index.html").write_text(text)


def _with_share(detection: Detection, face: int) -> str:
    return f"{FACES[face]} {detection.probabilities[face]:.3f}"


def _enlarged(
    image_bgr: NDArray[np.uint8], outlines: Sequence[tuple[NDArray[np.float32], str]]
) -> NDArray[np.uint8]:
    """Return the enlarged tile twice: plain, and with its outlines."""
    points = np.concatenate([corners for corners, _ in outlines])
    low, high = points.min(axis=0), points.max(axis=0)
    half = float((high - low).max()) * (0.5 + SURROUNDINGS / 2)
    scale = SHOWN_PX / (2 * half)
    shift = SHOWN_PX / 2 - scale * (low + high) / 2
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]], np.float32)
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    plain = cv2.warpAffine(image_bgr, matrix, (SHOWN_PX, SHOWN_PX), flags=how)
    drawn = plain.copy()
    for corners, name in outlines:
        places = np.round(corners * scale + shift).astype(np.int32)
        cv2.polylines(drawn, [places], True, BGR[name], 1, cv2.LINE_AA)
    return np.asarray(np.hstack([plain, drawn]), np.uint8)


def outlined(read: ReadPicture) -> NDArray[np.uint8] | None:
    """Outline the tiles of a picture; return None if it has no error.

    Found tiles are green, misnamed ones yellow with both names, missed ones red, extra ones blue.
    """
    out, errors = read.image_bgr.copy(), any(inside for _, inside in read.extras)
    for tile, detection in read.tiles():
        if not tile.wanted:
            continue
        if detection is None:
            errors = True
            _outline(out, tile.corners, RED, 2)
            continue
        name = named(detection) if tile.face else None
        _outline(out, detection.corners_px, GREEN if name == tile.face else YELLOW, 1)
        if name != tile.face:
            errors = True
            x, y = (int(v) for v in detection.corners_px.mean(axis=0))
            text = f"{name} not {tile.face}"
            cv2.putText(out, text, (x - 20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, PINK, 1)
    for j, _ in read.extras:
        _outline(out, read.detections[j].corners_px, BLUE, 1)
    return out if errors else None


def _outline(
    image: NDArray[np.uint8], corners: NDArray[np.float32], bgr: tuple[int, int, int], thick: int
) -> None:
    cv2.polylines(image, [corners.astype(np.int32)], True, bgr, thick)
