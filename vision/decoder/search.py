"""The beam: the few best hypotheses are carried from change to change."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import (
    Claim,
    Discard,
    Draw,
    DrawnHand,
    Event,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
)
from engine.rules.base import RuleSet
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from vision.decoder.changes import Cleared, FaceAppeared, HandsStand, TableChange, TilesBefore
from vision.decoder.emission import evaluated, least_added
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import distinct
from vision.decoder.likelihood import TEMPERATURE
from vision.decoder.names import named, names_of, read_now
from vision.decoder.pin import Pin
from vision.decoder.proposals.catch_up import caught_up
from vision.decoder.proposals.context import Context, stops_at
from vision.decoder.propose import as_pinned, propose
from vision.decoder.table_evidence import TableEvidence

LIKELY: Final = 10.0
"""An explanation that costs so much more than the best one changes nothing that came later."""
WATCHED: Final = 12
"""The last changes, whose tiles may be read otherwise by now."""


@dataclass(frozen=True)
class Node:
    """One change and the hypotheses after it."""

    change: TableChange
    hypotheses: tuple[Hypothesis, ...]
    faces: tuple[tuple[int, Tile, bool], ...] = ()
    """How its tiles were read when it was explained: id, face, and whether it lay on the table."""
    present: Collection[int] = ()
    """What lay on the table when it was explained."""
    best: Hypothesis | None = None
    """The first of them with all its names."""

    @property
    def ends(self) -> bool:
        return isinstance(self.change, Cleared)


class BeamSearch:
    """Explains changes, whatever order they come to be known in."""

    def __init__(self, rules: RuleSet, begun: Hypothesis) -> None:
        """``begun``: what happened before the program began."""
        self.rules = rules
        self.pins: dict[int, Pin] = {}
        """What people fixed of changes, by their ids: these events and no others."""
        self.nodes: list[Node] = []
        self.begun = begun
        self._table: TableEvidence | None = None
        """The table by which the hypotheses are named."""
        self._named: tuple[Node, tuple[Hypothesis, ...]] | None = None
        """The last node, and its hypotheses with all their names."""
        self._names: dict[int, Tile] = {}
        """The names of the last hand's tiles in the likeliest hypothesis, by their tracks."""
        self.denied_earlier_s: tuple[float, ...] = ()
        """When hands ended of which people took away that they were drawn, before this program."""
        self._reviewed: object = None
        """The table as it was at the last review."""
        self._forgotten = 0
        """Number of the first nodes whose hypotheses were dropped."""

    def __getstate__(self) -> dict[str, object]:
        """What is kept in checkpoints: the evidence of a look is valid until the next one."""
        return self.__dict__ | {"_table": None, "_named": None}

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The hypotheses now, the best one first, with all their names."""
        node = self.nodes[-1] if self.nodes else None
        if node is None or self._table is None or node.ends:
            return (self.best, *self._unnamed[1:])
        if self._named is None or self._named[0] is not node:
            table = self._table
            ways = (named(way, table, self._names) for way in node.hypotheses)
            self._named = node, tuple(ways)
        return self._named[1]

    @property
    def _unnamed(self) -> tuple[Hypothesis, ...]:
        """The hypotheses now, in which only those tiles are named that are beyond doubt."""
        return self.nodes[-1].hypotheses if self.nodes else (self.begun,)

    @property
    def best(self) -> Hypothesis:
        """The likeliest hypothesis, with all its names."""
        best = self.nodes[-1].best if self.nodes else None
        return self._unnamed[0] if best is None else best

    @property
    def hand_begins(self) -> int:
        """Place of the first node of the last hand."""
        ends = (at for at in range(len(self.nodes) - 1, -1, -1) if self.nodes[at].ends)
        return next(ends, -1) + 1

    @property
    def tiles(self) -> frozenset[int]:
        """Ids of the tracks of all hands in which something may still be explained otherwise."""
        first = max((at for at in range(self._forgotten) if self.nodes[at].ends), default=0)
        return frozenset(tile for node in self.nodes[first:] for tile in node.change.tiles)

    @property
    def not_drawn_s(self) -> tuple[float, ...]:
        """When hands ended of which a person took away that they were drawn."""
        denied = (n for n, pin in self.pins.items() if pin.refuses(DrawnHand("exhausted")))
        changes = (self.change(number) for number in denied)
        here = tuple(change.time_s for change in changes if change is not None)
        return self.denied_earlier_s + here

    @property
    def denied_s(self) -> float | None:
        """When the hand was over that is played on because a person said that it was not drawn.

        Nobody has said yet how it ended.
        """
        best = self.best
        stops = (said_s for said_s in self.not_drawn_s if stops_at(best, said_s))
        return max(stops, default=None) if best.playing else None

    def change(self, number: int) -> TableChange | None:
        """The change with this id."""
        return next((n.change for n in reversed(self.nodes) if n.change.id == number), None)

    def together(self, number: int) -> list[FaceAppeared]:
        """If a face appeared in this change: all changes of that moment in which one did."""
        seen = [node.change for node in self.nodes if isinstance(node.change, FaceAppeared)]
        at_s = next((change.time_s for change in seen if change.id == number), None)
        return [change for change in seen if change.time_s == at_s]

    def take(self, change: TableChange, table: TableEvidence) -> None:
        """Add a change, or one that has grown; what comes later is explained again."""
        oldest = self._forgotten + 1 if self._forgotten else 0
        same = (at for at, node in enumerate(self.nodes) if node.change.id == change.id)
        place = next(same, None)
        if place is not None:
            again = self.nodes[place + 1 :]
        else:
            times = [node.change.time_s for node in self.nodes]
            place = max(bisect_right(times, change.time_s), oldest)
            again = self.nodes[place:]
        del self.nodes[place:]
        self._explain_all([change, *(node.change for node in again)], table)
        self._reread(table)
        self._forget()

    def is_another_hand(self, change: HandsStand, table: TableEvidence) -> bool:
        """Whether a table that is seen again lies as in no hand that may be played."""
        known = self.change(change.id) is not None or change.id in self.pins
        if known or change.snapshot is None or not all(way.playing for way in self._unnamed):
            return False
        c = Context(change, table.as_of(change.time_s))
        return not any(caught_up(c, way, change.snapshot) for way in self._unnamed)

    def again(self, place: int, table: TableEvidence) -> None:
        """Explain the changes from one place on again."""
        nodes = self.nodes[place:]
        del self.nodes[place:]
        for node in nodes:
            rows = table.rows if node is nodes[-1] else ()
            self._explain(node.change, replace(table, present=node.present, rows=rows))
        self._reread(table)

    def begin_hand(self, past: Hypothesis) -> None:
        """Take other hands before this one, which must be explained again."""
        begins = self.hand_begins
        if begins:
            self.nodes[begins - 1] = replace(self.nodes[begins - 1], hypotheses=(past,))
        else:
            self.begun = past

    def review(self, table: TableEvidence) -> None:
        """Explain again from the first change whose tiles are now read otherwise."""
        if not self.nodes or self.nodes[-1].ends:
            return
        lay = self.nodes[-1].present
        if 2 * sum(tile in table.present for tile in lay) < len(lay):
            return  # when most tiles are gone at once, a missing tile is no evidence
        hand = self.nodes[self.hand_begins :]
        looks = table.looks([tile for node in hand for tile in node.change.tiles])
        seen = len(self.nodes), looks, table.rows
        if seen == self._reviewed and not table.witness.seats:
            return
        self._reviewed = seen
        for place in range(max(self.hand_begins, len(self.nodes) - WATCHED), len(self.nodes)):
            node = self.nodes[place]
            if _faces(node.change, node.hypotheses, table) != node.faces:
                later = self.nodes[place + 1 :]
                del self.nodes[place:]
                self._explain(node.change, replace(table, rows=()) if later else table)
                if _new_ways(self.nodes[place], node):
                    self._explain_all([other.change for other in later], table)
                    break
                self.nodes += later
        self._reread(table)

    def set_laid(self, claim: Claim, before: int | None = None) -> int | None:
        """The last change before another one that may show the set that a person enters.

        None if other events explain all tiles before that player.
        """
        told = {step.change for step in self.best.events}
        nodes = self.nodes[self.hand_begins :]
        at = next((at for at, node in enumerate(nodes) if node.change.id == before), len(nodes))
        for node in reversed(nodes[:at]):
            change = node.change
            if change.id in told:
                return None
            if isinstance(change, TilesBefore) and change.seat == claim.seat:
                return change.id
        return None

    def close(self, time_s: float, table: TableEvidence, number: int) -> None:
        """The camera stops: a hand that is over ends, and the game with it."""
        best: Hypothesis | None = self.best
        if best is not None and best.playing and self.denied_s is None:
            best = best.drawn_out(time_s, number)
        if best is not None and best.state.phase is Phase.SETTLED:
            best = best.then(Explained(time_s, number, HandEnd()))
        if best is not None and best.state.phase is Phase.BEFORE_HAND and best.state.hand_number:
            best = best.then(Explained(time_s, number, GameEnd("time")))
        if best is not None:
            self.nodes.append(Node(Cleared(number, time_s), (best,)))

    def shares(self, temperature: float = TEMPERATURE) -> list[tuple[Hypothesis, float]]:
        """The hypotheses with their posterior probabilities."""
        best = self.hypotheses[0].cost
        weights = [
            math.exp((best - hypothesis.cost) / temperature) for hypothesis in self.hypotheses
        ]
        total = sum(weights)
        return [
            (hypothesis, weight / total)
            for hypothesis, weight in zip(self.hypotheses, weights, strict=True)
        ]

    def _explain_all(self, changes: Sequence[TableChange], table: TableEvidence) -> None:
        """Explain changes one after the other; the rows stand as they do after the last of them."""
        before = replace(table, rows=()) if len(changes) > 1 else table
        for change in changes[:-1]:
            self._explain(change, before)
        for change in changes[-1:]:
            self._explain(change, table)

    def _explain(self, change: TableChange, table: TableEvidence) -> None:
        place = len(self.nodes)
        if isinstance(change, Cleared) and self.nodes:
            # When all tiles are cleared away, a missing tile is no evidence.
            table = replace(table, present=self.nodes[-1].present)
        c = Context(change, table.as_of(change.time_s), not_drawn_s=self.not_drawn_s)
        hypotheses: list[Hypothesis] = []
        ways = self._unnamed
        if self._ends_hand(change):
            # No name comes later.
            ways = tuple(named(hypothesis, table, self._names) for hypothesis in ways)
        for hypothesis in ways:
            c.limit.extend(hypothesis, least_added(hypothesis, table))
            for way in self._explained(c, hypothesis):
                if c.limit.allows(way):
                    hypotheses.append(evaluated(way, table))
                    c.limit.take(hypotheses[-1])
        hypotheses.sort(key=lambda hypothesis: hypothesis.cost)
        kept = distinct(hypotheses) or ways
        faces = _faces(change, kept, table)
        self.nodes.insert(place, Node(change, kept, faces, frozenset(table.present)))

    def _ends_hand(self, change: TableChange) -> bool:
        """Whether another hand may begin with a change."""
        said = self.pins[change.id].events if change.id in self.pins else ()
        begins = any(isinstance(event, HandStart | GameStart) for event in said)
        return begins or isinstance(change, Cleared | HandsStand)

    def _explained(self, c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
        pin = self.pins.get(c.change.id)
        return propose(c, hypothesis) if pin is None else as_pinned(c, pin, hypothesis)

    def _reread(self, table: TableEvidence) -> None:
        """Read the faces of the best hypotheses by what is known of the tiles now."""
        if not self.nodes or self.nodes[-1].ends:
            return
        node, self._table = self.nodes[-1], table
        again = []
        for way in node.hypotheses:
            read = read_now(way, table)
            again.append(evaluated(read, table))
        again.sort(key=lambda hypothesis: hypothesis.cost)
        kept = distinct(again)
        best = evaluated(named(kept[0], table, self._names), table)
        self._names = names_of(best)
        self.nodes[-1] = replace(node, hypotheses=kept, best=best)

    def _forget(self) -> None:
        """Let go of what might have been in hands that are over.

        Every hypothesis holds the whole game until then: those of an evening would fill the memory.
        """
        until = min(self.hand_begins - 1, len(self.nodes) - WATCHED - 1)
        for at in range(self._forgotten, until):
            self.nodes[at] = Node(self.nodes[at].change, ())
        self._forgotten = max(self._forgotten, until)


def _new_ways(now: Node, was: Node) -> bool:
    """Whether a change has a likely explanation now that it did not have before."""
    known = {_way(hypothesis, was.change) for hypothesis in was.hypotheses}
    most = now.hypotheses[0].cost + LIKELY
    return any(
        hypothesis.cost < most and _way(hypothesis, now.change) not in known
        for hypothesis in now.hypotheses
    )


def _way(hypothesis: Hypothesis, change: TableChange) -> object:
    """What all that goes on with a hypothesis depends on: its acts, tracks and charges."""
    here = (step for step in hypothesis.hand if step.change == change.id)
    own = ((step.tile, step.tiles, round(step.cost, 1)) for step in here)
    return hypothesis.marks, tuple(step.tile for step in hypothesis.hand), tuple(own)


def events_of(hypothesis: Hypothesis, change: int) -> tuple[Event, ...]:
    """What a hypothesis says of a change; draws are not seen."""
    return hypothesis.by_change.get(change, ())


def _faces(
    change: TableChange, hypotheses: Sequence[Hypothesis], table: TableEvidence
) -> tuple[tuple[int, Tile, bool], ...]:
    """How the tiles of a change are read.

    Discards and indicators are named anew where they stand: how they are read explains nothing.
    Nor does it that a tile is gone while nobody knows why.
    """
    there = {*table.present, *table.taken}
    watched = isinstance(change, FaceAppeared)
    by_name = watched and all(
        step.event is None or isinstance(step.event, Discard | Indicator | Draw)
        for hypothesis in hypotheses
        for step in hypothesis.hand
        if step.change == change.id
    )
    hidden = change.backs if isinstance(change, TilesBefore) else ()
    return tuple(
        (tile, UNKNOWN if by_name else table.tiles[tile].tile, watched and tile in there)
        for tile in change.tiles
        if tile in table.tiles and tile not in hidden
    )
