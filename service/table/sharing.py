"""What each player shares with the teacher: as long as that player agrees, this evening at most."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from engine.events import Seat
from service.machine.records import tonight

LOOKS_S: Final = 15.0
"""A teacher's page asks every three seconds; one that has not for so long is closed."""


@dataclass(frozen=True)
class LearntGame:
    """What a player's browser has kept of one game."""

    rules: str
    read: tuple[str, ...]
    solved: tuple[str, ...]


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer of a lesson."""

    rules: str
    topic: str
    tries: int
    """How many times the topic had been answered wrongly before: it says in which form it came."""
    chosen: str


@dataclass(frozen=True)
class Learnt:
    """Sent by the player's browser, which alone keeps it."""

    games: tuple[LearntGame, ...] = ()
    wrong: tuple[WrongAnswer, ...] = ()
    """The newest first."""


@dataclass(frozen=True)
class Share:
    """The consent of one player."""

    whose: str
    """The name under which the player sat there: it is nobody else's consent."""
    since: int
    """The line with which the first hand began of which the player's key shows more than all see:
    the teacher sees no more."""
    evening: date
    number: int
    """Which consent it is: one that was withdrawn and given again is another."""
    learnt: Learnt = Learnt()


class Sharing:
    """In memory alone: a program that is started again asks again."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        evening: Callable[[], date] = tonight,
    ) -> None:
        self._clock, self._evening = clock, evening
        self._shares: dict[Seat, Share] = {}
        self._given = 0
        """How many consents there were."""
        self._looked_s: dict[str, float] = {}
        """When the teacher's page of each device asked last."""

    def start(self, seat: Seat, whose: str, since: int) -> None:
        if self.of(seat, whose) is None:
            self._given += 1
            self._shares[seat] = Share(whose, since, self._evening(), self._given)

    def stop(self, seats: Collection[Seat]) -> None:
        """The players of these seats share no more: they said so, or their keys have ended."""
        for seat in seats:
            self._shares.pop(seat, None)

    def note(self, seat: Seat, learnt: Learnt) -> None:
        """Keep what was learnt of a player who shares; of all others nothing is kept."""
        if seat in self._shares:
            self._shares[seat] = replace(self._shares[seat], learnt=learnt)

    def of(self, seat: Seat, whose: str) -> Share | None:
        """What the player of this name shares at a seat; None where nobody there shares."""
        share = self._shares.get(seat)
        if share is None:
            return None
        if share.evening != self._evening() or share.whose != whose:
            del self._shares[seat]
            return None
        return share

    def look(self, device: str) -> bool:
        """Note that a teacher's page is open; whether none was before."""
        before = self.watched
        self._looked_s[device] = self._clock()
        return not before

    @property
    def watched(self) -> bool:
        """Whether a teacher's page is open."""
        now_s = self._clock()
        self._looked_s = {
            device: at_s for device, at_s in self._looked_s.items() if now_s - at_s < LOOKS_S
        }
        return bool(self._looked_s)
