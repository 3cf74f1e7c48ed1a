"""A live table: one task owns the game, pages subscribe."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from engine.announce import Announcement
from engine.events import Correct, Entry, GameStart, Seat
from engine.game import Game, replay
from engine.options import check
from engine.rules import RULE_SETS
from engine.state import Phase
from service.report.public import Json, names_of, public_table
from service.seat_camera.cameras import SeatCameras
from service.table.correction_lines import NotThere, overrules_person
from service.table.edit_history import EditHistory
from service.table.gallery import Gallery
from service.table.line_numbers import LineNumbers, shifted
from service.table.news import News
from service.table.notices import TroubleKind
from service.table.page_messages import correctable, events_of, lately, words
from service.table.questions import OpenQuestions, QuestionReader
from service.table.reader import Reader, ResumingReader
from service.table.reader_thread import ReaderThread
from service.table.subscriber import Subscriber
from service.table.tile_keeper import TileKeeper
from service.words.catalogue import rules_title, rules_titles
from vision.camera.frames import Frames
from vision.notice import Notice

RETRY_S: Final = 1.0
"""Seconds between attempts to write a line when the disk is full."""
HELD_S: Final = 5.0
"""Longest wait of announcements for what the reader says to people's lines."""


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
    keep_tiles: Path | None = None
    """Folder for pictures of doubtful, corrected and confirmed tiles; None keeps none."""


class LiveTable:
    """Owns the game, its record and what the pages are told."""

    def __init__(
        self, reader: Reader, frames: Frames, record: Record, settings: TableSettings
    ) -> None:
        before = settings.before
        self.name = settings.name
        self.rules = settings.rules
        self.game: Game = replay(before)
        self.history = EditHistory(before)
        """What people can undo and redo."""
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
        self._unwritten: str | None = None
        self._record = record
        taken_up = bool(before) and not settings.plays_again and isinstance(reader, ResumingReader)
        if taken_up and isinstance(reader, ResumingReader):
            reader.take_up(before)
        self._numbers = LineNumbers(before, settings.plays_again, taken_up)
        self._keeper: TileKeeper | None = None
        if settings.keep_tiles is not None:
            known = [shifted(entry, -self.since_s) for entry in before] if taken_up else ()
            self._keeper = TileKeeper(settings.keep_tiles, known)
        self.reader = ReaderThread(reader, frames, settings.gallery, self.since_s, self._keeper)
        self._news = News(lambda: self.game)
        self._sent_s = float("-inf")
        """When the reader was last given a person's line."""
        self._withheld: dict[int, tuple[int, Entry]] = {}
        """The reader's last correction of each line about which a person's word holds, with the
        reader's number of it."""
        self._start = settings.start
        self.asking: OpenQuestions | None = None
        """The reader's questions; None for a reader without any."""
        if isinstance(reader, QuestionReader):
            self.asking = OpenQuestions(reader, self.since_s)
        self.writing = asyncio.Lock()
        """Held from looking at the record until the new line is in it."""
        self._settling = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
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
        except Exception as error:  # else nobody heard of it before the end of the program
            self.reader.failed(error)
        finally:
            self.ended = True
            self._tell(self._status())
        await self._settle()

    async def submit(self, *entries: Entry) -> tuple[Announcement, ...]:
        """Write a person's lines, tell pages and reader, and return what is announced anew.

        Raises ``Unreadable`` or ``OSError`` with nothing kept; where a later line cannot be
        written, the first ones stand. ``writing`` is held meanwhile.
        """
        own = News(lambda: self.game)
        for place, entry in enumerate(entries):
            own.changes(entry)
            try:
                await self._write(entry)
            except OSError:
                if place == 0:
                    raise
                break
            if self.reader.correctable:
                self._numbers.write(len(self.game.entries) - 1, entry)
        self._pass_on()
        await self._release()
        self._show(entries[0] if len(entries) == 1 else None)
        self._settle_soon()
        return tuple(own.said())

    async def _release(self) -> None:
        """Write what the reader corrected in lines about which a person's word holds no more."""
        for of, (own, line) in tuple(self._withheld.items()):
            if not overrules_person(self.game.entries, of):
                with contextlib.suppress(OSError):
                    await self._write(line)
                    self._numbers.written_late(own, len(self.game.entries) - 1)
                    del self._withheld[of]

    async def _write(self, entry: Entry, because: bool = False) -> None:
        """Add one line to the record and let the engine judge it; raises what ``submit`` raises."""
        check(entry, RULE_SETS)
        await asyncio.to_thread(self._record.append, entry)
        self._news.changes(entry, because)
        if isinstance(entry.event, Correct):
            # It replays all that follows: on a copy, so that nobody waits or sees half of it.
            self.game = await asyncio.to_thread(self.game.with_lines, entry)
        else:
            self.game.submit(entry)
        self.history.take(len(self.game.entries) - 1, entry)

    def _show(self, entry: Entry | None = None, late: bool = False) -> None:
        """Show the pages what was written.

        ``entry`` is the line that was written; None where there were several. While the reader has
        not taken the lines of people nothing is announced, unless it is ``late``.
        """
        message: Json = {
            "said": [],
            "also": [],
            "table": self.table(),
            "acts": correctable(self.game, self.history),
            "questions": self.questions(),
        }
        if entry is None or isinstance(entry.event, Correct):
            # All that follows a corrected event may have changed: the page begins anew.
            message |= {"type": "corrected", "of": self._news.first} | lately(self.game, self.lang)
        else:
            message |= {"type": "happened"} | events_of(self.game, 1)[0]
        late |= asyncio.get_running_loop().time() >= self._sent_s + HELD_S
        if late or not self._numbers.awaited or not self.reader.correctable:
            said = words(self._news.said(), self.game, self.lang)
            message |= {"said": said, "also": self._news.reread()}
            self._news.told()
        self._tell(message)

    def _show_late(self, sent_s: float) -> None:
        """Announce what has waited for the reader since then."""
        if self._news.untold and sent_s == self._sent_s:
            self._show(late=True)

    def _pass_on(self) -> None:
        """Give the reader the lines of people that it can place now."""
        lines = self._numbers.to_send() if self.reader.correctable else []
        for line in lines:
            self.reader.write(line)
        if lines:
            loop = asyncio.get_running_loop()
            self._sent_s = loop.time()
            loop.call_later(HELD_S, self._show_late, self._sent_s)

    def _settle_soon(self) -> None:
        if self.ended:
            task = asyncio.create_task(self._settle())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _settle(self) -> None:
        """Write what follows from people's words after the last frame."""
        problem = self.problem
        async with self._settling:
            while lines := await self.reader.settled():
                await self._seen(lines)
        if self.problem != problem:
            self._tell(self._status())
        self._show_late(self._sent_s)

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
            lines = self.asking.lines(self.game, question, choice)
            for line in lines:
                await self.submit(line)
            written = bool(lines) and self.reader.correctable
            self.asking.settle(question, choice, written)
            if self._keeper is not None:
                await asyncio.to_thread(self._keeper.answered, question, choice)
        self._settle_soon()
        self._tell({"type": "questions", "questions": self.questions()})

    async def _seen(self, entries: Sequence[Entry]) -> None:
        """Write the reader's lines of one moment; what corrections change is told together."""
        together = because = False
        for entry in entries:
            event = entry.event
            reason = event.reason if isinstance(event, Correct) else None
            because |= entry.source == "person" or reason == "answer"
            together |= because or isinstance(event, Correct)
            line = self._numbers.placed(entry, self.game)
            if line is not None and isinstance(event, GameStart) and self._start is not None:
                line = replace(line, event=self._start)
            while line is not None and not await self._kept(line, because):
                # The disk is full: keep the line, and announce nothing until it is written.
                await asyncio.sleep(RETRY_S)
            self._pass_on()
            if line is not None and not together:
                self._show(line)
        if together and self._news.untold:
            self._show()

    async def _kept(self, line: Entry, because: bool) -> bool:
        """Write the reader's line; return False and tell the pages why where that fails."""
        problem: str | None = None
        async with self.writing:
            event, number = line.event, len(self.game.entries)
            if isinstance(event, Correct) and overrules_person(self.game.entries, event.of):
                self._withheld[event.of] = self._numbers.written(None), line
                return True
            try:
                await self._write(line, because)
                self._numbers.written(number)
            except OSError as error:
                problem = f"the record cannot be written: {error.strerror or error}"
        if problem != self._unwritten:
            self._unwritten = problem
            self._tell(self._status())
        return problem is None

    def table(self) -> Json:
        """The table as everybody may see it."""
        state = self.game.state
        if state.phase is Phase.BEFORE_GAME and self._start is not None:
            # Show names and points before anything has been seen.
            started = replay([Entry(self._start)]).state
            state = replace(state, names=started.names, points=started.points)
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
        return None if time_s is None else self._numbers.since_s + time_s

    def game_of(self, seat: Seat) -> Game:
        """The game as one seat knows it, with what its own camera sees."""
        cameras = self.seat_cameras
        return self.game if cameras is None else cameras.game_of(self.game, seat, self.since_s)

    @property
    def since_s(self) -> float:
        """Start of the frames' clock in the time of the record."""
        return self._numbers.since_s

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
    def problem(self) -> str | None:
        """Why lines are not written, or why the reader ended early."""
        return self._unwritten or self.reader.problem

    @property
    def trouble(self) -> str | None:
        """What is wrong with the table; None where nothing is."""
        return self.problem or next(iter(self._troubles.values()), None)

    @property
    def trouble_kind(self) -> TroubleKind | None:
        """The kind of trouble, where pages have words for it."""
        if self._unwritten is not None:
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
