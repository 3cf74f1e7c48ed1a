"""Where pictures lie on disk and what they are named: beside a record, in the folder of a scored
film, in a folder of kept tiles."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeGuard

from engine.events import Entry
from service.machine.jpeg import is_whole

_MOMENT: Final = re.compile(r"(\d{6})-(\d+)\.jpg")


def pictures_folder(record: Path) -> Path:
    """Pictures of the table beside its record."""
    return record.with_name(f"{record.stem}-pictures")


def clips_folder(record: Path) -> Path:
    """Animated moments, where everybody agreed to them."""
    return record.with_name(f"{record.stem}-clips")


def moment_name(number: int, time_s: float) -> str:
    """The file of a picture; its time stands in it, in the time of the record."""
    return f"{number:06}-{round(time_s * 100)}.jpg"


def moments_in(folder: Path) -> Iterator[tuple[int, float, Path]]:
    """Number, time in seconds and file of each picture in a folder, which need not be there."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if name := _MOMENT.fullmatch(path.name):
            yield int(name[1]), int(name[2]) / 100, path


def clip_name(number: int, place: int, time_s: float) -> str:
    return f"{number}-{place}-{round(100 * time_s)}.webp"


EVIDENCE: Final = "evidence"
"""Folder of a scored film: the whole table at each event, and what is asked."""
CROPS: Final = "crops"
"""Folder of what the report shows of each picture, by its name."""
_EVIDENCE: Final = re.compile(rf"{EVIDENCE}/[0-9a-z-]+\.jpg", re.ASCII)
"""Names of pictures; a record of others may name any path."""


def evidence_name(name: str) -> str:
    """What a record calls the picture of an event."""
    return f"{EVIDENCE}/{name}.jpg"


def is_evidence(name: object) -> TypeGuard[str]:
    """Whether a line of a record, or a question, names such a picture."""
    return isinstance(name, str) and _EVIDENCE.fullmatch(name) is not None


def pictured(entry: Entry) -> bool:
    return is_evidence(entry.evidence)


def crop_of(folder: Path, entry: Entry) -> Path:
    """Where the report's crop of a pictured event is kept."""
    return folder / CROPS / Path(str(entry.evidence)).name


def asked_tiles(folder: Path, rows: Sequence[Mapping[str, object]]) -> dict[str, Path]:
    """The pictures of the tiles that questions ask about, by the question's id."""
    named = ((str(row["id"]), row.get("tiles")) for row in rows)
    paths = {one: folder / name for one, name in named if is_evidence(name)}
    return {
        one: path for one, path in paths.items() if path.is_file() and is_whole(path.read_bytes())
    }


def drop_evidence(folder: Path, named: Collection[object]) -> None:
    """Delete the pictures of a scored film, and their crops, that nothing names any more."""
    for pictures in (EVIDENCE, CROPS):
        for path in (folder / pictures).glob("*.jpg"):
            if evidence_name(path.stem) not in named:
                path.unlink()


TILES_LIST: Final = "tiles.jsonl"
"""File of a folder of kept tiles that names the pictures and their tiles."""


def kept_name(picture: bytes) -> str:
    """The file of a picture with kept tiles; the same picture has the same one."""
    return f"{sha256(picture).hexdigest()[:16]}.jpg"
