"""The oracle referee: somebody who puts right what the record tells wrongly, and counts it."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from games.interrupted_pictures import InterruptedPictures, interruptions_of
from games.labels import WatchedGame
from games.outcome import GameCase, in_position
from games.recorded import RecordedDecoder

from engine.codec import event_to_json, read_record
from engine.events import Correct, Entry, Event, GameStart, HandStart, Position, Win
from engine.game import Game, replay
from engine.log import EventInForce
from engine.played import PlayedEvent
from vision.attention.schedule import LIVE
from vision.camera.frames import Frame
from vision.camera.video_file import VideoFile
from vision.compare import NOT_COUNTED, aligned, compare, event_key
from vision.decoder.decoder import Decoder
from vision.detect import Detector
from vision.pipeline import ReaderSettings, TableReader
from vision.table.view import TableView

NOTICED_S: Final = 3.0
"""The referee looks this long after a line was written, at what happened before that line."""
AT_ONCE: Final = 40
"""Most mends at one look, where a decoder contradicts each of them."""
LONGEST: Final = 100  # letters of an event's description


class CorrectedDecoder(Protocol):
    """A decoder that takes what people write into its record."""

    def write(self, line: Entry) -> list[Entry]:
        """Take a line by a person and return the lines that follow from it."""
        ...


@dataclass(frozen=True)
class Mend:
    """One line by the referee."""

    time_s: float
    line: Entry
    why: str
    wrong_before: int
    fixes: int
    """How many wrong events it puts right: two where a true one takes the place of a wrong one."""
    wrong_after: int

    @property
    def harmful(self) -> bool:
        return self.wrong_after > self.wrong_before - self.fixes


@dataclass
class Mended:
    """What the referee did in one game."""

    mends: list[Mend] = field(default_factory=list)
    wrong_at_end: list[str] = field(default_factory=list)
    hands: int = 0
    lines: list[Entry] = field(default_factory=list)

    @property
    def harmful(self) -> int:
        return sum(mend.harmful for mend in self.mends)


@dataclass(frozen=True)
class _Gap:
    """What is wrong between two events that match."""

    missing: tuple[Entry, ...]
    extra: tuple[EventInForce, ...]
    following: EventInForce | None
    """The first event after what is missing; None at the end of the record."""


class Referee:
    """Watches one record grow and mends it.

    ``decoder`` is told of each mend; without one the record alone is mended, and the camera goes on
    correcting its own lines, but for those that the referee has corrected.
    """

    def __init__(self, true: Sequence[Entry], decoder: CorrectedDecoder | None) -> None:
        self._true = [
            (_strict_key(played), played.event.entry)
            for played in replay(true).played
            if _counts(played.event.entry.event)
        ]
        self._all_true = true
        self._decoder = decoder
        self._game = Game()
        self._written_s: dict[str, float] = {}
        self._numbers: list[int] = []
        """The record's number of each line that the camera wrote."""
        self._mended: set[int] = set()
        self._looks_due_s: list[float] = []
        self.done = Mended()

    def take(self, lines: Iterable[Entry], now_s: float) -> None:
        """Take lines that the decoder has written."""
        for line in lines:
            if self._decoder is None:
                self._numbers.append(len(self._game.entries))
                if isinstance(line.event, Correct):
                    of = self._numbers[line.event.of]
                    if of in self._mended:
                        # The line is counted by the decoder and stands nowhere.
                        self._numbers[-1] = -1
                        continue
                    line = replace(line, event=replace(line.event, of=of))
            self._append(line, now_s)

    def look(self, now_s: float) -> None:
        """Mend what is due to be noticed."""
        if any(due_s <= now_s for due_s in self._looks_due_s):
            self._looks_due_s = [due_s for due_s in self._looks_due_s if due_s > now_s]
            self._mend_all(now_s, now_s - NOTICED_S)

    def finish(self, lines: Iterable[Entry], now_s: float) -> Mended:
        """Take the decoder's last lines, mend the rest, and return what was done."""
        self.take(lines, now_s)
        self._mend_all(now_s, math.inf)
        report = compare(self._all_true, self._game.entries)
        self.done.hands = len(report.hands)
        self.done.lines = list(self._game.entries)
        for gap in self._gaps(math.inf):
            self.done.wrong_at_end += [f"missed {_words(entry)}" for entry in gap.missing]
            self.done.wrong_at_end += [f"invented {_words(event.entry)}" for event in gap.extra]
        self.done.wrong_at_end += [
            f"hand {hand.number} paid {hand.read} instead of {hand.true}"
            for hand in report.hands
            if not hand.right
        ]
        return self.done

    def _append(self, line: Entry, now_s: float) -> None:
        self._game.submit(line)
        for entry in line.event.events if isinstance(line.event, Correct) else (line,):
            self._written_s.setdefault(_line_key(entry), now_s)
        self._looks_due_s.append(now_s + NOTICED_S)

    def _mend_all(self, now_s: float, noticed_s: float) -> None:
        """Mend one thing after the other: what a mend changes is looked at before the next."""
        for _ in range(AT_ONCE):
            gaps = self._gaps(now_s)
            found = next((m for gap in gaps if (m := self._mend_in(gap, noticed_s))), None)
            if found is None:
                break
            line, why, fixes = found
            line = line if line.t is not None else replace(line, t=round(now_s, 2))
            if isinstance(line.event, Correct):
                self._mended.add(line.event.of)
            self._append(line, now_s)
            if self._decoder is not None:
                for answer in self._decoder.write(line):
                    self._append(answer, now_s)
            before, after = _wrong(gaps), _wrong(self._gaps(now_s))
            self.done.mends.append(Mend(now_s, line, why, before, fixes, after))
            if after >= before and noticed_s < math.inf:
                break  # the decoder does not believe it; the referee looks again later

    def _gaps(self, now_s: float) -> list[_Gap]:
        """Compare the record with what has happened by now."""
        true = [(key, entry) for key, entry in self._true if (entry.t or 0.0) <= now_s]
        played = [event for event in self._game.played if _counts(event.event.entry.event)]
        read = [event.event for event in played]
        pairs = aligned([key for key, _ in true], [_strict_key(event) for event in played])
        gaps, one_before, two_before = [], 0, 0
        for one, two in [*pairs, (len(true), len(read))]:
            missing = tuple(entry for _, entry in true[one_before:one])
            if missing or two_before < two:
                following = read[two_before] if two_before < len(read) else None
                gaps.append(_Gap(missing, tuple(read[two_before:two]), following))
            one_before, two_before = one + 1, two + 1
        return gaps

    def _mend_in(self, gap: _Gap, noticed_s: float) -> tuple[Entry, str, int] | None:
        """Return the line that mends the first thing in a gap, what it does, and how many it fixes.

        None if nothing there is noticed yet.
        """
        for old in gap.extra:
            if self._written_s.get(_line_key(old.entry), 0.0) <= noticed_s:
                right = _meant(old.entry.event, gap.missing)
                if right is not None:
                    entry = replace(right, t=old.entry.t, source="person")
                    why = f"{_words(right)} instead of {_words(old.entry)}"
                    return self._correction(old, [entry]), why, 2
                return self._correction(old, []), f"no {_words(old.entry)}", 1
        for missed in gap.missing:
            # A line that nobody has looked at yet may mean it.
            waits = any(_meant(young.entry.event, [missed]) for young in gap.extra)
            if (missed.t or 0.0) > noticed_s or waits:
                break  # what followed it is not told before it
            why, following = f"{_words(missed)} is missing", gap.following
            if following is None:
                return replace(missed, t=None, source="person"), why, 1
            entry = replace(missed, t=following.entry.t, source="person")
            return self._correction(following, [entry, following.entry]), why, 1
        return None

    def _correction(self, old: EventInForce, events: Sequence[Entry]) -> Entry:
        """Return the line that puts these events in the place of one event in force."""
        written: list[Entry] = []
        for played in self._game.played:
            one = played.event
            if one.number == old.number:
                written += events if one.entry is old.entry else [one.entry]
        return Entry(Correct(old.number, tuple(written)), t=old.entry.t, source="person")


def _counts(event: Event) -> bool:
    return not isinstance(event, NOT_COUNTED)


def _strict_key(played: PlayedEvent) -> tuple[object, ...]:
    """Return what must be right in an event, also what only its hand's payment shows."""
    event, state = played.event.entry.event, played.state
    key = (*event_key(event), bool(getattr(event, "ready", False)))
    match event:
        case HandStart():
            return (*key, state.dealer, state.round, state.honba, state.pot)
        case Win(hand=hand):
            return (*key, tuple(sorted(hand or ())))
        case Position():
            return (*key, tuple(sorted(str(part) for part, _ in in_position(event))))
        case _:
            return key


def _meant(event: Event, missing: Sequence[Entry]) -> Entry | None:
    """Return the true event that a wrong one stands for; None if there is none like it."""

    def alike(other: Event) -> tuple[bool, bool, bool]:
        return (
            type(other) is type(event),
            getattr(other, "seat", None) == getattr(event, "seat", None),
            getattr(other, "tile", None) == getattr(event, "tile", None),
        )

    likest = max(missing, key=lambda one: alike(one.event), default=None)
    return likest if likest is not None and sum(alike(likest.event)) >= 2 else None


def _line_key(entry: Entry) -> str:
    return f"{entry.event} {entry.t}"


def _wrong(gaps: Iterable[_Gap]) -> int:
    return sum(len(gap.missing) + len(gap.extra) for gap in gaps)


def _words(entry: Entry) -> str:
    told = event_to_json(entry.event)
    words = " ".join(str(value) for key, value in told.items() if key not in ("drawn", "hand"))
    return textwrap.shorten(words, LONGEST)


def mended_labels(case: GameCase, told: bool = True) -> Mended:
    """Read one game of the benchmark from its labels while the referee mends it.

    ``told``: the decoder hears of each mend.
    """
    game = WatchedGame(case)
    follower = game.follower()
    referee = Referee(game.true, follower.decoder if told else None)
    for look in game.looks(game.frames(), follower):
        referee.take(follower.take(look), look.time_s)
        referee.look(look.time_s)
    return referee.finish(follower.decoder.close(), game.length_s)


def mended_film(folder: Path, told: bool = True, interrupted: str = "") -> Mended:
    """Read a film of ``datasets/simulate.py`` with the shipped nets while the referee mends it.

    ``interrupted``: as which of ``interruptions.EVENINGS``; as it is filmed if empty.
    """
    true: Sequence[Entry] = read_record((folder / "seen.jsonl").read_text(encoding="utf-8"))
    start = true[0].event
    assert isinstance(start, GameStart), "a record begins with the game"
    referees: list[Referee] = []
    decoders: list[RecordedDecoder] = []

    def takes(view: TableView) -> Decoder:
        decoders.append(RecordedDecoder(start.rules, view))
        referees.append(Referee(true, decoders[-1] if told else None))
        return decoders[-1].decoder

    view = TableView.load(folder / "table.toml")
    frames: Iterable[Frame] = VideoFile(folder / "video.mp4").frames(LIVE.step_s)
    if interrupted:
        film = interruptions_of(folder, interrupted)
        true, frames = film.start.true, InterruptedPictures(film, view).frames(frames)
    reader = TableReader(Detector.load(), takes, ReaderSettings(view))
    now_s, waiting = 0.0, tuple[Entry, ...]()
    for reading in reader.read(frames):
        # One step behind: the last lines come once the decoder is closed.
        referees[0].take(waiting, now_s)
        referees[0].look(now_s)
        now_s, waiting = reading.frame.time_s, tuple(decoders[0].take(reading.decoding))
    return referees[0].finish(waiting, now_s)
