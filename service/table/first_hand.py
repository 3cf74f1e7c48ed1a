"""Whether beginners are led through the hands, and which step of the deal they are at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from service.machine.files import write_whole
from vision.given_files import read_given

_LARGEST: Final = 100
"""Bytes of the file: one word stands in it."""


class FirstHand:
    """The host's switch, kept in the folder of the records, and what the players have tapped."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / ".first-hand.json"
        self._on = False
        self._hand, self._at, self._seen = -1, 0, -1

    @property
    def on(self) -> bool:
        if self._file is None:
            return self._on
        if not self._file.is_file():
            return False
        try:
            return json.loads(read_given(self._file, _LARGEST)) is True
        except (OSError, ValueError):
            return False

    def switch(self, on: bool) -> None:
        """Raises ``OSError``."""
        if self._file is not None:
            write_whole(self._file, json.dumps(on))
        self._on = on

    def at(self, hand: int) -> int:
        """The step of this hand's deal that is shown; 0 before anybody has gone on."""
        return self._at if hand == self._hand else 0

    def go_to(self, hand: int, step: int) -> None:
        """Somebody tapped."""
        self._begin(hand)
        self._at = step

    def seen_at(self, hand: int, step: int) -> None:
        """The counted tiles show this step: the first time they lead everybody on to it.

        They lead nobody back: a wall gets shorter again when tiles are taken.
        """
        self._begin(hand)
        if step > self._seen:
            self._seen, self._at = step, max(self._at, step)

    def _begin(self, hand: int) -> None:
        if hand != self._hand:
            self._hand, self._at, self._seen = hand, 0, -1
