"""Watches single seats' hands; what a camera sees goes to its own seat's record only."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from typing_extensions import TypedDict

from engine.errors import Refused
from engine.events import Correct, Deal, Draw, Entry, Event, Flower, HandStart, Seat
from engine.game import Game
from engine.log import EventInForce, in_force
from engine.state import Phase, State
from engine.tile_counts import copies_named
from engine.tiles import UNKNOWN, Tile
from engine.visibility import indicators_seen
from vision.camera.address import shown
from vision.camera.frames import Frames, FrameSource, RecordedSource
from vision.camera.pictures import SourceError
from vision.camera.reconnecting import ReconnectingCamera
from vision.seat_camera.origins import acts, see, traced, with_drawn
from vision.seat_camera.row_reader import DetectorNets
from vision.seat_camera.standing_hand import StandingHand, shifted
from vision.seat_camera.watch import LOOK_S, SeatWatch
from vision.seat_camera.witness import SeatWitness, Witness

if TYPE_CHECKING:
    from service.phone.server import OwnCertificate
    from service.web.listeners import Listeners


def private_game(game: Game, seat: Seat, stood: Sequence[StandingHand]) -> Game:
    """Return the game as the seat knows it whose camera has seen these hands.

    If the rules refuse what the camera read, return the game as everybody knows it.
    """
    lines = private_lines(game, seat, stood)
    if not lines:
        return game
    mine = game.with_lines(*lines)
    return mine if views_agree(game.state, mine.state, seat) else game


def private_lines(game: Game, seat: Seat, stood: Sequence[StandingHand]) -> list[Entry]:
    """Corrections, and a draw that is not discarded yet, that only this seat may know."""
    events = in_force(game.entries)
    timed = [(event.entry.event, event.entry.t) for event in events]
    added: dict[int, list[Event]] = defaultdict(list)
    """Events to insert before each index."""
    put: dict[int, Event] = {}
    """Events to replace by index."""
    pending = UNKNOWN
    starts = [at for at, event in enumerate(events) if isinstance(event.entry.event, HandStart)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=False):
        assert game.rules is not None, "a hand is played by rules"
        done = acts(timed, start, end, seat, game.rules.wall.hand_size)
        if done is None:
            continue
        over = end < len(events)
        see(done, stood, events[end].entry.t if over else None)
        found = traced(done, tiles_left(game, seat, over))
        if found is None:
            continue
        added[start + 1].append(Deal(seat, found.dealt))
        for act, drawn in zip(done, found.draws, strict=True):
            if not drawn.known:
                continue
            if act.draw_at is not None:
                put[act.draw_at] = with_drawn(timed[act.draw_at][0], seat, drawn)
            else:
                added[act.at].append(Draw(seat, drawn))
        pending = UNKNOWN if over else found.pending
        last, _ = timed[done[-1].at]
        if isinstance(last, Flower) and found.pending.known:
            put[done[-1].at] = with_drawn(last, seat, found.pending)
    lines = [
        Entry(Correct(number, entries), source="camera")
        for number, entries in _rewritten(events, added, put)
    ]
    state = game.state
    if pending.known and state.turn == seat and state.phase is Phase.TO_DRAW:
        lines.append(Entry(Draw(seat, pending), source="camera"))
    return lines


def tiles_left(game: Game, seat: Seat, over: bool) -> Counter[Tile]:
    """How many copies of each tile this seat's hand may hold."""
    state, rules = game.state, game.rules
    assert rules is not None, "a hand is played by rules"
    wall = Counter(rules.wall.under(state.options))
    if over:
        return wall
    # Only tiles that lie open are counted as gone. Known tiles of hidden hands, and indicators that
    # this seat may not see, are left out.
    named = copies_named(state)
    for other, player in enumerate(state.players):
        lying = state.open_hand(other) if other != seat and player.shown else ()
        named.subtract(tile for tile in player.hand if tile.known)
        named.update(tile for tile in lying if tile.known)
    for turned, seen in zip(state.indicators, indicators_seen(state, rules, seat), strict=True):
        if turned != seen:
            named[turned.tile] -= 1
    wall.subtract(named)
    return wall


def _rewritten(
    events: Sequence[EventInForce], added: Mapping[int, list[Event]], put: Mapping[int, Event]
) -> Iterator[tuple[int, tuple[Entry, ...]]]:
    """The numbers of changed lines, with their new events."""
    lines: dict[int, list[Entry]] = defaultdict(list)
    touched = set()
    for at, happened in enumerate(events):
        for event in added.get(at, ()):
            # A deal must directly follow its hand's start.
            number = events[at - 1].number if isinstance(event, Deal) else happened.number
            time_s = events[at - 1].entry.t if isinstance(event, Deal) else happened.entry.t
            lines[number].append(Entry(event, time_s, source="camera"))
            touched.add(number)
        if at in put:
            touched.add(happened.number)
        lines[happened.number].append(
            replace(happened.entry, event=put.get(at, happened.entry.event))
        )
    at = len(events)
    for event in added.get(at, ()):
        lines[events[-1].number].append(Entry(event, events[-1].entry.t, source="camera"))
        touched.add(events[-1].number)
    for number in sorted(touched):
        yield number, tuple(lines[number])


def views_agree(public: State, mine: State, seat: Seat) -> bool:
    """Whether nothing that everybody knows has changed."""
    return all(
        (player.river, player.melds, player.ready, player.flowers)
        == (other.river, other.melds, other.ready, other.flowers)
        for player, other in zip(public.players, mine.players, strict=True)
    ) and (public.points, public.hand_number) == (mine.points, mine.hand_number)


WINDS: Final = ("east", "south", "west", "north")


@dataclass(frozen=True)
class SeatFilm:
    seat: Seat
    source: str
    shift_s: float | None = None
    """Seconds by which it began later than the table's source; None where nobody said."""


def seat_films(
    given: Sequence[str], shifts: Sequence[str] = (), first_dealer: Seat = 0
) -> tuple[SeatFilm, ...]:
    """Parse ``--seat-camera east=FILE`` and ``--seat-shift east=2.5``; raises ``Refused``."""
    films: dict[Seat, SeatFilm] = {}
    for text in given:
        seat, source = _seat_and(text, "--seat-camera", "hand.mp4", first_dealer)
        if seat in films:
            raise Refused(f"--seat-camera: seat {seat} has a camera already; one is enough")
        films[seat] = SeatFilm(seat, source)
    for text in shifts:
        seat, value = _seat_and(text, "--seat-shift", "2.5", first_dealer)
        try:
            shift_s = float(value)
        except ValueError:
            raise Refused(f"--seat-shift {text}: expected seconds, such as east=2.5") from None
        if seat not in films or not abs(shift_s) < 1e5:
            raise Refused(f"--seat-shift {text}: that seat has no --seat-camera to be shifted")
        films[seat] = SeatFilm(seat, films[seat].source, shift_s)
    return tuple(films.values())


def _seat_and(text: str, option: str, example: str, first_dealer: Seat) -> tuple[Seat, str]:
    name, equals, value = text.partition("=")
    seat = _seat_called(name.strip().lower(), first_dealer)
    if seat is None or not equals or not value.strip():
        raise Refused(
            f"{option} {shown(name)}: expected a seat and what belongs to it, such as "
            f"east={example}; seats are 0 to 3, or east, south, west, north in the first hand"
        )
    return seat, value.strip()


def _seat_called(name: str, first_dealer: Seat) -> Seat | None:
    """A seat by its number, or by its wind in the first hand."""
    if name in WINDS:
        return (first_dealer + WINDS.index(name)) % 4
    return int(name) if name in ("0", "1", "2", "3") else None


UNSEEN_S: Final = 10.0
"""Seconds without a hand after which the page is told."""
STOP_S: Final = 3.0


class TableClock:
    """The time of the camera above the table, readable from any thread."""

    def __init__(self) -> None:
        self._shown = (0.0, time.monotonic())

    def through(self, frames: Frames) -> Frames:
        """Pass frames on, and set the clock by them."""
        with contextlib.closing(frames):
            for frame in frames:
                self._shown = (frame.time_s, time.monotonic())
                yield frame

    @property
    def now_s(self) -> float:
        shown_s, at_s = self._shown
        return shown_s + time.monotonic() - at_s


@dataclass(eq=False)
class _Camera:
    name: str
    end: Callable[[], None]
    watch: SeatWatch
    of_player: bool = False
    """Whether the seat's player brought it, who takes it along."""
    stopping: threading.Event = field(default_factory=threading.Event)
    problem: str | None = None
    """``no_hand`` or ``gone``."""
    begun_s: float = field(default_factory=time.monotonic)
    seen_s: float | None = None
    """When a hand was last seen, by this machine's clock."""
    thread: threading.Thread | None = None

    def stop(self) -> None:
        self.stopping.set()
        self.end()
        if self.thread is not None:
            self.thread.join(STOP_S)


class OwnCameraStatus(TypedDict):
    """The camera of one seat, as its page shows it."""

    watching: bool
    sees: int
    """Tiles of the standing hand."""
    problem: str | None


class SeatCameras:
    """The seats' cameras of a live table."""

    def __init__(
        self,
        load: Callable[[], DetectorNets],
        phones_at: str = "0.0.0.0",
        certificate: OwnCertificate | None = None,
        listeners: Listeners | None = None,
    ) -> None:
        """``load`` returns the nets when the first camera needs them."""
        self.listeners = listeners
        """Where phones are let in; None where the program lets none in."""
        self._certificate = certificate
        self.witness = Witness()
        self.clock = TableClock()
        self._load = load
        self._phones_at = phones_at
        self._nets: DetectorNets | None = None
        self._one_at_a_time = threading.Lock()
        self._changing = threading.Lock()
        """Held while one camera replaces another: two at once would leave one open.

        A camera is ended outside it: that may take seconds.
        """
        self._closed = False
        self._cameras: dict[Seat, _Camera] = {}
        self._listeners: dict[Seat, set[Callable[[], None]]] = {seat: set() for seat in range(4)}
        self._known: dict[Seat, tuple[object, Game]] = {}

    def open(self, film: SeatFilm, source: FrameSource) -> None:
        """Watch a seat through a source, which replaces the one before."""
        file = isinstance(source, RecordedSource)
        end = source.end if isinstance(source, ReconnectingCamera) else _nothing
        self._open(film.seat, source, end, film.shift_s or 0.0, file and film.shift_s is None)

    def phone(self, seat: Seat) -> str:
        """Let a phone watch this seat, and return the address for its player."""
        # A recording is read without a web server: loading it would take 0.3 s.
        from service.phone.server import PhoneCamera, PhoneListener

        if self.listeners is None:
            raise Refused("this program lets no phone in")
        camera = PhoneCamera()
        link = PhoneListener(camera, self.listeners, self._phones_at, self._certificate)
        try:
            self._open(seat, camera, link.close, 0.0, False, of_player=True)
        except BaseException:
            link.close()
            raise
        return link.address.replace("/camera#", "/camera?hand#")

    def player_left(self, seat: Seat) -> None:
        """Stop the phone of whoever sat here, in another thread: that may take seconds."""
        camera = self._cameras.get(seat)
        if camera is not None and camera.of_player:
            stopping = threading.Thread(target=self.stop, args=(seat, camera), daemon=True)
            stopping.start()

    def stop(self, seat: Seat, only: _Camera | None = None) -> None:
        """Stop watching this seat, and forget what was seen of its hand.

        With ``only``, a camera that has replaced that one goes on.
        """
        with self._changing:
            if only is not None and self._cameras.get(seat) is not only:
                return
            camera = self._taken(seat)
        if camera is not None:
            camera.stop()
        self._tell(seat)

    def _taken(self, seat: Seat) -> _Camera | None:
        """Take a seat's camera out, to be stopped."""
        self.witness.seats.pop(seat, None)
        self._known.pop(seat, None)
        return self._cameras.pop(seat, None)

    def close(self) -> None:
        """Stop all of them for good; blocks until they have ended."""
        with self._changing:
            self._closed = True
        for seat in tuple(self._cameras):
            self.stop(seat)

    @contextlib.contextmanager
    def listening(self, seat: Seat, told: Callable[[], None]) -> Iterator[None]:
        """Call ``told`` in another thread when something new is known of a seat's hand."""
        self._listeners[seat].add(told)
        try:
            yield
        finally:
            self._listeners[seat].discard(told)

    def game_of(self, game: Game, seat: Seat, since_s: float) -> Game:
        """Return the game as this seat knows it; ``since_s`` is the record's start on the table's
        clock.

        It is made anew only if the record or the hand has changed.
        """
        stood = self._stood(seat)
        if not stood:
            return game
        mark = (len(game.entries), len(stood), stood[-1].from_s, len(stood[-1]), stood[-1].tiles)
        known = self._known.get(seat)
        if known is None or known[0] != mark:
            mine = private_game(game, seat, shifted(stood, since_s))
            self._known[seat] = known = (mark, mine)
        return known[1]

    def status(self, seat: Seat) -> OwnCameraStatus:
        """The camera's status for this seat's page."""
        camera = self._cameras.get(seat)
        if camera is None:
            return {"watching": False, "sees": 0, "problem": None}
        seen_s = camera.seen_s or camera.begun_s
        unseen = camera.problem is None and time.monotonic() - seen_s > UNSEEN_S
        stood = self._stood(seat)
        sees = len(stood[-1]) if stood and camera.watch.seen else 0
        return {"watching": True, "sees": sees, "problem": "no_hand" if unseen else camera.problem}

    def _stood(self, seat: Seat) -> tuple[StandingHand, ...]:
        witness = self.witness.seats.get(seat)
        if witness is None or witness.shift_s is None:
            return ()
        return shifted(witness.hands.stood, witness.shift_s)

    def _open(
        self,
        seat: Seat,
        source: FrameSource,
        end: Callable[[], None],
        shift_s: float,
        off: bool,
        of_player: bool = False,
    ) -> None:
        self.stop(seat)
        with self._one_at_a_time:
            self._nets = self._nets or self._load()
        camera = _Camera(source.name, end, SeatWatch(self._nets), of_player)
        with self._changing:
            if self._closed:
                raise Refused("the table is closed")
            before = self._taken(seat)
            self._cameras[seat] = camera
            self.witness.seats[seat] = SeatWitness(camera.watch.hands, shift_s, not off)
            own_clock = isinstance(source, RecordedSource)
            camera.thread = threading.Thread(
                target=self._watch, args=(seat, camera, source, own_clock), daemon=True, name="seat"
            )
            camera.thread.start()
        if before is not None:  # another one was opened meanwhile
            before.stop()

    def _watch(self, seat: Seat, camera: _Camera, source: FrameSource, own_clock: bool) -> None:
        known: object = None
        try:
            with contextlib.closing(source.frames(LOOK_S)) as frames:
                for frame in frames:
                    if camera.stopping.is_set():
                        return
                    at_s = frame.time_s if own_clock else self.clock.now_s
                    with self._one_at_a_time:
                        camera.watch.look(replace(frame, time_s=at_s))
                    if camera.watch.seen:
                        camera.seen_s = time.monotonic()
                    stood = camera.watch.hands.stood
                    mark = (len(stood), stood[-1].tiles if stood else (), self.status(seat))
                    if mark != known:
                        known = mark
                        self._tell(seat)
        except SourceError:
            # The message may name an address; the page has a text of its own.
            camera.problem = "gone"
            self._tell(seat)

    def _tell(self, seat: Seat) -> None:
        for told in tuple(self._listeners[seat]):
            told()


def _nothing() -> None:
    """A source that ends by itself."""
