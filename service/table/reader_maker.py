"""What a person gave about a table, and the reader that is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import engine
import vision
from engine.events import Seat
from service.machine.files import fingerprint
from service.machine.weights import load_detector
from service.table.options import Options
from service.table.reader import Reader
from vision.attention.schedule import CAMERA, LIVE, RECORDED, Schedule
from vision.detect import SHIPPED
from vision.pipeline import ReaderSettings, TableReader, TileReader
from vision.table.view import TableView
from vision.tile_set.profile import Profile

MakeReader = Callable[[], Reader]
"""Loads the weights, so it is called when everything else has been checked."""


@dataclass(frozen=True)
class ReaderMaker:
    """What a person gave about the table, checked."""

    rules: str
    view: TableView | None
    """None: the table is searched for in the first pictures."""
    seat0: str | None
    own_set: Path | None = None
    """Profile of the tile set that is played with."""
    pace: Schedule = LIVE
    first_dealer: Seat | None = None
    """Who dealt the first hand of the game; None where the first hand seen tells."""
    mirrored: bool | None = None
    """Whether the camera's pictures are mirrored; None where nobody said."""
    options: Mapping[str, object] = field(default_factory=dict)
    """With which the game is played that the camera sees begin."""
    detector: TileReader | None = field(default=None, compare=False)
    """Nets that are loaded and fitted to the set; None: each reader loads its own."""

    @classmethod
    def of(cls, given: Options) -> ReaderMaker:
        """Raises ``SourceError`` or ``ProfileError`` for a file that cannot be used."""
        if given.own_set is not None:
            Profile.load(given.own_set)
        view, mirrored = view_of(given.table, given.seat0, given.mirrored)
        return cls(
            given.rules,
            view,
            given.seat0,
            given.own_set,
            first_dealer=given.first_dealer,
            mirrored=mirrored,
            options=given.house_rules,
        )

    @property
    def made_with(self) -> dict[str, str]:
        """Fingerprints of what decides how a table is read, by option."""
        own_set = None if self.own_set is None else fingerprint([self.own_set])
        return {
            "--table": repr(self.view),
            "--seat0": repr(self.seat0),
            "--set": repr(own_set),
            "--first-dealer": repr(self.first_dealer),
            "--mirrored": repr(self.mirrored),
            "program": program_fingerprint(),
            **({"--option": repr(sorted(self.options.items()))} if self.options else {}),
        }

    def of_recordings(self) -> ReaderMaker:
        """The same for a film, whose readers may wait a moment: it shows what comes next."""
        return replace(self, pace=RECORDED)

    def of_camera(self) -> ReaderMaker:
        """The same for a source that waits for nobody."""
        return replace(self, pace=CAMERA)

    def __call__(self, detector: TileReader | None = None) -> Reader:
        """A new reader with this detector or the shipped one; raises ``WeightsError``."""
        detector = detector or self.detector or load_detector(self.own_set, self.pace.readers)
        settings = ReaderSettings(
            self.view, self.seat0, self.pace, self.first_dealer, self.mirrored, self.options
        )
        return TableReader(detector, self.rules, settings)


@cache
def program_fingerprint() -> str:
    """Fingerprint of the program that reads and judges, weights included."""
    folders = (Path(package.__path__[0]) for package in (engine, vision))
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return fingerprint(sorted(file for file in files if "__pycache__" not in file.parts))


@cache
def made_by() -> Mapping[str, str]:
    """What a record says of the program that writes it; every byte of it counts."""
    try:
        release = version("tilesight")
    except PackageNotFoundError:  # the folder of the repository itself
        release = "unknown"
    return {
        "tilesight": release,
        "program": _hash_of("*.py", engine.__path__[0], vision.__path__[0]),
        "weights": _hash_of("*.onnx", SHIPPED),
    }


def _hash_of(kind: str, *folders: str | Path) -> str:
    """16 hexadecimal digits that stand for the names and contents of files below folders."""
    found = sha256()
    for folder in map(Path, folders):
        for path in sorted(folder.rglob(kind)):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0")
            found.update(sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def view_of(
    table: Path | None, seat0: str | None, mirrored: bool | None
) -> tuple[TableView | None, bool | None]:
    """Return the table's place by a table file, and whether pictures are mirrored.

    What a person says of mirrored pictures counts more than what the file says.
    """
    if table is None:
        return None, mirrored
    view = TableView.load(table)
    if mirrored is None:
        mirrored = view.mirrored or None
    if bool(mirrored) != view.mirrored:
        view = view.mirror_image()
    return replace(view, seat0=seat0 or view.seat0), mirrored
