"""Notice rolls: dice that lay elsewhere or nowhere, were picked up, and lie there anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.arrays import Bools, Doubles
from vision.dice.cubes import Cube
from vision.dice.pips import Likeness
from vision.table.view import Points

SAME_MM: Final = 4.0
"""Largest distance between two sightings of one die at rest."""
MISSES: Final = 2
LOOKS: Final = 2
"""Looks at a die at rest before its value is told."""
ONCE_S: Final = 1.5
"""A die that comes to rest is seen again within this time."""
ENOUGH: Final = 6
"""A die that was looked at this often is not compared again."""
LEAST_LIKE: Final = 0.6
"""Least similarity of a face to its value."""
LEAST_AHEAD: Final = 0.05
"""Least lead of that value over the next one."""
READ_SURE: Final = 0.9
"""Confidence of a face that is just accepted; the lead over the next value adds to it."""
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


@dataclass(frozen=True, eq=False)
class Die:
    """A cube with pips in one look."""

    cube: Cube
    likeness: Likeness
    fresh: bool = True
    """Whether its place looked different a moment ago."""


@dataclass(eq=False)
class _Lying:
    cube: Cube
    first_s: float
    thrown: bool
    """Whether it appeared where something else, or nothing, was seen, and was not told yet."""
    likeness: Doubles = field(default_factory=lambda: np.zeros((2, 6)))
    looks: int = 0
    misses: int = 0

    @property
    def xy_mm(self) -> Doubles:
        return np.array([self.cube.x_mm, self.cube.y_mm])


class DiceWatch:
    """Takes looks in order of time and reports rolls."""

    def __init__(self) -> None:
        self._lying: list[_Lying] = []
        self._before: list[tuple[Cube, int]] = []
        """Places and values of the dice when they were last told."""
        self._count = 0
        """Most dice that lay there together."""
        self._unwatched = False
        """Nobody looked for a while, so the same values may have been pushed anywhere."""

    def pause(self) -> None:
        """Stop looking until ``look`` is called again."""
        self._unwatched = True

    def known(self, cube: Cube) -> bool:
        """Whether this die has been compared often enough."""
        same = self._same(cube)
        return same is not None and same.looks >= ENOUGH

    def look(
        self,
        time_s: float,
        dice: Sequence[Die],
        clear: Callable[[Points], Bools],
        staying: Sequence[Cube] = (),
    ) -> Roll | None:
        """Take the dice of one look.

        ``clear``: which places, in millimetres, were read while nothing moved there. ``staying``:
        known dice that are still there.
        """
        matched = self._matched(time_s, dice)
        matched += [one for cube in staying if (one := self._same(cube)) is not None]
        self._miss([die for die in self._lying if die not in matched], clear)
        return self._rolled(time_s)

    def _same(self, cube: Cube) -> _Lying | None:
        near = [die for die in self._lying if _far(die.cube, cube) < SAME_MM]
        return min(near, key=lambda one: _far(one.cube, cube), default=None)

    def _matched(self, time_s: float, dice: Sequence[Die]) -> list[_Lying]:
        found = []
        for die in dice:
            lying = self._same(die.cube)
            if lying is not None and lying.looks >= LOOKS and _other(lying, die):
                self._lying.remove(lying)
                lying = None
            if lying is None:
                lying = _Lying(die.cube, time_s, die.fresh)
                self._lying.append(lying)
            lying.likeness = lying.likeness + die.likeness
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

    def _rolled(self, time_s: float) -> Roll | None:
        group = [die for die in self._lying if die.looks >= LOOKS]
        # Others may lie at the edge yet, or be believed to, when these have come to rest.
        thrown = [die for die in group if die.thrown]
        group = thrown if len(thrown) > 1 else group
        # A single sighting some time ago was no die; a recent one may be.
        more = any(die.looks < LOOKS and time_s - die.first_s < ONCE_S for die in self._lying)
        if more or not 2 <= len(group) <= MOST:
            return None
        read = _read(group)
        if read is None or not _together(group):
            return None
        old = any(not die.thrown for die in group)
        if len(group) < self._count and not old:
            return None
        values = tuple(value for value, _ in read)
        now = [(die.cube, value) for die, value in zip(group, values, strict=True)]
        fresh = not old and not _as_before(self._before, now, self._unwatched)
        self._unwatched = False
        self._count = max(self._count, len(group))
        self._before = now
        for die in group:
            die.thrown = False
        if not fresh:
            return None
        order = np.argsort([die.cube.x_mm for die in group])
        last_s = max(die.first_s for die in group)
        if last_s - min(die.first_s for die in group) > TOGETHER_S:
            return None
        sure_of = float(np.prod([share for _, share in read]))
        return Roll(last_s - SETTLED_S, tuple(values[at] for at in order), sure_of)


def _read(group: Sequence[_Lying]) -> list[tuple[int, float]] | None:
    """Values of dice of one kind with their confidence; None if one of them is unclear."""
    mean = np.array([die.likeness / die.looks for die in group])
    light = int(mean.max(axis=2).sum(axis=0).argmax())
    found = []
    for like in mean[:, light]:
        second, first = np.sort(like)[-2:]
        if first < LEAST_LIKE or first - second < LEAST_AHEAD:
            return None
        found.append((int(like.argmax()) + 1, float(min(1.0, READ_SURE + (first - second)))))
    return found


def _together(group: Sequence[_Lying]) -> bool:
    sides = [die.cube.side_mm for die in group]
    apart = max(_far(die.cube, other.cube) for die in group for other in group)
    return max(sides) < ALIKE * min(sides) and apart < TOGETHER_MM


def _as_before(
    before: Sequence[tuple[Cube, int]], now: Sequence[tuple[Cube, int]], anyhow: bool
) -> bool:
    """Whether dice lie as before or were pushed aside. ``anyhow``: ignore how they are turned."""
    if len(before) != len(now):
        return False
    left = list(before)
    for cube, value in now:
        alike = [one for one in left if one[1] == value and (anyhow or _as_turned(one[0], cube))]
        if not alike:
            return False
        left.remove(min(alike, key=lambda one: _far(one[0], cube)))
    return True


def _as_turned(one: Cube, other: Cube) -> bool:
    turn = abs((one.turn_deg - other.turn_deg + 45) % 90 - 45)
    return _far(one, other) < 2 * SAME_MM or turn < PUSHED_DEG


def _other(lying: _Lying, die: Die) -> bool:
    """Whether a die surely shows another value than the one that lay in its place."""
    one, two = lying.likeness.max(axis=0) / lying.looks, die.likeness.max(axis=0)
    shown = int(two.argmax())
    return bool(shown != one.argmax() and two[shown] - two[int(one.argmax())] > 2 * LEAST_AHEAD)


def _far(one: Cube, other: Cube) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))
