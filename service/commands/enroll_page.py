"""Writes the page on which a person names doubtful tiles; it works from the disk."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as short
from typing import Final

import cv2
import numpy as np

from engine.tiles import KINDS, REDS, NotATile, Tile
from service.report.pages import page
from service.words.catalogue import terminal_language, terminal_words
from vision.draw import jpeg
from vision.errors import ProfileError
from vision.given_files import read_given
from vision.tile_set.naming import LEFT_OUT
from vision.tile_set.played_set import PlayedSet
from vision.tiles.classes import ANY_FLOWER, FACE_INDEX, FACES, face_class

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


NONE_OF_THEM: Final = "-"
"""The answer that leaves a group's pictures out."""
_LARGEST: Final = 64 * 1024
_FORM: Final = 'expected {"set": "...", "answers": {"1": "5z", "2": "-"}}, as the page saves it'


def read_answers(path: Path, played: PlayedSet) -> Mapping[int, int]:
    """Return the place in ``FACES`` or ``LEFT_OUT`` by group; raises ``ProfileError``."""
    try:
        given = json.loads(read_given(path, _LARGEST))
    except FileNotFoundError:
        raise ProfileError(f"there is no file of answers {path}") from None
    except OSError as error:
        raise ProfileError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path} is no file of answers: {_FORM}") from error
    answers = given.get("answers") if isinstance(given, dict) else None
    if not isinstance(answers, dict):
        raise ProfileError(f"{path} is no file of answers: {_FORM}")
    if given.get("set") != played.mark:
        raise ProfileError(f"{path} answers the questions about another set or another recording")
    told: dict[int, int] = {}
    for number, name in answers.items():
        if not number.isdecimal() or not 1 <= int(number) <= len(played.groups):
            raise ProfileError(
                f"{path}: there is no group {short(number)}, they are 1 to {len(played.groups)}"
            )
        told[int(number) - 1] = _face(path, number, name)
    return told


def _face(path: Path, number: str, name: object) -> int:
    if name == NONE_OF_THEM:
        return LEFT_OUT
    try:
        face = face_class(Tile(name)) if isinstance(name, str) else None
    except NotATile as error:
        raise ProfileError(f"{path}: group {number}: {error}") from error
    if face is None:
        raise ProfileError(
            f'{path}: group {number}: {short(name)} names no tile; "-" leaves it out'
        )
    return FACE_INDEX[face]
