"""A clip of an evening's best moments: a title card, a few seconds of each, what they show below.

It is encoded from a film, or from kept pictures. Nothing here knows the game or who may see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import av
import numpy as np

from engine.errors import NotThere
from service.table.lettering import BETWEEN, can_write, cut, wide_px, writable, write
from service.table.pictures import Pictures
from vision.camera.pictures import Picture
from vision.draw import resized

BEFORE_S, AFTER_S = 4.0, 3.0
"""Seconds that are shown around a moment."""
TITLE_S: Final = 3.0
LONGEST_S: Final = 60.0
MOST_PIECES: Final = int((LONGEST_S - TITLE_S) / (BEFORE_S + AFTER_S))
FPS: Final = 15
WIDTH_PX, PICTURE_PX, BELOW_PX = 1280, 720, 96
"""A picture, and the room below it for what is said: no tile is covered."""
MARGIN_PX: Final = 32
TITLE_SIZES_PX: Final = (64, 44, 32)
"""Of the lines of the title card: what it is, who played, when and what."""
SAID_PX: Final = 36
LEAST_PX: Final = 22
"""Smaller letters are not readable on a phone."""
_GROUND_BGR: Final = (45, 33, 20)
_INK_BGR: Final = (240, 243, 238)


@dataclass(frozen=True)
class Form:
    """How a clip is encoded, and what such a file is."""

    codec: str
    container: str
    media_type: str
    options: tuple[tuple[str, str], ...]


FORMS: Final = (
    # Every phone plays it.
    Form("libx264", "mp4", "video/mp4", (("preset", "veryfast"), ("crf", "25"))),
    # For builds of FFmpeg without it: phones of the last years play it.
    Form("libvpx", "webm", "video/webm", (("deadline", "realtime"), ("crf", "20"), ("b", "2M"))),
)


@dataclass(frozen=True)
class Line:
    """What a clip says."""

    said: str
    """As its captions have it."""
    written: str
    """As its pictures have it: who has a name that no font can write is called otherwise."""


@dataclass(frozen=True)
class Piece:
    """A few seconds in the time of the record, and what is said of them."""

    from_s: float
    to_s: float
    line: Line


@dataclass(frozen=True)
class Clip:
    data: bytes
    captions: str
    """WebVTT: what stands in the pictures, too, where they could be written into."""
    form: Form
    seconds: float
    pieces: int


Footage = Callable[[float, float], Iterator[tuple[float, Picture]]]
"""Pictures between two times, in order, each with its time: who sat there before was not asked."""


class Cancelled(Exception):
    """Nobody wants the clip any more."""


class NoCodec(Exception):
    """This build of FFmpeg writes none of our forms."""


class NoPictures(Exception):
    """Nothing shows any of the moments."""


def kept_footage(pictures: Pictures) -> Footage:
    """The pictures that were kept of a table: one at each change of what lies there."""

    def between(from_s: float, to_s: float) -> Iterator[tuple[float, Picture]]:
        for shot in pictures.between(from_s, to_s):
            if shot.time_s < from_s:
                continue  # it shows another moment, and perhaps other people
            try:
                yield shot.time_s, pictures.image(shot.number)
            except NotThere:  # its file is gone or damaged
                continue

    return between


def make_clip(
    title: Sequence[Line],
    pieces: Sequence[Piece],
    footage: Footage,
    progress: Callable[[float], None] = lambda share: None,
) -> Clip:
    """Encode the title and the pieces that anything shows; at most a minute.

    ``progress`` hears which share is done, many times a second; it may raise ``Cancelled``. Raises
    ``NoPictures``, and ``NoCodec`` where FFmpeg writes none of our forms.
    """
    form = next((one for one in FORMS if one.codec in av.codecs_available), None)
    if form is None:
        raise NoCodec
    shown = [(TITLE_S, BETWEEN.join(line.said for line in title))]
    written = BytesIO()
    opening = title_card([line.written for line in title])
    with av.open(written, "w", format=form.container) as container:
        stream = _stream(container, form)
        for _ in range(round(TITLE_S * FPS)):
            _encode(container, stream, opening)
        for at, piece in enumerate(pieces[:MOST_PIECES]):
            lasts_s = 0.0
            for share, card in _cards(piece, footage(piece.from_s, piece.to_s)):
                progress((at + share) / len(pieces))
                _encode(container, stream, card)
                lasts_s += 1 / FPS
            if lasts_s:
                shown.append((lasts_s, piece.line.said))
        if len(shown) == 1:
            raise NoPictures
        for packet in stream.encode():
            container.mux(packet)
    progress(1.0)
    seconds = sum(lasts_s for lasts_s, _ in shown)
    return Clip(written.getvalue(), to_webvtt(shown), form, round(seconds, 2), len(shown) - 1)


def _stream(container: Any, form: Form) -> Any:
    stream = container.add_stream(form.codec, rate=FPS, options=dict(form.options))
    stream.width, stream.height = WIDTH_PX, PICTURE_PX + BELOW_PX
    stream.pix_fmt = "yuv420p"
    stream.codec_context.thread_count = 1  # the table goes first
    return stream


def _encode(container: Any, stream: Any, card: Picture) -> None:
    for packet in stream.encode(av.VideoFrame.from_ndarray(card, format="bgr24")):
        container.mux(packet)


def _cards(
    piece: Piece, frames: Iterator[tuple[float, Picture]]
) -> Iterator[tuple[float, Picture]]:
    """Each picture of a piece with the share of it that is done; none where nothing shows it."""
    coming = next(frames, None)
    if coming is None:
        return
    below = written(_card(BELOW_PX), [piece.line.written], [SAID_PX])
    card, count = _with_picture(coming[1], below), round((piece.to_s - piece.from_s) * FPS)
    for number in range(count):
        now_s = piece.from_s + number / FPS
        newest = None
        while coming is not None and coming[0] <= now_s:
            newest, coming = coming[1], next(frames, None)
        if newest is not None:
            card = _with_picture(newest, below)
        yield number / count, card


def _card(height_px: int) -> Picture:
    return np.full((height_px, WIDTH_PX, 3), _GROUND_BGR, np.uint8)


def _with_picture(image: Picture, below: Picture) -> Picture:
    scale = min(WIDTH_PX / image.shape[1], PICTURE_PX / image.shape[0])
    small = resized(image, scale)[:PICTURE_PX, :WIDTH_PX]
    card = _card(PICTURE_PX)
    top, left = (PICTURE_PX - small.shape[0]) // 2, (WIDTH_PX - small.shape[1]) // 2
    card[top : top + small.shape[0], left : left + small.shape[1]] = small
    return np.vstack([card, below])


def title_card(lines: Sequence[str]) -> Picture:
    return written(_card(PICTURE_PX + BELOW_PX), lines, TITLE_SIZES_PX)


def written(card: Picture, lines: Sequence[str], sizes_px: Sequence[int]) -> Picture:
    """The card with lines in its middle; as it is where no font has all letters.

    A line that is too wide is written smaller, and cut where it would be too small.
    """
    if not can_write():
        return card
    step_px, room_px = 1.9, WIDTH_PX - 2 * MARGIN_PX
    y = card.shape[0] / 2 - step_px * sum(sizes_px[: len(lines)]) / 2
    for given, size_px in zip(lines, sizes_px, strict=False):
        line = writable(given)
        fits = min(1.0, room_px / max(1, wide_px(line, size_px)))
        own_px = max(LEAST_PX, int(size_px * fits))
        line = cut(line, own_px, room_px)
        left = (WIDTH_PX - wide_px(line, own_px)) // 2
        base = round(y + step_px * size_px / 2 + 0.35 * own_px)
        y += step_px * size_px
        write(card, line, (left, base), own_px, _INK_BGR)
    return card


def to_webvtt(shown: Sequence[tuple[float, str]]) -> str:
    """What is said for how many seconds, one after the other, as WebVTT."""
    cues, begins_s = ["WEBVTT"], 0.0
    for lasts_s, said in shown:
        plain = " ".join(said.split())
        for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            plain = plain.replace(sign, name)
        cues.append(f"{_at(begins_s)} --> {_at(begins_s + lasts_s)}\n{plain}")
        begins_s += lasts_s
    return "\n\n".join(cues) + "\n"


def _at(time_s: float) -> str:
    whole, thousandths = divmod(round(1000 * time_s), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}.{thousandths:03}"
