"""Flat pictures of what is taken for tiles and is none: keys, captions, displays, brands, cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.faces.style import FAMILY, TRAINING_FAMILIES
from studio.faces.writing import CHARACTERS, has, outlines
from vision.arrays import Bytes

Ink = tuple[int, int, int]
"""Blue, green, red."""

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
LATIN: Final = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)
_FONTS: Final = sorted({font for name in TRAINING_FAMILIES for font in FAMILY[name].fonts})
_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@dataclass(frozen=True, eq=False)
class FlatThing:
    """A thing seen from above."""

    image_bgr: Bytes
    """(h, w, 3)"""
    opacity: NDArray[np.float32]
    """(h, w), 0..1"""


def flat_thing(unit_px: float, rng: np.random.Generator) -> FlatThing:
    """Return a thing for a picture whose tiles are about ``unit_px`` wide."""
    return _KINDS[int(rng.integers(len(_KINDS)))](max(8, round(unit_px)), rng)


def _keys(unit: int, rng: np.random.Generator) -> FlatThing:
    """A part of a keyboard, or the buttons of a calculator."""
    key = round(unit * rng.uniform(0.6, 1.3))
    gap, rows, columns = max(1, key // 8), int(rng.integers(1, 5)), int(rng.integers(1, 8))
    cap, ink = _contrast(rng)
    image = _sheet((key + gap) * columns + gap, (key + gap) * rows + gap, _colour(rng))
    for row in range(rows):
        for column in range(columns):
            x, y = gap + column * (key + gap), gap + row * (key + gap)
            cv2.rectangle(image, (x, y), (x + key, y + key), cap, -1)
            middle = (x + key * rng.uniform(0.3, 0.5), y + key * rng.uniform(0.3, 0.5))
            _write(image, _text(rng, 1), middle, key * rng.uniform(0.3, 0.6), ink, rng)
    return _solid(image)


def _caption(unit: int, rng: np.random.Generator) -> FlatThing:
    """Text over the picture, with or without a panel: a stream's overlay, a subtitle."""
    paper, ink = _contrast(rng)
    high, count = round(unit * rng.uniform(0.5, 1.6)), int(rng.integers(2, 9))
    if rng.random() < 0.5:
        image = _sheet(high * count, round(1.3 * high), paper)
        for at in range(count):
            _character(image, (at * high, round(0.15 * high)), high, ink, rng)
    else:
        image = _sheet(round(0.8 * high * count), round(1.4 * high), paper)
        middle = (image.shape[1] / 2, image.shape[0] / 2)
        _write(image, _text(rng, count), middle, high * 0.8, ink, rng)
    panel = 0.0 if rng.random() < 0.4 else rng.uniform(0.4, 1.0)
    written = (np.abs(image.astype(int) - paper).max(axis=2) > 40).astype(np.float32)
    return FlatThing(image, np.maximum(written, np.float32(panel)))


def _display(unit: int, rng: np.random.Generator) -> FlatThing:
    """The lit points of a console, or one of its characters in a frame."""
    high = round(unit * rng.uniform(0.7, 1.6))
    lit = [(60, 60, 255), (80, 255, 80), (60, 200, 255), (255, 255, 255)][int(rng.integers(4))]
    if rng.random() < 0.4:
        image = _sheet(high, round(high * rng.uniform(1.0, 1.35)), _colour(rng, 0, 60))
        _character(image, (round(0.1 * high), round(0.1 * high)), round(0.8 * high), lit, rng)
        return _solid(image)
    text = str(int(rng.integers(0, 99999)))
    image = _sheet(round(0.75 * high * len(text)), round(1.3 * high), _colour(rng, 0, 50))
    _write(image, text, (image.shape[1] / 2, image.shape[0] / 2), high, lit, rng)
    return _solid(image)


def _rail(unit: int, rng: np.random.Generator) -> FlatThing:
    """A rack or a book's spine with a brand or a title along it."""
    paper, ink = _contrast(rng)
    image = _sheet(round(unit * rng.uniform(4, 10)), round(unit * rng.uniform(0.5, 1.4)), paper)
    high = image.shape[0] * rng.uniform(0.4, 0.8)
    for at in np.arange(rng.uniform(0.1, 0.4), 1.0, rng.uniform(0.3, 0.6)):
        middle = (image.shape[1] * float(at), image.shape[0] / 2)
        _write(image, _text(rng, int(rng.integers(1, 7))), middle, high, ink, rng)
    return _solid(image)


def _ruler(unit: int, rng: np.random.Generator) -> FlatThing:
    paper, ink = _contrast(rng)
    high, step = round(unit * rng.uniform(0.5, 1.1)), max(2, round(unit * rng.uniform(0.1, 0.3)))
    image = _sheet(round(unit * rng.uniform(4, 10)), high, paper)
    for number, x in enumerate(range(step, image.shape[1], step)):
        long = number % 5 == 0
        cv2.line(image, (x, 0), (x, high // (2 if long else 4)), ink, 1)
        if number % 10 == 0:
            _write(image, str(number // 10), (x, 0.72 * high), 0.4 * high, ink, rng)
    return _solid(image)


def _card(unit: int, rng: np.random.Generator) -> FlatThing:
    """A playing card: letters in two corners, pips of other shapes than on tiles."""
    wide = round(unit * rng.uniform(1.3, 2.6))
    image = _sheet(wide, round(1.45 * wide), _colour(rng, 215, 256))
    ink = (30, 30, 30) if rng.random() < 0.5 else (40, 30, 200)
    letter = LETTERS[int(rng.integers(len(LETTERS)))]
    _write(image, letter, (0.14 * wide, 0.16 * wide), 0.22 * wide, ink, rng)
    half = np.ascontiguousarray(image[::-1, ::-1])
    _write(half, letter, (0.14 * wide, 0.16 * wide), 0.22 * wide, ink, rng)
    for x, y in _PIPS[int(rng.integers(1, 7))]:
        at = np.array([wide * (0.5 + 0.22 * x), 1.45 * wide * (0.5 + 0.28 * y)])
        size = 0.1 * wide
        diamond = at + size * np.array([[0, -1.3], [1, 0], [0, 1.3], [-1, 0]])
        cv2.fillPoly(half, [np.rint(diamond).astype(np.int32)], ink, cv2.LINE_AA)
    return _solid(half)


def _domino(unit: int, rng: np.random.Generator) -> FlatThing:
    """A domino: two halves with pips and a bar between them."""
    wide = round(unit * rng.uniform(0.8, 1.5))
    paper, ink = _contrast(rng)
    image = _sheet(wide, 2 * wide, paper)
    cv2.line(image, (wide // 8, wide), (wide - wide // 8, wide), ink, max(1, wide // 20))
    for half in (0.5, 1.5):
        _pips(image, (wide / 2, half * wide), 0.28 * wide, ink, rng)
    return _solid(image)


def _die(unit: int, rng: np.random.Generator) -> FlatThing:
    side = round(unit * rng.uniform(0.4, 0.85))
    image = _sheet(side, side, _colour(rng, 190, 256))
    ink = (40, 30, 190) if rng.random() < 0.4 else (30, 30, 30)
    _pips(image, (side / 2, side / 2), 0.28 * side, ink, rng)
    return _solid(image)


def _coin(unit: int, rng: np.random.Generator) -> FlatThing:
    """A chip or a coin: rings, notches and a number."""
    side = round(unit * rng.uniform(0.6, 1.8))
    paper, ink = _contrast(rng)
    image, middle = _sheet(side, side, paper), side // 2
    for share in sorted(rng.uniform(0.5, 0.95, int(rng.integers(1, 4)))):
        cv2.circle(image, (middle, middle), round(share * middle), ink, max(1, side // 25))
    _write(image, str(int(rng.integers(1, 999))), (middle, middle), 0.35 * side, ink, rng)
    opacity = np.zeros((side, side), np.float32)
    cv2.circle(opacity, (middle, middle), middle, 1.0, -1)
    return FlatThing(image, opacity)


def _rounded(wide: int, high: int, colour: Ink, radius: float) -> FlatThing:
    """A plain body with round corners."""
    opacity: NDArray[np.float32] = np.zeros((high, wide), np.float32)
    far = max(1, round(radius * wide))
    inner = opacity[far : high - far, far : wide - far] + 1
    opacity[far : high - far, far : wide - far] = inner
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * far + 1, 2 * far + 1))
    return FlatThing(_sheet(wide, high, colour), np.asarray(cv2.dilate(opacity, disc), np.float32))


def _keycap(unit: int, rng: np.random.Generator) -> FlatThing:
    """A single key with sloping sides."""
    cap, ink = _contrast(rng)
    wide = round(unit * rng.uniform(0.7, 1.4))
    high = round(wide * rng.uniform(0.9, 1.15))
    skirt = (int(0.6 * cap[0]), int(0.6 * cap[1]), int(0.6 * cap[2]))
    key, edge = _rounded(wide, high, skirt, 0.12), max(1, round(0.12 * wide))
    cv2.rectangle(key.image_bgr, (edge, edge // 2), (wide - edge, high - 3 * edge // 2), cap, -1)
    middle = (wide * rng.uniform(0.35, 0.6), high * rng.uniform(0.3, 0.5))
    text = _text(rng, 1 if rng.random() < 0.8 else 3)
    _write(key.image_bgr, text, middle, high * rng.uniform(0.3, 0.5), ink, rng)
    return key


def _block(unit: int, rng: np.random.Generator) -> FlatThing:
    """A letter of a word game."""
    wide = round(unit * rng.uniform(0.8, 1.3))
    block = _rounded(wide, round(wide * rng.uniform(0.95, 1.1)), _colour(rng, 150, 250), 0.06)
    high, ink = block.image_bgr.shape[0], (20, 20, 30)
    _write(block.image_bgr, _text(rng, 1), (0.47 * wide, 0.5 * high), 0.55 * high, ink, rng)
    number, corner = str(int(rng.integers(1, 9))), (0.84 * wide, 0.84 * high)
    _write(block.image_bgr, number, corner, 0.2 * high, ink, rng)
    return block


def _squares(unit: int, rng: np.random.Generator) -> FlatThing:
    """A calendar or a chess board."""
    paper, ink = _contrast(rng)
    side = round(unit * rng.uniform(0.6, 1.3))
    columns, rows = int(rng.integers(3, 8)), int(rng.integers(3, 8))
    image, board = _sheet(columns * side, rows * side, paper), rng.random() < 0.35
    for number, (row, column) in enumerate(np.ndindex(rows, columns), 1):
        x, y = column * side, row * side
        if board and (row + column) % 2:
            cv2.rectangle(image, (x, y), (x + side - 1, y + side - 1), ink, -1)
        elif not board:
            middle = (x + 0.5 * side, y + 0.5 * side)
            _write(image, str(number), middle, side * rng.uniform(0.3, 0.5), ink, rng)
    return _solid(image)


def _picture_card(unit: int, rng: np.random.Generator) -> FlatThing:
    wide = round(unit * rng.uniform(1.0, 2.2))
    card = _rounded(wide, round(1.45 * wide), _colour(rng, 215, 256), 0.06)
    high = card.image_bgr.shape[0]
    for _ in range(14):
        patch = np.asarray(rng.uniform(0.2, 0.8, (4, 2)) * (wide, high), np.int32)
        cv2.fillPoly(card.image_bgr, [patch], _colour(rng), cv2.LINE_AA)
    _write(card.image_bgr, "JQKA"[int(rng.integers(4))], (0.1 * wide, 0.14 * wide), 0.22 * wide,
           (40, 30, 200), rng)  # fmt: skip
    return card


def _plain(unit: int, rng: np.random.Generator) -> FlatThing:
    """An eraser, a box; darker than the body of a tile, which may be blank as well."""
    wide = round(unit * rng.uniform(0.7, 1.6))
    high = round(wide * rng.uniform(0.8, 1.7))
    return _rounded(wide, high, _colour(rng, 0, 150), rng.uniform(0.02, 0.25))


def _print(unit: int, rng: np.random.Generator) -> FlatThing:
    """A rectangle or a character printed on the cloth: lines without a body."""
    wide = round(unit * rng.uniform(0.7, 1.6))
    image = _sheet(wide, round(wide * rng.uniform(1.0, 1.5)), _colour(rng))
    opacity: NDArray[np.float32] = np.zeros(image.shape[:2], np.float32)
    if rng.random() < 0.5:
        thick = max(1, round(wide * rng.uniform(0.02, 0.12)))
        low, high = (thick, thick), (wide - thick - 1, image.shape[0] - thick - 1)
        cv2.rectangle(opacity, low, high, 1.0, thick)
    else:
        written = _sheet(image.shape[1], image.shape[0], (0, 0, 0))
        _character(written, (0, 0), wide, (255, 255, 255), rng)
        opacity = np.asarray(written[:, :, 0] / 255, np.float32)
    return FlatThing(image, opacity * np.float32(rng.uniform(0.5, 1.0)))


_KINDS: Final[tuple[Callable[[int, np.random.Generator], FlatThing], ...]] = (
    _keys, _caption, _caption, _display, _rail, _rail, _ruler, _card, _domino, _die, _coin, _print,
    _keycap, _keycap, _block, _squares, _picture_card, _plain,
)  # fmt: skip


def _colour(rng: np.random.Generator, low: int = 0, high: int = 256) -> Ink:
    tones = rng.integers(low, high) + rng.normal(0, 25, 3)
    blue, green, red = tones.clip(0, 255).astype(int).tolist()
    return blue, green, red


def _contrast(rng: np.random.Generator) -> tuple[Ink, Ink]:
    """Colours of a ground and of what is printed on it."""
    dark, bright = _colour(rng, 0, 90), _colour(rng, 150, 256)
    return (dark, bright) if rng.random() < 0.5 else (bright, dark)


def _sheet(wide: int, high: int, colour: Ink) -> Bytes:
    return np.full((max(4, high), max(4, wide), 3), colour, np.uint8)


def _solid(image_bgr: Bytes) -> FlatThing:
    return FlatThing(image_bgr, np.ones(image_bgr.shape[:2], np.float32))


def _text(rng: np.random.Generator, length: int) -> str:
    return "".join(LETTERS[at] for at in rng.integers(0, len(LETTERS), length))


def _write(
    image: Bytes,
    text: str,
    middle: tuple[float, float],
    high: float,
    ink: Ink,
    rng: np.random.Generator,
) -> None:
    font = LATIN[int(rng.integers(len(LATIN)))]
    thick = max(1, round(high * rng.uniform(0.06, 0.18)))
    (wide, tall), _ = cv2.getTextSize(text, font, high / 22, thick)
    place = (round(middle[0] - wide / 2), round(middle[1] + tall / 2))
    cv2.putText(image, text, place, font, high / 22, ink, thick, cv2.LINE_AA)


def _character(
    image: Bytes, corner: tuple[int, int], high: int, ink: Ink, rng: np.random.Generator
) -> None:
    """Write one of the characters that tiles show."""
    font = _FONTS[int(rng.integers(len(_FONTS)))]
    known = [character for character in CHARACTERS.values() if has(font, character)]
    strokes = outlines(font, known[int(rng.integers(len(known)))])
    points = [np.rint((stroke * high + corner) * 16).astype(np.int32) for stroke in strokes]
    cv2.fillPoly(image, points, ink, cv2.LINE_AA, shift=4)


def _pips(
    image: Bytes, middle: tuple[float, float], far: float, ink: Ink, rng: np.random.Generator
) -> None:
    for x, y in _PIPS[int(rng.integers(1, 7))]:
        place = (round(middle[0] + far * x), round(middle[1] + far * y))
        cv2.circle(image, place, max(1, round(0.32 * far)), ink, -1, cv2.LINE_AA)
