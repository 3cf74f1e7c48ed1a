"""From frames to what is told of a game: find the table, read it, and give notice of trouble."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Final

from engine.events import DrawnHand, Entry, HandEnd, HandStart, Seat
from engine.first_deal import Counted
from vision.attention.mirror_watch import MirrorWatch
from vision.attention.pending import LookReader
from vision.attention.schedule import LIVE, Schedule
from vision.attention.tint import TintWatch
from vision.camera.buffer import CalledFrames
from vision.camera.frames import Frame
from vision.camera.noise import NoiseWatch
from vision.camera.pictures import SourceError
from vision.camera.stream import StreamWatch
from vision.checkpoint import packed, unpacked
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptHand
from vision.decoder.kept_looks import Begun, packed_looks
from vision.decoder.pin import Pins
from vision.detect import TileReader
from vision.notice import Notice
from vision.seat_camera.witness import NOBODY, Witness
from vision.session import FrameResult, LookSink, Session
from vision.shots.edited import EditedFilm, Scene
from vision.table.calibrate import FIELD_MM, NoTable
from vision.table.search import Search, look_for_table
from vision.table.view import Corners, TableView, differ
from vision.tiles.finder import reduction
from vision.tracking.observe import Look, Observation, measured_tile_mm

__all__ = ["FrameResult", "LookSink", "ReaderSettings", "TableReader", "TileReader"]

FIND_S: Final = 8.0
"""How long to look for a table before giving up."""
HANDS_S: Final = 60.0
"""How long to wait for four standing hands where tiles are seen but no edge of a table."""
TITLES_S: Final = 600.0
"""How long a film may show something else before the table."""
SEARCH_S: Final = 1.0
"""Interval between two searches for the table."""
AGAIN_S: Final = 5.0
"""Interval at which the table is searched again until something of a game has been told; in a film,
until the same table has been found twice."""
UNTIL_S: Final = 60.0
"""After this time the table that was found is kept."""
LEAST_TILES: Final = 24
"""So many tiles are not lying on a floor: there is a table."""
UNSEEN_END: Final = 0.5
"""A drawn hand with less confidence than this was not seen to end."""
ENDED_UNSEEN: Final = "a hand ended and nobody saw how: enter who won, or that it was drawn"
LEFT_OPEN: Final = (
    "the pictures end and no result of the last hand was seen: enter it if there was one"
)
KEPT: Final = (
    "_session",
    "_tint",
    "_noise",
    "_witness",
    "_searched_s",
    "_tiles_seen",
    "_told",
    "_open_said",
    "_other",
    "_watch",
    "_film",
    "_first_s",
    "_last_s",
)
"""The attributes that a checkpoint holds; the others are given when a reader is made."""


@dataclass(frozen=True)
class ReaderSettings:
    """What a person says about a table before it is read."""

    view: TableView | None = None
    """None: the table is searched for in the first frames."""
    seat0: str | None = None
    """Side of the picture where seat 0 sits, used when the table is searched for."""
    schedule: Schedule = LIVE
    first_dealer: Seat | None = None
    """Who dealt the first hand of the game, where somebody said so."""
    mirrored: bool | None = None
    """Mirrored pictures are turned back before anything else. None: watch whether they are."""
    options: Mapping[str, object] = field(default_factory=dict)
    """With which games are played that no record begins."""


class TableReader:
    """Reads one table, frame by frame."""

    def __init__(
        self,
        detector: TileReader,
        rules: str | Callable[[TableView], LookSink],
        settings: ReaderSettings = ReaderSettings(),
    ) -> None:
        """``rules``: the id of a rule set, or a function that makes another sink for the looks.

        A schedule with reader threads calls the detector from several threads.
        """
        self._detector = detector
        self._settings = settings
        self._mirrors = MirrorWatch(detector, settings.mirrored)
        self._before: tuple[Entry, ...] = ()
        self._witness = NOBODY
        self._rules = rules
        self._tint, self._noise = TintWatch(), NoiseWatch()
        self._looks = self._look_reader()
        self._session: Session | None = None
        self._pins = self._given = Pins()
        """What people say, and what of it the decoder holds fixed."""
        self._decoding: Decoding | None = None
        """What follows from it, until a result comes that can carry it."""
        self._searched_s = float("-inf")
        self._again_s = AGAIN_S
        """How long after a search the next one is made."""
        self._tiles_seen = False
        self._told: tuple[Entry, ...] = ()
        """The events that were told last."""
        self._open_said = False
        self._other: TableView | None = None
        """Another table than the one that is read, seen once."""
        self._shown: Corners | None = None
        """Where a person has shown the table, until the next frame."""
        self._watch = StreamWatch()
        self._film = EditedFilm() if settings.schedule.edited else None
        self._first_s: float | None = None
        self._last_s = float("-inf")
        self._hand_over = False
        """A hand has ended since the reader last rested."""
        self.rests = False
        """A hand is over and no frame is pending: ``keep`` may be called."""
        self._keeps_looks = False

    def _look_reader(
        self, pool: Executor | None = None, has_read: Callable[[], None] | None = None
    ) -> LookReader:
        return LookReader(self._detector, self._tint, self._noise, pool, has_read)

    @property
    def view(self) -> TableView | None:
        """The table, once it is known."""
        return self._session.view if self._session else self._settings.view

    @property
    def observation(self) -> Observation | None:
        """What is believed to lie on the table now."""
        return self._session.decoder.observation if self._session else None

    @property
    def witness(self) -> Witness:
        """What the seat cameras see."""
        return self._witness

    @property
    def decoder(self) -> Decoder | None:
        """What decodes the game, once the table is known."""
        decoder = self._session.decoder if self._session is not None else None
        return decoder if isinstance(decoder, Decoder) else None

    def counted(self) -> Counted | None:
        """Walls, standing hands and dice as numbers, and how sets lie; any thread may ask."""
        return None if self.decoder is None else self.decoder.counted()

    def resume(self, before: Sequence[Entry]) -> None:
        """Continue a record; call it before the first frame.

        The times of frames count from its last line.
        """
        self._before = tuple(before)

    def listen_to(self, witness: Witness) -> None:
        """Use seat cameras to settle doubts; call it before the first frame.

        They may go on recording while the table is read.
        """
        self._witness = witness

    def hear(self, pins: Pins) -> None:
        """Hold fixed what people say, from the next frame on; any thread may call this.

        Answers may come before the first frame, as they do when a video is read again.
        """
        self._pins = pins

    def show_table(self, corners: Corners) -> None:
        """Read the table between these corners from the next frame on; any thread may call this.

        ``corners``: (x, y) of each, in shares of the picture, clockwise from its top left. Raises
        ``SourceError`` for corners that no table has.
        """
        _between(corners, self.view, (1920, 1080))
        self._shown = corners

    def settled(self) -> Decoding | None:
        """What is told after the last frame because of what people said since."""
        self._hear()
        decoding, self._decoding = self._decoding, None
        return decoding

    def keep(self) -> bytes:
        """A checkpoint, made while the reader ``rests``; ``go_on`` continues from it."""
        return packed({name: getattr(self, name) for name in KEPT})

    def go_on(self, kept: bytes) -> None:
        """Continue from a checkpoint; raises ``CheckpointError``.

        Call it before the first frame, which must be the last one that was read. The frames and
        the settings must be the same as before.
        """
        for name, value in unpacked(kept).items():
            setattr(self, name, value)

    def keep_looks(self) -> None:
        """Keep what the decoder is given; call it before the first frame, after ``go_on``."""
        self._keeps_looks = True
        if self.decoder is not None:
            self.decoder.given = []

    def kept_hand(self) -> KeptHand | None:
        """What was kept since the last call; call it while the reader ``rests``, and at the end.

        None where no table was seen.
        """
        decoder = self.decoder
        if decoder is None or decoder.given is None:
            return None
        given, decoder.given = decoder.given, []
        return KeptHand(packed_looks(given), self._last_s)

    def wrong_way(self, frames: Iterable[Frame]) -> str | None:
        """What is wrong, in one line, if these frames are mirrored and nobody announced it."""
        return self._mirrors.wrong_in(self._right_way(frame).image_bgr for frame in frames)

    def _right_way(self, frame: Frame) -> Frame:
        return frame.mirror_image() if self._settings.mirrored else frame

    def read(self, frames: Iterable[Frame]) -> Iterator[FrameResult]:
        """Read frames in order; raises ``SourceError`` where no table is seen."""
        schedule = self._settings.schedule
        called = CalledFrames(frames) if schedule.beside else None
        has_read = None if called is None else called.call
        threads = schedule.readers
        pool = ThreadPoolExecutor(threads, "reads tiles") if threads else None
        with closing(self._look_reader(pool, has_read)) as self._looks:
            try:
                yield from self._read(called or frames)
            except SourceError:  # what was seen before is told
                yield from self._told_by(() if self._session is None else self._session.settle())
                raise

    def _read(self, frames: Iterable[Frame | None]) -> Iterator[FrameResult]:
        """None among the frames: a look has been read, which is told without waiting for more."""
        last: Frame | None = None
        damaged_s: float | None = None
        if self._session is not None:
            self._session.reader = self._looks
        for frame in frames:
            if frame is None:
                if self._session is not None:
                    yield from self._told_by(self._session.read_by_now())
                continue
            last = last or frame
            if frame.time_s - self._last_s < self._settings.schedule.step_s:
                self._watch.pass_over(frame)
                continue
            damaged_s = None if frame.whole else frame.time_s
            if not frame.whole:  # it may show what lay there before
                self._watch.pass_over(frame)
                continue
            last = frame = self._right_way(frame)
            self._last_s = frame.time_s
            if self._session is not None:
                last = frame = self._session.held(frame)
                scene = self._see(frame, self._session)
                if scene.shown != "table":
                    self._hear()
                    other = FrameResult(frame, (), notices=self._cuts())
                    yield from self._told_by((*self._session.settle(), other))
                    continue
                if scene.view is not None:
                    yield from self._told_by(self._moved(scene.view, frame, self._session))
            by = 1 if self._session is None else reduction(self._session.view.tile_px)
            noise = self._noise.update(frame, by)
            notices = (*self._cuts(), *self._watch.update(frame), *noise)
            self._first_s = frame.time_s if self._first_s is None else self._first_s
            watched_s = frame.time_s - self._first_s
            if self._session is None:
                self._session = self._begin(frame, watched_s)
            if self._session is None:
                yield FrameResult(frame, (), notices=notices)
                continue
            yield from self._told_by(self._find_again(frame, watched_s))
            shown, self._shown = self._shown, None
            if shown is not None:
                view = _between(shown, self._session.view, frame.size_px)
                view = self._session.turned(view, frame)
                yield from self._told_by(self._moved(view, frame, self._session))
                text = "a person has shown where the table is; the game goes on"
                notices = (*notices, Notice("moved", frame.time_s, text, lasts=False))
            if (
                any(notice.kind == "frozen" and not notice.lasts for notice in notices)
                and self.decoder
            ):
                yield from self._told_by(self._session.settle())
                self.decoder.blinded()
            self._hear()
            yield from self._told_by(self._session.read(frame, notices))
            if self._hand_over:
                yield from self._told_by(self._session.settle())
                # A reader that goes on from here has read nothing yet.
                self._looks.forget()
                self._hand_over, self.rests = False, True
                yield FrameResult(frame, self._session.shown(frame))
                self.rests = False
        if last is None:
            raise SourceError("this source has no pictures")
        if self._session is None:
            raise NoTable(
                self._noise.why(
                    "no table was found in any picture; give one with --table table.toml"
                )
            )
        self._hear()
        for result in self._told_by(self._session.end()):
            decoding = result.decoding
            yield replace(
                result, decoding=None if decoding is None else decoding.until(self._last_s)
            )
        self._hear()
        decoding = self._session.decoder.close().until(self._last_s)
        damage = () if damaged_s is None else self._watch.damaged_until(damaged_s)
        notices = (*damage, *self._cuts(self._last_s), *_left_open(decoding, self._last_s))
        yield FrameResult(last, self._session.shown(last), decoding, notices)

    def _told_by(self, results: Iterable[FrameResult]) -> Iterator[FrameResult]:
        """The results with what follows from people's words, and with further notices."""
        for result in results:
            decoding, self._decoding = result.decoding or self._decoding, None
            time_s = result.frame.time_s
            notices = (
                *result.notices,
                *self._ends(decoding, time_s),
                *self._lies_open(time_s),
                *self._mirrors.look(result.frame, result.detections),
            )
            yield replace(result, decoding=decoding, notices=notices)

    def _ends(self, decoding: Decoding | None, time_s: float) -> Iterator[Notice]:
        """A notice for each hand that ends in these events and whose end nobody saw."""
        if decoding is None:
            return
        before, self._told = self._told, decoding.told
        self._hand_over |= decoding.ends_hand(before)
        for entry in decoding.new(before):
            if _ends_unseen(entry):
                yield Notice("unseen", time_s, ENDED_UNSEEN, lasts=False)

    def _lies_open(self, time_s: float) -> Iterator[Notice]:
        """One notice if somebody had won before the first frame."""
        if self.decoder and self.decoder.found_over and not self._open_said:
            self._open_said = True
            text = "a hand lies open already and nobody saw how: reading begins with the next deal"
            yield Notice("unseen", time_s, text, lasts=False)

    def _hear(self) -> None:
        """Give the decoder what people have said since it last heard of it."""
        pins = self._pins
        if self.decoder is not None and pins is not self._given:
            self._given = pins
            self._decoding = self.decoder.hear(pins) or self._decoding

    def _begin(self, frame: Frame, watched_s: float) -> Session | None:
        if self._settings.view is not None:
            return self._new(self._settings.view.in_picture(*frame.size_px), frame)
        edited = self._settings.schedule.edited
        wait_s = AGAIN_S if edited and watched_s > FIND_S else SEARCH_S
        if frame.time_s - self._searched_s < wait_s:
            return None
        try:
            return self._new(self._search(frame), frame)
        except NoTable:
            patience_s = HANDS_S if self._tiles_seen else FIND_S
            if watched_s > (TITLES_S if edited else patience_s):
                raise
            return None

    def _new(self, view: TableView, frame: Frame) -> Session:
        self._looks.forget()
        frame = self._noise.everywhere(frame)
        return Session(self._looks, self._sink, view, frame, self._settings.schedule)

    def _sink(self, view: TableView) -> LookSink:
        if not isinstance(self._rules, str):
            return self._rules(view)
        dealer, options = self._settings.first_dealer, self._settings.options
        self._given = Pins()
        decoder = Decoder(self._rules, view, self._witness, self._before, dealer, options)
        if self._keeps_looks:
            decoder.given = [Begun(self._rules, view, dealer, self._witness, options)]
        return decoder

    def _find_again(self, frame: Frame, watched_s: float) -> list[FrameResult]:
        """Change to another table if it is found twice and nothing was told of the first one.

        Returns the pending results of the first one.
        """
        assert self._session is not None, "a table is being read"
        fixed = self._told or self._settings.view is not None or watched_s > UNTIL_S
        if fixed or frame.time_s - self._searched_s < self._again_s:
            return []
        try:
            view = self._search(frame)
        except NoTable:
            return []
        self._again_s = AGAIN_S
        if not differ(view, self._session.view):
            self._other = None
            if self._settings.schedule.edited:
                self._again_s = UNTIL_S  # the same table twice: no more searches
        elif self._other is None or differ(view, self._other):
            self._other = view
        else:
            return self._moved(view, frame, self._session)
        return []

    def _moved(self, view: TableView, frame: Frame, session: Session) -> list[FrameResult]:
        """Read the table there from now on; return the pending results.

        As long as nothing has been told, it may be another table.
        """
        left = session.settle()
        if self._told or any(result.decoding and result.decoding.told for result in left):
            session.take_view(view, frame)
        else:
            self._session, self._again_s = self._new(view, frame), AGAIN_S
        return left

    def _see(self, frame: Frame, session: Session) -> Scene:
        """What a frame of an edited film shows; every frame of a camera shows the table."""
        if self._film is None:
            return Scene("table")
        known = session.decoder.observation
        placed = known.placed if known and self._told else () if self._told else None
        scene = self._film.update(frame, session.view, placed, self._searched)
        if scene.back:
            self._watch.resume(frame.time_s)
            if self.decoder:
                self.decoder.blinded()
        return scene

    def _cuts(self, end_s: float | None = None) -> tuple[Notice, ...]:
        """What is new to be told of an edited film; ``end_s``: it ends here."""
        return self._film.notices(end_s) if self._film is not None else ()

    def _search(self, frame: Frame) -> TableView:
        """The table by its edge and its tiles, or by four hands; raises ``NoTable``."""
        self._searched_s = frame.time_s
        view = self._searched(self._noise.everywhere(frame)).view
        if view is None:
            text = "no table was found: neither its edge nor four standing hands are seen"
            raise NoTable(self._noise.why(text))
        return view

    def _searched(self, frame: Frame) -> Search:
        picture, session = frame.image_bgr, self._session
        known_px = None if session is None else session.view.tile_px
        search = look_for_table(
            lambda px: self._detector.read(picture, None, px), picture, known_px
        )
        self._tiles_seen |= len(search.readings) >= LEAST_TILES
        if search.view is None:
            return search
        view = replace(search.view, seat0=self._settings.seat0 or "bottom")
        if self._settings.schedule.edited:  # a camera's session measures it by two closer looks
            look = Look(frame.time_s, search.readings)
            view = replace(view, tile_mm=measured_tile_mm(look, view) or view.tile_mm)
        return replace(search, view=view)


def _between(corners: Corners, known: TableView | None, picture_px: tuple[int, int]) -> TableView:
    """The table between corners in shares of the picture; its sizes are as they are known."""
    places = tuple((x * picture_px[0], y * picture_px[1]) for x, y in corners)
    if known is None:
        return TableView(places, (FIELD_MM, FIELD_MM), picture_px)
    return replace(known, corners_px=places, picture_px=picture_px)


def noticed_with(notices: Iterable[Notice], last: Decoding, until_s: float) -> list[Notice]:
    """The notices of a film that is explained anew, some of which follow from what is told."""
    ends = (entry.t or 0.0 for entry in last.told if _ends_unseen(entry))
    now = [
        *(one for one in notices if one.text not in (ENDED_UNSEEN, LEFT_OPEN)),
        *(Notice("unseen", time_s, ENDED_UNSEEN, lasts=False) for time_s in ends),
        *_left_open(last, until_s),
    ]
    return sorted(now, key=lambda one: one.time_s)


def _ends_unseen(entry: Entry) -> bool:
    doubtful = entry.confidence is not None and entry.confidence < UNSEEN_END
    return isinstance(entry.event, DrawnHand) and doubtful


def _left_open(last: Decoding, time_s: float) -> Iterator[Notice]:
    """A notice if the pictures end while a hand is played, or before its end was seen."""
    played = [entry.event for entry in last.told if isinstance(entry.event, HandStart | HandEnd)]
    if played and isinstance(played[-1], HandStart):
        yield Notice("unseen", time_s, LEFT_OPEN, lasts=False)
