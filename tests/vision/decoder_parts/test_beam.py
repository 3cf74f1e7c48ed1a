"""What the beam leaves out."""

from __future__ import annotations

from typing import Any

import pytest
from games.recorded import RecordedDecoder

from tests.support.seen_inside import SeenInside
from tests.support.settled_hands import played, read_hand, told_of
from tests.support.tables import VIEW
from vision.decoder.changes import FaceAppeared
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import CostLimit
from vision.decoder.table_evidence import TableEvidence

HANDS = (("harbin-hlr", 13), ("harbin-treasure", 132), ("hangzhou", 19))


def test_a_tile_that_is_put_down_before_anything_was_told_tells_nothing() -> None:
    """A deal that the record does not hold: the tile belongs to no hand of it."""
    table = SeenInside()
    tile = table.stage.put(0, 0, 100, "1m")
    placed = {one.id: one for one in table.stage.shown(0.2)[0].placed}
    evidence = TableEvidence(placed, placed.keys(), VIEW.tile_mm)
    table.decoder.search.take(FaceAppeared(0, 1.0, tile, (1.0, 0.0, 0.0, 0.0)), evidence)
    assert not table.best.events


@pytest.mark.parametrize(("rules", "seed"), HANDS)
def test_the_limit_leaves_out_nothing_that_would_be_kept(
    rules: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_limit, refused, allows = told_of(rules, seed), list[object](), CostLimit.allows

    def counted(limit: CostLimit, hypothesis: Hypothesis, *given: Any, **more: Any) -> bool:
        if not allows(limit, hypothesis, *given, **more):
            refused.append(hypothesis)
        return True

    monkeypatch.setattr(CostLimit, "allows", counted)
    game, seen = played(rules, seed)
    assert tuple(read_hand(RecordedDecoder(rules, game.place.view), seen)) == with_limit
    assert refused
