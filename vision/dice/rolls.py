"""Notice rolls: dice that lay elsewhere or nowhere, were picked up, and lie there anew."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.arrays import Bools, Doubles
from vision.dice.finder import Die
from vision.table.view import Points

SAME_MM: Final = 4.0
"""Largest distance between two sightings of one die at rest."""
MISSES: Final = 2
LOOKS: Final = 2
"""Looks at a die at rest before its value is told."""
RECENT: Final = 4
"""Looks that count for its value."""
ONCE_S: Final = 1.5
"""A die that comes to rest is seen again within this time."""
ALIKE: Final = 1.3
"""Largest ratio between the apparent sizes of the dice of one roll."""
TOGETHER_MM: Final = 260.0
TOGETHER_S: Final = 3.0
PUSHED_DEG: Final = 20.0
"""Dice with the same values that turned by less than this were only pushed."""
SETTLED_S: Final = 0.2
"""Delay between coming to rest and being read."""
MOST: Final = 3


@dataclass(frozen=True)
class Roll:
    """Dice that have come to rest."""

    time_s: float
    values: tuple[int, ...]
    """From left to right as seat 0 sees them."""
    sure: float = 1.0


@dataclass(eq=False)
class _Lying:
    die: Die
    """As it was seen first."""
    first_s: float
    thrown: bool
    """Whether it appeared where something else, or nothing, was seen, and was not told yet."""
    recent: deque[Doubles] = field(default_factory=lambda: deque(maxlen=RECENT))
    """Probabilities of the values, (6,) each, in the last looks: in the first ones it may still
    have rolled."""
    looks: int = 0
    misses: int = 0

    @property
    def xy_mm(self) -> Doubles:
        return np.array([self.die.x_mm, self.die.y_mm])

    @property
    def value(self) -> int:
        return int(np.mean(self.recent, axis=0).argmax()) + 1

    @property
    def sure(self) -> float:
        """Mean probability of that value."""
        return float(np.mean(self.recent, axis=0).max())


class DiceWatch:
    """Takes looks in order of time and reports rolls."""

    def __init__(self) -> None:
        self._lying: list[_Lying] = []
        self._before: list[tuple[Die, int]] = []
        """Places and values of the dice when they were last told."""
        self._count = 0
        """Most dice that lay there together."""
        self._unwatched = False
        """Nobody looked for a while, so the same values may have been pushed anywhere."""

    def pause(self) -> None:
        """Stop looking until ``look`` is called again."""
        self._unwatched = True

    def look(
        self,
        time_s: float,
        dice: Sequence[Die],
        clear: Callable[[Points], Bools],
        least_sure: float,
    ) -> Roll | None:
        """Take the dice of one look.

        ``clear``: which places, in millimetres, were read while nothing moved there.
        ``least_sure``: the least probability of a value that is told.
        """
        matched = self._matched(time_s, dice, least_sure)
        self._miss([die for die in self._lying if die not in matched], clear)
        return self._rolled(time_s, least_sure)

    def _same(self, die: Die) -> _Lying | None:
        near = [lying for lying in self._lying if _far(lying.die, die) < SAME_MM]
        return min(near, key=lambda one: _far(one.die, die), default=None)

    def _replaces_another(self, die: Die) -> bool:
        """Whether a die with another value lay here when dice were last told.

        Two dice in one place look so alike that the cloth there has not changed.
        """
        near = [value for one, value in self._before if _far(one, die) < 2 * SAME_MM]
        return bool(near) and die.value not in near

    def _matched(self, time_s: float, dice: Sequence[Die], least_sure: float) -> list[_Lying]:
        found = []
        for die in dice:
            lying = self._same(die)
            if lying is not None and _other(lying, die, least_sure):
                self._lying.remove(lying)
                lying = None
            if lying is None:
                lying = _Lying(die, time_s, die.fresh or self._replaces_another(die))
                self._lying.append(lying)
            lying.recent.append(die.values)
            lying.looks += 1
            lying.misses = 0
            found.append(lying)
        return found

    def _miss(self, unseen: Sequence[_Lying], clear: Callable[[Points], Bools]) -> None:
        if not unseen:
            return
        for die, looked in zip(unseen, clear(np.array([u.xy_mm for u in unseen])), strict=True):
            die.misses += bool(looked)
        self._lying = [die for die in self._lying if die.misses < MISSES]

    def _rolled(self, time_s: float, least_sure: float) -> Roll | None:
        group = [die for die in self._lying if die.looks >= LOOKS]
        # Others may lie at the edge yet, or be believed to, when these have come to rest.
        thrown = [die for die in group if die.thrown]
        group = thrown if len(thrown) > 1 else group
        # A single sighting some time ago was no die; a recent one may be.
        more = any(die.looks < LOOKS and time_s - die.first_s < ONCE_S for die in self._lying)
        if more or not 2 <= len(group) <= MOST:
            return None
        if min(die.sure for die in group) < least_sure or not _together(group):
            return None
        old = any(not die.thrown for die in group)
        if len(group) < self._count and not old:
            return None
        now = [(lying.die, lying.value) for lying in group]
        fresh = not old and not _as_before(self._before, now, self._unwatched)
        self._unwatched = False
        self._count = max(self._count, len(group))
        self._before = now
        for die in group:
            die.thrown = False
        if not fresh:
            return None
        group = sorted(group, key=lambda one: one.die.x_mm)
        last_s = max(die.first_s for die in group)
        if last_s - min(die.first_s for die in group) > TOGETHER_S:
            return None
        sure = float(np.prod([die.sure for die in group]))
        return Roll(last_s - SETTLED_S, tuple(die.value for die in group), sure)


def _together(group: Sequence[_Lying]) -> bool:
    sides = [lying.die.side_mm for lying in group]
    apart = max(_far(one.die, other.die) for one in group for other in group)
    return max(sides) < ALIKE * min(sides) and apart < TOGETHER_MM


def _as_before(
    before: Sequence[tuple[Die, int]], now: Sequence[tuple[Die, int]], anyhow: bool
) -> bool:
    """Whether dice lie as before or were pushed aside. ``anyhow``: ignore how they are turned."""
    if len(before) != len(now):
        return False
    left = list(before)
    for die, value in now:
        alike = [one for one in left if one[1] == value and (anyhow or _as_turned(one[0], die))]
        if not alike:
            return False
        left.remove(min(alike, key=lambda one: _far(one[0], die)))
    return True


def _as_turned(one: Die, other: Die) -> bool:
    turn = abs((one.turn_deg - other.turn_deg + 45) % 90 - 45)
    return _far(one, other) < SAME_MM or turn < PUSHED_DEG


def _other(lying: _Lying, die: Die, least_sure: float) -> bool:
    """Whether a die surely shows another value than the one that lay in its place."""
    both_sure = lying.looks >= LOOKS and min(lying.sure, float(die.values.max())) >= least_sure
    return both_sure and die.value != lying.value


def _far(one: Die, other: Die) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))
