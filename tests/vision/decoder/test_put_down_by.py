from __future__ import annotations

import pytest

from tests.support.tables import VIEW, shares
from vision.decoder.put_down_by import put_down_by
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.zones import Zones

FIRST_S = 20.0


@pytest.mark.parametrize(
    ("moved_s", "came"), [(18.0, False), (18.8, True), (20.0, True), (20.3, True), (20.6, False)]
)
def test_whoever_moved_a_moment_before_a_tile_was_seen_likely_put_it_down(
    moved_s: float, came: bool
) -> None:
    """The tile lies in the middle, as near to one seat as to another."""
    tile = PlacedTile(1, Side.FACE, shares("5m"), 0.0, 0.0, 0.0, FIRST_S)
    scores = put_down_by(
        tile, Zones(VIEW), lambda seat, from_s, until_s: seat == 2 and from_s <= moved_s <= until_s
    )
    others = {score for seat, score in enumerate(scores) if seat != 2}
    assert len(others) == 1
    assert (scores[2] > others.pop()) is came
