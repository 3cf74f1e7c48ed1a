"""A table seen again in the middle of a hand that is known: what happened meanwhile.

What the rivers and sets hold now that the hypothesis does not explain is put into the order that
the rules leave: turn after turn, claims where a set holds a tile that no river has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Claim, Discard, Indicator, Kong
from engine.state import Phase
from engine.tiles import UNKNOWN
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.layout import evaluated, matched, not_near
from vision.decoder.likelihood import LIMITS, price
from vision.decoder.proposals.before_seat import laid_down
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.sets import claims_shown, fed_by
from vision.decoder.proposals.sets_shown import set_shown
from vision.decoder.snapshot import Snapshot
from vision.decoder.table_evidence import sure_of

BEAM: Final = 12
KEPT: Final = 4
"""Orders of what nobody saw that are gone on with."""
MOST_EVENTS: Final = 90

Sets = tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True)
class _Way:
    """A hypothesis on its way to what lies on the table, and what is still to be explained."""

    hypothesis: Hypothesis
    rivers: tuple[tuple[int, ...], ...]
    """Discards that no event explains yet, by seat."""
    sets: Sets
    """Sets that no event explains yet: whose, and their tracks."""
    faces: float = 0.0
    """What the faces of the discards cost; no order makes their copies cost more."""

    @property
    def cost(self) -> float:
        return self.hypothesis.cost + self.faces

    def without(self, one: tuple[int, tuple[int, ...]], hypothesis: Hypothesis) -> _Way:
        left = tuple(each for each in self.sets if each != one)
        return replace(self, hypothesis=hypothesis, sets=left)


def caught_up(c: Context, hypothesis: Hypothesis, found: Snapshot) -> list[Hypothesis]:
    """The likeliest orders of what happened meanwhile; none where it is another hand."""
    known = matched(found, hypothesis, c.table)
    if price(known.charges) + known.faces > LIMITS["like_record"] * max(1, known.count):
        return []
    linked = c.nothing(known.linked(hypothesis)).charged(**known.charges)
    sets = tuple(
        tuple(group for group in row if (seat, group) not in known.sets)
        for seat, row in enumerate(found.sets)
    )
    linked = replace(linked, found=replace(found, rivers=hypothesis.found.rivers, sets=sets))
    ways = [_Way(linked, known.rivers, known.sets)]
    done: list[Hypothesis] = []
    for _ in range(MOST_EVENTS):
        done += [
            _ended(c, way.hypothesis, found) for way in ways if not any(way.rivers) and not way.sets
        ]
        after = [new for way in ways if any(way.rivers) or way.sets for new in _next(c, way)]
        ways = sorted(after, key=lambda way: way.cost)[:BEAM]
        if not ways:
            break
    return sorted((evaluated(one, c.table) for one in done), key=lambda one: one.cost)[:KEPT]


def _next(c: Context, way: _Way) -> Iterator[_Way]:
    """One more event of the turn's seat, or a claim of the last discard."""
    if way.hypothesis.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
        yield from _claims(c, way)
        yield from _kongs(c, way)
        yield from _discards(c, way)


def _with(
    c: Context, way: _Way, claim: Claim, one: tuple[int, tuple[int, ...]],
    charges: dict[str, float], **more: float,
) -> Iterator[_Way]:  # fmt: skip
    sure = sure_of(charges.get("set_face", 0.0))
    step = c.step(claim, tiles=one[1], sure=sure, supplied=True).charged(charges | more)
    done = way.hypothesis.then(step)
    if done is not None:
        yield way.without(one, done)


def _claims(c: Context, way: _Way) -> Iterator[_Way]:
    state = way.hypothesis.state
    last = state.last_discard
    if last is None or last.added_kong:
        return
    for seat, tiles in way.sets:
        if seat == last.seat or any(c.table.is_back(tile) for tile in tiles):
            continue
        odd = float(fed_by(c.table, seat, tiles) not in (None, last.seat))
        for claim, charges in claims_shown(state, seat, last.seat, last.tile, tiles, c.table):
            yield from _with(c, way, claim, (seat, tiles), charges, turned_otherwise=odd)


def _kongs(c: Context, way: _Way) -> Iterator[_Way]:
    """Kongs that the seat whose turn it is declares."""
    state = way.hypothesis.state
    for seat, tiles in way.sets:
        if seat != state.turn:
            continue
        for claim, charges in set_shown(seat, tiles, state, c.table)[:2]:
            if isinstance(claim, Kong) and claim.kind != "open":
                yield from _with(c, way, claim, (seat, tiles), charges)


def _discards(c: Context, way: _Way) -> Iterator[_Way]:
    state, seat = way.hypothesis.state, way.hypothesis.state.turn
    ready_now = c.table.layout.turned_is_ready and not state.players[seat].ready
    for owner, tile, off in _thrown_next(c, way, seat):
        for face, cost in c.table.likely(tile, 2):
            ready = ready_now and c.table.sideways(tile, seat)
            step = c.step(
                Discard(seat, face, ready),
                tile=tile,
                sure=sure_of(cost),
                supplied=True,
                not_near=off,
            )
            thrown = way.hypothesis.then(step)
            if thrown is not None:
                rivers = list(way.rivers)
                rivers[owner] = tuple(other for other in rivers[owner] if other != tile)
                faces = way.faces + cost
                yield replace(way, hypothesis=thrown, rivers=tuple(rivers), faces=faces)
    # A discard that lies in somebody's set now.
    for other, tiles in way.sets:
        closed = any(c.table.is_back(one) for one in tiles)
        if other == seat or closed or fed_by(c.table, other, tiles) not in (None, seat):
            continue
        for claim, charges in claims_shown(state, other, seat, UNKNOWN, tiles, c.table):
            step = c.step(Discard(seat, claim.tile), sure=0.9, supplied=True, taken_at_once=1)
            for thrown in some(way.hypothesis.then(step)):
                after = replace(way, hypothesis=thrown)
                yield from _with(c, after, claim, (other, tiles), charges)


def _thrown_next(c: Context, way: _Way, seat: int) -> Iterator[tuple[int, int, float]]:
    """Tiles that this seat may have discarded next: whose river each lies in, and how far off."""
    if c.table.layout.river == "rows":
        if way.rivers[seat]:
            yield seat, way.rivers[seat][0], 0.0
        return
    for owner, river in enumerate(way.rivers):
        for tile in river:
            yield owner, tile, not_near(c.table, tile, seat)


def _ended(c: Context, hypothesis: Hypothesis, found: Snapshot) -> Hypothesis:
    """The hypothesis with indicators, hands laid down, and the numbers of tiles in the hands."""
    layout = hypothesis.rules.layout
    known = [indicator.tile for indicator in hypothesis.state.indicators]
    for tile in found.turned_up if layout.indicator_at == "wall" else ():
        face = c.table.likely(tile, 1)[0][0]
        if face in known:
            known.remove(face)
            continue
        kind = layout.indicator_kind(len(hypothesis.state.indicators))
        if kind is None or len(hypothesis.state.indicators) >= len(found.turned_up):
            break
        sure = c.table.tiles[tile].confidence
        step = c.step(Indicator(face, kind), tile=tile, sure=sure, supplied=True)
        hypothesis = hypothesis.then(step) or hypothesis
    for seat in range(4):
        if found.down[seat] and not hypothesis.state.players[seat].ready:
            signs: Sequence[Hypothesis] = list(laid_down(c, hypothesis, seat))
            hypothesis = min(signs, key=lambda way: way.cost)
    off = 0
    for seat, player in enumerate(hypothesis.state.players):
        held, size = found.held[seat], len(player.hand)
        wrong = abs(held - size)
        if seat == hypothesis.state.turn and hypothesis.state.phase is Phase.TO_DRAW:
            wrong = min(wrong, abs(held - size - 1))  # it may have drawn
        off += wrong
    return hypothesis.charged(miscounted=off)
