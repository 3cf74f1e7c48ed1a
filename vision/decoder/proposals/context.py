"""The change that is explained, with the table as it is known now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.events import Claim, Event, Seat, Win
from engine.tiles import Tile
from vision.decoder.changes import TableChange
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import CostLimit
from vision.decoder.likelihood import Charges
from vision.decoder.table_evidence import TableEvidence

FREE: Final[Charges] = {}


def after_all(hypothesis: Hypothesis, time_s: float) -> float:
    """A moment, or that of the last step where it is later: nothing happens before what was so."""
    return max(time_s, hypothesis.hand[-1].time_s) if hypothesis.hand else time_s


def stops_at(hypothesis: Hypothesis, time_s: float) -> bool:
    """Whether a hand had begun before a moment, and nothing was played in it since."""
    steps = [step.time_s for step in hypothesis.hand if step.event is not None]
    return bool(steps) and steps[0] < time_s and steps[-1] <= time_s


@dataclass(frozen=True)
class Context:
    """What proposals know besides the hypothesis; one serves all hypotheses of a change."""

    change: TableChange
    table: TableEvidence
    limit: CostLimit = field(default_factory=CostLimit)
    not_drawn_s: Sequence[float] = ()
    """When hands ended of which a person said that they were not drawn."""
    supplied: bool = False
    """Nobody looked: what happened follows from what lies there and from the rules."""
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
    whole: dict[object, bool] = field(default_factory=dict, repr=False, compare=False)
    """Whether tiles are a whole hand in any game."""
    priced: dict[object, tuple[object, object, list[tuple[tuple[Tile, ...], float]]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """Readings with the prices of their copies, behind the readings and the state themselves."""
    readings: dict[object, list[tuple[tuple[Tile, ...], float]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The likeliest readings of rows, by their tiles and the number of readings."""
    whole_hands: dict[object, list[tuple[tuple[Tile, ...], float]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The readings of rows that make whole hands, by the tiles."""

    def may_be_drawn(self, hypothesis: Hypothesis) -> bool:
        """Whether nobody has said that the hand that is played was not drawn."""
        return not any(stops_at(hypothesis, said_s) for said_s in self.not_drawn_s)

    def drawn_out(self, hypothesis: Hypothesis, time_s: float) -> Hypothesis | None:
        """The hypothesis with the drawn hand; None where tiles are left, or somebody denies it."""
        drawn = hypothesis.drawn_out(time_s, self.change.id)
        return drawn if self.may_be_drawn(hypothesis) else None

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
        charges: Charges = FREE,
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
        charges: Charges = FREE,
    ) -> Hypothesis:
        """The hypothesis in which nothing was meant by the change; ``tile`` is no tile of it."""
        found = hypothesis.then(self.step(None, tile=tile, tiles=tiles).charged(charges))
        assert found is not None, "a change may always mean nothing"
        return found
