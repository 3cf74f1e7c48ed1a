"""When dice were rolled: they lay or were nowhere, were in somebody's hand, and lie anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.dice.cubes import Cube
from vision.dice.pips import Likeness
from vision.table.view import Points

SAME_MM: Final = 4.0
"""Two looks show the same die when it lies no farther away."""
MISSES: Final = 2
LOOKS: Final = 2
"""So many looks at a die that lies still, before it is said what it shows."""
ONCE_S: Final = 1.5
"""A die that comes to rest is looked at again sooner than this."""
ENOUGH: Final = 6
"""A die that was looked at so often is compared no more."""
LEAST_LIKE: Final = 0.6
"""A face that is less like what it shows is not read, ..."""
LEAST_AHEAD: Final = 0.05
"""... nor one that is nearly as like another value."""
READ_SURE: Final = 0.9
"""How sure a face is at least that is read; as much surer as it is ahead of the next."""
ALIKE: Final = 1.3
"""Dice of one roll are of one size, as exactly as that is seen."""
TOGETHER_MM: Final = 260.0
TOGETHER_S: Final = 3.0
PUSHED_DEG: Final = 20.0
"""Dice that show what they showed and are turned by less were pushed aside."""
SETTLED_S: Final = 0.2
"""What lies still is looked at so long after it has come to rest."""
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
    """A cube with pips, in one look."""

    cube: Cube
    likeness: Likeness
    fresh: bool = True
    """Its place looked otherwise a moment ago."""


@dataclass(eq=False)
class _Lying:
    cube: Cube
    first_s: float
    thrown: bool
    """It came to lie where something else, or nothing, had been seen, and was not told of."""
    likeness: NDArray[np.float64] = field(default_factory=lambda: np.zeros((2, 6)))
    looks: int = 0
    misses: int = 0

    @property
    def xy_mm(self) -> NDArray[np.float64]:
        return np.array([self.cube.x_mm, self.cube.y_mm])


class DiceWatch:
    """Takes looks in order of time; says which dice were rolled."""

    def __init__(self) -> None:
        self._lying: list[_Lying] = []
        self._before: list[tuple[Cube, int]] = []
        """Where the dice lay when they were last told of, and what they showed."""
        self._count = 0
        """Most dice that lay there together."""
        self._unwatched = False
        """Nobody has looked for a while: what shows the same may have been pushed anywhere."""

    def pause(self) -> None:
        """Nobody looks from now on, until ``look`` is called again."""
        self._unwatched = True

    def known(self, cube: Cube) -> bool:
        """Whether this die has been compared often enough."""
        same = self._same(cube)
        return same is not None and same.looks >= ENOUGH

    def look(
        self,
        time_s: float,
        dice: Sequence[Die],
        clear: Callable[[Points], NDArray[np.bool_]],
        staying: Sequence[Cube] = (),
    ) -> Roll | None:
        """Take the dice that one look shows.

        ``clear``: which places, in millimetres, were looked at while nothing moved there;
        ``staying``: those that are known and lie there still.
        """
        matched = self._matched(time_s, dice)
        matched += [one for cube in staying if (one := self._same(cube)) is not None]
        self._miss([one for one in self._lying if one not in matched], clear)
        return self._rolled(time_s)

    def _same(self, cube: Cube) -> _Lying | None:
        near = [one for one in self._lying if _far(one.cube, cube) < SAME_MM]
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

    def _miss(self, unseen: Sequence[_Lying], clear: Callable[[Points], NDArray[np.bool_]]) -> None:
        if not unseen:
            return
        for one, looked in zip(unseen, clear(np.array([u.xy_mm for u in unseen])), strict=True):
            one.misses += bool(looked)
        self._lying = [one for one in self._lying if one.misses < MISSES]

    def _rolled(self, time_s: float) -> Roll | None:
        group = [one for one in self._lying if one.looks >= LOOKS]
        # What was seen once, a while ago, was none; what was seen just now may be one.
        more = any(one.looks < LOOKS and time_s - one.first_s < ONCE_S for one in self._lying)
        if more or not 2 <= len(group) <= MOST:
            return None
        read = _read(group)
        if read is None or not _together(group):
            return None
        old = any(not one.thrown for one in group)
        if len(group) < self._count and not old:
            return None
        values = tuple(value for value, _ in read)
        now = [(one.cube, value) for one, value in zip(group, values, strict=True)]
        fresh = not old and not _as_before(self._before, now, self._unwatched)
        self._unwatched = False
        self._count = max(self._count, len(group))
        self._before = now
        for one in group:
            one.thrown = False
        if not fresh:
            return None
        order = np.argsort([one.cube.x_mm for one in group])
        last_s = max(one.first_s for one in group)
        if last_s - min(one.first_s for one in group) > TOGETHER_S:
            return None
        sure_of = float(np.prod([share for _, share in read]))
        return Roll(last_s - SETTLED_S, tuple(values[at] for at in order), sure_of)


def _read(group: Sequence[_Lying]) -> list[tuple[int, float]] | None:
    """What dice of one kind show, and how sure that is; None where one of them does not tell."""
    mean = np.array([one.likeness / one.looks for one in group])
    light = int(mean.max(axis=2).sum(axis=0).argmax())
    found = []
    for like in mean[:, light]:
        second, first = np.sort(like)[-2:]
        if first < LEAST_LIKE or first - second < LEAST_AHEAD:
            return None
        found.append((int(like.argmax()) + 1, float(min(1.0, READ_SURE + (first - second)))))
    return found


def _together(group: Sequence[_Lying]) -> bool:
    sides = [one.cube.side_mm for one in group]
    apart = max(_far(one.cube, other.cube) for one in group for other in group)
    return max(sides) < ALIKE * min(sides) and apart < TOGETHER_MM


def _as_before(
    before: Sequence[tuple[Cube, int]], now: Sequence[tuple[Cube, int]], anyhow: bool
) -> bool:
    """Whether dice lie as they did, or were pushed aside; ``anyhow``: turned as they may be."""
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
    """Whether a die that fell where another lay surely shows something else."""
    one, two = lying.likeness.max(axis=0) / lying.looks, die.likeness.max(axis=0)
    shown = int(two.argmax())
    return bool(shown != one.argmax() and two[shown] - two[int(one.argmax())] > 2 * LEAST_AHEAD)


def _far(one: Cube, other: Cube) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))
