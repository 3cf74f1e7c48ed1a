"""The change that is explained, with the table as it is known now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.events import Claim, Discard, Event, Seat, Win
from engine.tiles import Tile
from vision.decoder.changes import TableChange
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import CostLimit
from vision.decoder.table_evidence import TableEvidence

BEFORE_NEXT_S: Final = 0.5
"""Whoever comes next draws and discards at least so long after a discard that nobody saw."""


@dataclass(frozen=True)
class Context:
    """What proposals know besides the hypothesis; one serves all hypotheses of a change."""

    change: TableChange
    table: TableEvidence
    limit: CostLimit = field(default_factory=CostLimit)
    supplied: bool = False
    """Nobody looked: what happened follows from what lies there and from the rules."""
    without_copies: dict[tuple[Hypothesis, Tile], tuple[Hypothesis, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """What ``without_copy`` found: the readings of a hand often ask for the same."""
    claims: dict[object, list[tuple[Claim, dict[str, float]]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The sets that tiles may show, by whose they are and the claimed tile."""
    wins: dict[tuple[Seat, Seat, Tile, tuple[Tile, ...]], Win] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The wins that were tried, by who won, who gave the tile, the tile, and the hand."""
    no_wins: set[object] = field(default_factory=set, repr=False, compare=False)
    """Keys of ``wins`` on a discard whose tiles do not win, each with the sets and indicators."""
    miscounted: set[object] = field(default_factory=set, repr=False, compare=False)
    """What wins with a wrong number of tiles have in common, whatever these are."""
    readings: dict[object, list[tuple[tuple[Tile, ...], float]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The likeliest readings of rows, by their tiles and the number of readings."""
    priced: dict[object, list[tuple[tuple[Tile, ...], float]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The same with what they cost by the copies that are left."""
    whole_hands: dict[object, list[tuple[tuple[Tile, ...], float]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The readings of rows that make whole hands, by the tiles."""

    @property
    def known_tiles(self) -> list[int]:
        """Tracks of the change that are still known."""
        return [tile for tile in self.change.tiles if tile in self.table.tiles]

    def step(
        self,
        event: Event | None,
        *,
        tile: int | None = None,
        tiles: Sequence[int] | None = None,
        time_s: float | None = None,
        sure: float = 1.0,
        **charges: float,
    ) -> Explained:
        """A step that explains this change. ``tiles`` is by default the one tile."""
        return Explained(
            self.change.time_s if time_s is None else time_s,
            self.change.id,
            event,
            tile,
            tuple(tiles) if tiles is not None else () if tile is None else (tile,),
            {name: amount for name, amount in charges.items() if amount},
            supplied=self.supplied,
            sure=sure,
        )

    def nothing(
        self,
        hypothesis: Hypothesis,
        tiles: Sequence[int] | None = None,
        *,
        tile: int | None = None,
        **charges: float,
    ) -> Hypothesis:
        """The hypothesis in which nothing was meant by the change; ``tile`` is no tile of it."""
        found = hypothesis.then(self.step(None, tile=tile, tiles=tiles).charged(charges))
        assert found is not None, "a change may always mean nothing"
        return found

    def turn_of(self, seat: int, hypothesis: Hypothesis, lead_s: float) -> Hypothesis | None:
        """The hypothesis in which a seat is to act so long before the change."""
        unseen = hypothesis.discards_until(seat)
        return self.missed(unseen, self.change.time_s - lead_s, hypothesis)

    def missed(
        self,
        discards: Sequence[Discard],
        before_s: float,
        hypothesis: Hypothesis,
        charge: str = "missed",
    ) -> Hypothesis | None:
        """The hypothesis with discards that nobody saw, the last of them at a moment.

        None if the engine holds one for impossible.
        """
        found: Hypothesis | None = hypothesis
        since_s = hypothesis.hand[-1].time_s if hypothesis.hand else 0.0
        for discard in discards:
            if found is None:
                return None
            held = 14 - 3 * len(found.state.players[discard.seat].melds)
            fell_s = self.table.falls.fell(discard.seat, held, since_s, before_s - BEFORE_NEXT_S)
            time_s = before_s if fell_s is None else fell_s
            step = self.step(discard, time_s=time_s)
            found = found.then(step.charged({charge if fell_s is None else "fell": 1.0}))
        return found
