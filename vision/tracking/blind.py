"""After nobody looked: whether a table is to be taken as it lies, since when it lies still."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

BLIND_S: Final = 3.0
"""Who has seen nothing for so long looks at the whole table before saying what is new."""
FOUND_S: Final = 1.0
"""A hand that nobody saw begin is taken as it lies once it has lain still for so long."""
LEAD_S: Final = 0.4
"""What is put down from then on comes after it, even if it was seen a little earlier."""
FEW: Final = 3
"""Where fewer tiles stand before every player, there is no hand."""


@dataclass
class Blindness:
    """What came to lie on the table meanwhile, nobody saw come; so it is in the beginning."""

    now: bool = True
    last_s: float = 0.0
    """When the table was seen for the last time before."""
    _seen_s: float | None = None
    _still_s: float | None = None
    _lies: frozenset[int] = frozenset()
    _empty_s: float | None = None

    def seen(self, time_s: float) -> None:
        """Somebody looks; a long time since the last look is as if nobody had."""
        if self._seen_s is not None and time_s - self._seen_s > BLIND_S:
            self.begin()
        self._seen_s = time_s

    def begin(self) -> None:
        self.now, self.last_s = True, self._seen_s or 0.0
        self._still_s = None

    def end(self) -> None:
        self.now = False

    def still_since(self, lies: frozenset[int], time_s: float) -> float | None:
        """Since when these tiles, by id, have lain there; None for not long enough."""
        if self._still_s is None or lies != self._lies:
            self._still_s, self._lies = time_s, lies
        if time_s - self._still_s < FOUND_S:
            return None
        return max(0.0, self._still_s - LEAD_S)

    def empty(self, standing: Collection[int], time_s: float) -> bool:
        """Whether no hand has stood anywhere for a while."""
        if max(standing) >= FEW:
            self._empty_s = None
        elif self._empty_s is None:
            self._empty_s = time_s
        return self._empty_s is not None and time_s - self._empty_s >= FOUND_S
