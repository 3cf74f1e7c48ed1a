"""Opens a table: its source, its reader, its record, its keys, its pictures, the seats' cameras."""

from __future__ import annotations

import contextlib
import functools
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from engine.errors import Refused
from engine.events import Entry, GameStart
from engine.game import Game
from service.evening.film_in_record import FilmPlace, place_of_film
from service.evening.wire import EveningGameView
from service.machine.files import to_stderr
from service.machine.records import in_the_middle, of_this_evening, replayed, unfinished_by
from service.machine.weights import load_table_detector
from service.phone.seat_cameras import SeatCameras, SeatFilm
from service.phone.server import PhoneCamera
from service.report.public import Json
from service.table.certificate import Standing, certificate_file
from service.table.dispute import Agreed, Dispute, agreed_file
from service.table.live_table import LiveTable, TableSettings
from service.table.notices import to_terminal
from service.table.options import DEFAULTS, Options
from service.table.picture_files import pictures_folder
from service.table.pictures import Pictures
from service.table.reader import EmptySource, Reader, WitnessingReader
from service.table.reader_maker import MakeReader, ReaderMaker
from service.table.record_file import RecordFile, last_of_evening
from service.table.rehearsed_table import RehearsedTable, ToldLines
from service.table.score_pad import ScorePad
from service.table.trusted import standing_of
from service.web.keys import TableKeys, keys_file
from service.web.listeners import Listeners
from vision.attention.schedule import LIVE
from vision.camera.frames import Frame, FrameSource, RecordedSource
from vision.camera.live import PacedFile
from vision.camera.reconnecting import ReconnectingCamera
from vision.detect import Detector
from vision.notice import Notice
from vision.pipeline import TileReader
from vision.seat_camera.row_reader import DetectorNets
from vision.table.view import TableView


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
    load: Callable[[], TileReader] = load_table_detector
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
    rehearses: bool = False
    """Whether cards are gone through, in place of a game."""
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
    film: PacedFile | None = None
    """A film of this machine, of which any piece can be seen again."""
    pad: ScorePad | None = None
    """Where it is watched in the shadow, or was."""


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
    pad = None
    try:
        # Where nothing is watched, only a record that is in the shadow already stays there.
        shadow = request.options.shadow and not isinstance(request.source, EmptySource)
        pad = ScorePad.of(request.record, shadow, len(kept.entries))
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
        load = functools.cache(request.load)  # at the first dispute, or payout that is read twice
        settings = _settings(request, kept, game, pictures, place, load)
        reader = _listening(request.make_reader(), cameras)
        rehearsed = _rehearsed(request)
        lines = kept if rehearsed is None else ToldLines(kept, rehearsed)
        table = LiveTable(reader, cameras.clock.through(place.frames), lines, settings)
        if rehearsed is not None:
            table.rehearsed, rehearsed.table = rehearsed, _WatchedTable(table)
        go_on()
        dispute = Dispute(pictures, load)
        table.on_notice = functools.partial(to_terminal, lang=request.options.lang)
        if pad is not None:
            table.may_tell = functools.partial(_may_tell, pad)
        table.seat_cameras = cameras
        for film, source in request.seats:
            go_on()
            cameras.open(film, source)
        _connect(request.source, table, pad)
        before = _record_before(kept.path)
        keys_before = None if before is None else TableKeys.read_from(keys_file(before))
        if request.keeps_seats and last is not None:
            keys = last.of_other_game(kept.path, table.names, len(kept.entries))
        else:
            keys = TableKeys.kept_beside(kept.path, last or keys_before, len(kept.entries))
        keys.seated(table.names)
        go_on()
        watched = request.source if isinstance(request.source, PacedFile) else None
        yield OpenRecord(table, keys, kept, dispute, Agreed(kept.path, before), watched, pad)
    finally:
        cameras.close()
        kept.close()
        if not kept.path.exists():  # nothing was recorded
            keys_file(kept.path).unlink(missing_ok=True)
            agreed_file(kept.path).unlink(missing_ok=True)
            if pad is not None:
                pad.dropped()
            if not pictured:
                shutil.rmtree(folder, ignore_errors=True)


def _rehearsed(request: TableRequest) -> RehearsedTable | None:
    if not request.rehearses:
        return None
    return RehearsedTable(
        request.record,
        request.start.rules,
        request.source.name,
        request.options.own_set,
        functools.cache(request.load),
        film=isinstance(request.source, RecordedSource),
    )


class _WatchedTable:
    """What a rehearsal needs of its table."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table

    @property
    def ended(self) -> bool:
        return self._table.ended

    @property
    def entries(self) -> Sequence[Entry]:
        return self._table.game.entries

    @property
    def clock_s(self) -> float | None:
        return self._table.reader.clock_s

    @property
    def seen(self) -> tuple[Frame, TableView] | None:
        return self._table.reader.seen


def _settings(
    request: TableRequest, kept: RecordFile, game: Game, pictures: Pictures, place: FilmPlace,
    load: Callable[[], TileReader],
) -> TableSettings:  # fmt: skip
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
        _standing(request),
        certificate_file(kept.path),
        # What is only put right has no frames, and cards of a rehearsal pay nothing.
        None if request.rehearses or isinstance(request.source, EmptySource) else load,
    )


def _standing(request: TableRequest) -> Standing | None:
    """What was proved of the table of a camera; a film and a record prove nothing of it."""
    if isinstance(request.source, RecordedSource | EmptySource) or not request.has_next:
        return None
    maker = request.make_reader
    options = request.options
    if isinstance(maker, ReaderMaker):
        options = replace(options, own_set=maker.own_set)
    return standing_of(
        request.record.parent, request.source.name, request.start.rules, options, date.today()
    )


def _connect(source: FrameSource, table: LiveTable, pad: ScorePad | None) -> None:
    """Let the source tell the table, and the person at the machine, how it is."""
    if isinstance(source, PhoneCamera):
        source.told = lambda: _names_and_points(table, pad)
        source.say = lambda notice: table.reader.notice(notice)
    if isinstance(source, PacedFile):
        for remark in source.remarks:
            to_stderr(remark)
    if isinstance(source, ReconnectingCamera):
        source.say = lambda notice: table.reader.notice(notice)
        table.reader.let_go = source.end


def _names_and_points(table: LiveTable, pad: ScorePad | None) -> Json:
    """What the phone above the table shows of it: nothing that not everybody sees."""
    if pad is not None and not pad.over:
        return {}
    told = table.table()
    return {"names": told["names"], "points": told["points"]}


def _may_tell(pad: ScorePad, notice: Notice) -> bool:
    """Whether a notice is about the camera: in the shadow nobody hears how a hand ended."""
    return pad.over or notice.kind != "unseen"


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
