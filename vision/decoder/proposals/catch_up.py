"""A table seen again in the middle of a hand that is known: what happened meanwhile.

What the rivers and sets hold now that the hypothesis does not explain is put into the order that
the rules leave: turn after turn, claims where a set holds a tile that no river has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from engine.events import Flower, Indicator
from engine.tiles import UNKNOWN
from vision.decoder import prices
from vision.decoder.changes import HandsStand
from vision.decoder.emission import clutter_cost, evaluated
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import FEW, KEPT, CostLimit
from vision.decoder.layout import against_seat, lying, matched, set_tracks
from vision.decoder.likelihood import LIMITS, price
from vision.decoder.prices import KONG
from vision.decoder.proposals.before_seat import laid_down
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.middle import discarded
from vision.decoder.proposals.sets import added, set_laid
from vision.decoder.proposals.unseen import PACE_S, with_unseen_win
from vision.decoder.snapshot import Snapshot
from vision.seat_camera.witness import NOBODY

BEAM: Final = 12
MOST_EVENTS: Final = 90


@dataclass(frozen=True)
class _Way:
    """A hypothesis on its way to what lies on the table, and what is still to be explained."""

    hypothesis: Hypothesis
    rivers: tuple[tuple[int, ...], ...]
    """Discards that no event explains yet, by seat."""
    sets: tuple[tuple[int, tuple[int, ...]], ...]
    """Sets that no event explains yet: whose, and their tracks."""
    faces: float = 0.0
    """What the faces of the discards cost, and things that are none; no order makes their copies
    cost more."""

    @property
    def cost(self) -> float:
        return self.hypothesis.cost + self.faces

    @property
    def over(self) -> bool:
        return not any(self.rivers) and not self.sets


def caught_up(c: Context, hypothesis: Hypothesis, found: Snapshot) -> list[Hypothesis]:
    """The likeliest orders of what happened meanwhile; none where it is another hand."""
    goes_on = lies_there_still(hypothesis, found)
    won = set(found.out) - set(hypothesis.state.retired)
    if won and not goes_on:
        return []  # nobody saw who won, or how
    found = _without_things(found, hypothesis)
    known = matched(found, hypothesis, c.table)
    like_record = LIMITS["like_record"] * max(1, known.count)
    if price(known.charges) + known.faces > like_record and not goes_on:
        return []
    linked = c.nothing(known.linked(hypothesis), charges=known.charges)
    sets = tuple(
        tuple(group for group in row if (seat, group) not in known.sets)
        for seat, row in enumerate(found.sets)
    )
    linked = replace(linked, found=replace(found, rivers=hypothesis.found.rivers, sets=sets))
    begun = [linked]
    for seat in sorted(won):
        supplied = replace(c, supplied=True)
        begun = [after for way in begun for after in with_unseen_win(supplied, way, seat)]
    ways = [_Way(way, known.rivers, known.sets) for way in begun]
    # What is in the hands now tells nothing of the moment in which anything happened.
    table = replace(c.table, witness=NOBODY)
    unseen = replace(c, table=table, supplied=True, limit=CostLimit())
    done = list(_in_order(unseen, ways, _next))
    if not done and goes_on:
        # Something that was laid meanwhile was not found, or what was found is none of the game.
        done = list(_in_order(unseen, ways, _next_found))
    priced = (evaluated(_ended(unseen, way, found), c.table) for way in done)
    return sorted(priced, key=lambda hypothesis: hypothesis.cost)[:KEPT]


def lies_there_still(hypothesis: Hypothesis, found: Snapshot) -> bool:
    """Whether most of the discards and sets of a hand lie where they lay: it is this hand."""
    lay = [discard.track for discard in lying(hypothesis) if discard.track is not None]
    sets = chain(*(set_tracks(hypothesis, seat) for seat in range(4)))
    here = [track in found.tiles for track in (*lay, *sets)]
    return 2 * sum(here) > len(here)


def _in_order(
    c: Context, ways: Sequence[_Way], go_on: Callable[[Context, _Way], Iterator[_Way]]
) -> Iterator[Hypothesis]:
    """What explains the whole table, one thing after the other."""
    for _ in range(MOST_EVENTS):
        yield from (way.hypothesis for way in ways if way.over)
        after = [new for way in ways if not way.over for new in go_on(c, way)]
        ways = _distinct(sorted(after, key=lambda way: way.cost))
        if not ways:
            break


def _distinct(ways: Sequence[_Way]) -> list[_Way]:
    """The likeliest few of each future: what is left is explained alike after all of them."""
    known = Counter[object]()
    kept: list[_Way] = []
    for way in ways:
        future = way.hypothesis.future, way.rivers, way.sets
        known[future] += 1
        if known[future] <= FEW:
            kept.append(way)
        if len(kept) == BEAM:
            break
    return kept


def _without_things(found: Snapshot, hypothesis: Hypothesis) -> Snapshot:
    """The table without what lay there when it was seen last, and was no tile then."""
    things = {step.tile for step in hypothesis.hand if step.event is None}
    rivers = tuple(tuple(t for t in river if t not in things) for river in found.rivers)
    return replace(found, rivers=rivers)


def _next(c: Context, way: _Way) -> Iterator[_Way]:
    """One more set, or one more discard of the seat whose turn it is."""
    if not way.hypothesis.playing:
        return
    yield from _next_sets(c, way)
    yield from _next_discards(c, way, way.hypothesis.state.turn)


def _next_found(c: Context, way: _Way) -> Iterator[_Way]:
    """The same where others were not found, or what is found means nothing."""
    if way.hypothesis.playing:
        yield from _next_sets(c, way)
        for seat in range(4):
            yield from _next_discards(c, way, seat)
    for tile in chain(*way.rivers):
        rivers = tuple(tuple(t for t in river if t != tile) for river in way.rivers)
        nothing, cost = c.nothing(way.hypothesis, tile=tile), clutter_cost(tile, c.table)
        yield replace(way, hypothesis=nothing, rivers=rivers, faces=way.faces + cost)
    for seat, tiles in way.sets:
        left = tuple(each for each in way.sets if each != (seat, tiles))
        charges = prices.of_meaningless_tiles(tiles, c.table)
        nothing = c.nothing(way.hypothesis, tiles, charges=charges)
        yield replace(way, hypothesis=nothing, sets=left)


def _next_sets(c: Context, way: _Way) -> Iterator[_Way]:
    for seat, tiles in way.sets:
        left = tuple(each for each in way.sets if each != (seat, tiles))
        early = prices.of_later_ones(_came_before(c, way, max(_came_s(c, tiles))))
        laid = list(set_laid(c, way.hypothesis, seat, tiles))
        if len(tiles) == KONG:
            laid += added(c, way.hypothesis, seat, tiles[-1])
        for new in laid:
            if not any(
                discard.claimed and discard.track in c.table.present for discard in new.rivers
            ):
                yield replace(way, hypothesis=new.charged(early), sets=left)


def _next_discards(c: Context, way: _Way, seat: int) -> Iterator[_Way]:
    """One more discard of a seat, after those of others that were not found."""
    rows = c.table.layout.river == "rows"
    for tile in way.rivers[seat][:1] if rows else chain(*way.rivers):
        off = against_seat(c.table, tile, seat)
        early = prices.of_later_ones(_came_before(c, way, *_came_s(c, (tile,))))
        rivers = tuple(tuple(t for t in river if t != tile) for river in way.rivers)
        for new in discarded(c, way.hypothesis, tile, seat, off):
            thrown = new.hand[-1].face
            faces = way.faces + (c.table.face_cost(tile, thrown) if thrown.known else 0.0)
            yield replace(way, hypothesis=new.charged(early), rivers=rivers, faces=faces)


def _came_s(c: Context, tiles: Sequence[int]) -> list[float]:
    """When each of these tiles was seen first since somebody looks again."""
    change = c.change
    assert isinstance(change, HandsStand), "a table is seen again"
    return [max(change.from_s, c.table.tiles[tile].first_s) for tile in tiles]


def _came_before(c: Context, way: _Way, time_s: float) -> int:
    """How much of what is still to be explained was seen before this moment."""
    sets = [max(_came_s(c, tiles)) for _, tiles in way.sets]
    waiting = (*_came_s(c, list(chain(*way.rivers))), *sets)
    return sum(came_s < time_s - PACE_S for came_s in waiting)


def _ended(c: Context, hypothesis: Hypothesis, found: Snapshot) -> Hypothesis:
    """The hypothesis with indicators, flowers, hands laid down, and how many tiles are held."""
    layout = hypothesis.rules.layout
    known = [indicator.tile for indicator in hypothesis.state.indicators]
    for tile in found.turned_up if layout.indicator_at == "wall" else ():
        face = c.table.candidate_faces(tile, 1)[0][0]
        if face in known:
            known.remove(face)
            continue
        kind = layout.indicator_kind(len(hypothesis.state.indicators))
        if kind is None or len(hypothesis.state.indicators) >= len(found.turned_up):
            break
        sure = c.table.tiles[tile].confidence
        step = c.step(Indicator(face, kind), tile=tile, sure=sure)
        hypothesis = hypothesis.then(step) or hypothesis
    for seat in range(4):
        new = len(found.flowers[seat]) - len(hypothesis.state.players[seat].flowers)
        for tile in found.flowers[seat][: max(0, new)]:
            step = c.step(Flower(seat, UNKNOWN), tiles=(tile,))
            hypothesis = hypothesis.then(step) or hypothesis
        if found.down[seat] and not hypothesis.state.players[seat].ready:
            signs: Sequence[Hypothesis] = list(laid_down(c, hypothesis, seat))
            hypothesis = min(signs, key=lambda way: way.cost)
    return hypothesis.charged(prices.of_table_seen_again(found, hypothesis.state))
