"""Whether beginners are led through the hands, and which step of the deal they are at."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
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
"""Counts that stay for so long are no work in progress: pages ask every three seconds."""

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

    def of_this_deal(self, hand: HandKey, counted: Counted, *, played: bool) -> Counted:
        """The counted tiles, once they belong to the deal of this hand, else none.

        After a hand, its tiles stand there until they are washed. ``played``: there was one before.
        """
        self._begin(hand)
        self._cleared = self._cleared or not played or cleared(counted)
        return counted if self._cleared else Counted()

    def still(self, counted: Counted) -> bool:
        """Whether as many tiles have been counted for a while."""
        now_s = self._clock()
        if counted != self._counted:
            self._counted, self._since_s = counted, now_s
        return now_s - self._since_s >= STILL_S

    def _begin(self, hand: HandKey) -> None:
        if hand != self._hand:
            self._hand, self._at, self._seen, self._cleared = hand, 0, -1, False
