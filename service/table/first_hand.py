"""Whether beginners are led through the hands, and which step of the deal they are at."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from engine.first_deal import Counted, cleared
from service.machine.files import write_whole
from service.machine.records import evening_of, tonight
from vision.given_files import read_given

_LARGEST: Final = 100
"""Bytes of the file: one word stands in it."""
STILL_S: Final = 6.0
"""Counts that stay for so long are no work in progress: pages ask every three seconds. In nine
simulated deals a wall that was whole, or being taken from, seemed to be wrong for 1 s at most."""
READ_S: Final = 8.0
"""What went wrong is told for so long at least, whatever happens next."""
LAG_S: Final = 4.0
"""A wrong number of standing tiles, or a set that lies wrongly, counts once it has been so for so
long: before, a hand is at work, or the record has not yet heard of what is seen. In nine simulated
hands without mistakes, 129 wrong numbers lasted 0.8 s at most, and one 6.6 s."""

HandKey = tuple[int, int]
"""A hand: the line that begins its game, and its number there."""
_NO_HAND: Final[HandKey] = (-1, -1)


class FirstHand:
    """The host's switch, kept in the folder of the records, and what the players have tapped."""

    def __init__(self, folder: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = None if folder is None else folder / ".first-hand.json"
        self._clock = clock
        self._on_of: date | None = self._kept()
        self._hand, self._at, self._seen = _NO_HAND, 0, -1
        self._cleared = False
        self._counted, self._since_s = Counted(), 0.0
        self._heard_s: dict[Hashable, float] = {}
        """When each mistake of this hand was heard of first."""
        self._listens = False
        self._wrong_s: dict[Hashable, float] = {}
        """Since when the tiles of this hand show each thing that is wrong, ..."""
        self._once: set[Hashable] = set()
        """... and which of these are not told twice."""
        self._right: set[Hashable] = set()
        """Rows that had the right number of tiles."""

    def _kept(self) -> date | None:
        """The evening of the switch that is kept on."""
        if self._file is None or not self._file.is_file():
            return None
        try:
            on = json.loads(read_given(self._file, _LARGEST)) is True
        except (OSError, ValueError):
            return None
        return evening_of(self._file) if on else None

    @property
    def on(self) -> bool:
        """Until the evening is over on which it was switched on."""
        return self._on_of is not None and self._on_of == tonight()

    def switch(self, on: bool) -> None:
        """Raises ``OSError``."""
        if self._file is not None:
            write_whole(self._file, json.dumps(on))
        self._on_of = tonight() if on else None

    def at(self, hand: HandKey) -> int:
        """The step of this hand's deal that is shown; 0 before anybody has gone on."""
        return self._at if hand == self._hand else 0

    def go_to(self, hand: HandKey, step: int) -> None:
        """Somebody tapped."""
        self._begin(hand)
        self._at = step

    def seen_at(self, hand: HandKey, step: int) -> None:
        """The counted tiles show this step: the first time they lead everybody on to it.

        They lead nobody back: a wall gets shorter again when tiles are taken.
        """
        self._begin(hand)
        if step > self._seen:
            self._seen, self._at = step, max(self._at, step)

    def of_this_deal(self, hand: HandKey, counted: Counted) -> Counted:
        """The counted tiles, once they belong to the deal of this hand, else none.

        After a hand, its tiles stand there until they are washed: also where the next game is
        another record's, which knows nothing of that hand.
        """
        self._begin(hand)
        self._cleared = self._cleared or cleared(counted)
        return counted if self._cleared else Counted()

    def still(self, counted: Counted) -> bool:
        """Whether as many tiles have been counted for a while."""
        now_s = self._clock()
        if counted != self._counted:
            self._counted, self._since_s = counted, now_s
        return now_s - self._since_s >= STILL_S

    def told_now(
        self, hand: HandKey, made: Iterable[Hashable], newest: Iterable[Hashable]
    ) -> frozenset[Hashable]:
        """Which mistakes are told now, of all that were ``made`` in this hand by the record.

        Each is told once: while nothing newer happened, and for as long as it takes to read it.
        What was made before anybody asked is not told any more.
        """
        self._begin(hand)
        now_s, last = self._clock(), frozenset(newest)
        for mistake in made:
            old = not self._listens and mistake not in last
            self._heard_s.setdefault(mistake, -math.inf if old else now_s)
        self._listens = True
        return last | {one for one, since_s in self._heard_s.items() if now_s - since_s < READ_S}

    def was_right(self, hand: HandKey, row: Hashable, *, now: bool) -> bool:
        """Whether a row was once seen to have the right number of tiles in this hand."""
        self._begin(hand)
        if now:
            self._right.add(row)
        return row in self._right

    def lasting(
        self, hand: HandKey, wrong: Iterable[Hashable], once: Collection[Hashable] = ()
    ) -> Mapping[Hashable, float]:
        """What the tiles show to be wrong in this hand, with the seconds for which they have.

        What is wrong no more is forgotten, but for what is told ``once`` and has lasted.
        """
        self._begin(hand)
        now_s, seen = self._clock(), frozenset(wrong)
        self._once.update(once)
        kept = {
            one: since_s
            for one, since_s in self._wrong_s.items()
            if one in seen or (one in self._once and now_s - since_s >= LAG_S)
        }
        self._wrong_s = dict.fromkeys(seen, now_s) | kept
        return {one: now_s - self._wrong_s[one] for one in seen}

    def _begin(self, hand: HandKey) -> None:
        if hand != self._hand:
            self._hand, self._at, self._seen, self._cleared = hand, 0, -1, False
            self._heard_s, self._wrong_s, self._once, self._right = {}, {}, set(), set()
