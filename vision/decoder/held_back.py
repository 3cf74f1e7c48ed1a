"""Which events of the best hypothesis may still change, and are not written yet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from engine.events import (
    Chow,
    Discard,
    DrawnHand,
    Event,
    Foul,
    HandStart,
    Indicator,
    Position,
    Pung,
    Reveal,
    Win,
)
from vision.decoder.changes import FaceAppeared, HandsStand, TilesBefore
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.questions import SURE
from vision.decoder.search import BeamSearch, events_of
from vision.decoder.segment import Segmenter

# Each was halved and doubled on eight stored films: 17 lines were told again, and an event was told
# 5.57 s after its hand had left, on the mean. What stood at the end never changed.
HELD_S: Final = 0.3
"""An event is written after its player's hands have been away this long: a sign may follow. 0.15 s:
5.54 s; 0.6 s: 5.71 s, and 16 lines again."""
POORLY_READ: Final = 0.5
"""A face that is less sure ..."""
FEW_LOOKS: Final = 4
"""... by fewer clear looks is waited for: a hand is over it. 0.25, 0.75, 2, 8: no line changes."""
GROWS_S: Final = 0.8
"""Tiles before a player count when nothing has come to them for so long. 0.4 s: 5.56 s; 1.6 s:
5.62 s."""
HELD_AT_MOST_S: Final = 2.5
"""Older discards, sets and tiles before a player are written. 1.25 s: 18 lines again; 5 s: 16."""
WAITED_S: Final = 4.0
"""An open hand that is not whole, a foul and an end by rule are waited for so long: a tile that was
missed may explain them, or somebody win. 2 s: 5.52 s; 8 s: 5.60 s."""
START_S: Final = 12.0
"""How a hand that nobody saw begin stands is written at most this long after it was seen, or when
it is sure. 6 s: no line changes; 24 s: 5.59 s."""
LAST_STEPS: Final = 8
"""Among so many events a discard is looked for that may have been claimed. 4, 16: no line
changes."""
OUT_OF_ORDER_S: Final = 10.0
"""An event that was seen late is written at most this long after one that happened later. 5 s: no
line changes."""
LASTS_S: Final = 1.6
"""A reading that accuses somebody, or takes back what was paid, has lasted so long before it is
written: twice as long as one that was wrong (clean play, ``models/README.md``)."""

Verdict = tuple[int, Event, bool]
"""What pays or accuses: its change, the event, and whether it breaks a rule."""


class HeldBack:
    """Holds the last events back until their tiles and hands rest."""

    def __init__(self, search: BeamSearch, segmenter: Segmenter) -> None:
        self._search, self._segmenter = search, segmenter
        self._released: set[tuple[float, type]] = set()
        """Time and type of events that were written: they are not held back again."""
        self._discards: frozenset[int] = frozenset()
        """Tracks of the last discards that were written."""
        self._written = 0
        """Number of events that were written."""
        self._gone_s = 0.0
        """Since when one of them is gone."""
        self._time_s = 0.0
        self._stands_s: dict[Verdict, float] = {}
        """Since when the best hypothesis tells each verdict of the last hand."""
        self._told: frozenset[Verdict] = frozenset()
        """Verdicts of the last hand that were written, ..."""
        self._told_in = BEFORE
        """... and the change with which it began."""
        self._rival: frozenset[Verdict] = frozenset()
        """The verdicts of the likeliest reading, ..."""
        self._rival_s = self._doubted_s = 0.0
        """... since when it has these, and until when it had all that were written."""
        self.holds = False
        """Whether an event is held back that time alone may release."""

    def due(self, time_s: float, at_once: bool = False) -> tuple[Explained, ...] | None:
        """The events of the best hypothesis without the last ones that may still change.

        None where what was written may turn out to be right, unless it is wanted ``at_once``.
        """
        self._time_s = time_s
        steps = self._search.best.events
        begins, verdicts = _verdicts(steps)
        # What follows from the word of people need not last.
        stands_s = {} if at_once else self._stands_s
        new_s = -math.inf if at_once else time_s
        self._stands_s = {one: stands_s.get(one, new_s) for _, one in verdicts}
        count = len(steps)
        while count and self._held(steps[count - 1]):
            count -= 1
        count = self._before_a_foul(steps, count)
        accuses = [at for at, one in verdicts if at < count and self._is_young_fault(one)]
        count = min(accuses, default=count)
        now = frozenset(one for at, one in verdicts if at < count)
        doubted = self._is_doubted(begins, now, frozenset(self._stands_s))
        self.holds = doubted or count < len(steps)
        waits = self._may_be_claimed(steps) or bool(accuses)
        if not at_once and (doubted or (waits and count < self._written)):
            return None
        self._written, self._told, self._told_in = count, now, begins
        late = steps[max(0, count - LAST_STEPS) : count]
        tiles = (step.tile for step in late if isinstance(step.event, Discard))
        self._discards = frozenset(tile for tile in tiles if tile is not None)
        # Older events are no longer held back, whatever was made of them.
        since_s = self._time_s - HELD_AT_MOST_S
        self._released = {one for one in self._released if one[0] >= since_s}
        for explained in reversed(steps[:count]):
            if explained.time_s < since_s - OUT_OF_ORDER_S:
                break
            self._released.add((explained.time_s, type(explained.event)))
        return steps[:count]

    def _is_young_fault(self, one: Verdict) -> bool:
        """Whether somebody is accused by a reading that has not lasted yet."""
        _, event, flawed = one
        accuses = flawed or isinstance(event, Foul)
        return accuses and one not in self._told and self._time_s - self._stands_s[one] < LASTS_S

    def _is_doubted(self, begins: int, now: frozenset[Verdict], every: frozenset[Verdict]) -> bool:
        """Whether what was written of a payout or a foul may turn out to be right: the reading that
        would take it back has not lasted yet.

        ``now`` are the verdicts that are due, of ``every`` one of that reading.
        """
        agrees = begins != self._told_in or self._told <= now
        if every != self._rival:
            self._rival, self._rival_s = every, self._time_s
        if agrees:
            self._doubted_s = self._time_s
            return False
        # Where readings change all the time, the likeliest is told in the end.
        young = self._time_s - self._rival_s < LASTS_S
        return young and self._time_s - self._doubted_s < WAITED_S

    def _may_be_claimed(self, steps: Sequence[Explained]) -> bool:
        """Whether a discard that was written is gone, and somebody may be laying it into a set."""
        shown = {step.tile for step in steps[-LAST_STEPS:] if isinstance(step.event, Discard)}
        gone = self._discards - shown - self._segmenter.present
        if not gone:
            self._gone_s = self._time_s
        return self._time_s - self._gone_s < HELD_AT_MOST_S and bool(gone)

    def _before_a_foul(self, steps: Sequence[Explained], count: int) -> int:
        """How many of the events come before a foul that a later look may explain."""
        first = max(0, count - LAST_STEPS)
        for at, step in enumerate(steps[first:count], start=first):
            new = (step.time_s, type(step.event)) not in self._released and step.change > BEFORE
            young = self._time_s - step.time_s < WAITED_S and not step.by_person
            if isinstance(step.event, Foul) and new and young:
                return at
        return count

    def _held(self, step: Explained) -> bool:
        event = step.event
        if step.change <= BEFORE or step.by_person:
            return False
        if (step.time_s, type(event)) in self._released:
            return False
        change = self._search.change(step.change)
        if isinstance(event, DrawnHand) and isinstance(change, FaceAppeared):
            # Somebody may win on the discard yet.
            return self._time_s - step.time_s < WAITED_S
        if isinstance(change, TilesBefore):
            return self._grows(step, change)
        if isinstance(change, HandsStand):
            return self._may_start_otherwise(change)
        age_s = self._time_s - step.time_s
        if age_s > HELD_AT_MOST_S or not isinstance(event, Discard | Indicator | Chow | Pung):
            return False
        if age_s < HELD_S or (isinstance(event, Indicator) and self._is_covered(step)):
            return True
        # Who claims must discard: the hand does not go away.
        signs = self._search.rules.layout.ready_sign != "none"
        if not signs or not isinstance(event, Discard) or event.ready:
            return False
        return self._segmenter.busy_at(event.seat, self._time_s - HELD_S, self._time_s)

    def _is_covered(self, step: Explained) -> bool:
        """Whether the one tile of a step was hardly seen: the next looks tell what it is."""
        tile = None if step.tile is None else self._segmenter.tiles.get(step.tile)
        return tile is not None and tile.looks < FEW_LOOKS and tile.confidence < POORLY_READ

    def _grows(self, step: Explained, change: TilesBefore) -> bool:
        """Whether more tiles may come to those that a step explains."""
        newest_s = max(
            (
                self._segmenter.tiles[tile].first_s
                for tile in change.fresh
                if tile in self._segmenter.tiles
            ),
            default=change.time_s,
        )
        age_s = self._time_s - newest_s
        if isinstance(step.event, Win | Reveal):
            unread = isinstance(step.event, Win) and step.event.hand is None
            # A hand that breaks a rule may lack tiles that are yet to be seen: nobody is accused.
            partly = len(step.tiles) % 3 == 0 or step.flawed
            stood_s = self._time_s - self._stands_s.get(_verdict(step), -math.inf)
            young = age_s < WAITED_S or (stood_s < LASTS_S and age_s < 2 * WAITED_S)
            return young and (partly or unread or self._may_pay_otherwise(step))
        pending = bool(self._segmenter.seats[change.seat].pending)
        busy = self._segmenter.busy_at(change.seat, self._time_s - HELD_S, self._time_s)
        # The fourth tile of a kong may come from under the hand that lays the three.
        kong_may_follow = isinstance(step.event, Pung) and len(change.fresh) == 3
        whole = len(change.fresh) in (3, 4) and not kong_may_follow
        longest_s = WAITED_S if kong_may_follow else HELD_AT_MOST_S
        return age_s < GROWS_S or (age_s < longest_s and (pending or (busy and not whole)))

    def _may_pay_otherwise(self, step: Explained) -> bool:
        """Whether it is open yet who gave the tile that a hand has won with.

        It may lie under an arm: the hand was laid open before the discard was seen.
        """
        won = step.event
        if not isinstance(won, Win):
            return False
        unseen = any(
            other.change == step.change and isinstance(other.event, Discard) and other.tile is None
            for other in self._search.best.hand
        )
        same = sum(
            share
            for hypothesis, share in self._search.shares()
            if any(
                isinstance(event, Win)
                and (event.seat, event.from_seat) == (won.seat, won.from_seat)
                for event in events_of(hypothesis, step.change)
            )
        )
        return unseen or same < SURE

    def _may_start_otherwise(self, change: HandsStand) -> bool:
        """Whether it is open yet if this is a deal, or a hand under way, and who has dealt."""
        if self._time_s - change.time_s > START_S:
            return False
        ways: dict[object, float] = {}
        for hypothesis, share in self._search.shares():
            joined = any(isinstance(step.event, Position) for step in hypothesis.hand)
            starts = (s.event.dealer for s in hypothesis.hand if isinstance(s.event, HandStart))
            way = joined if change.snapshot is not None else next(starts, None)
            ways[way] = ways.get(way, 0.0) + share
        return max(ways.values()) < SURE


def _verdict(step: Explained) -> Verdict:
    assert step.event is not None, "only events pay or accuse"
    return step.change, step.event, step.flawed


def _verdicts(steps: Sequence[Explained]) -> tuple[int, list[tuple[int, Verdict]]]:
    """The change with which the last hand began, and what pays or accuses in it, with its places.

    What people said, and what happened before this program began, is no reading.
    """
    found: list[tuple[int, Verdict]] = []
    for at in range(len(steps) - 1, -1, -1):
        step = steps[at]
        if isinstance(step.event, HandStart):
            return step.change, found[::-1]
        judges = step.flawed or isinstance(step.event, Win | DrawnHand | Foul)
        if judges and step.change > BEFORE and not step.by_person:
            found.append((at, _verdict(step)))
    return BEFORE, found[::-1]
