"""Writes the page on which a person names doubtful tiles; it works from the disk."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.tiles import KINDS, REDS, Tile
from service.commands.enroll_answers import NONE_OF_THEM
from service.report.pages import page
from service.words.terminal import terminal_language, terminal_words
from vision.draw import jpeg
from vision.tile_set.naming import LEFT_OUT
from vision.tile_set.played_set import PlayedSet
from vision.tiles.classes import ANY_FLOWER, FACES

MOST_SHOWN: Final = 6
_LARGER: Final = 2
_ROWS: Final = (
    *(tuple(Tile(kind) for kind in KINDS if kind[1] == suit) for suit in "mpsz"),
    (*(Tile(red) for red in REDS), Tile(ANY_FLOWER)),
)
"""All possible answers, in rows."""


@dataclass(frozen=True)
class NamingQuestion:
    """One group of tiles."""

    number: int
    tiles: int
    pictures: tuple[str, ...]
    """``data:`` addresses."""
    likely: tuple[Tile, ...]
    """The first is the current name."""


def questions_page(played: PlayedSet, out: Path) -> str:
    """The page for the profile ``out``: questions first, certain names below them."""
    naming = played.naming
    return page(
        "enroll.html",
        lang=terminal_language(),
        say=terminal_words(),
        title=out.stem,
        profile=out.name,
        mark=played.mark,
        none_of_them=NONE_OF_THEM,
        asked=[_question(played, row, MOST_SHOWN) for row in naming.asked],
        certain=[
            _question(played, row, 1)
            for row in sorted(naming.certain, key=lambda row: naming.faces[row])
        ],
        rows=_ROWS,
    )


def questions_json(played: PlayedSet) -> str:
    """The questions as JSON; answers are given by group, as ``{"set": ..., "answers": {"1":
    "5z"}}``."""
    naming = played.naming
    questions = [
        {
            "group": row + 1,
            "tiles": int(played.groups.sizes[row]),
            "likely": [FACES[face] for face in naming.likely[row]],
        }
        for row in naming.asked
    ]
    return json.dumps({"set": played.mark, "questions": questions}, indent=1) + "\n"


def _question(played: PlayedSet, row: int, most: int) -> NamingQuestion:
    mine = played.groups.patches_bgr[played.groups.group == row][:most]
    likely = tuple(Tile(FACES[face]) for face in played.naming.likely[row] if face != LEFT_OUT)
    pictures = tuple(_picture(patch) for patch in mine)
    return NamingQuestion(row + 1, int(played.groups.sizes[row]), pictures, likely)


def _picture(patch: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> str:
    large = cv2.resize(patch, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC)
    data = jpeg(large.astype(np.uint8, copy=False), quality=90)
    return f"data:image/jpeg;base64,{b64encode(data).decode()}"
