"""Opens a table: its source, its reader, its record, its keys, its pictures, the seats' cameras."""

from __future__ import annotations

import contextlib
import functools
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import engine
import vision
from engine.events import GameStart, Seat
from service.access.keys import TableKeys, keys_file
from service.errors import Refused
from service.files import fingerprint, to_stderr
from service.phone.certificate import OwnCertificate
from service.phone.server import PhoneCamera
from service.records import in_the_middle, of_this_evening, unfinished_by
from service.report.public import Json
from service.seat_camera.cameras import SeatCameras, SeatFilm
from service.table.dispute import Agreed, Dispute, agreed_file
from service.table.gallery import Gallery, gallery_beside, pictures_folder
from service.table.live_table import LiveTable, TableSettings
from service.table.page_messages import to_terminal
from service.table.reader import Reader, WitnessingReader
from service.table.record_file import RecordFile, last_of_evening
from service.weights import load_detector
from vision.attention.schedule import LIVE, RECORDED, Schedule
from vision.camera.frames import FrameSource, RecordedSource
from vision.camera.live import PacedFile
from vision.camera.reconnecting import ReconnectingCamera
from vision.detect import Detector
from vision.pipeline import ReaderSettings, TableReader, TileReader
from vision.seat_camera.row_reader import DetectorNets
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
    detector: TileReader | None = field(default=None, compare=False)
    """Nets that are loaded and fitted to the set; None: each reader loads its own."""

    @classmethod
    def of(
        cls,
        rules: str,
        table: Path | None,
        seat0: str | None,
        own_set: Path | None = None,
        mirrored: bool | None = None,
    ) -> ReaderMaker:
        """Raises ``SourceError`` or ``ProfileError`` for a file that cannot be used."""
        if own_set is not None:
            Profile.load(own_set)
        view, mirrored = view_of(table, seat0, mirrored)
        return cls(rules, view, seat0, own_set, mirrored=mirrored)

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
        }

    def of_recordings(self) -> ReaderMaker:
        """The same for a film, whose readers may wait a moment: it shows what comes next."""
        return replace(self, pace=RECORDED)

    def __call__(self, detector: TileReader | None = None) -> Reader:
        """A new reader with this detector or the shipped one; raises ``WeightsError``."""
        detector = detector or self.detector or load_detector(self.own_set, self.pace.readers)
        settings = ReaderSettings(
            self.view,
            self.seat0,
            self.pace,
            self.first_dealer,
            self.mirrored,
        )
        return TableReader(detector, self.rules, settings)


@cache
def program_fingerprint() -> str:
    """Fingerprint of the program that reads and judges, weights included."""
    folders = (Path(package.__path__[0]) for package in (engine, vision))
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return fingerprint(sorted(file for file in files if "__pycache__" not in file.parts))


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


@dataclass(frozen=True)
class TableRequest:
    """What people chose for the game to be watched."""

    source: FrameSource
    make_reader: MakeReader
    start: GameStart
    """Rule set, options and names."""
    record: Path
    lang: str = "en"
    load: Callable[[], TileReader] = load_detector
    """Loads the detector that reads disputed pictures again."""
    let_go: Callable[[], None] = lambda: None
    """Ends the frames of a source that may be waiting for its next one."""
    seats: Sequence[tuple[SeatFilm, FrameSource]] = ()
    """Cameras of single seats."""
    keep_tiles: Path | None = None
    """Folder for pictures of doubtful, corrected and confirmed tiles; None keeps none."""
    certificate: OwnCertificate | None = None
    """What the phones of seats trust."""
    pictures: Gallery | None = None
    """Those of the record; None are those beside it."""
    has_next: bool = True
    """Whether games are played here: a film and what was sent for study are only put right."""


@dataclass(frozen=True)
class OpenTable:
    table: LiveTable
    keys: TableKeys
    record: RecordFile
    dispute: Dispute
    agreed: Agreed


@contextlib.contextmanager
def open_table(request: TableRequest, last: TableKeys | None = None) -> Iterator[OpenTable]:
    """Open the record and the table; a record without a line leaves no files behind.

    ``last``: keys of the game before it, which a new record gets, too: phones stay where they are.
    After a restart they are those of this evening's last record in the folder.
    Raises ``Refused`` for a record that cannot be gone on with.
    """
    pictures = pictures_folder(request.record)
    pictured = pictures.exists()
    kept = RecordFile(request.record)
    cameras = SeatCameras(lambda: _nets(request.load()), certificate=request.certificate)
    try:
        _refuse_other_rules(kept, request.start.rules)
        gallery = request.pictures or gallery_beside(kept.path)
        settings = TableSettings(
            request.start.rules,
            request.source.name,
            request.lang,
            kept.path.name,
            kept.entries,
            isinstance(request.source, RecordedSource),
            request.start,
            gallery,
            request.keep_tiles,
            request.has_next,
        )
        reader = _listening(request.make_reader(), cameras)
        maker = request.make_reader
        pace = maker.pace if isinstance(maker, ReaderMaker) else LIVE
        frames = cameras.clock.through(request.source.frames(pace.step_s))
        table = LiveTable(reader, frames, kept, settings)
        # Loads the detector at the first dispute.
        dispute = Dispute(gallery, functools.cache(request.load))
        table.on_notice = functools.partial(to_terminal, lang=request.lang)
        table.seat_cameras = cameras
        for film, source in request.seats:
            cameras.open(film, source)
        if isinstance(request.source, PhoneCamera):
            request.source.told = lambda: _standing(table)
            request.source.say = lambda notice: table.reader.notice(notice)
        if isinstance(request.source, PacedFile) and request.source.cut_off:
            to_stderr(request.source.cut_off)
        if isinstance(request.source, ReconnectingCamera):
            request.source.say = lambda notice: table.reader.notice(notice)
            table.reader.let_go = request.source.end
        keys = TableKeys.kept_beside(kept.path, last or _keys_of_evening(kept.path))
        yield OpenTable(table, keys, kept, dispute, Agreed(kept.path))
    finally:
        cameras.close()
        kept.close()
        if not kept.path.exists():  # nothing was recorded
            keys_file(kept.path).unlink(missing_ok=True)
            agreed_file(kept.path).unlink(missing_ok=True)
            if not pictured:
                shutil.rmtree(pictures, ignore_errors=True)


def _standing(table: LiveTable) -> Json:
    """What the phone above the table shows of it: nothing that not everybody sees."""
    told = table.table()
    return {"names": told["names"], "points": told["points"]}


def _keys_of_evening(record: Path) -> TableKeys | None:
    before = last_of_evening(record.parent) if record in of_this_evening(record.parent) else None
    return None if before is None else TableKeys.read_from(keys_file(before))


def _nets(detector: TileReader) -> DetectorNets:
    if not isinstance(detector, Detector):
        raise Refused("this detector cannot read a single hand")
    return detector


def _listening(reader: Reader, cameras: SeatCameras) -> Reader:
    """The reader, connected to what the seats' own cameras see."""
    if isinstance(reader, WitnessingReader):
        reader.listen_to(cameras.witness)
    return reader


def _refuse_other_rules(record: RecordFile, rules: str) -> None:
    """Raise ``Refused`` if a game in progress has other rules."""
    others = unfinished_by(record.entries, rules)
    if others is not None:
        raise in_the_middle(record.path, others)
