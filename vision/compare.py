"""Compare a record that was read with the true one: events, and payments of hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Final

from engine.announce import Payout
from engine.events import (
    Chow,
    Correct,
    Deal,
    Dice,
    Discard,
    Draw,
    Entry,
    Event,
    Flower,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Reveal,
    Win,
)
from engine.game import replay
from engine.log import in_force

NOT_COUNTED: Final = (Draw, Deal, Dice, Correct)
"""Not compared: draws and deals are hidden, and the engine supplies them."""


@dataclass(frozen=True)
class HandPaid:
    """What one hand paid in both records."""

    number: int
    true: tuple[int, ...]
    read: tuple[int, ...] | None
    """None if the record that was read has no such hand."""

    @property
    def right(self) -> bool:
        return self.true == self.read


@dataclass(frozen=True)
class Report:
    """Two records side by side."""

    matched: int
    missing: tuple[Event, ...]
    """True events that were not read."""
    extra: tuple[Event, ...]
    """Events that were read but are not true."""
    hands: tuple[HandPaid, ...]
    late_s: tuple[float, ...] = field(repr=False, default=())
    """Delay of each matched event: time read less true time."""
    ready_right: int = 0
    ready_all: int = 0
    """Matched discards and claims for which either record has a claim of readiness."""
    sure: tuple[tuple[float, bool], ...] = field(repr=False, default=())
    """Confidence of each event that was read, where it has one, and whether the event is true."""

    @property
    def precision(self) -> float:
        return self.matched / max(1, self.matched + len(self.extra))

    @property
    def recall(self) -> float:
        return self.matched / max(1, self.matched + len(self.missing))

    @property
    def paid_right(self) -> int:
        return sum(hand.right for hand in self.hands)

    def together(self, other: Report) -> Report:
        names = [each.name for each in fields(self)]
        return Report(*(getattr(self, name) + getattr(other, name) for name in names))


NOTHING: Final = Report(0, (), (), ())


def compare(true: Sequence[Entry], read: Sequence[Entry]) -> Report:
    """Align the events of two records by type, seat and tile, and compare what the hands paid."""
    first, second = _counted(true), _counted(read)
    pairs = aligned([event_key(e.event) for e in first], [event_key(e.event) for e in second])
    in_first = {one for one, _ in pairs}
    in_second = {two for _, two in pairs}
    times = [(first[one].t, second[two].t) for one, two in pairs]
    late = tuple(two - one for one, two in times if one is not None and two is not None)
    ready = [(_ready(first[one].event), _ready(second[two].event)) for one, two in pairs]
    return Report(
        len(pairs),
        tuple(entry.event for at, entry in enumerate(first) if at not in in_first),
        tuple(entry.event for at, entry in enumerate(second) if at not in in_second),
        tuple(_paid(true, read)),
        late,
        sum(one and two for one, two in ready),
        sum(one or two for one, two in ready),
        tuple(
            (entry.confidence, at in in_second)
            for at, entry in enumerate(second)
            if entry.confidence is not None
        ),
    )


def _counted(entries: Sequence[Entry]) -> list[Entry]:
    return [
        event.entry for event in in_force(entries) if not isinstance(event.entry.event, NOT_COUNTED)
    ]


def event_key(event: Event) -> tuple[object, ...]:
    """Return what must be alike in two events that match."""
    name = type(event).__name__
    match event:
        case Discard(seat=seat, tile=tile):
            return name, seat, tile
        case Indicator(kind=kind, tile=tile):
            return name, kind, tile
        case (
            Chow(seat=seat, from_seat=fed, tile=tile, own=own)
            | Pung(seat=seat, from_seat=fed, tile=tile, own=own)
        ):
            return name, seat, fed, tile, tuple(sorted(own))
        case Kong(seat=seat, kind=kind, tile=tile):
            return name, seat, kind, tile
        case Flower(seat=seat):
            return name, seat
        case Win(seat=seat, from_seat=fed, tile=tile):
            return name, seat, fed, tile
        case Reveal(seat=seat, tiles=tiles):
            return name, seat, tuple(sorted(tiles))
        case _:
            return (name,)


def _ready(event: Event) -> bool:
    return bool(getattr(event, "ready", False))


def aligned(
    first: Sequence[tuple[object, ...]], second: Sequence[tuple[object, ...]]
) -> list[tuple[int, int]]:
    """Return the index pairs of the longest common subsequence."""
    height, width = len(first), len(second)
    best = [[0] * (width + 1) for _ in range(height + 1)]
    for one in range(height - 1, -1, -1):
        row, below = best[one], best[one + 1]
        for two in range(width - 1, -1, -1):
            if first[one] == second[two]:
                row[two] = below[two + 1] + 1
            else:
                row[two] = max(below[two], row[two + 1])
    pairs, one, two = [], 0, 0
    while one < height and two < width:
        if first[one] == second[two]:
            pairs.append((one, two))
            one, two = one + 1, two + 1
        elif best[one + 1][two] >= best[one][two + 1]:
            one += 1
        else:
            two += 1
    return pairs


def _paid(true: Sequence[Entry], read: Sequence[Entry]) -> Iterable[HandPaid]:
    first, second = hand_payments(true), hand_payments(read)
    for number, deltas in enumerate(first, start=1):
        other = second[number - 1] if number <= len(second) else None
        yield HandPaid(number, deltas, other)


def hand_payments(entries: Sequence[Entry]) -> list[tuple[int, ...]]:
    """What each hand of a record paid, in order."""
    game = replay(entries)
    by_number: dict[int, list[Payout]] = {}
    for payout in game.announcements():
        if isinstance(payout, Payout):
            by_number.setdefault(payout.of, []).append(payout)
    found: list[list[int]] = []
    for event in in_force(game.entries):
        if isinstance(event.entry.event, HandStart):
            found.append([0, 0, 0, 0])
        if found:
            for payout in by_number.pop(event.number, []):
                found[-1] = [a + b for a, b in zip(found[-1], payout.deltas, strict=True)]
    return [tuple(deltas) for deltas in found]
