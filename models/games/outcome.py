"""The outcome of one benchmark game: what was true, what was read, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

import numpy as np
from games.simulated_detector import Labels, middles
from numpy.typing import NDArray

from engine.codec import event_to_json
from engine.events import Correct, Entry, Event, Kong, Position
from engine.log import in_force
from vision.compare import Report, compare
from vision.table.view import TableView
from vision.tiles.classes import Side
from vision.tracking.observe import Observation

LAID_S: Final = 0.8  # a tile is checked once it has lain for this long
SEEN: Final = 0.8  # visible share from which a tile is checked
CALM: Final = "none"
"""The trouble of a camera that has none."""
NEAR: Final = 0.5  # distance, in tile widths, within which a tile counts as found
MOVED_PX: Final = 2.0


@dataclass(frozen=True)
class GameCase:
    """A game of the benchmark, identified by its inputs."""

    grade: str
    rules: str
    seed: int
    start: str = ""
    """One of ``starts.STARTS`` or ``starts.ENDS``; empty for a film of the whole game."""
    clutter: str = ""
    """One of ``clutter.CLUTTER``; empty for a tidy table."""
    trouble: str = ""
    """KIND:STRENGTH of the camera's trouble, or ``CALM``; empty outside that benchmark."""
    hands: int = 1
    """How many are played at least."""
    interrupted: str = ""
    """One of ``interruptions.EVENINGS``; empty where nothing comes between camera and table."""

    @property
    def name(self) -> str:
        start = f"-start-{self.start}" if self.start else ""
        clutter = f"-clutter-{self.clutter}" if self.clutter else ""
        trouble = f"-trouble-{self.trouble.replace(':', '-')}" if self.trouble else ""
        hands = f"-hands-{self.hands}" if self.hands > 1 else ""
        evening = f"-{self.interrupted}" if self.interrupted else ""
        return f"{self.grade}-{self.rules}-{self.seed}{start}{clutter}{trouble}{hands}{evening}"


@dataclass(frozen=True)
class Outcome:
    """The figures of one game; all can be written as JSON."""

    grade: str
    rules: str
    seed: int
    layer: str
    length_s: float
    matched: int
    missing: list[dict[str, object]]
    extra: list[dict[str, object]]
    paid: list[dict[str, Any]]
    """For each hand the true payments and those of the record that was read."""
    settled: int
    """Checks in which the table was read exactly right."""
    moments: int
    delays_s: list[float]
    """For each correct event, the time from the hand leaving to its record."""
    said: list[str] = field(default_factory=list)
    """Notices about camera and table."""
    cpu_s: float = 0.0
    memory_mb: float | None = None
    """Peak memory, if the game was read in its own process."""
    questions: int | None = None
    """Open questions at the end; None if not counted."""
    untouched_when_answered: bool | None = None
    """Whether nothing is left to correct after right answers."""
    table_found: bool | None = None
    """Whether the table was found automatically; None if not searched."""
    start: str = ""
    clutter: str = ""
    trouble: str = ""
    sure: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence of each camera line, and whether its event is true."""
    mends: int | None = None
    """Corrections by the oracle referee; None if nobody mended this game."""
    harmful_mends: int = 0
    """Mends after which more was wrong than what they put right accounts for."""
    wrong_after_mends: list[str] = field(default_factory=list)
    """What was still wrong at the end."""

    @property
    def paid_right(self) -> int:
        return sum(hand["true"] == hand["read"] for hand in self.paid)

    @property
    def paid_wrong(self) -> int:
        """Hands of which the record tells another payment than the true one."""
        return sum(hand["read"] not in (None, hand["true"]) for hand in self.paid)

    @property
    def untouched(self) -> bool:
        """Whether nothing in this game needs a correction."""
        return not self.missing and not self.extra and self.paid_right == len(self.paid)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class TimedRecord:
    """The lines of a record, and when each event was first written."""

    def __init__(self) -> None:
        self.lines: list[Entry] = []
        self._first_s: dict[str, float] = {}

    def take(self, lines: Iterable[Entry], now_s: float) -> None:
        for line in lines:
            self.lines.append(line)
            entries = line.event.events if isinstance(line.event, Correct) else (line,)
            for entry in entries:
                self._first_s.setdefault(_key(entry), now_s)

    def as_told(self) -> list[Entry]:
        """Return the events that stand, each with the time of its first line."""
        return [
            replace(event.entry, t=self._first_s.get(_key(event.entry), event.entry.t))
            for event in in_force(self.lines)
            if not isinstance(event.entry.event, Correct)
        ]


class TableChecks:
    """Compares the decoder's table with the true one some time after events."""

    def __init__(self) -> None:
        self.right = 0
        self.all = 0
        self._since: dict[int, tuple[NDArray[np.float64], float]] = {}
        self._last: Labels | None = None

    def see(self, tiles: Labels, time_s: float) -> None:
        """Take the labels of every frame, in order."""
        if tiles is self._last:
            return
        self._last = tiles
        for tile, (middle, _) in middles(tiles).items():
            known = self._since.get(tile)
            if known is None or abs(known[0] - middle).max() > MOVED_PX:
                self._since[tile] = (middle, time_s)

    def ask(
        self, tiles: Labels, time_s: float, observation: Observation | None, view: TableView
    ) -> None:
        """Check one moment: every resting face must be known, and no other."""
        self.all += 1
        if observation is None:
            return
        believed = [tile for tile in observation.placed if tile.side is Side.FACE]
        places = np.array([tile.xy_mm for tile in believed]).reshape(-1, 2)
        true = [tile for tile in tiles if tile["side"] == "face"]
        corners = np.array([tile["corners"] for tile in true], np.float64).reshape(-1, 2)
        lie = view.to_table(corners, view.lying_mm).reshape(-1, 4, 2).mean(axis=1)
        far = np.linalg.norm(lie[:, None] - places[None], axis=2)
        near = far < NEAR * view.tile_mm
        if len(places) and not near.any(axis=0).all():
            return
        for row, tile in enumerate(true):
            laid = time_s - self._since[tile["id"]][1] >= LAID_S
            if laid and tile["visible"] >= SEEN:
                here = [believed[at].tile for at in np.flatnonzero(near[row])]
                if here != [tile["tile"]]:
                    return
        self.right += 1


def outcome(
    case: GameCase,
    layer: str,
    true: Sequence[Entry],
    heard: TimedRecord,
    tables: TableChecks,
    length_s: float,
    said: Sequence[str] = (),
) -> Outcome:
    """Return the figures of a game that has been read."""
    read = heard.as_told()
    report = compare(true, read)
    extra = [*report.extra, *untrue_in_position(true, read)]
    return Outcome(
        case.grade,
        case.rules,
        case.seed,
        layer,
        round(length_s, 1),
        report.matched,
        [event_to_json(event) for event in report.missing],
        [event_to_json(event) for event in extra],
        [
            {"true": list(hand.true), "read": None if hand.read is None else list(hand.read)}
            for hand in report.hands
        ],
        tables.right,
        tables.all,
        [round(late_s, 2) for late_s in report.late_s],
        list(said),
        start=case.start,
        clutter=case.clutter,
        trouble=case.trouble,
        sure=list(report.sure),
    )


def untrue_in_position(true: Sequence[Entry], read: Sequence[Entry]) -> list[Event]:
    """Return what a position tells that does not lie there: tiles of rivers, and sets."""
    lying, told = (
        [part for entry in lines for part in in_position(entry.event)] for lines in (true, read)
    )
    if not lying or not told:
        return []  # nothing is joined, or the whole position is missing or invented
    left = Counter(key for key, _ in lying)
    untrue = []
    for key, event in told:
        if not left[key]:
            untrue.append(event)
        left[key] = max(0, left[key] - 1)
    return untrue


def in_position(event: Event) -> list[tuple[tuple[object, ...], Event]]:
    """Return the discards and sets of a position with what is seen of each.

    Nobody sees who discarded a loose tile, nor which tile of a set was claimed.
    """
    found: list[tuple[tuple[object, ...], Event]] = []
    if isinstance(event, Position):
        for discard in (thrown for river in event.rivers or () for thrown in river):
            if discard.tile.known:
                found.append((("river", discard.tile), discard))
        for claim in (one for claims in event.sets or () for one in claims):
            own = (claim.tile,) * 3 if isinstance(claim, Kong) else claim.own
            found.append(((claim.seat, tuple(sorted((claim.tile, *own)))), claim))
    return found


def _key(entry: Entry) -> str:
    return f"{entry.event} {entry.t}"


def judged(true: Sequence[Entry], read: Sequence[Entry]) -> Report:
    """Compare two records; a position counts as read only if its rivers and sets are right."""
    report = compare(true, read)
    first, second = _position(true), _position(read)
    if first is None or second is None or _lying(first) == _lying(second):
        return report
    return replace(
        report,
        matched=report.matched - 1,
        missing=(*report.missing, first),
        extra=(*report.extra, second),
    )


def _position(entries: Sequence[Entry]) -> Position | None:
    events = (event.entry.event for event in in_force(entries))
    return next((event for event in events if isinstance(event, Position)), None)


def _lying(position: Position) -> tuple[object, ...]:
    rivers = tuple(tuple(discard.tile for discard in river) for river in position.rivers or ())
    sets = tuple(
        tuple((type(claim).__name__, claim.tile, claim.from_seat) for claim in claims)
        for claims in position.sets or ()
    )
    return rivers, sets, position.turn
