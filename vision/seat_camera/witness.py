"""Which tile left a player's hand, and when, according to the seat's camera.

It is asked only about tiles that lie on the table anyway.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from engine.tiles import Tile
from vision.arrays import Doubles
from vision.seat_camera.standing_hand import StandingHand
from vision.tiles.classes import FACE_INDEX, FACES, face_class
from vision.tiles.fives import as_the_game_has

LEAVES_S: Final = 0.6
"""How long after an event the earlier hand may still stand, because putting a tile down takes time.
"""
COMES_S: Final = 0.8
"""The later hand may begin to stand at most this long before the event."""
LONGEST_S: Final = 12.0
"""Over a longer interval more than one event may have happened."""
DOUBT: Final = 0.06
"""Share of cases in which the tile that a hand seems to have lost is wrong."""
UNCHANGED: Final = 1.5
"""Cost of a discard by a player whose hand stood unchanged."""
MOST_HELD: Final = 4.0
"""Most that a hand may cost, so that a misread hand does not outweigh what lies open."""
LEAST_HELD: Final = 0.05
"""Least probability of a tile that the camera did not see in the hand."""


class HandHistory(Protocol):
    """The known hands of one seat; they may grow."""

    @property
    def stood(self) -> tuple[StandingHand, ...]:
        """In order of time."""
        ...


@dataclass(eq=False)
class SeatWitness:
    """The hands of one seat, by the clock of the table camera."""

    hands: HandHistory
    shift_s: float | None = 0.0
    """What to add to the times of the hands; None while it is unknown."""
    given: bool = True
    """Whether the shift is final; otherwise it is measured from discards."""

    def around(self, time_s: float) -> tuple[StandingHand, StandingHand] | None:
        """The hands that stood before and after a moment; None if they were not seen."""
        if self.shift_s is None:
            return None
        return around(self.hands.stood, time_s - self.shift_s)

    def before(self, time_s: float) -> StandingHand | None:
        """The hand that stood just before a moment."""
        if self.shift_s is None:
            return None
        at_s = time_s - self.shift_s
        stood = self.hands.stood
        place = _whole_before(stood, _begun(stood, at_s))
        return stood[place - 1] if place and at_s - stood[place - 1].to_s < LONGEST_S else None


class Witness:
    """The seats that have a camera of their own."""

    def __init__(self, seats: dict[int, SeatWitness] | None = None) -> None:
        self.seats: dict[int, SeatWitness] = {} if seats is None else seats

    def thrown(self, seat: int, time_s: float) -> Doubles | None:
        """(38,) probability of each face to have left this hand then; None if nobody saw it."""
        witness = self.seats.get(seat)
        seen = None if witness is None else witness.around(time_s)
        return None if seen is None else lost_between(*seen)

    def unchanged(self, seat: int, time_s: float) -> float:
        """Cost of the assumption that this seat put something down then."""
        witness = self.seats.get(seat)
        if witness is None or witness.shift_s is None:
            return 0.0
        at_s = time_s - witness.shift_s
        one = _last_begun(witness.hands.stood, at_s - COMES_S)
        return UNCHANGED if one is not None and one.to_s > at_s + COMES_S else 0.0

    def held(
        self, seat: int, time_s: float, tiles: Sequence[Tile], in_play: Doubles | None = None
    ) -> float:
        """Cost of the assumption that these tiles came out of this seat's hand.

        ``in_play`` (38,) is 1 for every face that the game has, else 0.
        """
        witness = self.seats.get(seat)
        before = None if witness is None else witness.before(time_s)
        if before is None:
            return 0.0
        counts = before.counts if in_play is None else as_the_game_has(before.counts, in_play)
        cost = 0.0
        for tile, copies in Counter(tiles).items():
            face = face_class(tile)
            if face is None:
                continue
            there = float(counts[FACE_INDEX[face]])
            for copy in range(copies):
                cost -= float(np.log(np.clip(there - copy, LEAST_HELD, 1.0)))
        return min(cost, MOST_HELD)


NOBODY: Final = Witness()


def around(
    stood: Sequence[StandingHand], time_s: float
) -> tuple[StandingHand, StandingHand] | None:
    """The hands of a seat before and after one event; None if they were not seen."""
    at = _begun(stood, time_s)
    if at and stood[at - 1].to_s > time_s + LEAVES_S:
        at -= 1  # it still stands
    comes = _begun(stood, time_s - COMES_S)
    at = _whole_before(stood, at)
    while comes < len(stood) and partly_hidden(stood, comes):
        comes += 1
    if not at or comes == len(stood):
        return None
    before, after = stood[at - 1], stood[comes]
    lost = len(before) - len(after)
    if lost not in (0, 1) or after.from_s - before.to_s > LONGEST_S or after is before:
        return None
    return before, after


def partly_hidden(stood: Sequence[StandingHand], place: int) -> bool:
    """Whether an arm hid part of this hand: soon after, it had at least two tiles more.

    A draw adds only one.
    """
    hand = stood[place]
    for at in range(place + 1, len(stood)):
        later = stood[at]
        if later.from_s - hand.to_s > LONGEST_S:
            return False
        if len(later) > len(hand) + 1:
            return True
    return False


def _whole_before(stood: Sequence[StandingHand], count: int) -> int:
    """Number of hands up to the last of the first ``count`` that was seen whole."""
    while count and partly_hidden(stood, count - 1):
        count -= 1
    return count


def _begun(stood: Sequence[StandingHand], time_s: float) -> int:
    """Number of hands that began to stand before a moment; an evening has thousands."""
    return bisect_left(stood, time_s, key=lambda one: one.from_s)


def _last_begun(stood: Sequence[StandingHand], time_s: float) -> StandingHand | None:
    count = _begun(stood, time_s)
    return stood[count - 1] if count else None


def lost_between(before: StandingHand, after: StandingHand) -> Doubles:
    """(38,) probability of each face to be the one that left a hand.

    If the hand looks the same, the drawn tile was put down, which may be any face.
    """
    change = before.counts - after.counts
    left = np.maximum(change, 0.0)
    total = float(left.sum())
    if len(before) == len(after):
        left = left + max(0.0, 1.0 - total) / len(FACES)
    elif total < 0.5:
        left = left + (0.5 - total) / len(FACES)
    shares = left / left.sum()
    return np.asarray((1 - DOUBT) * shares + DOUBT / len(FACES), np.float64)
