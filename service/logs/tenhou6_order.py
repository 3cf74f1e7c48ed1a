"""The order of play of a tenhou.net/6 hand.

The form keeps four lists of tiles taken and four of tiles discarded, and not whose turn came when.
Mostly that is plain; where two seats might have claimed, one order is tried after the other until
every tile of the lists has found its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Seat
from engine.tiles import Tile
from service.logs.record_writer import BadLog
from service.logs.tenhou6_names import AS_DRAWN, NOTHING, Written, set_of, tile_of

_MOST_TILES: Final = 60
"""In one list; nobody takes as many in a hand."""
_MOST_TRIES: Final = 20_000


@dataclass(frozen=True)
class Throw:
    """A discard."""

    tile: Tile | None
    """None: the tile just drawn."""
    ready: bool


@dataclass(frozen=True)
class Move:
    """One thing that a seat does: draws a tile, declares a set, or discards."""

    seat: Seat
    what: Tile | Written | Throw


Take = Tile | Written
Give = Throw | Written | None
"""None: an open kong stands there, and another tile is drawn."""


def read_takes(written: object) -> tuple[Take, ...]:
    """A seat's list of what it drew and claimed."""
    found: list[Take] = []
    for one in _list(written):
        found.append(_claim(one) if isinstance(one, str) else tile_of(one))
    return tuple(found)


def read_gives(written: object) -> tuple[Give, ...]:
    """A seat's list of what it discarded, and of kongs on its own turn."""
    return tuple(_give(one) for one in _list(written))


def in_order(
    dealer: Seat, takes: Sequence[Sequence[Take]], gives: Sequence[Sequence[Give]]
) -> list[Move]:
    """Everything that happened, first to last; raises ``BadLog`` where no order fits."""
    first = _Node((0,) * 4, (0,) * 4, None, (), None)
    stack = [node for node in (_turn(first, dealer, takes, gives),) if node is not None]
    seen = set()
    while stack:
        node = stack.pop()
        key = (node.taken, node.given, node.last)
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > _MOST_TRIES:
            break
        if all(
            node.taken[seat] == len(takes[seat]) and node.given[seat] == len(gives[seat])
            for seat in range(4)
        ):
            return list(node.moves())
        following = [_turn(node, seat, takes, gives) for seat in _next_seats(node, takes)]
        stack += [one for one in reversed(following) if one is not None]
    raise BadLog("the tiles taken and discarded fit together in no order")


@dataclass(frozen=True)
class _Node:
    """Everything up to a discard."""

    taken: tuple[int, ...]
    given: tuple[int, ...]
    last: tuple[Seat, Tile] | None
    """The discard; None when the hand ended without one."""
    turn: tuple[Move, ...]
    before: _Node | None

    def moves(self) -> Iterator[Move]:
        nodes: list[_Node] = []
        node: _Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.before
        for one in reversed(nodes):
            yield from one.turn


def _next_seats(node: _Node, takes: Sequence[Sequence[Take]]) -> Iterator[Seat]:
    """Who may have taken the next tile, likeliest first: who claims before who draws."""
    if node.last is None:
        return
    discarder, tile = node.last
    drawing: list[Seat] = []
    chows: list[Seat] = []
    for step in (1, 2, 3):
        seat = (discarder + step) % 4
        if node.taken[seat] == len(takes[seat]):
            continue
        take = takes[seat][node.taken[seat]]
        if isinstance(take, Tile):
            drawing += [seat] if step == 1 else []
        elif take.tile == tile and take.from_seat(seat) == discarder:
            if take.letter == "c":
                chows.append(seat)
            else:
                yield seat
    yield from chows
    yield from drawing


def _turn(
    node: _Node, seat: Seat, takes: Sequence[Sequence[Take]], gives: Sequence[Sequence[Give]]
) -> _Node | None:
    """What the seat does from its next tile on to its discard; None where it cannot be."""
    taken, given = node.taken[seat], node.given[seat]
    moves: list[Move] = []
    last: tuple[Seat, Tile] | None = None
    while taken < len(takes[seat]):
        take = takes[seat][taken]
        if isinstance(take, Written) and moves:
            return None  # after a kong a tile is drawn
        moves.append(Move(seat, take))
        taken += 1
        if given == len(gives[seat]):
            break
        give = gives[seat][given]
        given += 1
        is_open_kong = isinstance(take, Written) and take.letter == "m"
        if (give is None) != is_open_kong:
            return None
        if give is None:
            continue
        moves.append(Move(seat, give))
        if isinstance(give, Throw):
            thrown = take if give.tile is None else give.tile
            if isinstance(thrown, Written):
                return None
            last = (seat, thrown)
            break
        if isinstance(take, Written):
            return None  # no kong in the turn of another claim
    return _Node(
        _with(node.taken, seat, taken), _with(node.given, seat, given), last, tuple(moves), node
    )


def _with(counts: tuple[int, ...], seat: Seat, count: int) -> tuple[int, ...]:
    return (*counts[:seat], count, *counts[seat + 1 :])


def _list(written: object) -> list[object]:
    if not isinstance(written, list) or len(written) > _MOST_TILES:
        raise BadLog("expected a list of the tiles that a seat took or discarded")
    return written


def _claim(text: str) -> Written:
    written = set_of(text)
    if written.letter not in "cpm":
        raise BadLog(f"expected a claim such as c171618 or 47p4747, got {text[:40]!r}")
    return written


def _give(one: object) -> Give:
    if isinstance(one, str) and one[:1] == "r":
        if not one[1:].isascii() or not one[1:].isdigit() or len(one) != 3:
            raise BadLog(f"expected a discard such as r35, got {one[:40]!r}")
        return _throw(int(one[1:]), ready=True)
    if isinstance(one, str):
        written = set_of(one)
        if written.letter not in "ka":
            raise BadLog(f"expected a kong such as k37373737, got {one[:40]!r}")
        return written
    if one == NOTHING and not isinstance(one, bool):
        return None
    return _throw(one, ready=False)


def _throw(number: object, ready: bool) -> Throw:
    return Throw(None if number == AS_DRAWN else tile_of(number), ready)
