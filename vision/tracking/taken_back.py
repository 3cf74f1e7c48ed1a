"""Tiles that were put back: what was told of them lies there no more, and nobody laid it down."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from vision.table.placed_tile import PlacedTile
from vision.tracking.zones import Laid

GONE_S: Final = 1.4
"""What has not been seen for so long is taken to be gone, if nobody's hand is there."""
TAKEN_S: Final = 0.2
"""It was taken so long before it was first missed: before what is put down in its stead."""


@dataclass(frozen=True)
class TakenBack:
    """Tiles that had been put down or laid open are gone."""

    time_s: float
    tiles: tuple[int, ...]
    """Ids: of one discard, or of a set."""
    standing: tuple[int, ...]
    """Standing tiles of each seat now."""


@dataclass
class Returns:
    """Watches what was told of for what goes."""

    _gone_s: dict[int, float] = field(default_factory=dict)

    def clear(self) -> None:
        self._gone_s.clear()

    def update(
        self,
        laid: Laid,
        last: Iterable[int],
        sets: Iterable[tuple[PlacedTile, ...]],
        present: Collection[int],
        calm: bool,
    ) -> Iterator[TakenBack]:
        """What went; ``last`` are the tiles that were put down last, ``sets`` the latest sets."""
        groups: list[tuple[int, ...]] = [(tile,) for tile in last]
        groups += [tuple(tile.id for tile in row) for row in sets]
        for group in groups:
            if any(tile in present for tile in group):
                self._gone_s.pop(group[0], None)
                continue
            since_s = self._gone_s.setdefault(group[0], laid.time_s)
            if calm and laid.time_s - since_s >= GONE_S:
                del self._gone_s[group[0]]
                yield TakenBack(since_s - TAKEN_S, group, laid.standing)
