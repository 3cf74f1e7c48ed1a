"""Where the reading of a film goes on after an interruption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.codec import read_record, write_record
from engine.events import Entry
from service.errors import Refused
from service.files import refuse_taken, write_whole
from service.table.evidence import AlbumPicture
from vision.camera.frames import FramePosition
from vision.checkpoint import packed, unpacked
from vision.given_files import MIB, read_given
from vision.notice import Notice

UNFINISHED: Final = "unfinished"
"""A subfolder that exists until the film is read to its end."""
STATE: Final = "state"
MOST_BYTES: Final = 64 * MIB
"""Largest state; that of a long game has a few."""
ANOTHER: Final = {"film": "another film", "program": "another version of tilesight"}

Fingerprints = Mapping[str, str]
"""Fingerprints of the film, the options and the program: of all that decides the result."""


@dataclass(frozen=True)
class Checkpoint:
    """The state between two hands; reading goes on from it as if it had not been interrupted."""

    place: FramePosition
    """The last frame that was looked at."""
    lines: tuple[Entry, ...]
    notices: tuple[Notice, ...]
    shots: tuple[AlbumPicture, ...]
    reader: bytes


def rest_of(folder: Path, made_with: Fingerprints) -> Checkpoint | None:
    """Return where an unfinished folder goes on; None for a new folder or a new start.

    Raises ``Refused`` for a folder that is finished, or that something else was read into.
    """
    state = folder / UNFINISHED / STATE
    if not state.is_file():
        refuse_taken(folder)
        return None
    try:
        kept = unpacked(read_given(state, MOST_BYTES), AlbumPicture)
        before, rest = dict(kept["made_with"]), kept["rest"]
    except (LookupError, TypeError, ValueError, OSError):
        raise _damaged(state) from None
    others = [name for name in before.keys() | made_with if before.get(name) != made_with.get(name)]
    if others:
        told = " and ".join(ANOTHER.get(name, f"another {name}") for name in sorted(others))
        raise Refused(
            f"{folder} is not finished, and was begun with {told}: take the same to go on, "
            f"name a new folder with --out, or delete {folder}"
        )
    if rest is None:
        return None
    try:
        return Checkpoint(**{**rest, "lines": tuple(read_record(rest["lines"]))})
    except (LookupError, TypeError, ValueError, AttributeError):
        raise _damaged(state) from None


def _damaged(state: Path) -> Refused:
    folder = state.parents[1]
    return Refused(f"{state} is damaged; name a new folder with --out, or delete {folder}")


def write_checkpoint(folder: Path, made_with: Fingerprints, rest: Checkpoint | None) -> None:
    """Write what ``rest_of`` reads; None is the beginning of the film."""
    known = None if rest is None else vars(rest) | {"lines": write_record(rest.lines)}
    data = packed({"made_with": dict(made_with), "rest": known})
    write_whole(folder / UNFINISHED / STATE, data)
