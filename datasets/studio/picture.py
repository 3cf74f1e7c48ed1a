"""What the camera of a film records of a scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from studio.layout import Measures
from studio.looks import Look, random_look


def look_of(table: Measures, rng: np.random.Generator) -> Look:
    """A random look of a table whose sizes are given."""
    look = random_look(rng)
    tiles = replace(
        look.tiles,
        width_mm=table.width_mm,
        height_mm=table.height_mm,
        thickness_mm=table.thickness_mm,
        bevel_mm=look.tiles.bevel_mm / look.tiles.width_mm * table.width_mm,
    )
    return replace(look, tiles=tiles, field_mm=table.field_mm, console_mm=table.console_mm)


def faces_of(folder, style, rng):
    import cv2

    from engine.tiles import CODES

    out = {}
    for code in CODES:
        im = np.zeros((160, 120, 4), np.uint8)
        cv2.putText(im, code[0], (20, 80), 0, 3, (200, 20, 20, 255), 8)
        cv2.putText(im, code[1], (40, 145), 0, 2, (20, 120, 20, 255), 8)
        out[code] = im
    return out
