"""Memory does not grow from hand to hand, except for the record."""

from __future__ import annotations

import gc
import sys

from games.recorded import RecordedDecoder

from tests.support.tables import VIEW, Stage, shares
from vision.decoder.held_back import HeldBack
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import KEPT
from vision.table.placed_tile import PlacedTile

TURNS = 12
CHANGES = TURNS + 4
"""In one hand: its discards, its beginning and its end."""


class _Evening:
    """A table that is dealt, played with some doubtful faces, and cleared away again."""

    def __init__(self) -> None:
        self.stage = Stage()
        self.decoder = RecordedDecoder("harbin-hlr", VIEW)
        self.lines = 0

    def play(self) -> None:
        for seat in range(4):
            self.stage.stand(seat, 14 if seat == 0 else 13)
        self._show(2.0)
        for turn in range(TURNS):
            self.stage.busy = frozenset({turn % 4})
            self._show(0.4)
            face = f"{1 + turn % 9}{'pm'[turn // 9]}"
            tile = self.stage.put(turn % 4, -90 + 45 * (turn // 4), 90, face)
            self.stage.change(tile, probabilities=shares(face, 0.6 if turn % 3 == 0 else 0.97))
            self._show(0.4)
            self.stage.busy = frozenset()
            self._show(0.8)
        self.stage.clear()
        self._show(3.0)

    def _show(self, lasts_s: float) -> None:
        for observation in self.stage.shown(lasts_s):
            self.lines += len(self.decoder.observe(observation))


def things() -> list[PlacedTile | Hypothesis]:
    """Tiles and hypotheses that are still referenced, by this test or another one."""
    gc.collect()
    return [one for one in gc.get_objects() if type(one) in (PlacedTile, Hypothesis)]


def held_backs() -> list[HeldBack]:
    return [one for one in gc.get_objects() if type(one) is HeldBack]


def kept(of_others: list[PlacedTile | Hypothesis]) -> tuple[int, float]:
    """How many tiles are kept, and the bytes that only a hypothesis uses.

    Each hypothesis holds the whole game until then: kept for ever they would fill the memory.
    """
    passed_over = set(map(id, of_others))
    held = [thing for thing in things() if id(thing) not in passed_over]
    own = [sys.getsizeof(one.hand) for one in held if type(one) is Hypothesis]
    # With the likeliest one of each change, named.
    assert len(own) <= CHANGES * (KEPT + 1)
    return len(held) - len(own), sum(own) / len(own)


def test_what_is_kept_of_a_table_does_not_grow_with_its_hands() -> None:
    of_others, others = things(), held_backs()
    table = _Evening()
    for _ in range(2):
        table.play()
    tiles, size = kept(of_others)
    lines = table.lines
    for _ in range(2):
        table.play()
    tiles_later, size_later = kept(of_others)
    assert table.lines > lines + 2 * TURNS
    assert tiles_later <= 1.05 * tiles
    assert size_later <= 1.25 * size
    (held_back,) = (one for one in held_backs() if not any(one is other for other in others))
    kinds = (set, frozenset, dict)
    remembered = [len(one) for one in vars(held_back).values() if isinstance(one, kinds)]
    assert any(remembered)
    assert all(many < TURNS for many in remembered)
