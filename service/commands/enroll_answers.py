"""Reads a person's answers to the questions of an enrolment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as short
from typing import Final

from engine.tiles import NotATile, Tile
from vision.errors import ProfileError
from vision.given_files import read_given
from vision.tile_set.naming import LEFT_OUT
from vision.tile_set.played_set import PlayedSet
from vision.tiles.classes import FACE_INDEX, face_class

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
