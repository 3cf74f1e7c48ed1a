"""Opens a table: its source, its reader, its record, its keys, its pictures, the seats' cameras."""

from __future__ import annotations

import contextlib
import functools
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import Refused
from engine.events import GameStart
from engine.game import Game
from service.evening.film_in_record import FilmPlace, place_of_film
from service.evening.wire import EveningGameView
from service.machine.files import to_stderr
from service.machine.records import in_the_middle, of_this_evening, replayed, unfinished_by
from service.machine.weights import load_detector
from service.phone.seat_cameras import SeatCameras, SeatFilm
from service.phone.server import PhoneCamera
from service.report.public import Json
from service.table.dispute import Agreed, Dispute, agreed_file
from service.table.live_table import LiveTable, TableSettings
from service.table.notices import to_terminal
from service.table.options import DEFAULTS, Options
from service.table.picture_files import pictures_folder
from service.table.pictures import Pictures
from service.table.reader import Reader, WitnessingReader
from service.table.reader_maker import MakeReader, ReaderMaker
from service.table.record_file import RecordFile, last_of_evening
from service.web.keys import TableKeys, keys_file
from service.web.listeners import Listeners
from vision.attention.schedule import LIVE
from vision.camera.frames import FrameSource
from vision.camera.live import PacedFile
from vision.camera.reconnecting import ReconnectingCamera
from vision.detect import Detector
from vision.pipeline import TileReader
from vision.seat_camera.row_reader import DetectorNets


class Abandoned(Exception):
    """The program ends before its table is open."""


@dataclass
class Opening:
    """How far a record is replayed; other threads read it meanwhile."""

    events: int = 0
    of: int = 0
    abandoned: bool = False

    def progress(self, events: int, of: int) -> None:
        """Raises ``Abandoned`` where nobody waits for the table any more."""
        self.events, self.of = events, of
        self.go_on()

    def go_on(self) -> None:
        """Between two steps; raises ``Abandoned`` as ``progress`` does."""
        if self.abandoned:
            raise Abandoned

    def abandon(self) -> None:
        """Let the thread that opens the table end soon."""
        self.abandoned = True


@dataclass(frozen=True)
class StudiedGame:
    """One of the played games that are studied, and how people know it from the others."""

    record: Path
    of: Path
    """The record that people gave; it may hold further games."""
    told: EveningGameView


@dataclass(frozen=True)
class TableRequest:
    """What people chose for the game to be watched."""

    source: FrameSource
    make_reader: MakeReader
    start: GameStart
    """Rule set, options and names."""
    record: Path
    options: Options = DEFAULTS
    load: Callable[[], TileReader] = load_detector
    """Loads the detector that reads disputed pictures again."""
    let_go: Callable[[], None] = lambda: None
    """Ends the frames of a source that may be waiting for its next one."""
    seats: Sequence[tuple[SeatFilm, FrameSource]] = ()
    """Cameras of single seats."""
    pictures: Pictures | None = None
    """Those of the record; None are those beside it."""
    has_next: bool = True
    """Whether games are played here: a film and what was sent for study are only put right."""
    whole: bool = False
    """Whether the reader tells every game of the record, as that of a scored film does."""
    opening: Opening = field(default_factory=Opening)
    games: Sequence[StudiedGame] = ()
    """Those to choose from, where several are studied; this is one of them."""
    keeps_seats: bool = False
    """Whether phones stay at their seats, whoever sat there in this game: it is studied."""


@dataclass(frozen=True)
class OpenRecord:
    """A record that is open, and the table whose game it is."""

    table: LiveTable
    keys: TableKeys
    record: RecordFile
    dispute: Dispute
    agreed: Agreed


@contextlib.contextmanager
def open_table(
    request: TableRequest, last: TableKeys | None = None, listeners: Listeners | None = None
) -> Iterator[OpenRecord]:
    """Open the record and the table; a record without a line leaves no files behind.

    ``last``: keys of the game before it, which a new record gets, too: phones stay where they are.
    After a restart they are those of this evening's last record in the folder. ``listeners`` let
    the phones of seats in.
    Raises ``Refused`` for a record that cannot be gone on with.
    """
    go_on = request.opening.go_on
    go_on()
    folder = pictures_folder(request.record)
    pictured = folder.exists()
    kept = RecordFile(request.record)
    cameras = SeatCameras(
        lambda: _nets(request.load()),
        certificate=request.options.certificate,
        listeners=listeners,
    )
    try:
        go_on()
        game = replayed(kept.entries, request.opening.progress)
        others = unfinished_by(game.state, request.start)
        if others is not None:
            raise in_the_middle(kept.path, others)
        pictures = request.pictures or Pictures.beside(kept.path)
        maker = request.make_reader
        pace = maker.pace if isinstance(maker, ReaderMaker) else LIVE
        go_on()
        place = place_of_film(request.source, kept.entries, pace.step_s)
        go_on()
        settings = _settings(request, kept, game, pictures, place)
        reader = _listening(request.make_reader(), cameras)
        table = LiveTable(reader, cameras.clock.through(place.frames), kept, settings)
        go_on()
        # Loads the detector at the first dispute.
        dispute = Dispute(pictures, functools.cache(request.load))
        table.on_notice = functools.partial(to_terminal, lang=request.options.lang)
        table.seat_cameras = cameras
        for film, source in request.seats:
            go_on()
            cameras.open(film, source)
        _connect(request.source, table)
        before = _record_before(kept.path)
        keys_before = None if before is None else TableKeys.read_from(keys_file(before))
        if request.keeps_seats and last is not None:
            keys = last.of_other_game(kept.path, table.names)
        else:
            keys = TableKeys.kept_beside(kept.path, last or keys_before)
        keys.seated(table.names)
        go_on()
        yield OpenRecord(table, keys, kept, dispute, Agreed(kept.path, before))
    finally:
        cameras.close()
        kept.close()
        if not kept.path.exists():  # nothing was recorded
            keys_file(kept.path).unlink(missing_ok=True)
            agreed_file(kept.path).unlink(missing_ok=True)
            if not pictured:
                shutil.rmtree(folder, ignore_errors=True)


def _settings(
    request: TableRequest, kept: RecordFile, game: Game, pictures: Pictures, place: FilmPlace
) -> TableSettings:
    return TableSettings(
        request.start.rules,
        request.source.name,
        request.options,
        kept.path.name,
        kept.entries,
        game,
        place.film,
        place.goes_on,
        request.start,
        pictures,
        request.has_next,
        request.whole,
    )


def _connect(source: FrameSource, table: LiveTable) -> None:
    """Let the source tell the table, and the person at the machine, how it is."""
    if isinstance(source, PhoneCamera):
        source.told = lambda: _names_and_points(table)
        source.say = lambda notice: table.reader.notice(notice)
    if isinstance(source, PacedFile):
        for remark in source.remarks:
            to_stderr(remark)
    if isinstance(source, ReconnectingCamera):
        source.say = lambda notice: table.reader.notice(notice)
        table.reader.let_go = source.end


def _names_and_points(table: LiveTable) -> Json:
    """What the phone above the table shows of it: nothing that not everybody sees."""
    told = table.table()
    return {"names": told["names"], "points": told["points"]}


def _record_before(record: Path) -> Path | None:
    """The last other record of the same evening; None where there is none."""
    return last_of_evening(record.parent) if record in of_this_evening(record.parent) else None


def _nets(detector: TileReader) -> DetectorNets:
    if not isinstance(detector, Detector):
        raise Refused("this detector cannot read a single hand")
    return detector


def _listening(reader: Reader, cameras: SeatCameras) -> Reader:
    """The reader, connected to what the seats' own cameras see."""
    if isinstance(reader, WitnessingReader):
        reader.listen_to(cameras.witness)
    return reader
