"""What ``tilesight serve`` is given: a camera, a film, records of played games, a scored folder."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Final

from engine.errors import Refused
from vision.camera.live import is_live

_WRITTEN: Final = (b"{", b"[", b"<", b"\x1f\x8b")
"""How records and public logs begin, also packed ones; no film does."""
_MARK: Final = b"\xef\xbb\xbf"
"""May stand before a text."""
HEAD: Final = 64
"""Bytes of a file that are looked at."""


class Opens(Enum):
    """What is opened."""

    NOTHING = auto()
    """All is chosen on the page."""
    SOURCE = auto()
    """A camera or a film, which is watched."""
    RECORDS = auto()
    """Played games, for drill, lessons and replay."""
    FOLDER = auto()
    """What ``tilesight score`` has written, to be put right."""


def opened_by(given: Sequence[str]) -> Opens:
    """Tell what these words name; raises ``Refused`` for several that are not all records."""
    kinds = {_kind(word) for word in given}
    if len(given) > 1 and kinds != {Opens.RECORDS}:
        raise Refused("give one camera, film or folder, or several records")
    return next(iter(kinds), Opens.NOTHING)


def _kind(word: str) -> Opens:
    path = Path(word)
    if is_live(word):
        return Opens.SOURCE
    if path.is_dir():
        return Opens.FOLDER
    if not path.is_file():  # whoever opens it says what is wrong
        return Opens.RECORDS if path.suffix == ".jsonl" else Opens.SOURCE
    with path.open("rb") as file:
        begins = file.read(HEAD).removeprefix(_MARK).lstrip()
    written = begins.startswith(_WRITTEN) or path.suffix == ".jsonl"
    return Opens.RECORDS if written else Opens.SOURCE
