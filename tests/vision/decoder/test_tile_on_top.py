"""A tile laid onto one of a row makes that seem to move; one that is turned over does not."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from tests.support.tables import VIEW, shares
from vision.decoder.changes import TilesBefore
from vision.decoder.seat_strip import SeatStrip
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.zones import Laid, Zones


@pytest.mark.parametrize(("before", "lifted"), [(Side.FACE, [1]), (Side.BACK, [])])
def test_only_a_face_that_lay_there_is_lifted(before: Side, lifted: list[int]) -> None:
    row = [
        PlacedTile(place, Side.FACE, shares("6s"), 200.0 + 30 * place, 345.0, 0.0, 0.0, 5)
        for place in range(3)
    ]
    at_mm = np.array([row[1].xy_mm])
    x_mm, y_mm = VIEW.to_table(VIEW.to_image(at_mm, 2 * VIEW.lying_mm), VIEW.lying_mm)[0]
    now = (row[0], replace(row[1], x_mm=float(x_mm), y_mm=float(y_mm)), row[2])
    strip = SeatStrip(0, Zones(VIEW), [row[0], replace(row[1], side=before), row[2]])
    laid = Laid(10.0, (10, 13, 13, 13), (now, (), (), ()), (), ())
    found = [one for one in strip.update(laid, count().__next__) if isinstance(one, TilesBefore)]
    assert [tile for one in found if one.rise_off is not None for tile in one.fresh] == lifted
