"""A row that grows at its end and shares the hands that are over with other rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar, overload

T = TypeVar("T")


class SharedRow(Sequence[T]):
    """Immutable. To add to it costs what its last hand holds, not what the whole game does.

    Many stories are told of one game: with a tuple each, their memory grows with its length.
    """

    __slots__ = ("_earlier", "_late")

    def __init__(self, late: tuple[T, ...] = (), earlier: tuple[T, ...] = ()) -> None:
        """``earlier`` is shared by every row that is made of this one."""
        self._late, self._earlier = late, earlier

    def and_then(self, item: T) -> SharedRow[T]:
        return SharedRow((*self._late, item), self._earlier)

    def hand_over(self) -> SharedRow[T]:
        """The same, of which nothing belongs to the last hand any more."""
        return SharedRow((), (*self._earlier, *self._late))

    def with_at(self, place: int, item: T) -> SharedRow[T]:
        """The row with another item in one place."""
        at = place - len(self._earlier)
        if at >= 0:
            return SharedRow((*self._late[:at], item, *self._late[at + 1 :]), self._earlier)
        return SharedRow(self._late, (*self._earlier[:place], item, *self._earlier[place + 1 :]))

    @property
    def hand_begins(self) -> int:
        """Place of the first item of the last hand."""
        return len(self._earlier)

    def until(self, place: int) -> SharedRow[T]:
        """What stands before one place."""
        at = place - len(self._earlier)
        if at < 0:
            return SharedRow(self._earlier[:place])
        return SharedRow(self._late[:at], self._earlier)

    def shares(self, other: SharedRow[T]) -> int:
        """So many items at the beginning are the very same in both."""
        one, two, same = self._late, other._late, len(self._earlier)
        if self._earlier is not other._earlier:
            one, two, same = tuple(self), tuple(other), 0
        pairs = enumerate(zip(one, two, strict=False))
        return same + next((at for at, (a, b) in pairs if a is not b), min(len(one), len(two)))

    def __len__(self) -> int:
        return len(self._earlier) + len(self._late)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        begin = len(self._earlier)
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            if step == 1 and first >= begin:
                return self._late[first - begin : max(first, last) - begin]
            return tuple(self)[place]
        place = range(len(self))[place]
        return self._late[place - begin] if place >= begin else self._earlier[place]

    def __iter__(self) -> Iterator[T]:
        return chain(self._earlier, self._late)

    def __reversed__(self) -> Iterator[T]:
        return chain(reversed(self._late), reversed(self._earlier))
