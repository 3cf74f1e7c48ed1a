"""Lines of any script, written into pictures.

OpenCV's own font has the letters of most scripts, on every machine. What it lacks, and scripts with
joined letters, are written with a font of the system where one has them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final
from unicodedata import bidirectional, category

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont, features

from vision.camera.pictures import Picture

BETWEEN: Final = " · "
"""Between the parts of what is said."""
_FONT: Final = "uni"
"""OpenCV 5 brings it."""
_WEIGHT: Final = 400
_UNSEEN: Final = frozenset({"Cc", "Cf"})
_VARIANTS: Final = frozenset(map(chr, range(0xFE00, 0xFE10)))
_JOINERS: Final = "\u200c\u200d"
"""Unseen, and yet they say how letters are joined."""
_NO_LETTER: Final = "\uffff"
"""No font has it: what a font draws for it stands for all that it lacks."""
_PROBE_PX: Final = 32
"""Signs of this size are compared: different ones do not look alike."""
OPEN: Final = 16
"""Fonts that are kept open."""
_FILES: Final = frozenset({".ttf", ".otf", ".ttc"})
_OF_BOXES: Final = re.compile("lastresort|blank", re.IGNORECASE)
"""Fonts that have a box, or nothing, for every sign."""
_PLAIN_FIRST: Final = (
    re.compile("bold|italic|oblique|light|thin|black|mono|condensed", re.IGNORECASE),
    re.compile("serif", re.IGNORECASE),
)


def can_write() -> bool:
    """Whether letters of all our languages can be written into pictures on this machine."""
    return hasattr(cv2, "FontFace") and cv2.FontFace(_FONT).getName() == _FONT


def can_be_written(name: str) -> bool:
    """Whether some font here has all letters of a name, and it has letters at all."""
    shown = writable(name)
    own = (run.text for run in _runs(shown) if run.file is None)
    return bool(shown) and not any(_lacks(sign) for text in own for sign in text)


def writable(line: str) -> str:
    """A line without signs that have no form, and without those, such as emoji, that are no letters
    and that the font does not have."""
    kept = ""
    for sign in " ".join(line.split()):
        is_letter = category(sign)[0] in "LM"
        joins = sign in _JOINERS and category(kept[-1:] or " ")[0] in "LM"
        if is_letter or joins or (_has_form(sign) and not _lacks(sign)):
            kept += sign
    return " ".join(kept.strip(_JOINERS).split())


def _has_form(sign: str) -> bool:
    return category(sign) not in _UNSEEN and sign not in _VARIANTS


def wide_px(line: str, size_px: int) -> int:
    return sum(_run_px(run, size_px) for run in _runs(line))


def write(card: Picture, line: str, at: tuple[int, int], size_px: int, ink_bgr: Any) -> None:
    """Write a line on a picture; ``at``: where it begins, and its base line."""
    left, base = at
    for run in _runs(line):
        if run.file is None:
            seen: Any = cv2.putText
            seen(card, run.as_seen, (left, base), ink_bgr, cv2.FontFace(_FONT), size_px, _WEIGHT)
        else:
            drawn = Image.fromarray(card)
            letters = _font(run.file, size_px)
            ImageDraw.Draw(drawn).text((left, base), run.text, ink_bgr, letters, anchor="ls")
            card[:] = np.asarray(drawn)
        left += _run_px(run, size_px)


@dataclass(frozen=True)
class Run:
    """A part of a line that one font writes."""

    text: str
    file: str | None
    """The system's font; None: OpenCV's own."""

    @property
    def as_seen(self) -> str:
        """Joiners have no form there, and nothing is turned."""
        return as_seen(re.sub(f"[{_JOINERS}]", "", self.text))


def _run_px(run: Run, size_px: int) -> int:
    if run.file is not None:
        long_px: float = _font(run.file, size_px).getlength(run.text)
        return round(long_px)
    face: Any = cv2.FontFace(_FONT)
    room = (10000, 1000)
    measured: Any = cv2.getTextSize(room, run.as_seen, (0, 0), face, size_px, _WEIGHT)
    return int(measured[2])


def _runs(line: str) -> Iterator[Run]:
    """A line in parts, each with its font; scripts from right to left run whole."""
    begun = 0
    for first, end in _of_system(line):
        file = font_with(frozenset(line[first:end]) - frozenset(_JOINERS + " "))
        if file is not None:
            if begun < first:
                yield Run(line[begun:first], None)
            yield Run(line[first:end], file)
            begun = end
    if begun < len(line):
        yield Run(line[begun:], None)


def _of_system(line: str) -> Iterator[tuple[int, int]]:
    """From the first letter that OpenCV's font does not write well to the last, where no other
    letter and no end of a part stands between them."""
    first = end = None
    for at, sign in enumerate(line):
        if _JOINED.match(sign) or _lacks(sign):
            first, end = at if first is None else first, at + 1
        elif first is not None and end is not None:
            if category(sign)[0] == "M" and end == at:
                end = at + 1
            elif category(sign)[0] == "L" or sign == BETWEEN[1]:
                yield first, end
                first = end = None
    if first is not None and end is not None:
        yield first, end


@cache
def _lacks(sign: str) -> bool:
    """Whether OpenCV's font does not have a sign."""
    if sign.isascii() or not _has_form(sign) or not can_write():
        return False
    return sign == _NO_LETTER or bool(np.array_equal(_probe(sign), _probe(_NO_LETTER)))


def _probe(sign: str) -> Picture:
    card = np.zeros((2 * _PROBE_PX, 3 * _PROBE_PX, 3), np.uint8)
    seen: Any = cv2.putText
    at = (_PROBE_PX, _PROBE_PX + _PROBE_PX // 2)
    seen(card, sign, at, (255, 255, 255), cv2.FontFace(_FONT), _PROBE_PX, _WEIGHT)
    return card


@cache
def font_with(signs: frozenset[str]) -> str | None:
    """The file of a font of this system that has all these signs, the plainest of several.

    None, too, where Pillow cannot join letters and set marks.
    """
    if not features.check("raqm"):
        return None
    every = sorted(signs)
    return next((one for one in _font_files() if all(_has(one, sign) for sign in every)), None)


@cache
def _has(file: str, sign: str) -> bool:
    lacking = _mask(file, _NO_LETTER)
    return lacking is not None and _mask(file, sign) != lacking


def _mask(file: str, sign: str) -> tuple[tuple[int, int], bytes] | None:
    """What a font draws for one sign; None for a damaged one, and for one that is of pictures."""
    try:
        drawn = _probing(file).getmask(sign)
    except (OSError, ValueError):
        return None
    return drawn.size, bytes(drawn)


@lru_cache(maxsize=OPEN)
def _probing(file: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, _PROBE_PX, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=OPEN)
def _font(file: str, size_px: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, size_px)


@cache
def _font_files() -> tuple[str, ...]:
    """The fonts of this system, plain ones first."""
    found = {
        path
        for folder in _folders()
        for path in folder.rglob("*")
        if path.suffix.lower() in _FILES and not _OF_BOXES.search(path.name)
    }
    return tuple(map(str, sorted(found, key=_rank)))


def _rank(path: Path) -> tuple[bool | str, ...]:
    return (*(bool(rank.search(path.stem)) for rank in _PLAIN_FIRST), path.name)


def _folders() -> Sequence[Path]:
    home, given = Path.home(), os.environ
    if sys.platform == "win32":
        local = Path(given.get("LOCALAPPDATA", home)) / "Microsoft"
        return Path(given.get("WINDIR", "C:/Windows")) / "Fonts", local / "Windows" / "Fonts"
    if sys.platform == "darwin":
        return tuple(root / "Library" / "Fonts" for root in (Path("/System"), Path("/"), home))
    own = given.get("XDG_DATA_HOME") or str(home / ".local" / "share")
    every = given.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [Path(one) / "fonts" for one in (own, *every.split(":")) if one] + [home / ".fonts"]


def as_seen(line: str) -> str:
    """A line whose signs stand from left to right as they are seen: OpenCV's writer turns none.

    Hebrew and Arabic run from right to left, and figures within them do not. Letters of Arabic
    stand apart: its font has no joined ones.
    """
    return _LEFTWARDS.sub(lambda found: _turned(found[0]), line)


_JOINED: Final = re.compile("[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufeff]")
"""Arabic and its neighbours: OpenCV's font has their letters, and cannot join them."""
_RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff"
_LEFTWARDS: Final = re.compile(
    f"[{_RIGHT_TO_LEFT}](?:[^{BETWEEN[1]}A-Za-z()\\[\\]]*[{_RIGHT_TO_LEFT}])?…?", re.ASCII
)
"""From the first letter that runs from right to left to the last, where no other letter stands
between them."""


def _turned(run: str) -> str:
    """Signs in the other order; marks stay behind their letter, figures as they are."""
    parts: list[str] = re.findall(r"\d[\d.,:]*\d|[^\u0300-\u036f]", run)
    kept: list[str] = []
    for part in parts:
        if kept and bidirectional(part[0]) == "NSM":
            kept[-1] += part
        else:
            kept.append(part)
    return "".join(reversed(kept))


def cut(line: str, size_px: int, room_px: int) -> str:
    """A line that is no wider than so much: names give way first, figures last."""
    parts, shortened = line.split(BETWEEN), set[int]()

    def told() -> str:
        return BETWEEN.join(
            f"{part}…" if at in shortened else part for at, part in enumerate(parts)
        )

    while parts != [""] * len(parts) and wide_px(told(), size_px) > room_px:
        longest = max(range(len(parts)), key=lambda at: len(parts[at]))
        shortened.add(longest)
        parts[longest] = parts[longest][:-1]
    return told()
