"""Finds the order of play of a tenhou.net/6 hand.

The format lists the tiles taken and discarded by each seat, but not whose turn came when. Where two
seats could have claimed, orders are tried until every tile of the lists has its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.events import Seat
from engine.logs.record_writer import BadLog, DrawnReason
from engine.tiles import KINDS, Tile

Letter = Literal["c", "p", "m", "k", "a"]

CODES: Final[Mapping[int, Tile]] = {
    **{10 * (1 + "mpsz".index(code[1])) + int(code[0]): Tile(code) for code in KINDS},
    51: Tile("0m"),
    52: Tile("0p"),
    53: Tile("0s"),
}
"""Tiles by number: tens for the suit, 51 to 53 for the red fives."""

NUMBERS: Final[Mapping[Tile, int]] = {tile: number for number, tile in CODES.items()}

AS_DRAWN: Final = 60
"""In the list of discards: the tile just drawn."""
NOTHING: Final = 0
"""In the list of discards: the place of an open kong, after which a tile is drawn."""

WON: Final = "和了"
DRAWN_HANDS: Final[Mapping[str, DrawnReason]] = {
    "流局": "exhausted",
    "全員聴牌": "exhausted",
    "全員不聴": "exhausted",
    "流し満貫": "exhausted",
    "九種九牌": "nine_terminals",
    "四風連打": "four_winds",
    "四槓散了": "four_kongs",
    "四開槓": "four_kongs",
    "四家立直": "four_ready",
}
THREE_WINS: Final = ("三家和了", "三家和")
IN_OTHER_WORDS: Final[Mapping[str, str]] = {
    "Agari": WON,
    "Ryuukyoku": "流局",
    "Exhaustive Draw": "流局",
    "Nagashi Mangan": "流し満貫",
    "Mangan at Draw": "流し満貫",
    "Kyuushu Kyuuhai": "九種九牌",
    "Nine Terminal Abortion": "九種九牌",
    "Suufon Renda": "四風連打",
    "Four Wind Abortion": "四風連打",
    "Suukaikan": "四開槓",
    "Four Kan Abortion": "四開槓",
    "Suucha Riichi": "四家立直",
    "Four Riichi Abortion": "四家立直",
    "Sanchahou": "三家和",
    "Three Ron Abortion": "三家和",
}
"""English results that converters of other sites' games write."""

CHOMBO: Final = "チョンボ"
"""Our own word in place of a result: a foul ended the hand."""

_SET: Final = re.compile(r"((?:[0-9]{2})*)([cpmka])((?:[0-9]{2})+)")
_LETTERS: Final[Mapping[str, Letter]] = {"c": "c", "p": "p", "m": "m", "k": "k", "a": "a"}
_LENGTHS: Final = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4}
_FROM: Final = {"c": {0: 3}, "p": {0: 3, 1: 2, 2: 1}, "m": {0: 3, 1: 2, 3: 1}}
"""Steps from the seat to the discarder, by the letter's position."""


@dataclass(frozen=True)
class Written:
    """A set as written, such as ``"52p5525"``: a pung from the opposite seat."""

    letter: Letter
    """Chow, pung, open kong, added kong, closed kong."""
    place: int
    """Number of tiles before the letter."""
    tile: Tile
    """The tile after the letter: claimed or added."""
    others: tuple[Tile, ...]

    def from_seat(self, seat: Seat) -> Seat:
        """Who discarded the claimed tile."""
        return (seat + _FROM[self.letter][self.place]) % 4


def tile_of(number: object) -> Tile:
    if not isinstance(number, int) or isinstance(number, bool) or number not in CODES:
        raise BadLog(f"expected a tile such as 15, 47 or 52, got {str(number)[:40]}")
    return CODES[number]


def set_of(text: str) -> Written:
    """Parse a set; raise ``BadLog``."""
    found = _SET.fullmatch(text)
    if found is None:
        raise BadLog(f"expected a set such as c171618 or 47p4747, got {text[:40]!r}")
    before, letter, after = found.groups()
    numbers = [int((before + after)[place : place + 2]) for place in range(0, len(text) - 1, 2)]
    place = len(before) // 2
    allowed = letter not in _FROM or place in _FROM[letter]
    if len(numbers) != _LENGTHS[letter] or not allowed:
        raise BadLog(f"expected a set such as c171618 or 47p4747, got {text[:40]!r}")
    tiles = [tile_of(number) for number in numbers]
    tile = tiles.pop(place)
    return Written(_LETTERS[letter], place, tile, tuple(tiles))


def write_set(letter: str, place: int, tile: Tile, others: Sequence[Tile]) -> str:
    numbers = [str(NUMBERS[other]) for other in others]
    return "".join((*numbers[:place], letter, str(NUMBERS[tile]), *numbers[place:]))


_MOST_TILES: Final = 60
"""Size limit of one list; nobody takes so many tiles in a hand."""
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
LastTile = tuple[Seat, Tile]
Counts = tuple[int, ...]
"""How many tiles of its list each seat has taken or given."""
Give = Throw | Written | None
"""None marks an open kong, after which another tile is drawn."""


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
    """Everything that happened, first to last; raise ``BadLog`` where no order fits."""
    ends = tuple(map(len, takes)), tuple(map(len, gives))
    seen: set[tuple[Counts, Counts, LastTile | None]] = set()

    def after(taken: Counts, given: Counts, last: LastTile | None) -> list[Move] | None:
        """The moves from here to the end of the hand."""
        if (taken, given) == ends:
            return []
        key = (taken, given, last)
        if key in seen or len(seen) > _MOST_TRIES:
            return None
        seen.add(key)
        return first_that_fits(taken, given, _next_seats(taken, last, takes))

    def first_that_fits(taken: Counts, given: Counts, seats: Iterable[Seat]) -> list[Move] | None:
        for seat in seats:
            turn = _turn(seat, takes[seat][taken[seat] :], gives[seat][given[seat] :])
            if turn is None:
                continue
            rest = after(
                _plus(taken, seat, turn.taken), _plus(given, seat, turn.given), turn.discarded
            )
            if rest is not None:
                return [*turn.moves, *rest]
        return None

    moves = first_that_fits((0,) * 4, (0,) * 4, (dealer,))
    if moves is None:
        raise BadLog("no order of play fits the tiles taken and discarded")
    return moves


@dataclass(frozen=True)
class _Turn:
    """What a seat does from its next tile on to its discard."""

    moves: tuple[Move, ...]
    taken: int
    given: int
    discarded: LastTile | None
    """None when the hand ended without a discard."""


def _next_seats(
    taken: Counts, last: LastTile | None, takes: Sequence[Sequence[Take]]
) -> Iterator[Seat]:
    """Who may have taken the next tile, likeliest first: pungs and kongs, chows, then the draw."""
    if last is None:
        return
    discarder, tile = last
    drawing: list[Seat] = []
    chows: list[Seat] = []
    for step in (1, 2, 3):
        seat = (discarder + step) % 4
        if taken[seat] == len(takes[seat]):
            continue
        take = takes[seat][taken[seat]]
        if isinstance(take, Tile):
            drawing += [seat] if step == 1 else []
        elif take.tile == tile and take.from_seat(seat) == discarder:
            if take.letter == "c":
                chows.append(seat)
            else:
                yield seat
    yield from chows
    yield from drawing


def _turn(seat: Seat, takes: Sequence[Take], gives: Sequence[Give]) -> _Turn | None:
    """The turn that begins with these tiles; None where it cannot be."""
    moves: list[Move] = []
    given = 0
    for taken, take in enumerate(takes, start=1):
        if isinstance(take, Written) and moves:
            return None  # after a kong a tile is drawn
        moves.append(Move(seat, take))
        if given == len(gives):
            return _Turn(tuple(moves), taken, given, None)
        give = gives[given]
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
            return _Turn(tuple(moves), taken, given, (seat, thrown))
        if isinstance(take, Written):
            return None  # no kong in the turn of another claim
    return _Turn(tuple(moves), len(takes), given, None)


def _plus(counts: Counts, seat: Seat, more: int) -> Counts:
    return (*counts[:seat], counts[seat] + more, *counts[seat + 1 :])


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
