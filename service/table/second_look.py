"""Reads again what a large payout rests on, before it is told.

What was seen is put into the lines of the record; whether it agrees is computed from them.
"""

from __future__ import annotations

import threading
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from engine.errors import NotThere
from engine.events import Correct, Discard, Entry, HandStart, Kong, Position, ReadAgain, Win
from engine.game import Game
from engine.log import EventInForce, in_force
from engine.second_reading import decisive, not_read_again
from engine.tiles import Tile
from engine.updates import change_of, correction
from service.machine.files import to_stderr
from service.table.pictures import Pictures
from vision.arrays import Floats
from vision.camera.frames import Frame
from vision.camera.pictures import SourceError
from vision.decoder.decoding import Decoding
from vision.decoder.question import HAND_LEAVES_S, QuestionTile
from vision.decoder.table_evidence import in_play
from vision.detect import TileReader
from vision.given_files import MIB, read_given
from vision.second_reading import Shown, read_again

RECENT_APART_S: Final = 0.5
MOST_RECENT: Final = 6
"""The last frames of a camera that are kept, and how far apart: a hand that was laid open is told
within four seconds, most within two."""
AFTER_S: Final = 1.0
"""So long a frame is waited for that comes after the hand was told, where those before it do not
agree, or are too few; a film shows what lay there then."""
MOST_RECENT_BYTES: Final = 64 * MIB
"""Most memory for them; there are always two. Six of 1920x1080 take 54 MiB, two of 3840x2160 72."""
BYTES_PER_PIXEL: Final = 4.5
"""Three of a picture, and half as many of the decoded frame that it was made of."""

READ_TWICE: Final = "read_twice"
"""Key of a table file."""
T = TypeVar("T")
FramesOf = Callable[[float, float], Iterable[Frame]]
"""Frames that were taken between two times of the record, those first that are read first."""


def read_twice_in(table: Path) -> int | None:
    """From which payment on payouts are read twice by a table file; None where it says nothing.

    Raises ``SourceError``.
    """
    try:
        told = tomllib.loads(read_given(table, MIB).decode())["table"].get(READ_TWICE)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None  # whoever reads where the table lies says what is wrong
    if told is not None and (type(told) is not int or told < 1):
        raise SourceError(f"{table}: {READ_TWICE} is a number of points above 0, got {told!r}")
    return told


class RecentFrames:
    """The last frames of a camera, as it took them; one thread adds, any thread asks."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque()
        self._changing = threading.Condition()

    def see(self, frame: Frame, since_s: float) -> None:
        """``since_s``: the start of the frame's clock in the time of the record."""
        time_s = since_s + frame.time_s
        with self._changing:
            if self._frames and 0 <= time_s - self._frames[-1].time_s < RECENT_APART_S:
                return
            width, height = frame.size_px
            most = min(
                MOST_RECENT, max(2, int(MOST_RECENT_BYTES / (BYTES_PER_PIXEL * width * height)))
            )
            self._frames.append(replace(frame, time_s=time_s))
            while len(self._frames) > most:
                self._frames.popleft()
            self._changing.notify_all()

    def between(self, from_s: float, to_s: float) -> list[Frame]:
        with self._changing:
            return [frame for frame in self._frames if from_s <= frame.time_s <= to_s]

    def after(self, time_s: float) -> Frame | None:
        """The next frame after a time; None where none comes within ``AFTER_S``."""
        with self._changing:
            self._changing.wait_for(
                lambda: bool(self._frames) and self._frames[-1].time_s > time_s, AFTER_S
            )
            return next((frame for frame in self._frames if frame.time_s > time_s), None)


def of_camera(recent: RecentFrames, pictures: Pictures) -> FramesOf:
    """Frames of a table that is watched: the last ones, the pictures that were kept, and one that
    comes later."""

    def frames(from_s: float, to_s: float) -> Iterator[Frame]:
        yield from spread(recent.between(from_s, to_s))
        for shot in spread([one for one in pictures.shots if from_s <= one.time_s <= to_s]):
            try:
                yield Frame(pictures.image(shot.number), shot.time_s, -1)
            except NotThere:
                continue
        later = recent.after(to_s)
        if later is not None:
            yield later

    return frames


def of_film(frame_at: Callable[[float], Frame | None], mirrored: bool = False) -> FramesOf:
    """Frames of a film, which is entered anew for each."""

    def frames(from_s: float, to_s: float) -> Iterator[Frame]:
        lasts_s = max(to_s - from_s, FILM_S)
        for share in MOMENTS:
            frame = frame_at(from_s + share * lasts_s)
            if frame is not None and frame.whole:
                yield frame.mirror_image() if mirrored else frame

    return frames


FILM_S: Final = 2.0
"""So long an open hand is looked at in a film, also where it was told sooner."""
MOMENTS: Final = (0.5, 1.0, 0.0, 0.75, 0.25)
"""Moments between two times, as shares: an arm that is in the way soon leaves."""


def spread(each: Sequence[T]) -> list[T]:
    """The same in an order in which neighbours are far apart."""
    last = len(each) - 1
    first = dict.fromkeys(round(share * last) for share in MOMENTS) if each else {}
    return [each[at] for at in (*first, *(at for at in range(len(each)) if at not in first))]


@dataclass(frozen=True)
class Decisive:
    """A win, or an indicator that came after it, and where its tiles lie."""

    event: EventInForce
    lying: Mapping[str, tuple[QuestionTile, ...]]
    """The tiles that lie face up, by the change that they show."""

    @property
    def key(self) -> str:
        return repr((self.event.entry.event, self.event.entry.change, sorted(self.lying)))


class SecondLook:
    """Knows what of the last hand was read again; one caller at a time."""

    def __init__(self, least: int, load: Callable[[], TileReader], frames_of: FramesOf) -> None:
        """``least``: from which single payment on a payout is read twice.

        ``load`` gives nets of the owner's set that no first reading uses.
        """
        self.least = least
        self._load = load
        self._frames_of = frames_of
        self._read: dict[str, tuple[ReadAgain, ...]] = {}
        """What was read again, by ``Decisive.key``."""

    def wanted(
        self, game: Game, lines: Sequence[Entry], decoding: Decoding, since: int
    ) -> list[Decisive]:
        """What must be read again before these lines are written after those of a game.

        What people have answered is not: they have looked. Lines before ``since`` neither.
        """
        if not decoding.lying and not any(map(_tells_win, lines)):
            return []
        then = game.with_lines(*lines)
        unread = self.unread(then, decoding, since)
        return [Decisive(one, _lying(then, one, decoding)) for one in unread]

    def unread(self, game: Game, decoding: Decoding, since: int) -> list[EventInForce]:
        """What is to be read again of the lines of a game."""
        return [
            one
            for one in not_read_again(game, self.least, since)
            if change_of(game.entries, one) not in decoding.answered
        ]

    def read(self, wanted: Sequence[Decisive], game: Game, until_s: float) -> None:
        """Read it; takes a second or two, so do not call it in the event loop.

        ``until_s``: up to when frames may be asked for, in the time of the record. What cannot be
        read is not seen again, and said in one line: the first reading goes on.
        """
        for one in wanted:
            if one.key in self._read:
                continue
            try:
                self._read[one.key] = self._looked(one, game, until_s)
            except Exception as error:  # of the nets, a file, or OpenCV
                self._read[one.key] = _unseen(one)
                to_stderr(f"a payout could not be read a second time: {error}")

    def lines(
        self, game: Game, lines: Sequence[Entry], decoding: Decoding, since: int
    ) -> list[Entry]:
        """The lines with what was read again, and a line more where an earlier one lacks it."""
        told = list(lines)
        for one in self.wanted(game, lines, decoding, since):
            again = self._read.get(one.key) or _unseen(one)
            old, new = one.event.entry, replace(one.event.entry, again=again)
            changed = [_with(line, old, new) for line in told]
            if changed == told:
                entries, number = game.with_lines(*told).entries, one.event.number
                here = [each.entry for each in in_force(entries) if each.number == number]
                events = [new if each is old else each for each in here]
                changed.append(correction(entries, number, events, "reread", old.t))
            told = changed
        return told

    def _looked(self, one: Decisive, game: Game, until_s: float) -> tuple[ReadAgain, ...]:
        places = [(change, tile) for change, tiles in one.lying.items() for tile in tiles]
        rules = game.rules
        if not places or rules is None:
            return _unseen(one)
        from_s = max(tile.first_s for _, tile in places) + HAND_LEAVES_S
        shown = (
            Shown(frame.image_bgr, _outlines(frame, [tile for _, tile in places]))
            for frame in different(self._frames_of(min(from_s, until_s), until_s))
        )
        faces = read_again(self._load(), shown, in_play(rules, game.state.options))
        if not faces:
            return _unseen(one)
        read: dict[str, list[Tile]] = {change: [] for change in one.lying}
        for (change, _), face in zip(places, faces, strict=True):
            read[change].append(face.tile)
        return tuple(ReadAgain(change, tuple(tiles)) for change, tiles in read.items())


def different(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Each frame once: a picture that was kept may be one of the last frames."""
    known: set[float] = set()
    for frame in frames:
        if frame.time_s not in known:
            known.add(frame.time_s)
            yield frame


def _unseen(one: Decisive) -> tuple[ReadAgain, ...]:
    return tuple(ReadAgain(change, ()) for change in one.lying)


def _tells_win(line: Entry) -> bool:
    event = line.event
    inside = event.events if isinstance(event, Correct) else ()
    return isinstance(event, Win) or any(map(_tells_win, inside))


def _lying(
    game: Game, one: EventInForce, decoding: Decoding
) -> dict[str, tuple[QuestionTile, ...]]:
    """Where the tiles lie that decide a win, or that show an indicator which came after it."""
    entries, event = game.entries, one.entry.event
    hand = _hand_of(game, one)
    shows = decisive(hand, event) if isinstance(event, Win) else [one]
    found: dict[str, tuple[QuestionTile, ...]] = {}
    for each in shows:
        change = change_of(entries, each)
        joined = isinstance(each.entry.event, Position)  # all that lay there, most of it no matter
        found[change] = () if joined else _face_up(decoding, change)
    if isinstance(event, Win) and event.seat != event.from_seat:
        own = change_of(entries, one)
        if len(found[own]) == len(event.hand or ()):  # its tile still lies where it was thrown
            gave = [each for each in hand if _gives(each, event.from_seat)]
            lay = _face_up(decoding, change_of(entries, gave[-1])) if gave else ()
            found[own] += lay[:1] if gave and isinstance(gave[-1].entry.event, Kong) else lay
    return found


def _gives(one: EventInForce, seat: int) -> bool:
    """Whether another seat may win with a tile of this event: a discard, or a kong it robs."""
    event = one.entry.event
    return isinstance(event, Discard | Kong) and event.seat == seat


def _face_up(decoding: Decoding, change: str) -> tuple[QuestionTile, ...]:
    return tuple(tile for tile in decoding.lying.get(change, ()) if tile.face_up)


def _hand_of(game: Game, one: EventInForce) -> list[EventInForce]:
    """The events of a hand up to this one."""
    hand: list[EventInForce] = []
    for each in in_force(game.entries):
        if isinstance(each.entry.event, HandStart):
            hand = []
        hand.append(each)
        if each.entry is one.entry:
            break
    return hand


def _with(line: Entry, old: Entry, new: Entry) -> Entry:
    """The line with one entry in the place of another, wherever it stands in it."""
    if line is old:
        return new
    event = line.event
    if not isinstance(event, Correct):
        return line
    inside = tuple(_with(each, old, new) for each in event.events)
    same = all(each is was for each, was in zip(inside, event.events, strict=True))
    return line if same else replace(line, event=replace(event, events=inside))


def _outlines(frame: Frame, tiles: Sequence[QuestionTile]) -> Floats:
    """(n, 4, 2): the tiles as they lie in a frame, also where its camera swings."""
    size = np.array(frame.size_px, np.float32)
    corners = np.array([tile.corners for tile in tiles], np.float32) * size
    if frame.shift is not None:
        corners = corners @ frame.shift[:2, :2].T + frame.shift[:2, 2]
    return np.asarray(corners, np.float32)
