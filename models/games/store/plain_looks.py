"""Looks as plain data, which outlives the classes that they are read into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

import numpy as np
from games.simulated_detector import NearTo, StillNear
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.attention.motion import StillMask
from vision.dice.rolls import Roll
from vision.table.view import TableView
from vision.tiles.classes import FACES, Side
from vision.tracking.observe import Clear, Look, Since, at_any_time, everywhere

Plain = dict[str, Any]
"""Numbers, texts, tuples and arrays by name."""
SIDES: Final = ("face", "back", "standing")


@dataclass(frozen=True, eq=False)
class StoredTile:
    """One tile of a look, as it was read."""

    side: Side
    corners_px: Floats
    """(4, 2)."""
    score: float
    probabilities: Floats
    """(38,)."""


def plain_look(look: Look) -> Plain:
    """Return the look as plain data; raise ``TypeError`` for a test of places that is not known."""
    tiles = look.readings
    rolled = look.rolled
    return {
        "time_s": float(look.time_s),
        "sides": np.array([SIDES.index(tile.side.value) for tile in tiles], np.uint8),
        "corners_px": _stacked([tile.corners_px for tile in tiles], (4, 2)),
        "scores": np.array([tile.score for tile in tiles], np.float64),
        "faces": _stacked([tile.probabilities for tile in tiles], (len(FACES),)),
        "clear": _plain_clear(look.clear),
        "busy": tuple(sorted(look.busy)),
        "unrest": float(look.unrest),
        "rolled": None if rolled is None else (rolled.time_s, rolled.values, rolled.sure),
        "held": bool(look.held),
        "frame": look.frame,
        "sticks": tuple(sorted(look.sticks)),
    }


def look_of(plain: Plain) -> Look:
    """Return the look that was made plain."""
    clear = _clear_of(plain["clear"])
    since: Since = clear.since_s if isinstance(clear, StillMask) else at_any_time
    tiles = [
        StoredTile(Side(SIDES[side]), corners, float(score), faces)
        for side, corners, score, faces in zip(
            plain["sides"], plain["corners_px"], plain["scores"], plain["faces"], strict=True
        )
    ]
    rolled = plain["rolled"]
    return Look(
        plain["time_s"],
        tiles,
        clear,
        frozenset(plain["busy"]),
        plain["unrest"],
        None if rolled is None else Roll(*rolled),
        since,
        plain["held"],
        plain["frame"],
        **_known_to_tree({"sticks": frozenset(plain.get("sticks", ()))}),
    )


def _known_to_tree(more: dict[str, Any]) -> dict[str, Any]:
    """What was added to looks, as far as the tree that reads them has it."""
    known = {field.name for field in fields(Look)}
    return {name: value for name, value in more.items() if name in known}


def plain_view(view: TableView) -> Plain:
    return asdict(view)


def view_of(plain: Plain) -> TableView:
    return TableView(**plain)


def _stacked(rows: Sequence[Floats], shape: tuple[int, ...]) -> NDArray[Any]:
    """One array of these, as exact as they are."""
    return np.stack(rows) if rows else np.zeros((0, *shape), np.float32)


def _plain_clear(clear: Clear) -> Plain | None:
    if clear is everywhere:
        return None
    if isinstance(clear, StillNear):
        read = clear.read
        return {
            "kind": "near",
            "read": None if read is None else (read.places_px, read.near_px),
            "moves": (clear.moves.places_px, clear.moves.near_px),
        }
    if isinstance(clear, StillMask):
        times_s, index = np.unique(clear.moved_s, return_inverse=True)
        return {
            "kind": "cells",
            "shape": clear.cells.shape,
            "cells": np.packbits(clear.cells),
            "cells_per_px": float(clear.cells_per_px),
            "times_s": times_s,
            "moved": index.reshape(clear.cells.shape).astype(np.uint16),
        }
    raise TypeError(f"a look whose clear places are a {type(clear).__name__} cannot be stored")


def _clear_of(plain: Plain | None) -> Clear:
    if plain is None:
        return everywhere
    if plain["kind"] == "near":
        read = plain["read"]
        return StillNear(None if read is None else NearTo(*read), NearTo(*plain["moves"]))
    rows, columns = plain["shape"]
    cells = np.unpackbits(plain["cells"], count=rows * columns).reshape(rows, columns).astype(bool)
    return StillMask(cells, plain["cells_per_px"], plain["times_s"][plain["moved"]])
