"""A live table: one task owns the game, pages subscribe."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Final, Protocol

from engine.announce import Announcement
from engine.errors import NotThere
from engine.events import Correct, Entry, GameEnd, GameStart, HandStart, Seat
from engine.game import Game, replay
from engine.log import EventInForce
from engine.news import NOTHING_NEW, News
from engine.options import check
from engine.rules import RULE_SETS
from engine.second_reading import as_read_before
from engine.state import Phase
from engine.updates import CameraRecord
from service.phone.seat_cameras import SeatCameras
from service.report.public import PublicTable, names_of, public_table
from service.table.certificate import Standing, rehearsed_beside
from service.table.notices import TroubleKind, worst_of
from service.table.options import DEFAULTS, Options
from service.table.pictures import Pictures
from service.table.questions import (
    QuestionView,
    answer_lines,
    open_questions,
    question_of,
    questions_json,
    swapped,
)
from service.table.reader import Reader
from service.table.reader_thread import ReaderThread
from service.table.rehearsed_table import RehearsedTable
from service.table.second_look import RecentFrames, SecondLook, of_camera
from service.table.tile_keeper import TileKeeper
from service.table.trusted import (
    asked_payouts,
    doubtful_fouls,
    paying_lines,
    payout_questions,
    seen_with,
)
from service.table.view import Edits, Moment, StatusView
from service.web.subscriber import Subscriber
from vision.camera.address import readable
from vision.camera.frames import Frames
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
from vision.detect import TileReader
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
    options: Options = DEFAULTS
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
    pictures: Pictures = field(default_factory=Pictures)
    has_next: bool = True
    """Whether games are played here: a film and what was sent for study are only put right."""
    whole: bool = False
    """Whether the reader tells every game of the record, with the names that stand there."""
    standing: Standing | None = None
    """What the last rehearsal proved of this table; None without one."""
    certificate: Path | None = None
    """Where it is kept beside the record what held for its games."""
    nets: Callable[[], TileReader] | None = None
    """Nets that no first reading uses, for payouts that are read twice; None: nothing is."""


class LiveTable:
    """Owns the game, its record and what the pages are told."""

    def __init__(
        self, reader: Reader, frames: Frames, record: Record, settings: TableSettings
    ) -> None:
        before = settings.before
        self.settings = settings
        self.game: Game = settings.replayed or replay(before)
        first = 0 if settings.whole else None if settings.goes_on else len(before)
        self.record = CameraRecord(Pins(), before, first)
        """Lines of the camera and of people; written to disk first."""
        if before:
            # Another game begins as if the one before it had ended.
            reader.resume(before if settings.goes_on else [*before, Entry(GameEnd())])
        since_s = max((entry.t for entry in before if entry.t is not None), default=0.0)
        keeper: TileKeeper | None = None
        if settings.options.keep_tiles is not None:
            keeper = TileKeeper(settings.options.keep_tiles, self.pictures, before, since_s=since_s)
        recent, least = None, settings.options.read_twice
        self._second: SecondLook | None = None
        if least is not None and settings.nets is not None:
            recent = RecentFrames()
            self._second = SecondLook(least, settings.nets, of_camera(recent, self.pictures))
        self.reader = ReaderThread(reader, frames, self.pictures, since_s, keeper, recent)
        self.gone = False
        """The table is no longer shown."""
        self.on_notice: Callable[[Notice], None] = lambda notice: None
        """Called with each notice, besides the pages."""
        self.may_tell: Callable[[Notice], bool] = lambda notice: True
        """Whether ``on_notice`` is called."""
        self.on_names: Callable[[Sequence[str], int], None] = lambda names, lines: None
        """Called with who sits where now and the number of lines, before anybody is told what was
        written."""
        self.led: Callable[[], bool] = lambda: False
        """Whether everybody is led through the hand now."""
        self.taught: Callable[[], bool] = lambda: False
        """Whether the page of a teacher is open now."""
        self.seat_cameras: SeatCameras | None = None
        """Cameras of single seats; what they see goes to those seats' own pages only."""
        self.writing = asyncio.Lock()
        """Held from looking at the record until the new line is in it."""
        self.standing = settings.standing
        self.rehearsed: RehearsedTable | None = None
        self._dealt_seen = settings.standing is None
        self._file = record
        self._troubles: dict[TroubleKind, str] = {}
        self._news = News(lambda: self.game)
        self._decoding = Decoding()
        """What the reader told last."""
        self._reads_again = False
        """Whether something is read a second time now."""
        self._sent_s = float("-inf")
        """When the reader was last given what people say."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscribers: set[Subscriber[Moment]] = set()
        self._moment = self._now(self.game)
        """The table as the pages know it: a line is written before anybody is told."""
        self._status_told = self._moment.status

    @property
    def lang(self) -> str:
        return self.settings.options.lang

    @property
    def pictures(self) -> Pictures:
        return self.settings.pictures

    @property
    def ended(self) -> bool:
        """Nothing more comes from the source."""
        return self.reader.ended

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
            self._tell_status()
        await self._settle()
        if self.rehearsed is not None:
            await asyncio.to_thread(self.rehearsed.keep)

    async def submit(self, *entries: Entry) -> tuple[Announcement, ...]:
        """Write a person's lines, tell pages and reader, and return what is announced anew.

        Raises ``Unreadable`` or ``OSError`` with nothing kept; where a later line cannot be
        written, the first ones stand. ``writing`` is held meanwhile.
        """
        assert self.writing.locked(), "the reader would write between these lines"
        own = News(lambda: self.game)
        withdrawn: list[Entry] = []
        for place, entry in enumerate(entries):
            own.changes(entry)
            try:
                await self._write(entry)
            except OSError:
                if place == 0:
                    raise
                break
            withdrawn += self.record.write(entry)
        with contextlib.suppress(OSError):
            for entry in withdrawn:
                await self._write(entry, because=True)
                self.record.write(entry)
        await self._pass_on()
        await self._show(entries[0] if len(entries) == 1 and not withdrawn else None)
        self._settle_soon()
        return tuple(own.said())

    async def _write(self, entry: Entry, because: bool = False) -> None:
        """Write one line to disk and let the engine judge it; raises what ``submit`` raises."""
        check(entry, RULE_SETS)
        await asyncio.to_thread(self._file.append, entry)
        self._news.changes(entry, because)
        # On a copy, so that nobody waits or sees half of it.
        self.game = await asyncio.to_thread(self.game.with_lines, entry)
        self.on_names(self.names, len(self.game.entries))
        if self.reader.keeper is not None:
            await asyncio.to_thread(self.reader.keeper.lines, [entry])

    async def _show(self, entry: Entry | None = None, late: bool = False) -> None:
        """Show the pages what was written; ``writing`` is held meanwhile.

        ``entry`` is the line that was written; None where there were several. While the reader has
        not taken the lines of people nothing is announced, unless it is ``late``.
        """
        news, added = self._news, entry is not None and not isinstance(entry.event, Correct)
        late |= asyncio.get_running_loop().time() >= self._sent_s + HELD_S
        heard = late or self.record.holds(self._decoding) or self.reader.crashed
        new = await asyncio.to_thread(news.new) if heard else NOTHING_NEW
        self._moment = self._now(self.game)
        self._tell(replace(self._moment, new=new, since=None if added else news.first))
        if heard:
            news.told()

    async def _show_late(self, sent_s: float) -> None:
        """Announce what has waited for the reader since then."""
        async with self.writing:
            if self._news.untold and sent_s == self._sent_s:
                await self._show(late=True)

    async def _pass_on(self, *answers: Answer) -> None:
        """Let the reader hold fixed what people say now, where that is new."""
        pins = self.record.pins
        said = replace(pins, answers=(*pins.answers, *answers))
        if await asyncio.to_thread(self.record.pin, said):
            self.reader.hear(self.record.pins)
            loop = asyncio.get_running_loop()
            self._sent_s = loop.time()
            loop.call_later(
                HELD_S, lambda sent_s: self._soon(self._show_late(sent_s)), self._sent_s
            )

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
        async with contextlib.aclosing(self.reader.settled()) as decodings:
            async for decoding in decodings:
                await self._decoded(decoding)
        if self.problem != problem:
            self._tell_status()
        await self._show_late(self._sent_s)

    def _noticed(self, notice: Notice) -> None:
        """Show a trouble for as long as it lasts."""
        if self.may_tell(notice):
            self.on_notice(notice)
        self._set_trouble(notice.kind, notice.text if notice.lasts else None)

    def _set_trouble(self, kind: TroubleKind, text: str | None) -> None:
        if text is None:
            self._troubles.pop(kind, None)
        else:
            self._troubles[kind] = text
        self._tell_status()

    def asked(self) -> list[Question]:
        """The open questions that everybody may see, in order of play; then payouts that the
        table's grade does not let stand, or that were read twice and not alike."""
        return self._asked()[0]

    def _asked(self) -> tuple[list[Question], frozenset[int]]:
        """What is asked, and the lines of which the payout is asked."""
        asked = open_questions(self._decoding.questions, self.game, self.record.pins)
        payouts = asked_payouts(self.standing, self.game, self.record.first, asked)
        swaps = swapped(self.game, self.record.first, self.record.pins, asked)
        by_payout = payout_questions(payouts, self.game, asked, self._decoding.lying)
        numbers = paying_lines((*payouts, *self._unread()), self.game)
        fouls = doubtful_fouls(self.standing, self.game, self.record.first)
        others = [*asked, *swaps, *by_payout]
        by_foul = payout_questions(fouls, self.game, others, self._decoding.lying, waits=True)
        return [*others, *by_foul], numbers | {one.number for one in fouls}

    def _unread(self) -> Sequence[EventInForce]:
        """What a person's line made pay so much that it is to be read again, until that is done."""
        second, decoding = self._second, self._decoding
        waits = self._reads_again or not self.record.holds(decoding)
        if second is None or self.reader.crashed or not waits:
            return ()
        return second.unread(self.game, decoding, self._read_since)

    @property
    def unsure(self) -> frozenset[int]:
        """Lines of which the payout is asked, as the pages know it."""
        return self._moment.unsure

    def question(self, name: str) -> Question:
        """Return an open question; raises ``NotThere``."""
        return question_of(self.asked(), name)

    def questions(self, lang: str) -> list[QuestionView]:
        return questions_json(self.asked(), self.game, lang)

    async def answer(self, name: str, chosen: int) -> None:
        """Take an answer; raises ``NotThere``, or what ``submit`` raises."""
        async with self.writing:
            question = self.question(name)
            if chosen >= len(question.choices):
                raise NotThere(f"this question has {len(question.choices)} answers")
            choice = question.choices[chosen]
            lines = answer_lines(self.game.entries, question, choice)
            for line in lines:
                await self.submit(line)
            if not lines:
                await self._pass_on(Answer(question.place, choice.events))
            if self.reader.keeper is not None:
                await asyncio.to_thread(self.reader.keeper.answered, question, choice)
        self._settle_soon()
        self._ask()

    async def _decoded(self, decoding: Decoding) -> None:
        """Write what the reader tells otherwise than the record; tell pages what changes."""
        because = decoding.heard != self._decoding.heard or self._decoding.more
        self._decoding = decoding
        while not await self._kept(decoding, because):
            # The disk is full: announce nothing until the lines are written.
            await asyncio.sleep(RETRY_S)
            decoding = self._decoding

    async def _kept(self, decoding: Decoding, because: bool) -> bool:
        """Write what is told; return False and tell the pages why where that fails."""
        problem: str | None = None
        await self._read_twice(decoding)
        async with self.writing:
            if not self.record.holds(decoding):
                return True  # it will be told anew, with what people say now
            lines = await asyncio.to_thread(self._lines_of, decoding)
            corrects = because or any(isinstance(line.event, Correct) for line in lines)
            try:
                for line in lines:
                    answers = isinstance(line.event, Correct) and line.event.reason == "answer"
                    await self._write(line, because or answers)
                    self.record.add(line)
                    if not corrects:
                        await self._show(line)
            except OSError as error:
                problem = f"the record cannot be written: {error.strerror or error}"
            else:
                self.record.hold(decoding)
                if corrects and self._news.untold:
                    await self._show()
        if problem != self._troubles.get("unwritten"):
            self._set_trouble("unwritten", problem)
        if problem is None:
            await self._see_dealt(decoding)
            self._ask()
            if self.rehearsed is not None:
                await asyncio.to_thread(self.rehearsed.keep)
        return problem is None

    def _lines_of(self, decoding: Decoding) -> Sequence[Entry]:
        """The lines after which the record holds what is told; ``writing`` is held meanwhile."""
        lines, second = self.record.updates(self._named(decoding)), self._second
        if second is None:
            return as_read_before(self.game.entries, lines, decoding.answered)
        lines = second.lines(self.game, lines, decoding, self._read_since)
        return as_read_before(self.game.entries, lines, decoding.answered)  # older ones

    @property
    def _read_since(self) -> int:
        """The line from which on payouts are read twice: those before were told already."""
        return max(self.record.first, len(self.settings.before))

    async def _read_twice(self, decoding: Decoding) -> None:
        """Read again what a large payout of these lines rests on; people may write meanwhile."""
        second, until_s = self._second, self.reader.clock_s
        if second is None or until_s is None or not self.record.holds(decoding):
            return
        async with self.writing:
            game = self.game
            lines = await asyncio.to_thread(self.record.updates, self._named(decoding))
        wanted = await asyncio.to_thread(second.wanted, game, lines, decoding, self._read_since)
        if wanted:
            self._reads_again = True
            try:
                await asyncio.to_thread(second.read, wanted, game, until_s)
            finally:
                self._reads_again = False

    def proved(self) -> Standing | None:
        """What held for the games of this record; it may read a file."""
        beside = self.settings.certificate
        return self.standing or (None if beside is None else rehearsed_beside(beside))

    async def _see_dealt(self, decoding: Decoding) -> None:
        """Compare the table with its certificate, once a hand is dealt."""
        seen = None if self._dealt_seen else self.reader.seen
        if self.standing is None or seen is None:
            return
        if not any(isinstance(entry.event, HandStart) for entry in decoding.told):
            return
        self._dealt_seen = True
        before = self.standing
        self.standing = await asyncio.to_thread(seen_with, before, *seen, date.today())
        if self.settings.certificate is not None:
            with contextlib.suppress(OSError):  # a full disk is told by the record itself
                await asyncio.to_thread(self.standing.write, self.settings.certificate)
        if self.standing != before:
            self._moment = self._now(self.game)
            self._tell(self._moment)

    def _named(self, decoding: Decoding) -> Decoding:
        """What is told, its games with the names and options that people gave for them."""
        start, film = self.settings.start, self.settings.film
        if self.settings.whole:
            return decoding
        told = tuple(
            replace(entry, event=start or entry.event, evidence=film or entry.evidence)
            if isinstance(entry.event, GameStart) and entry.source != "person"
            else entry
            for entry in decoding.told
        )
        return replace(decoding, told=told)

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where, with no name for whom nobody has named; empty before the first game."""
        state, start = self.game.state, self.settings.start
        if state.phase is not Phase.BEFORE_GAME:
            return state.names
        return tuple((start.players if start is not None else None) or ())

    def table(self, game: Game | None = None) -> PublicTable:
        """The table as everybody may see it; ``game``: as it was then."""
        state, start = (game or self.game).state, self.settings.start
        if state.phase is Phase.BEFORE_GAME and start is not None:
            # Show names and points before anything has been seen.
            started = replay([Entry(start)]).state
            state = replace(state, names=started.names, points=started.points)
        return public_table(state, names_of(state))

    @property
    def moment(self) -> Moment:
        """What a page is shown that opens now: whatever it is told from now on comes after it."""
        shown, status, back = self._moment, self._status(), self.back
        time_s = self.reader.time_s
        watched_s = float(round(time_s)) if back and time_s is not None else None
        led, taught = self.led(), self.taught()
        told = (shown.status, shown.back, shown.watched_s, shown.led, shown.taught)
        if told != (status, back, watched_s, led, taught):
            self._moment = replace(
                shown, status=status, back=back, watched_s=watched_s, led=led, taught=taught
            )
        return self._moment

    def _ask(self) -> None:
        """Tell the pages what is asked now, where that is not what they know."""
        asked, payouts = self._asked()
        if (asked, payouts) != (self._moment.asked, self._moment.unsure):
            self._moment = replace(self.moment, asked=asked, unsure=payouts)
            self._tell(self._moment)

    def _now(self, game: Game) -> Moment:
        settings, history = self.settings, self.record.history
        asked, payouts = self._asked()
        return Moment(
            game=game,
            table=self.table(game),
            status=self._status(),
            rules=settings.rules,
            title=settings.name,
            record=readable(settings.record_name),
            has_next=settings.has_next,
            back=self.back,
            edits=Edits(bool(history.undo), bool(history.redo)),
            asked=asked,
            led=self.led(),
            taught=self.taught(),
            standing=self.standing,
            read_twice=None if self._second is None else self._second.least,
            unsure=payouts,
        )

    def game_of(self, seat: Seat) -> Game:
        """The game as one seat knows it, with what its own camera sees."""
        cameras, since_s = self.seat_cameras, self.reader.since_s
        return self.game if cameras is None else cameras.game_of(self.game, seat, since_s)

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
        """Close every page's connection: the table is no longer shown, and nobody waits for it."""
        self.gone = True
        self.reader.leave()
        for subscriber in self._subscribers:
            subscriber.too_slow.set()
            subscriber.offer(self._moment)

    @contextlib.contextmanager
    def subscribed(self, lang: str | None = None) -> Iterator[Subscriber[Moment]]:
        """Receive what comes after this moment; by default in the table's language."""
        subscriber = Subscriber[Moment](lang or self.lang)
        self._subscribers.add(subscriber)
        try:
            yield subscriber
        finally:
            self._subscribers.discard(subscriber)

    @property
    def back(self) -> bool:
        """Whether a hand goes on after a restart of the program, and nothing has happened since."""
        playing = self.game.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD)
        lines, found = len(self.game.entries), len(self.settings.before)
        return playing and not self.ended and self.record.first < lines == found

    @property
    def problem(self) -> str | None:
        """Why lines are not written, or why the reader ended early."""
        return self._troubles.get("unwritten") or self.reader.problem

    @property
    def trouble(self) -> str | None:
        """What is wrong with the table, and worst of all; None where nothing is."""
        worst = worst_of(self._troubles)
        return self.problem or (None if worst is None else self._troubles[worst])

    @property
    def trouble_kind(self) -> TroubleKind | None:
        """The kind of trouble, which pages have words for."""
        worst = worst_of(self._troubles)
        if self.reader.problem and worst != "unwritten":
            return "crashed" if self.reader.crashed else "stopped"
        return worst

    def _status(self) -> StatusView:
        return {
            "ended": self.ended,
            "problem": self.trouble,
            "trouble_kind": self.trouble_kind,
        }

    def _tell_status(self) -> None:
        status = self._status()
        if status != self._status_told:
            self._status_told = status
            self._tell(self.moment)

    def tell_again(self) -> None:
        """Let every page ask anew for what is not in the view of the table."""
        self._tell(self.moment)

    def _tell(self, moment: Moment) -> None:
        for subscriber in self._subscribers:
            subscriber.offer(moment)
