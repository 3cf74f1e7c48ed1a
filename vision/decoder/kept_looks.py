"""What a decoder was given, look by look, as bytes: arrays and numbers, exact, and no code."""

from __future__ import annotations

import io
import json
import lzma
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from engine.events import Seat
from vision.arrays import Doubles
from vision.dice.rolls import Roll
from vision.given_files import MIB
from vision.seat_camera.standing_hand import StandingHand
from vision.seat_camera.witness import NOBODY, SeatWitness, Witness
from vision.table.placed_tile import PlacedTile
from vision.table.view import TableView
from vision.tiles.classes import FACES, SIDES
from vision.tracking.observe import Observation


@dataclass(frozen=True, eq=False)
class Begun:
    """How a decoder began."""

    rules: str
    view: TableView
    first_dealer: Seat | None = None
    witness: Witness = NOBODY
    """What seat cameras saw in the whole film."""
    options: Mapping[str, object] = field(default_factory=dict)
    """With which the game is played."""


Step = Observation | TableView | Begun | Literal["blinded"]
"""What a decoder is given: what lies there after a look, a new view, its beginning, or that
pictures were passed over."""
FORMAT: Final = 1
MOST_BYTES: Final = 256 * MIB
"""Largest content of the bytes of one hand, which has some 5 MB."""
MOST_TILES: Final = 600
"""Of one look: a set has 144 to 152, of which some are seen twice while they move. The fullest look
of four films, two of them hostile, has 136."""
OBSERVED, MOVED, BLINDED, BEGUN = range(4)
NUMBERS: Final = ("x_mm", "y_mm", "turn_deg", "first_s", "score", "off_size")
"""Fields of a placed tile."""
NO_FRAME: Final = -1

_Array = NDArray[Any]


class DamagedLooks(ValueError):
    """These bytes were not made by ``packed_looks``, or not all of them are there."""


def packed_looks(steps: Sequence[Step]) -> bytes:
    """Pack the steps of a hand; only tiles that changed since the look before are written."""
    seen = [step for step in steps if isinstance(step, Observation)]
    about = {
        "format": FORMAT,
        "views": [asdict(step) for step in steps if isinstance(step, TableView)],
        "begun": [_plain(step) for step in steps if isinstance(step, Begun)],
        "rolls": [
            (place, roll.time_s, roll.values, roll.sure)
            for place, observation in enumerate(seen)
            if (roll := observation.rolled) is not None
        ],
    }
    columns: dict[str, _Array] = {
        "about": np.frombuffer(json.dumps(about, default=float).encode(), np.uint8),
        "kinds": np.array([_kind(step) for step in steps], np.uint8),
        "time_s": np.array([one.time_s for one in seen], np.float64),
        "unrest": np.array([one.unrest for one in seen], np.float64),
        "busy": np.array([_bits(one.busy) for one in seen], np.uint8),
        "sticks": np.array([_bits(one.sticks) for one in seen], np.uint8),
        "held": np.array([one.held for one in seen], bool),
        "frame": np.array([NO_FRAME if one.frame is None else one.frame for one in seen], np.int64),
    }
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **columns, **_tile_columns(seen))
    return lzma.compress(file.getvalue(), preset=3)


def unpacked_looks(data: bytes) -> Iterator[Step]:
    """The steps that were packed, one after the other; raises ``DamagedLooks``."""
    try:
        yield from _steps(_columns(data))
    # Damaged bytes may fail in any way.
    except Exception as error:
        raise DamagedLooks("these looks are damaged") from error


def _kind(step: Step) -> int:
    if isinstance(step, Observation):
        return OBSERVED
    if isinstance(step, Begun):
        return BEGUN
    return MOVED if isinstance(step, TableView) else BLINDED


def _plain(begun: Begun) -> dict[str, Any]:
    seats = {
        seat: {
            "shift_s": seen.shift_s if seen.given else None,
            "stood": [
                (one.from_s, one.to_s, one.probabilities.tolist()) for one in seen.hands.stood
            ],
        }
        for seat, seen in begun.witness.seats.items()
    }
    return {
        "rules": begun.rules,
        "view": asdict(begun.view),
        "dealer": begun.first_dealer,
        "seats": seats,
        "options": dict(begun.options),
    }


def _tile_columns(seen: Sequence[Observation]) -> dict[str, _Array]:
    """The tiles that each observation shows otherwise than the one before, and their order."""
    known: dict[int, PlacedTile] = {}
    order: list[int] = []
    changed: list[PlacedTile] = []
    counts: list[int] = []
    orders: list[list[int]] = []
    reordered: list[bool] = []
    for observation in seen:
        new = [tile for tile in observation.placed if known.get(tile.id) is not tile]
        ids = [tile.id for tile in observation.placed]
        changed += new
        counts.append(len(new))
        reordered.append(ids != order)
        if ids != order:
            orders.append(ids)
        known, order = {tile.id: tile for tile in observation.placed}, ids
    faces = [tile.probabilities for tile in changed if tile.probabilities.any()]
    columns: dict[str, _Array] = {
        "changed": np.array(counts, np.uint16),
        "reordered": np.array(reordered, bool),
        "order_lengths": np.array([len(ids) for ids in orders], np.uint16),
        "orders": np.array([one for ids in orders for one in ids], np.int32),
        "id": np.array([tile.id for tile in changed], np.int32),
        "side": np.array([SIDES.index(tile.side) for tile in changed], np.uint8),
        "looks": np.array([tile.looks for tile in changed], np.int32),
        "read": np.array([tile.probabilities.any() for tile in changed], bool),
        "faces": np.array(faces, np.float64).reshape(-1, len(FACES)),
    }
    for name in NUMBERS:
        columns[name] = np.array([getattr(tile, name) for tile in changed], np.float64)
    return columns


def _columns(data: bytes) -> dict[str, _Array]:
    unpacker = lzma.LZMADecompressor(memlimit=MOST_BYTES)
    written = unpacker.decompress(data, MOST_BYTES)
    if not unpacker.eof:
        raise DamagedLooks("these looks do not end")
    with zipfile.ZipFile(io.BytesIO(written)) as parts:
        if sum(part.file_size for part in parts.infolist()) > MOST_BYTES:
            raise DamagedLooks("these looks are too large")
    with np.load(io.BytesIO(written), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _steps(columns: dict[str, _Array]) -> Iterator[Step]:
    about = json.loads(columns["about"].tobytes())
    if about["format"] != FORMAT:
        raise DamagedLooks(f"looks of format {about['format']}")
    views = iter([_view(**view) for view in about["views"]])
    begun = iter([_begun(one) for one in about["begun"]])
    rolls = {
        place: Roll(time_s, tuple(values), sure) for place, time_s, values, sure in about["rolls"]
    }
    seen = _observations(columns, rolls)
    for kind in columns["kinds"].tolist():
        if kind == BLINDED:
            yield "blinded"
        elif kind == BEGUN:
            yield next(begun)
        else:
            yield next(seen) if kind == OBSERVED else next(views)


def _begun(plain: dict[str, Any]) -> Begun:
    seats = {
        int(seat): SeatWitness(
            _Stood(
                tuple(
                    StandingHand(from_s, to_s, np.array(faces, np.float64).reshape(-1, len(FACES)))
                    for from_s, to_s, faces in seen["stood"]
                )
            ),
            seen["shift_s"],
            seen["shift_s"] is not None,
        )
        for seat, seen in plain["seats"].items()
    }
    view, options = _view(**plain["view"]), plain.get("options", {})  # older bytes have none
    return Begun(plain["rules"], view, plain["dealer"], Witness(seats), options)


@dataclass(frozen=True)
class _Stood:
    """The hands of one seat."""

    stood: tuple[StandingHand, ...]


def _view(
    corners_px: Sequence[Sequence[float]],
    size_mm: tuple[float, float],
    picture_px: tuple[int, int],
    **rest: Any,
) -> TableView:
    corners = tuple((x, y) for x, y in corners_px)
    (width, height), (columns, rows) = size_mm, picture_px
    return TableView(corners, (width, height), (columns, rows), **rest)


def _observations(columns: dict[str, _Array], rolls: dict[int, Roll]) -> Iterator[Observation]:
    tiles = _tiles(columns)
    lengths, ids = iter(columns["order_lengths"].tolist()), iter(columns["orders"].tolist())
    known: dict[int, PlacedTile] = {}
    order: list[int] = []
    rows = zip(
        *(columns[name].tolist() for name in ("time_s", "unrest", "busy", "sticks", "held")),
        *(columns[name].tolist() for name in ("frame", "changed", "reordered")),
        strict=True,
    )
    for place, (time_s, unrest, busy, sticks, held, frame, changed, reordered) in enumerate(rows):
        if reordered:
            order = [next(ids) for _ in range(next(lengths))]
        if max(len(order), changed) > MOST_TILES:
            raise DamagedLooks("no table has so many tiles")
        new = {tile.id: tile for tile in (next(tiles) for _ in range(changed))}
        known = {one: new.get(one) or known[one] for one in order}
        yield Observation(
            time_s,
            tuple(known.values()),
            _seats(busy),
            unrest,
            _seats(sticks),
            rolls.get(place),
            held,
            None if frame == NO_FRAME else frame,
        )


def _tiles(columns: dict[str, _Array]) -> Iterator[PlacedTile]:
    faces: Iterator[Doubles] = iter(columns["faces"].astype(np.float64))
    rows = zip(
        *(columns[name].tolist() for name in ("id", "side", "read", "looks", *NUMBERS)),
        strict=True,
    )
    for number, side, read, looks, x_mm, y_mm, turn_deg, first_s, score, off_size in rows:
        yield PlacedTile(
            number,
            SIDES[side],
            next(faces) if read else np.zeros(len(FACES)),
            x_mm,
            y_mm,
            turn_deg,
            first_s,
            looks,
            score,
            off_size,
        )


def _bits(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)


def _seats(bits: int) -> frozenset[int]:
    return frozenset(seat for seat in range(4) if bits >> seat & 1)
