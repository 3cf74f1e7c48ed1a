"""A live table: one task owns the game, pages subscribe."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from engine.announce import Announcement
from engine.events import Correct, Entry, GameStart, Seat
from engine.game import Game, replay, said_since
from engine.options import check
from engine.rules import RULE_SETS
from engine.state import Phase
from service.report.public import Json, names_of, public_table
from service.seat_camera.cameras import SeatCameras
from service.table.camera_lines import CameraLines
from service.table.correction_lines import EditHistory, NotThere
from service.table.gallery import Gallery
from service.table.notices import TroubleKind
from service.table.page_messages import correctable, events_of, lately, new_to_all, words
from service.table.questions import OpenQuestions, QuestionReader
from service.table.reader import Reader, ResumingReader
from service.table.reader_thread import ReaderThread
from service.table.subscriber import Subscriber
from service.words.catalogue import rules_title, rules_titles
from vision.camera.frames import Frames
from vision.notice import Notice

RETRY_S: Final = 1.0
"""Seconds between attempts to write a line when the disk is full."""


class Record(Protocol):
    def append(self, entry: Entry) -> None:
        """Return when the line is safe."""
        ...


@dataclass(frozen=True)
class TableSettings:
    """The game and the source of a table."""

    rules: str
    name: str
    """The name of the source."""
    lang: str = "en"
    record_name: str = ""
    """Distinguishes this record from others that a page has listened to."""
    before: Sequence[Entry] = ()
    """Lines that the record holds already."""
    plays_again: bool = False
    """Whether the source is the video that these lines came from, from its beginning."""
    start: GameStart | None = None
    """Names and options that people gave for the games that the camera sees."""
    gallery: Gallery | None = None


class LiveTable:
    """Owns the game, its record and what the pages are told."""

    def __init__(
        self, reader: Reader, frames: Frames, record: Record, settings: TableSettings
    ) -> None:
        before, start = settings.before, settings.start
        self.name = settings.name
        self.rules = settings.rules
        self.game: Game = replay(before)
        self.history = EditHistory(before)
        """What people can undo and redo."""
        self.problem: str | None = None
        self.ended = False
        self.gone = False
        """The table is no longer shown."""
        self.lang = settings.lang
        self.record_name = settings.record_name
        self.on_notice: Callable[[Notice], None] = lambda notice: None
        """Called with each notice, besides the pages."""
        self.seat_cameras: SeatCameras | None = None
        """Cameras of single seats; what they see goes to those seats' own pages only."""
        self._troubles: dict[TroubleKind, str] = {}
        self._unwritten = False
        self._record = record
        taken_up = bool(before) and not settings.plays_again and isinstance(reader, ResumingReader)
        if taken_up and isinstance(reader, ResumingReader):
            reader.take_up(before)
        self._camera = CameraLines(before, settings.plays_again, start, taken_up)
        self.reader = ReaderThread(reader, frames, settings.gallery, self._camera.since_s)
        self._players = None if start is None else start.players
        self.asking: OpenQuestions | None = None
        """The reader's questions; None for a reader without any."""
        if isinstance(reader, QuestionReader):
            self.asking = OpenQuestions(reader, self._camera.since_s)
        self.writing = asyncio.Lock()
        """Held from looking at the record until the new line is in it."""
        self._subscribers: set[Subscriber] = set()

    async def run(self) -> None:
        """Own the game until the frames end; a thread looks at them."""
        try:
            async with contextlib.aclosing(self.reader.results()) as results:
                async for item in results:
                    if isinstance(item, Notice):
                        self._noticed(item)
                    else:
                        await self._seen(item)
            self.problem = self.reader.problem
        finally:
            self.ended = True
            self._tell(self._status())

    async def submit(self, entry: Entry) -> tuple[Announcement, ...]:
        """Write one line, let the engine judge it, and tell the pages.

        Raises ``Unreadable`` or ``OSError`` with nothing kept; ``writing`` is held meanwhile.
        """
        check(entry, RULE_SETS)
        await asyncio.to_thread(self._record.append, entry)
        before = self.game.played
        said = self.game.submit(entry)
        self.history.take(len(self.game.entries) - 1, entry)
        if isinstance(entry.event, Correct) and said:
            first = min(one.of for one in said)
            said = tuple(new_to_all(said, said_since(before, first)))
        message: Json = {
            "said": words(said, self.game, self.lang),
            "table": self.table(),
            "acts": correctable(self.game, self.history),
            "questions": self.questions(),
        }
        if isinstance(entry.event, Correct):
            # All that follows a corrected event may have changed: the page begins anew.
            message |= {"type": "corrected", "of": entry.event.of} | lately(self.game, self.lang)
        else:
            message |= {"type": "happened"} | events_of(self.game, 1)[0]
        self._tell(message)
        return said

    def _noticed(self, notice: Notice) -> None:
        """Show a trouble for as long as it lasts."""
        if notice.lasts:
            self._troubles[notice.kind] = notice.text
        else:
            self._troubles.pop(notice.kind, None)
        self.on_notice(notice)
        self._tell(self._status())

    def questions(self) -> list[Json]:
        return [] if self.asking is None else self.asking.told(self.game)

    async def answer(self, name: str, chosen: int) -> None:
        """Take an answer; raises ``NotThere``, or what ``submit`` raises."""
        if self.asking is None:
            raise NotThere("this table has no questions")
        async with self.writing:
            question = self.asking.question(self.game, name)
            if chosen >= len(question.choices):
                raise NotThere(f"this question has {len(question.choices)} answers")
            choice = question.choices[chosen]
            for line in self.asking.lines(self.game, question, choice):
                await self.submit(line)
            self.asking.settle(question, choice)
        if self.ended:
            for entry in await asyncio.to_thread(self.asking.reader.settled):
                await self._seen(entry)
        self._tell({"type": "questions", "questions": self.questions()})

    async def _seen(self, entry: Entry) -> None:
        async with self.writing:
            line = self._camera.placed(entry, self.game)
        while line is not None and not await self._kept(line):
            # The disk is full: keep the line, and announce nothing until it is written.
            await asyncio.sleep(RETRY_S)

    async def _kept(self, line: Entry) -> bool:
        """Write the camera's line; return False and tell the pages why where that fails."""
        async with self.writing:
            problem: str | None = None
            self._camera.put_at(len(self.game.entries))
            try:
                await self.submit(line)
            except OSError as error:
                problem = f"the record cannot be written: {error.strerror or error}"
        if problem != self.problem:
            self.problem, self._unwritten = problem, problem is not None
            self._tell(self._status())
        return problem is None

    def table(self) -> Json:
        """The table as everybody may see it."""
        state = self.game.state
        if state.phase is Phase.BEFORE_GAME and self._players is not None:
            # Show the names that people gave before anything has been seen.
            state = replace(state, names=self._players)
        return public_table(state, names_of(state))

    def snapshot(self) -> Json:
        """What a page needs that opens now."""
        return {
            "type": "snapshot",
            "source": self.name,
            "rules": self.rules,
            "rules_title": rules_title(self.rules),
            "rules_titles": rules_titles(self.rules),
            "lang": self.lang,
            "record": self.record_name,
            "table": self.table(),
            "status": self._status(),
            "acts": correctable(self.game, self.history),
            "questions": self.questions(),
        } | lately(self.game, self.lang)

    @property
    def clock_s(self) -> float | None:
        """Time of the newest frame in the record."""
        time_s = self.reader.time_s
        return None if time_s is None else self._camera.since_s + time_s

    def game_of(self, seat: Seat) -> Game:
        """The game as one seat knows it, with what its own camera sees."""
        cameras = self.seat_cameras
        return self.game if cameras is None else cameras.game_of(self.game, seat, self.since_s)

    @property
    def since_s(self) -> float:
        """Start of the frames' clock in the time of the record."""
        return self._camera.since_s

    @contextlib.contextmanager
    def seat_news(self, seat: Seat, told: Callable[[], None]) -> Iterator[None]:
        """Call ``told`` when a seat's own camera sees something new."""
        if self.seat_cameras is None:
            yield
            return
        with self.seat_cameras.listening(seat, told):
            yield

    def leave(self) -> None:
        """Close every page's connection: the table is no longer shown."""
        self.gone = True
        for subscriber in self._subscribers:
            subscriber.too_slow.set()
            subscriber.offer(self._status())

    @contextlib.contextmanager
    def subscribed(self) -> Iterator[Subscriber]:
        """Receive messages from now on."""
        subscriber = Subscriber()
        self._subscribers.add(subscriber)
        try:
            yield subscriber
        finally:
            self._subscribers.discard(subscriber)

    @property
    def trouble(self) -> str | None:
        """What is wrong with the table; None where nothing is."""
        return self.problem or next(iter(self._troubles.values()), None)

    @property
    def trouble_kind(self) -> TroubleKind | None:
        """The kind of trouble, where pages have words for it."""
        if self._unwritten:
            return "unwritten"
        return None if self.problem else next(iter(self._troubles), None)

    def _status(self) -> Json:
        return {
            "type": "status",
            "ended": self.ended,
            "problem": self.trouble,
            "trouble_kind": self.trouble_kind,
        }

    def _tell(self, message: Json) -> None:
        for subscriber in self._subscribers:
            subscriber.offer(message)
