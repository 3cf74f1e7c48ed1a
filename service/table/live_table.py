"""A live table: one task owns the game, pages subscribe."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from engine.announce import Announcement
from engine.corrections import EditHistory
from engine.errors import NotThere
from engine.events import Correct, Entry, GameEnd, GameStart, Seat
from engine.game import Game, replay
from engine.log import taken_back
from engine.options import check
from engine.rules import RULE_SETS
from engine.state import Phase
from engine.updates import CameraLines, game_begins, pinned
from service.phone.seat_cameras import SeatCameras
from service.report.public import PublicTable, names_of, public_table
from service.table.gallery import Gallery
from service.table.page_messages import (
    AfterLines,
    Lately,
    News,
    Subscriber,
    TableMessage,
    TableNow,
    TableSnapshot,
    TableStatus,
    TroubleKind,
    correctable,
    events_of,
    lately,
)
from service.table.questions import (
    QuestionShown,
    answer_lines,
    open_questions,
    question_of,
    questions_json,
)
from service.table.reader import Reader
from service.table.reader_thread import ReaderThread
from service.table.tile_keeper import TileKeeper
from service.texts.catalogue import named_rules
from vision.camera.address import readable
from vision.camera.frames import Frames
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
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
    replayed: Game | None = None
    """Their replay, where it is at hand: that of a long evening takes seconds."""
    film: str | None = None
    """What a film is known by, which is noted with the games that it shows; None for a camera."""
    goes_on: bool = True
    """Whether the source shows the game that these lines are in the middle of, and not another."""
    start: GameStart | None = None
    """Names and options that people gave for the games that the camera sees."""
    gallery: Gallery | None = None
    keep_tiles: Path | None = None
    """Folder for pictures of doubtful, corrected and confirmed tiles; None keeps none."""
    has_next: bool = True
    """Whether games are played here: a film and what was sent for study are only put right."""


class LiveTable:
    """Owns the game, its record and what the pages are told."""

    def __init__(
        self, reader: Reader, frames: Frames, record: Record, settings: TableSettings
    ) -> None:
        before = settings.before
        self.name = settings.name
        self.rules = settings.rules
        self.game: Game = settings.replayed or replay(before)
        self.history = EditHistory(before)
        """What people can undo and redo."""
        self.ended = False
        self.gone = False
        """The table is no longer shown."""
        self.lang = settings.lang
        self.record_name = settings.record_name
        self.has_next = settings.has_next
        self.on_notice: Callable[[Notice], None] = lambda notice: None
        """Called with each notice, besides the pages."""
        self.on_names: Callable[[Sequence[str]], None] = lambda names: None
        """Called with who sits where now, before anybody is told what was written."""
        self.seat_cameras: SeatCameras | None = None
        """Cameras of single seats; what they see goes to those seats' own pages only."""
        self._troubles: dict[TroubleKind, str] = {}
        self._unwritten: str | None = None
        self._record = record
        self.since_s = max((entry.t for entry in before if entry.t is not None), default=0.0)
        """Start of the frames' clock in the time of the record."""
        if before:
            # Another game begins as if the one before it had ended.
            reader.resume(before if settings.goes_on else [*before, Entry(GameEnd())])
        self._found = len(before) if settings.goes_on else 0
        """How many lines the record held when the table was opened, where it goes on with them."""
        self._first = game_begins(before) if settings.goes_on else len(before)
        """The line with which the camera's game begins."""
        self._camera = CameraLines(self._first)
        self._keeper: TileKeeper | None = None
        if settings.keep_tiles is not None:
            self._keeper = TileKeeper(settings.keep_tiles, before, since_s=self.since_s)
        self.reader = ReaderThread(reader, frames, settings.gallery, self.since_s, self._keeper)
        self._news = News(lambda: self.game)
        self._shown = self.game
        """The game as the pages know it: a line is written before anybody is told."""
        held = pinned(before, self._first)
        self._pins = Pins(0, held.in_force, held.removed)
        """What the reader holds fixed, or will from its next frame on."""
        self._decoding = Decoding()
        """What the reader told last."""
        self._sent_s = float("-inf")
        """When the reader was last given what people say."""
        self._answered: dict[str, int | None] = {}
        """The line by which each question was answered, by its id; None for no line."""
        self._written: dict[int, int] = {}
        """The line of a person with which pins were sent, by their number, until it is known what
        follows from it."""
        self._held = 0
        """Number of the last decoding that the record holds."""
        self._start, self._film = settings.start, settings.film
        self.writing = asyncio.Lock()
        """Held from looking at the record until the new line is in it."""
        self._settling = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscribers: set[Subscriber] = set()
        self._worded: dict[str, tuple[int, Lately]] = {}
        """What happened last by language, and the lines of the record that it is of."""

    async def run(self) -> None:
        """Own the game until the frames end; a thread looks at them."""
        try:
            async with contextlib.aclosing(self.reader.results()) as results:
                async for item in results:
                    if isinstance(item, Notice):
                        self._noticed(item)
                    else:
                        await self._decoded(item)
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
        number = len(self.game.entries)
        withdrawn: list[Entry] = []
        for place, entry in enumerate(entries):
            own.changes(entry)
            try:
                await self._write(entry)
            except OSError:
                if place == 0:
                    raise
                break
            withdrawn += self._camera.withdrawn(entry)
        with contextlib.suppress(OSError):
            for entry in withdrawn:
                await self._write(entry, because=True)
        if await self._pass_on():
            self._written[self._pins.number] = number
        await self._show(entries[0] if len(entries) == 1 and not withdrawn else None)
        self._settle_soon()
        return tuple(own.said())

    async def _write(self, entry: Entry, because: bool = False) -> None:
        """Add one line to the record and let the engine judge it; raises what ``submit`` raises."""
        check(entry, RULE_SETS)
        await asyncio.to_thread(self._record.append, entry)
        self._news.changes(entry, because)
        # On a copy, so that nobody waits or sees half of it.
        self.game = await asyncio.to_thread(self.game.with_lines, entry)
        self.on_names(self.names)
        self.history.take(len(self.game.entries) - 1, entry)
        if self._keeper is not None:
            await asyncio.to_thread(self._keeper.lines, [entry])

    async def _show(self, entry: Entry | None = None, late: bool = False) -> None:
        """Show the pages what was written; ``writing`` is held meanwhile.

        ``entry`` is the line that was written; None where there were several. While the reader has
        not taken the lines of people nothing is announced, unless it is ``late``.
        """
        game, news, first = self.game, self._news, self._news.first
        late |= asyncio.get_running_loop().time() >= self._sent_s + HELD_S
        heard = late or self._decoding.heard == self._pins.number or self.reader.crashed
        table, acts = self.table(), correctable(game, self.history)

        def worded(lang: str) -> TableMessage:
            written: AfterLines = {
                "said": news.rows(lang) if heard else [],
                "also": news.reread(lang) if heard else [],
                "table": table,
                "acts": acts,
                "questions": self.questions(lang),
            }
            if entry is None or isinstance(entry.event, Correct):
                return {"type": "corrected", "of": first, **written, **self._lately(game, lang)}
            return {"type": "happened", **written, **events_of(game, lang, 1)[0]}

        messages: dict[str, TableMessage] = {}
        # Sentences are made aside; who comes meanwhile may be the first of a language.
        while new := {each.lang for each in self._subscribers} - messages.keys():
            for lang in new:
                messages[lang] = await asyncio.to_thread(worded, lang)
        self._shown = game
        if heard:
            news.told()
        for subscriber in self._subscribers:
            subscriber.offer(messages[subscriber.lang])

    async def _show_late(self, sent_s: float) -> None:
        """Announce what has waited for the reader since then."""
        async with self.writing:
            if self._news.untold and sent_s == self._sent_s:
                await self._show(late=True)

    async def _pass_on(self, *answers: Answer) -> bool:
        """Let the reader hold fixed what people say now; returns whether that is new."""
        now = await asyncio.to_thread(pinned, tuple(self.game.entries), self._first)
        was, known = self._pins, (*self._pins.answers, *answers)
        self._pins = Pins(was.number + 1, now.in_force, now.removed, self._held, known)
        if (self._pins.own, now.removed, known) == (was.own, was.removed, was.answers):
            self._pins = was
            return False
        self.reader.hear(self._pins)
        loop = asyncio.get_running_loop()
        self._sent_s = loop.time()
        loop.call_later(HELD_S, lambda sent_s: self._soon(self._show_late(sent_s)), self._sent_s)
        return True

    def _settle_soon(self) -> None:
        if self.ended:
            self._soon(self._settle())

    def _soon(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle(self) -> None:
        """Write what follows from people's words after the last frame."""
        problem = self.problem
        async with self._settling:
            while decoding := await self.reader.settled():
                await self._decoded(decoding)
        if self.problem != problem:
            self._tell(self._status())
        await self._show_late(self._sent_s)

    def _noticed(self, notice: Notice) -> None:
        """Show a trouble for as long as it lasts."""
        if notice.lasts:
            self._troubles[notice.kind] = notice.text
        else:
            self._troubles.pop(notice.kind, None)
        self.on_notice(notice)
        self._tell(self._status())

    def asked(self) -> list[Question]:
        """The open questions that everybody may see, in order of play."""
        entries = self.game.entries
        closed = {
            name
            for name, line in self._answered.items()
            if line is None or not taken_back(entries, line)
        }
        return open_questions(self._decoding.questions, self.game, closed)

    def question(self, name: str) -> Question:
        """Return an open question; raises ``NotThere``."""
        return question_of(self.asked(), name)

    def questions(self, lang: str) -> list[QuestionShown]:
        return questions_json(self.asked(), self.game, lang)

    async def answer(self, name: str, chosen: int) -> None:
        """Take an answer; raises ``NotThere``, or what ``submit`` raises."""
        async with self.writing:
            question = self.question(name)
            if chosen >= len(question.choices):
                raise NotThere(f"this question has {len(question.choices)} answers")
            choice = question.choices[chosen]
            lines = answer_lines(self.game.entries, question, choice)
            self._answered[question.id] = len(self.game.entries) if lines else None
            for line in lines:
                await self.submit(line)
            if not lines or self.reader.crashed:
                await self._pass_on(Answer(question.place, choice.events))
            if self._keeper is not None:
                await asyncio.to_thread(self._keeper.answered, question, choice)
        self._settle_soon()
        asked = {each.lang: self.questions(each.lang) for each in self._subscribers}
        for subscriber in self._subscribers:
            subscriber.offer({"type": "questions", "questions": asked[subscriber.lang]})

    async def _decoded(self, decoding: Decoding) -> None:
        """Write what the reader tells otherwise than the record; tell pages what changes."""
        because = decoding.heard != self._decoding.heard
        self._decoding = decoding
        while not await self._kept(decoding, because):
            # The disk is full: announce nothing until the lines are written.
            await asyncio.sleep(RETRY_S)
            decoding = self._decoding

    async def _kept(self, decoding: Decoding, because: bool) -> bool:
        """Write what is told; return False and tell the pages why where that fails."""
        problem: str | None = None
        async with self.writing:
            if decoding.heard != self._pins.number:
                return True  # it will be told anew, with what people say now
            lines = await self._lines(decoding)
            first = len(self.game.entries)
            corrects = because or any(isinstance(line.event, Correct) for line in lines)
            try:
                for line in lines:
                    answers = isinstance(line.event, Correct) and line.event.reason == "answer"
                    await self._write(line, because or answers)
                    if not corrects:
                        await self._show(line)
            except OSError as error:
                problem = f"the record cannot be written: {error.strerror or error}"
            said = [number for number in self._written if number <= decoding.heard]
            if said:
                self._camera.because(self._written[max(said)], self.game.entries, first)
            if problem is None:
                self._held = decoding.number
                for number in said:
                    del self._written[number]
            if problem is None and corrects and self._news.untold:
                await self._show()
        if problem != self._unwritten:
            self._unwritten = problem
            self._tell(self._status())
        return problem is None

    async def _lines(self, decoding: Decoding) -> list[Entry]:
        """The lines to add for what is told."""
        told = tuple(
            replace(entry, event=self._start or entry.event, evidence=self._film or entry.evidence)
            if isinstance(entry.event, GameStart) and entry.source != "person"
            else entry
            for entry in decoding.told
        )
        entries = tuple(self.game.entries)
        why = decoding.answered, decoding.put_back, decoding.left
        return await asyncio.to_thread(self._camera.updates, entries, told, *why)

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where, with no name for whom nobody has named; empty before the first game."""
        state, start = self.game.state, self._start
        if state.phase is not Phase.BEFORE_GAME:
            return state.names
        return tuple((start.players if start is not None else None) or ())

    def table(self, game: Game | None = None) -> PublicTable:
        """The table as everybody may see it; ``game``: as it was then."""
        state = (game or self.game).state
        if state.phase is Phase.BEFORE_GAME and self._start is not None:
            # Show names and points before anything has been seen.
            started = replay([Entry(self._start)]).state
            state = replace(state, names=started.names, points=started.points)
        return public_table(state, names_of(state))

    async def snapshot(self, lang: str) -> TableSnapshot:
        """What a page needs that opens now: whatever it is told from now on comes after it."""
        game = self._shown
        now: TableNow = {
            "source": self.name,
            **named_rules(self.rules, lang),
            "lang": lang,
            "record": readable(self.record_name),
            "has_next": self.has_next,
            "back": self.back,
            "watched_s": self.reader.time_s,
            "table": self.table(game),
            "status": self._status(),
            "acts": correctable(game, self.history),
            "questions": self.questions(lang),
        }
        shown: Lately = await asyncio.to_thread(self._lately, game, lang)
        return {"type": "snapshot", **now, **shown}

    def _lately(self, game: Game, lang: str) -> Lately:
        """What happened last, put into words once for all pages: a record only grows."""
        lines = len(game.entries)
        known, shown = self._worded.get(lang, (-1, None))
        if shown is None or known != lines:
            shown = lately(game, lang)
            self._worded[lang] = lines, shown
        return shown

    @property
    def clock_s(self) -> float | None:
        """Time of the newest frame in the record."""
        time_s = self.reader.time_s
        return None if time_s is None else self.since_s + time_s

    def game_of(self, seat: Seat) -> Game:
        """The game as one seat knows it, with what its own camera sees."""
        cameras = self.seat_cameras
        return self.game if cameras is None else cameras.game_of(self.game, seat, self.since_s)

    @contextlib.contextmanager
    def seat_news(self, seat: Seat, told: Callable[[], None]) -> Iterator[None]:
        """Call ``told`` when a seat's own camera sees something new."""
        if self.seat_cameras is None:
            yield
            return
        with self.seat_cameras.listening(seat, told):
            yield

    def players_left(self, seats: Collection[Seat]) -> None:
        """Let go the cameras that the players of these seats brought."""
        if self.seat_cameras is not None:
            for seat in seats:
                self.seat_cameras.player_left(seat)

    def leave(self) -> None:
        """Close every page's connection: the table is no longer shown."""
        self.gone = True
        for subscriber in self._subscribers:
            subscriber.too_slow.set()
            subscriber.offer(self._status())

    @contextlib.contextmanager
    def subscribed(self, lang: str = "en") -> Iterator[Subscriber]:
        """Receive messages from now on."""
        subscriber: Subscriber = Subscriber(lang)
        self._subscribers.add(subscriber)
        try:
            yield subscriber
        finally:
            self._subscribers.discard(subscriber)

    @property
    def back(self) -> bool:
        """Whether a hand goes on after a restart of the program, and nothing has happened since."""
        playing = self.game.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD)
        return playing and not self.ended and 0 < len(self.game.entries) == self._found

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

    def _status(self) -> TableStatus:
        return {
            "type": "status",
            "ended": self.ended,
            "problem": self.trouble,
            "trouble_kind": self.trouble_kind,
        }

    def _tell(self, message: TableMessage) -> None:
        for subscriber in self._subscribers:
            subscriber.offer(message)
