"""Red fives and plain ones: only their colour tells them apart, and a grey picture has none."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.tiles import REDS, Tile
from vision.tiles.classes import FACE_INDEX

Shares = TypeVar("Shares", bound=NDArray[Any])
"""(..., 38) how likely each face is."""

RED: Final = [FACE_INDEX[red] for red in REDS]
PLAIN: Final = [FACE_INDEX[str(Tile(red).kind)] for red in REDS]
"""The plain five of each red one."""


def without_colour(shares: Shares) -> Shares:
    """What is left of a reading where the picture has no colours: each five may be the red one."""
    found = shares.copy()
    found[..., RED] = found[..., PLAIN] = (shares[..., RED] + shares[..., PLAIN]) / 2
    return found


def as_the_game_has(shares: Shares, in_play: NDArray[np.float64]) -> Shares:
    """Count a red five that the game does not have as the plain one, which it is there.

    ``in_play`` (38,) is 1 for every face that the game has, else 0.
    """
    missing = 1.0 - in_play[RED]
    found = shares.copy()
    found[..., PLAIN] += missing * shares[..., RED]
    found[..., RED] -= missing * shares[..., RED]
    return found


def either_five(shares: NDArray[Any]) -> bool:
    """Whether a reading shows a five and does not tell whether it is the red one."""
    at = int(shares.argmax())
    for red, plain in zip(RED, PLAIN, strict=True):
        if at in (red, plain):
            return bool(np.isclose(shares[red], shares[plain], rtol=1e-6))
    return False
