"""Lines that make a record agree with what a camera believes, change by change.

A camera explains every change of the table that it has seen, and may explain it otherwise later.
Lines are only added to a record. What people wrote stays in force.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Generic, Literal, TypeVar

from engine.corrections import EditHistory
from engine.events import Correct, Entry, GameEnd, GameStart, Seat
from engine.log import EventInForce, by_people, corrections, in_force, last_correction

CorrectionReason = Literal["answer", "put_back", "reread"]


@dataclass(frozen=True)
class Believed:
    """What a camera believes of a whole game; each time a new value."""

    told: tuple[Entry, ...] = ()
    """The game in the order of play, each event with the change that it explains."""
    number: int = 0
    """Each has a higher one than those before it."""
    heard: int = 0
    """Number of the pins that were held fixed."""
    answered: frozenset[str] = frozenset()
    """Changes that are as a person answered, without having written it."""
    left: frozenset[str] = frozenset()
    """Changes that the rules refuse beside what people wrote: their lines stay as they are."""
    put_back: bool = False
    """What is told otherwise than before is so because players took it back."""
    more: bool = False
    """Whether more follows from the same pins: it is told next."""


@dataclass(frozen=True)
class Pinned:
    """What people have fixed in the last game of a record; it replaces what they fixed before."""

    number: int = 0
    """Names this value: ``Believed.heard`` gives it back."""
    in_force: tuple[Entry, ...] = ()
    """The events in force of the game, each with its change."""
    removed: tuple[Entry, ...] = ()
    """The acts that a person took away and that do not stand on their line again, each with the
    change that it explained."""
    rests_on: int = 0
    """Number of the last ``Believed`` that ``in_force`` holds."""

    @property
    def own(self) -> list[Entry]:
        """The events that people wrote."""
        return [entry for entry in self.in_force if entry.source == "person"]


PinsT = TypeVar("PinsT", bound=Pinned)


def change_of(entries: Sequence[Entry], event: EventInForce) -> str:
    """The change that an event in force explains; a line that names none is a change of its own."""
    return event.entry.change or entries[event.number].change or f"line@{event.number}"


def told_by_camera(entries: Sequence[Entry], event: EventInForce) -> bool:
    """Whether a camera told an event in force, and no person corrected or confirmed it."""
    return event.entry.source == "camera" and entries[event.number].source == "camera"


def game_begins(entries: Sequence[Entry]) -> int:
    """The line that begins the game that a record is in the middle of; after all lines if none."""
    first = len(entries)
    for event in in_force(entries):
        if isinstance(event.entry.event, GameStart):
            first = event.number
        elif isinstance(event.entry.event, GameEnd):
            first = len(entries)
    return first


def pinned(entries: Sequence[Entry], first: int = 0) -> Pinned:
    """What people have fixed in the game that begins with line ``first``."""
    current = _in_force(entries, first)
    left = Counter((event.number, _act(_named(entries, event))) for event in current)
    removed: dict[Hashable, Entry] = {}
    for at, line in corrections(entries, first):
        if entries[at].source != "person":
            continue
        now = Counter(_act(_named(entries, EventInForce(line.of, event))) for event in line.events)
        again = {act: left[of, act] - now[act] for of, act in left if of == line.of}
        for event in in_force(entries[:at], line.of):
            if event.number == line.of:
                was = _named(entries, event)
                act = _act(was)
                if now[act]:
                    now[act] -= 1
                elif again.get(act, 0) > 0:
                    again[act] -= 1
                else:
                    removed.setdefault((line.of, act), was)
    stands = tuple(_named(entries, event) for event in current)
    return Pinned(in_force=stands, removed=tuple(removed.values()))


def _named(entries: Sequence[Entry], event: EventInForce) -> Entry:
    return replace(event.entry, change=change_of(entries, event))


class CameraRecord(Generic[PinsT]):
    """The lines of a record into which one camera and people write.

    Where they are written to a file, each is added here when it is safe there. Nothing else may
    change the record between asking for lines and adding them.
    """

    def __init__(self, pins: PinsT, before: Sequence[Entry] = (), first: int | None = None) -> None:
        """``pins``: those of people who have said nothing. ``before``: lines of earlier cameras.

        ``first``: the line with which the camera's game begins; by default that of the game that
        the record is in the middle of.
        """
        self.entries: list[Entry] = list(before)
        self.history = EditHistory(before)
        """What people can undo and redo."""
        self.first = game_begins(before) if first is None else first
        held = pinned(before, self.first)
        self.pins = replace(pins, in_force=held.in_force, removed=held.removed)
        """What the camera holds fixed, or will when it hears of it."""
        self._known: set[str] = set()
        """What the camera has told once it may take back."""
        self._held = 0
        """Number of what the camera told last of that which the record holds."""
        self._written: int | None = None
        """The first line that people have added since they were asked what they hold fixed."""
        self._open: int | None = None
        """The line of a person with which pins were sent, until it is known what follows."""
        self._followed: dict[int, list[int]] = {}
        """Corrections that followed from what a person wrote, by the number of that line."""

    # --- people ---

    def write(self, line: Entry) -> list[Entry]:
        """Add a person's line; returns the lines that go with it, to be written likewise.

        With a correction that is taken back goes what followed from it.
        """
        number = self._append(line)
        if line.source != "person":
            return []
        if self._written is None:
            self._written = number
        event = line.event
        if not isinstance(event, Correct) or event.events:
            return []
        followed = self._followed.pop(event.of, ())
        return [Entry(Correct(of, (), "reread"), t=line.t, source="camera") for of in followed]

    def pin(self, said: PinsT | None = None) -> bool:
        """Hold fixed what people say now; returns whether the camera is to hear of that.

        ``said``: the pins with what people said beside their lines.
        """
        written, self._written = self._written, None
        was, now = self.pins, pinned(self.entries, self.first)
        said = was if said is None else said
        if said == was and (now.own, now.removed) == (was.own, was.removed):
            return False
        self._open = self._open if written is None else written
        self.pins = replace(
            said,
            number=was.number + 1,
            in_force=now.in_force,
            removed=now.removed,
            rests_on=self._held,
        )
        return True

    # --- the camera ---

    def take(self, now: Believed) -> list[Entry]:
        """Write what the camera tells now; returns the new lines."""
        lines = self.updates(now)
        for line in lines:
            self.add(line)
        self.hold(now)
        return lines

    def holds(self, now: Believed) -> bool:
        """Whether the camera tells this with all that people say held fixed."""
        return now.heard == self.pins.number

    def updates(self, now: Believed) -> list[Entry]:
        """Return the lines after which the record holds what the camera tells now."""
        told = now.told
        current = _in_force(self.entries, self.first)
        self._know(told)
        same = _alike(self.entries, current, told)
        if same == len(current):
            return [entry for entry in told[same:] if entry.source != "person"]
        lines, tail = self._placed(current, told, same, now.left)
        added = []
        for number, line in sorted(lines.items()):
            if line.fresh is not None:
                reason: CorrectionReason
                by_answer = any(entry.change in now.answered for entry in line.fresh)
                reason = "answer" if by_answer else "put_back" if now.put_back else "reread"
                added.append(_correction(self.entries, number, line, reason))
        return added + tail

    def add(self, line: Entry) -> None:
        """Add one of the camera's lines: a correction follows from what people wrote just now."""
        number = self._append(line)
        if not isinstance(line.event, Correct):
            self._know([line])
            return
        self._know(line.event.events)
        if self._open is not None:
            self._followed.setdefault(self._open, []).append(number)

    def hold(self, now: Believed) -> None:
        """All lines of what the camera tells now were added."""
        self._held = now.number
        if not now.more:
            self._open = None

    def _append(self, line: Entry) -> int:
        number = len(self.entries)
        self.entries.append(line)
        self.history.take(number, line)
        return number

    def _know(self, told: Iterable[Entry]) -> None:
        self._known |= {entry.change for entry in told if entry.change is not None}

    def _placed(
        self,
        current: Sequence[EventInForce],
        told: Sequence[Entry],
        same: int,
        left: Collection[str],
    ) -> tuple[dict[int, _Line], list[Entry]]:
        """The events that each line shall hold, and the lines that come after all others."""
        entries = self.entries
        lines = {event.number: _Line() for event in current}
        for one in current[:same]:
            lines[one.number].events.append(one.entry)
        tail: list[Entry] = []
        old = _keys((change_of(entries, event), event.entry) for event in current[same:])
        new = _keys((entry.change, entry) for entry in told[same:])
        for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            here, coming = current[same + i : same + j], told[same + k : same + m]
            if what == "equal":
                for one, entry in zip(here, coming, strict=True):
                    if one.entry.source == "person" or one.entry.event == entry.event:
                        lines[one.number].events.append(one.entry)
                    else:
                        lines[one.number].put(entry)
                continue
            gone = [
                event
                for event in here
                if self._takes_back(event) and change_of(entries, event) not in left
            ]
            for one in here:
                if one in gone:
                    lines[one.number].put()
                else:
                    lines[one.number].events.append(one.entry)
            # The camera repeats what a person wrote. It stays on the line of that person.
            coming = [entry for entry in coming if entry.source != "person"]
            if not gone and same + j == len(current):
                tail += coming
                continue
            number = None
            for entry in coming:
                # In the place of what the same change was, or of what goes, or before what follows.
                gone = [event for event in gone if number is None or event.number >= number]
                alike = (
                    event.number for event in gone if change_of(entries, event) == entry.change
                )
                first = gone[0].number if gone else number
                number = next(alike, first)
                if number is None:
                    number = _camera_line(entries, current, same + j)
                if number is not None:
                    lines[number].put(entry)
        return lines, tail

    def _takes_back(self, one: EventInForce) -> bool:
        return one.entry.source != "person" and change_of(self.entries, one) in self._known


@dataclass
class _Line:
    """What one line of the record is to stand for."""

    events: list[Entry] = field(default_factory=list)
    fresh: list[Entry] | None = None
    """The events that are new on it; None where they are the same as before."""

    def put(self, *fresh: Entry) -> None:
        """Change the line; without an event, something is taken away."""
        self.events += fresh
        self.fresh = [*(self.fresh or ()), *fresh]


def _in_force(entries: Sequence[Entry], first: int) -> list[EventInForce]:
    """The events in force; what a person's correction holds is the person's, unless it says so."""
    people = by_people(entries, first)
    return [
        event._replace(entry=replace(event.entry, source="person"))
        if event.number in people and event.entry.source is None
        else event
        for event in in_force(entries, first)
        if not isinstance(event.entry.event, Correct)
    ]


def _alike(entries: Sequence[Entry], current: Sequence[EventInForce], told: Sequence[Entry]) -> int:
    """How many of the first events the camera tells as the record has them."""
    for at, (event, entry) in enumerate(zip(current, told, strict=False)):
        if event.entry is not entry and (
            event.entry.event != entry.event or change_of(entries, event) != entry.change
        ):
            return at
    return min(len(current), len(told))


def _act(entry: Entry) -> tuple[str | None, type, Seat | None]:
    """What an event is, whatever its faces: the change that it explains, its kind, and whose."""
    return entry.change, type(entry.event), getattr(entry.event, "seat", None)


def _keys(events: Iterable[tuple[str | None, Entry]]) -> list[Hashable]:
    """What an event is known by, whatever its faces: its change, its act, and who told it."""
    count: Counter[Hashable] = Counter()
    keys: list[Hashable] = []
    for change, entry in events:
        act = (_act(replace(entry, change=change)), entry.source == "person")
        keys.append((*act, count[act]))
        count[act] += 1
    return keys


def _camera_line(
    entries: Sequence[Entry], current: Sequence[EventInForce], place: int
) -> int | None:
    """The line that takes events before a place: that one, or the last one before it."""
    for event in reversed(current[: place + 1]):
        if entries[event.number].source != "person":
            return event.number
    return None


def _correction(
    entries: Sequence[Entry],
    number: int,
    line: _Line,
    reason: CorrectionReason,
) -> Entry:
    time_s = max((entry.t for entry in line.fresh or () if entry.t is not None), default=None)
    return correction(entries, number, line.events, reason, time_s)


def correction(
    entries: Sequence[Entry],
    number: int,
    events: Sequence[Entry],
    reason: CorrectionReason,
    time_s: float | None,
) -> Entry:
    """The camera's line by which a line stands for these events."""
    event = Correct(number, tuple(events), reason)
    before = last_correction(entries, number)
    if before is not None and entries[before].source == "person":
        # The person's correction goes on to hold, with what the camera now makes of the rest: one
        # undo takes both back.
        again = replace(entries[before], event=Correct(number, event.events))
        event = Correct(before, (again,), reason)
    return Entry(event, t=time_s, source="camera")
