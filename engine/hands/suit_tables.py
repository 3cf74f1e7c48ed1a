"""The shipped tables: for every suit, how many tiles its sets and pair lack."""

from __future__ import annotations

import lzma
import struct
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from engine.hands.hand_key import MOST_SETS, ROOM

_HEAD: Final = struct.Struct("<HHB")

LANE_BITS: Final = 4
PLAIN_LANES: Final = 2 * (MOST_SETS + 1)

LackVector = tuple[int, ...]
"""Missing tiles for 0 to 5 sets, then for 0 to 5 sets and a pair; 15 for impossible.

Tables with marks have twelve such numbers for each combination of marks.
"""


@dataclass(frozen=True, eq=False)
class SuitTable:
    """Missing tiles of every suit of one kind."""

    vectors: tuple[LackVector, ...]
    packed: tuple[int, ...]
    """Each vector of a table without marks as one integer, four bits a number, lowest first."""
    numbers: Sequence[int]
    """Number of the vector for every field of a key."""

    def __getitem__(self, field: int) -> LackVector:
        return self.vectors[self.numbers[field]]


@cache
def table(name: str) -> SuitTable:
    """Unpack one of the tables that ``datasets/hand_tables.py`` makes."""
    packed = files(__package__).joinpath("tables", f"{name}.xz").read_bytes()
    raw = lzma.decompress(packed)
    lanes, count, width = _HEAD.unpack_from(raw)
    begin = _HEAD.size
    end = begin + lanes * count
    vectors = tuple(tuple(raw[at : at + lanes]) for at in range(begin, end, lanes))
    numbers: bytes | array[int] = raw[end:]
    if width == 2:
        wide = array("H")
        wide.frombytes(raw[end:])
        if sys.byteorder == "big":
            wide.byteswap()
        wide.frombytes(bytes(width * (ROOM - len(wide))))
        numbers = wide
    else:
        numbers = raw[end:].ljust(ROOM, b"\0")
    plain = vectors if lanes == PLAIN_LANES else ()
    return SuitTable(vectors, tuple(map(_packed, plain)), numbers)


def _packed(vector: LackVector) -> int:
    return sum(number << LANE_BITS * place for place, number in enumerate(vector))
