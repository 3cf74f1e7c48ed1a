"""Liability for a set that makes a yakuman certain: the third of dragons, the fourth of winds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Seat
from engine.rules.riichi.pay import Liable
from engine.rules.riichi.win_facts import RiichiScore
from engine.rules.riichi.yaku import YAKUMAN_HAN
from engine.state import Meld
from engine.tiles import DRAGONS, WINDS, Tile


@dataclass(frozen=True)
class Certain:
    """So many declared sets of these kinds make this yakuman certain."""

    yakuman: str
    kinds: frozenset[Tile]
    sets: int


CERTAIN: Final = (
    Certain("daisangen", frozenset(DRAGONS), 3),
    Certain("daisuushii", frozenset(WINDS), 4),
)
"""004, 3.3.6."""


def liable_for(score: RiichiScore, melds: Sequence[Meld]) -> tuple[Liable, ...]:
    """Who answers for a yakuman of this hand, and how many times it counts."""
    han = dict(score.yaku)
    found = []
    for certain in CERTAIN:
        feeder = _feeder(certain, melds)
        if feeder is not None and certain.yakuman in han:
            times = min(han[certain.yakuman] // YAKUMAN_HAN, score.yakuman)
            found.append(Liable(feeder, times))
    return tuple(found)


def _feeder(certain: Certain, melds: Sequence[Meld]) -> Seat | None:
    """Who fed the set that made it certain; None where that one was not claimed."""
    sets = [meld for meld in melds if meld.tiles[0].kind in certain.kinds]
    last = sets[certain.sets - 1] if len(sets) >= certain.sets else None
    return last.from_seat if last is not None and last.is_open else None
