"""Hypotheses of which the same may follow: what is proposed for one holds for the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from engine.events import Chow, Kong, Pung
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import CostLimit
from vision.decoder.table_evidence import TableEvidence


def future(hypothesis: Hypothesis, table: TableEvidence) -> object:
    """What all that may follow depends on, but for the names of discards that lie there still.

    The rules are asked again for every hypothesis, so these names may be left out.
    """
    state, last = hypothesis.state, hypothesis.last_event()
    discard = state.last_discard
    seats = tuple(
        (player.melds, player.ready, len(player.river), len(player.hand), player.irregular)
        for player in state.players
    )
    sets = (step.tiles for step in hypothesis.hand if isinstance(step.event, Chow | Pung | Kong))
    missing = (
        (river.seat, river.place, river.track, river.face)
        for river in hypothesis.rivers
        if not river.claimed and river.track not in table.present
    )
    return (
        state.phase, state.turn, seats, state.wall_left, state.winners, state.wins,
        state.indicators, state.contested is None, state.hand_number, state.dealer,
        None if discard is None else (discard.seat, discard.tile, discard.added_kong),
        None if last is None else (last[1].change, last[1].event, last[1].tile),
        tuple(chain(*sets)), tuple(missing), hypothesis.undone, id(hypothesis.found),
    )  # fmt: skip


def goes_on_alike(
    hypothesis: Hypothesis, leader: Hypothesis, ways: Sequence[Hypothesis], limit: CostLimit
) -> Iterator[Hypothesis]:
    """The hypothesis with the steps with which another one of the same future goes on.

    What the other one does again otherwise is its own: only what it adds is taken over.
    """
    known, more = len(leader.hand), hypothesis.cost - leader.cost
    for way in ways:
        if way.hand[:known] == leader.hand and limit.may_cost(way.cost + more):
            found = hypothesis.all(way.hand[known:])
            if found is not None:
                yield found
