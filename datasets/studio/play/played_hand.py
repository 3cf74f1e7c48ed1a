"""A played hand: the whole wall, where it was broken, and every event."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from engine.events import Deal, Event
from engine.tiles import Tile
from studio.play.manner import Manner


@dataclass(frozen=True)
class ShortWall:
    """The left end of a wall is left out by mistake, and put there later."""

    seat: int
    stacks: int
    for_s: float


@dataclass(frozen=True)
class SimulatedHand:
    wall: tuple[Tile, ...]
    """All tiles in the order in which they are taken from the head, top before bottom."""
    dealer: int
    break_seat: int
    break_stack: int
    """Stacks to the right of the break, counted from that player's right."""
    events: tuple[Event, ...]
    """From ``HandStart`` to ``HandEnd``, nothing hidden."""
    manners: Mapping[int, Manner] = field(default_factory=dict)
    """How some of the events are acted, by their place in ``events``."""
    empty_s: float = 0.0
    """How long an automatic table is empty before the first walls of the game rise."""
    short_wall: ShortWall | None = None

    @property
    def hand_size(self) -> int:
        """Tiles dealt to each player but the dealer."""
        return min(len(event.tiles) for event in self.events if isinstance(event, Deal))


def deal_order(dealer: int, hand_size: int) -> list[tuple[int, int]]:
    """Return who takes how many tiles in turn: four at a time, the rest, one for the dealer."""
    seats = [(dealer + step) % 4 for step in range(4)]
    fours, rest = divmod(hand_size, 4)
    takes = [4] * fours + [rest] * (rest > 0)
    return [(seat, count) for count in takes for seat in seats] + [(dealer, 1)]


class WallOrder:
    """Which place of the wall is taken next, from its head or its tail."""

    def __init__(self, tiles: int, tail_top_first: bool, out_of_play: Collection[int] = ()) -> None:
        self._left = deque(place for place in range(tiles) if place not in out_of_play)
        self._top_first = tail_top_first

    def __len__(self) -> int:
        return len(self._left)

    def head(self) -> int:
        return self._left.popleft()

    def peek(self) -> int:
        """Return the place that is taken from the head next."""
        return self._left[0]

    def coming(self, but: int) -> list[int]:
        """Return the places in the order in which they are taken, without so many at the tail."""
        return list(self._left)[: max(0, len(self._left) - but)]

    def tail(self) -> int:
        """Take the next replacement tile; in the wall the last stack's top precedes its bottom."""
        top_too = (
            len(self._left) > 1 and self._left[-1] % 2 == 1 and self._left[-2] == self._left[-1] - 1
        )
        if self._top_first and top_too:
            bottom, top = self._left.pop(), self._left.pop()
            self._left.append(bottom)
            return top
        return self._left.pop()

    def column(self, number: int) -> int:
        """Take the top tile of a column, counted from the tail, out of the wall."""
        columns: dict[int, int] = {}
        for place in self._left:
            columns.setdefault(place // 2, place)
        top = list(columns.values())[-min(number, len(columns))]
        self._left.remove(top)
        return top


def indicator_places(tiles: int, turned: int) -> tuple[int, int]:
    """Return the upper and lower place of an indicator's stack, the third from the tail first.

    In riichi that is the rule (004, 2.7). In Hangzhou it is a custom of these films: by the rules
    the dice say where it lies (002, Fortune tiles), which the record does not tell.
    """
    upper = tiles - 6 - 2 * turned
    return upper, upper + 1
