"""Sets a table up: a source is chosen and tried out, then a game begins with it."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

from engine.codec import entry_from_json
from engine.corrections import refuse_equal_names
from engine.errors import Malformed, Refused
from engine.events import Entry, GameStart
from engine.options import check
from engine.play import IN_PLAY
from engine.rules import RULE_SETS
from engine.texts.files import LANGUAGES
from service.evening.open_table import Opening, TableRequest
from service.evening.own_set import SetLaidOut
from service.evening.preview import SourcePreview
from service.evening.sent_records import keep_record, sample_file, sample_start
from service.evening.studied_games import STUDY, games_told, studied, studied_games
from service.evening.uploads import VIDEOS, Uploads
from service.evening.wire import (
    CameraChoice,
    EveningGameView,
    EveningView,
    FaceGiven,
    GameOfferedView,
    LaidPicture,
    OtherChoice,
    RecordingChoice,
    SetGain,
    SourceChoice,
    StartRequest,
    StreamChoice,
)
from service.machine.files import to_stderr
from service.machine.records import (
    in_the_middle,
    load_record,
    of_this_evening,
    rules_of_last,
    state_in_the_middle,
    tell,
    unfinished_by,
    unused,
)
from service.machine.weights import load_table_detector
from service.phone.server import PhoneCamera, PhoneListener
from service.seat.lessons import SetLesson, game_of, played_game
from service.table.certificate import REHEARSALS
from service.table.options import DEFAULTS, Options
from service.table.reader import EmptyReader, EmptySource
from service.table.reader_maker import ReaderMaker
from service.table.record_file import RecordFile, last_of_evening
from service.table.score_pad import hides
from service.web.listeners import Listeners
from vision.camera.address import readable
from vision.camera.cameras import find_cameras
from vision.camera.frames import FrameSource, RecordedSource
from vision.camera.isolated import IsolatedVideo
from vision.camera.live import PacedFile, open_live
from vision.camera.pictures import SourceError
from vision.camera.reconnecting import ReconnectingCamera
from vision.detect import Detector
from vision.pipeline import TileReader

MOST_LISTED: Final = 50


@dataclass(frozen=True)
class _Chosen:
    """The source of a game, and how it is read."""

    source: FrameSource
    maker: ReaderMaker
    start: GameStart
    let_go: Callable[[], None] = lambda: None


class SetUpSession:
    """Handles one source at a time; its methods are called one after the other."""

    def __init__(
        self,
        load: Callable[[], TileReader],
        folder: Path,
        options: Options = DEFAULTS,
        load_fitted: Callable[[Path | None], Detector] = load_table_detector,
        listeners: Listeners | None = None,
    ) -> None:
        """``folder`` is searched for recordings; ``load`` returns a new detector.

        Records lie beside that of the first game.

        ``load_fitted`` returns one that is fitted to a profile, or to none.
        """
        self._fresh = load
        self.options = options
        self.preview: SourcePreview | None = None
        self.phone: PhoneListener | None = None
        self.asked: SourceChoice | None = None
        """What is tried out now; None for nothing, and for what was uploaded."""
        self.listeners = Listeners() if listeners is None else listeners
        """Where phones that film are let in."""
        self.on_phone = False
        """Whether the phone that films sets the table up."""
        self._load = cache(load)
        self._folder = folder
        self._record = options.record
        self._games = folder if options.record is None else options.record.parent
        """The folder of all records of the evening."""
        self._shown: Path | None = None
        """The record of the table that was opened last; that table may still hold it."""
        self._again: Callable[[], FrameSource] | None = None
        """Reopens the camera; None for what cannot be reopened."""
        self.opening: Opening | None = None
        """How far the record is replayed of the table that is being opened."""
        self.uploads = Uploads()
        self._load_fitted = load_fitted
        self._set = SetLaidOut(partial(load_fitted, None))

    @property
    def set_lesson(self) -> SetLesson:
        """What is set for the evening, kept with its records."""
        return SetLesson(self._games)

    def recordings(self) -> list[str]:
        """The names of videos in the folder, newest first."""
        return [*self._recordings()]

    def _recordings(self) -> dict[str, Path]:
        paths = [path for path in self._folder.iterdir() if path.suffix.lower() in VIDEOS]
        paths = [path for path in paths if path.is_file() and not path.name.startswith(".")]
        paths.sort(key=lambda path: -path.stat().st_mtime)
        return _by_name(self._folder, paths[:MOST_LISTED])

    def records(self) -> list[str]:
        """The names of records, those sent for study among them, newest first."""
        return [*self._records()]

    def _records(self) -> dict[str, Path]:
        paths = (*self._games.glob("*.jsonl"), *self._games.glob(f"{STUDY}/*.jsonl"))
        found = [path for path in paths if path.is_file() and not path.name.startswith(".")]
        found.sort(key=lambda path: -path.stat().st_mtime)
        return _by_name(self._games, found[:MOST_LISTED])

    @property
    def goes_on(self) -> bool:
        """Whether the next game is a record that broke off in the middle of a hand."""
        with contextlib.suppress(Refused, OSError):  # the start says what is wrong with it
            if self._record is not None and self._record.is_file():
                return state_in_the_middle(load_record(str(self._record))).phase in IN_PLAY
        return False

    def last_time(self) -> GameOfferedView | None:
        """Rules, house rules and names of the newest game that was played here by name."""
        for name, path in self._records().items():
            with contextlib.suppress(Refused, ValueError, OSError):
                lines = [] if name.startswith(STUDY) else load_record(str(path))
                starts = [line.event for line in lines if isinstance(line.event, GameStart)]
                if starts and any(starts[-1].players or ()):
                    last = starts[-1]
                    names, options = list(last.players or ()), dict(last.options)
                    return {"rules": last.rules, "options": options, "names": names}
        return None

    def evening(self) -> EveningView | None:
        """The games of this evening's record, which the next start goes on with."""
        record = self._of_evening()
        named = {path: name for name, path in self._records().items()}
        with contextlib.suppress(Refused, ValueError, OSError):
            if record is not None and record in named:
                written = record.stat()
                games = _games_in(record, written.st_mtime_ns, written.st_size)
                if hides(record):  # how far it was read is told when the evening is over
                    games = [{**game, "hands": 0, "over": False} for game in games[-1:]]
                return {"record": named[record], "games": games} if games else None
        return None

    def _of_evening(self) -> Path | None:
        """The record of this evening; one that was named to the program may not be there yet."""
        if self._record is not None:
            return self._record
        if self._shown in of_this_evening(self._games):
            return self._shown
        return last_of_evening(self._games)

    def keep_record(self, name: str, written: bytes) -> str:
        """Keep a record or public log that a browser sent; raises ``Refused``.

        It counts in no standings: it lies in a folder of its own.
        """
        (self._games / STUDY).mkdir(exist_ok=True)
        return f"{STUDY}/{keep_record(self._games / STUDY, name, written)}"

    def choose(self, asked: SourceChoice) -> str:
        """Try out another source and return its name; raises ``Refused``, ``SourceError``.

        The same phone keeps its address: it may be sending already.
        """
        if self.phone is not None and self.preview is not None and asked == self.asked:
            return self.preview.source.name
        self.let_go()
        source = self._source(asked)
        self.preview, self.asked = SourcePreview(source, self._load), asked
        return source.name

    def glimpse(self, number: int) -> bytes:
        """A picture of a camera of this computer as JPEG, by which it is known."""
        if self.preview is not None or all(one.number != number for one in find_cameras()):
            return b""
        looked = SourcePreview(open_live(str(number)), self._load)
        try:
            looked.newest()
            return looked.picture()
        finally:
            looked.close()

    def try_recording(self, path: Path, name: str) -> str:
        """Try out an uploaded recording; delete one that cannot be played."""
        self.let_go()
        try:
            source = IsolatedVideo(path, name)
        except SourceError:
            path.unlink()
            raise
        self.preview = SourcePreview(source, self._load)
        return source.name

    def begin(self, asked: StartRequest) -> TableRequest:
        """Return what is to be watched; raises ``Refused``, ``Unreadable``."""
        lang = asked.lang or self.options.lang
        if lang not in LANGUAGES:
            raise Malformed(f'expected "lang" to be one of {", ".join(LANGUAGES)}')
        if asked.lessons is not None:
            return self._opened(self._lessons(game_of(asked.lessons)), lang)
        if asked.open is not None:
            return self._opened(self._named(asked.open), lang)
        tried = self.preview
        start = sample_start() if asked.sample else _start(asked)
        # First: a refusal leaves the camera as it is.
        rehearses = asked.rehearse and not asked.sample
        if rehearses:
            record = self._beside_games(REHEARSALS, "rehearsal")
        elif asked.sample:
            record = self._beside_games(STUDY, "sample")
        else:
            record = self._record_for(asked, start)
        chosen = self._sample() if asked.sample else self._tried(asked, start)
        if not asked.sample and not rehearses:
            self._record, self._shown = None, record
        source = chosen.source
        maker = chosen.maker
        if isinstance(source, RecordedSource):
            # The sample shows what a camera would: announcements come at once.
            maker = maker if asked.sample else maker.of_recordings()
            source = source.hurried() if asked.hurry else source
        else:
            maker = maker.of_camera()
        # A detector serves one at a time: the next source is tried out with another.
        detector = self._fresh() if tried is not None and tried.reads else self._load()
        self._load = cache(self._fresh)
        make_reader = partial(maker, detector)
        return TableRequest(
            source,
            make_reader,
            chosen.start,
            record,
            replace(self.options, lang=lang, read_twice=self._read_twice(asked)),
            self._fresh,
            chosen.let_go,
            has_next=not asked.sample and not rehearses,
            rehearses=rehearses,
        )

    def _read_twice(self, asked: StartRequest) -> int | None:
        if asked.sample:
            return None
        said = "read_twice" in asked.model_fields_set
        return asked.read_twice if said else self.options.read_twice

    def _sample(self) -> _Chosen:
        self.let_go()
        start = sample_start()
        maker = ReaderMaker(start.rules, None, None, self.options.own_set, options=start.options)
        return _Chosen(PacedFile(sample_file(), every=True), maker, start)

    def _tried(self, asked: StartRequest, start: GameStart) -> _Chosen:
        """The source that is being tried out, taken over from the preview."""
        if self.preview is None:
            raise Refused("choose a camera first")
        found = self.preview.check()
        if found is None or found.view is None:
            raise Refused(
                "no table was found in the picture; drag the four corners to where they are"
            )
        maker = ReaderMaker(
            start.rules,
            replace(found.view, seat0=asked.seat0),
            asked.seat0,
            self.options.own_set,
            first_dealer=start.first_dealer,
            mirrored=self.preview.mirrored or None,
            options=start.options,
        )
        source = self._returning(self.preview.source)
        phone, self.phone, self.asked = self.phone, None, None
        self.preview.close()
        self.preview = None
        return (
            _Chosen(source, maker, start)
            if phone is None
            else _Chosen(source, maker, start, phone.close)
        )

    def _lessons(self, game: str) -> Path:
        """The record of which the lessons of a game are made, kept for study."""
        return self._games / self.keep_record(game, played_game(game))

    def _named(self, name: object) -> Path:
        path = self._records().get(str(name))
        if path is None:
            raise Refused(f"there is no record {name!r} in {self._games}")
        return path

    def _opened(self, path: Path, lang: str) -> TableRequest:
        """A record without pictures: to replay, drill and correct."""
        self.let_go()
        rules = rules_of_last(load_record(str(path))) or self.options.rules
        self._shown = path
        request = TableRequest(
            EmptySource(readable(path.name)),
            EmptyReader,
            GameStart(rules),
            path,
            replace(self.options, lang=lang, keep_tiles=None),
            self._fresh,
            has_next=path.parent.name != STUDY,
        )
        return request if request.has_next else studied(request, studied_games(path))

    def lay_out(self) -> LaidPicture:
        """Take a picture of the set laid out; raises ``Refused``, ``ProfileError``."""
        if self.preview is None:
            raise Refused("choose a camera first")
        frame, check = self.preview.newest(), self.preview.check()
        if frame is None:
            raise Refused(self.preview.problem or "no picture has come from the camera yet")
        view = None if check is None else check.view
        return self._set.add(frame.image_bgr, None if view is None else view.tile_px)

    def forget_set(self) -> None:
        """Forget the pictures of the set laid out; a profile that is in use stays so."""
        self._set = SetLaidOut(partial(self._load_fitted, None))

    def use_set(self, told: Sequence[FaceGiven]) -> SetGain:
        """Learn the set and play with it from now on; return what it gains."""
        out = unused(self._games, "set", ".tiles")
        gain = self._set.use(told, out)
        self.options = replace(self.options, own_set=out)
        self._fresh = partial(self._load_fitted, out)
        self._load = cache(self._fresh)
        if self.preview is not None:
            self.preview.read_with(self._load)
        self.forget_set()
        return gain

    def let_go(self) -> None:
        """Release the source."""
        self._again = self.asked = None
        if self.phone is not None:  # first: the preview waits for its pictures
            self.phone.close()
            self.phone = None
        if self.preview is not None:
            self.preview.close()
            self.preview = None

    def close(self) -> None:
        self.let_go()
        self.uploads.close()

    def _source(self, asked: SourceChoice) -> FrameSource:
        match asked:
            case CameraChoice(number=number):
                return self._live(str(number))
            case StreamChoice(address=address):
                if not address.startswith(("rtsp://", "rtsps://", "http://", "https://")):
                    raise Refused("an address begins with rtsp:// or http://")
                return self._live(address)
            case RecordingChoice(name=name):
                # A name from the list, so that nothing outside the folder is ever opened.
                path = self._recordings().get(name)
                if path is None:
                    raise Refused(f"there is no recording {name!r} in {self._folder}")
                return PacedFile(path, every=True)
            case OtherChoice(kind="phone"):
                self.phone = PhoneListener(
                    PhoneCamera(),
                    self.listeners,
                    own=self.options.certificate,
                    sets_up=self.on_phone,
                )
                return self.phone.camera
        return PacedFile(sample_file(), every=True)

    def _live(self, text: str) -> FrameSource:
        source = open_live(text)
        self._again = lambda: open_live(text)
        return source

    def _returning(self, tried: FrameSource) -> FrameSource:
        """Wrap a camera so that it is waited for when its pictures stop."""
        again, self._again = self._again, None
        if again is None:
            return tried
        first = [tried]
        return ReconnectingCamera(lambda: first.pop() if first else again())

    def _beside_games(self, folder: str, stem: str) -> Path:
        """A record that counts in no standings."""
        (self._games / folder).mkdir(parents=True, exist_ok=True)
        return unused(self._games / folder, stem, ".jsonl")

    def _record_for(self, asked: StartRequest, start: GameStart) -> Path:
        """Where the next game is recorded; raises ``Refused`` where nothing can be written.

        A game of this evening that broke off under other rules or house rules stays as it is, in
        its own record.
        """
        record = self._record or unused(self._games, "game", ".jsonl")
        if asked.evening is not None:
            record = self._records().get(asked.evening, self._games)
            if record != self._of_evening():
                raise Refused(f"{asked.evening!r} is not the record of this evening; look again")
        # What people left as it is on the page they chose as well.
        chosen = replace(start, options=RULE_SETS[start.rules].all_options(start.options))
        others = unfinished_by(state_in_the_middle(self._lines_of(record)), chosen)
        if others is None:
            return record
        if record not in of_this_evening(self._games):
            raise in_the_middle(record, others)
        new = unused(self._games, "game", ".jsonl")
        to_stderr(f"{record} stays in the middle of a game by {others}; this one goes to {new}")
        return new

    def _lines_of(self, record: Path) -> Sequence[Entry]:
        """What a record holds that can be written to, now or once the table shown is closed."""
        try:
            kept = RecordFile(record)
        except Refused:
            if record != self._shown:
                raise
            return load_record(str(record))
        kept.close()
        return kept.entries


def _start(asked: StartRequest) -> GameStart:
    refuse_equal_names(asked.names)
    told = {"type": "game_start", "rules": asked.rules, "options": asked.options}
    if any(asked.names):
        told["players"] = asked.names
    if asked.first_dealer is not None:
        told["first_dealer"] = asked.first_dealer
    entry = entry_from_json(told)
    check(entry, RULE_SETS)
    assert isinstance(entry.event, GameStart), "it is what was asked for"
    return entry.event


@lru_cache(maxsize=1)
def _games_in(record: Path, written_ns: int, size: int) -> list[EveningGameView]:
    """The games of a record, which is replayed when it has been written to."""
    return games_told(tell(load_record(str(record))))


def _by_name(folder: Path, paths: Sequence[Path]) -> dict[str, Path]:
    """Files below a folder by the names that pages show; bytes that are no text are spelled out
    where two names would look alike."""
    names = [path.relative_to(folder).as_posix() for path in paths]
    alike = Counter(map(readable, names))
    return {
        readable(name)
        if alike[readable(name)] == 1
        else os.fsencode(name).decode("utf-8", "backslashreplace"): path
        for name, path in zip(names, paths, strict=True)
    }
