"""Tiles laid beside a hand: chows, pungs and kongs, and whose discard they took."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.events import Chow, Claim, Discard, Foul, Kong, Pung
from engine.state import Phase, SetKind, State
from engine.tiles import UNKNOWN, Tile
from vision.decoder import prices
from vision.decoder.changes import TilesBefore
from vision.decoder.explained import FLAWS
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.kept import MENDED
from vision.decoder.likelihood import LIMITS, price
from vision.decoder.names import last_named, with_copies
from vision.decoder.prices import KONG
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.unseen import PACE_S, taken_before, turn_of
from vision.decoder.table_evidence import FACES_TRIED, TableEvidence, sure_of
from vision.tiles.classes import ANY_FLOWER, FACES

BESIDE: Final = 1.6
"""A tile that was added to a set lies within so many widths of one of its tiles."""
LEFT_BY_KONG: Final = -2
"""A closed kong leaves so many tiles more than stood before the draw, the next one drawn."""


def set_laid(
    c: Context, hypothesis: Hypothesis, seat: int, tiles: Sequence[int]
) -> Iterator[Hypothesis]:
    """Every set that these tiles may be. Of four tiles, three may be the set and one no tile at
    all."""
    yield from _set_laid(c, hypothesis, seat, tiles)
    if len(tiles) == KONG:
        for three, cost in c.table.but_for_one(tiles):
            for way in _set_laid(c, hypothesis, seat, three):
                yield way.charged(prices.of_thing(cost))


def _set_laid(
    c: Context, hypothesis: Hypothesis, seat: int, tiles: Sequence[int]
) -> Iterator[Hypothesis]:
    state = hypothesis.state
    backs = sum(c.table.is_back(tile) for tile in tiles)
    if len(tiles) == KONG or (len(tiles) in (2, 3) and backs):
        yield from _closed_kong(c, hypothesis, seat, tiles)
    fed, likeliest, plain = fed_by(c.table, seat, tiles), math.inf, False
    for thrown in taken_before(c, hypothesis, seat, fed):
        last, odd = thrown.hypothesis.state.last_discard, fed not in (None, thrown.seat)
        assert last is not None, "somebody has discarded"
        if last.added_kong or (thrown.unseen and (plain or len(tiles) < 2)):
            continue
        face, wild = thrown.face or UNKNOWN, tuple(state.stand_ins.items())
        key = seat, thrown.seat, face, tuple(tiles), wild
        ways = c.claims.get(key)
        if ways is None:
            ways = claims_shown(state, seat, thrown.seat, face, tiles, c.table)
            c.claims[key] = ways
        if thrown.hypothesis is hypothesis and thrown.face is not None:
            likeliest = price(ways[0][1]) if ways else math.inf
            shown = likeliest <= LIMITS["no_set"]
            plain = shown and not odd and thrown.lies_there not in c.table.present
        for claim, charges in ways:
            charged = {**charges, **prices.of_feeder(fed, thrown.seat)}
            otherwise = thrown.face is None
            if not c.limit.allows(thrown.hypothesis, charged, MENDED, otherwise):
                continue
            before = thrown.read_as(claim.tile)
            if before is not None:
                yield from _claim(c, before, claim, tiles, charged)
    if state.last_discard is not None and likeliest > LIMITS["a_set"]:
        yield from _false_set(c, hypothesis, seat, tiles)


def _claim(
    c: Context, hypothesis: Hypothesis, claim: Claim, tiles: Sequence[int],
    charges: dict[str, float],
) -> Iterator[Hypothesis]:  # fmt: skip
    """A claim. If it breaks a rule, also the same claim with a ready call."""
    for way in _claimed(c, hypothesis, claim, tiles, charges):
        yield way
        if isinstance(claim, Chow | Pung) and FLAWS & way.hand[-1].charges.keys():
            # A chow from across is regular when readiness is claimed with it.
            yield from some(with_ready(way, len(way.hand) - 1))


def _claimed(
    c: Context, hypothesis: Hypothesis, claim: Claim, tiles: Sequence[int],
    charges: dict[str, float],
) -> Iterator[Hypothesis]:  # fmt: skip
    own = (claim.own if not isinstance(claim, Kong) or claim.own else ()) or ()
    held = prices.of_held(c.table, claim.seat, c.change.time_s, own)
    sure = sure_of(charges.get("set_face", 0.0))
    step = c.step(claim, tiles=tiles, sure=sure, charges={**charges, **held})
    if c.limit.allows(hypothesis, step.charges, MENDED, True):
        yield from with_copies(hypothesis, step, own, c.table)


def claims_shown(
    state: State, seat: int, from_seat: int, tile: Tile, tiles: Sequence[int], table: TableEvidence
) -> list[tuple[Claim, dict[str, float]]]:
    """Sets with the claimed tile that the tiles may show, with their charges, likeliest first."""
    # Where nobody knows it, the set tells which tile was claimed.
    found = [
        way
        for face in ([tile] if tile.known else _may_be_claimed(table, seat, tiles))
        for way in _claims_of(state, seat, from_seat, face, tiles, table)
    ]
    found.sort(key=lambda way: price(way[1]))
    # A face that is given tells more than how the tiles of its set are read.
    most = LIMITS["misread_set"] if tile.known else LIMITS["no_set"]
    return [way for way in found[:3] if price(way[1]) < min(price(found[0][1]) + 5.0, most)]


def _claims_of(
    state: State, seat: int, from_seat: int, tile: Tile, tiles: Sequence[int], table: TableEvidence
) -> Iterator[tuple[Claim, dict[str, float]]]:
    kind = tile.kind
    if len(tiles) == KONG:
        three = _other_three(tile, table)
        charges = prices.of_set((tile, *three), seat, tiles, table)
        yield Kong(seat, "open", tile, from_seat, three), charges
        return
    for own in _with_reds((kind, kind), tile, table):
        yield Pung(seat, from_seat, tile, own), prices.of_set((tile, *own), seat, tiles, table)
    for run in _runs_with(tile, state):
        for own in _with_reds(run, tile, table):
            yield Chow(seat, from_seat, tile, own), prices.of_set((tile, *own), seat, tiles, table)


def _runs_with(tile: Tile, state: State) -> Iterator[tuple[Tile, Tile]]:
    """The two other tiles of each chow with this tile; a tile that stands for another one is named
    as it is."""
    kind = state.read_as(tile)
    if kind.suit not in "mps":
        return
    lies = {stood_for: stand_in for stand_in, stood_for in state.stand_ins.items()}
    for low in range(max(1, kind.rank - 2), min(7, kind.rank) + 1):
        run = [Tile(f"{rank}{kind.suit}") for rank in range(low, low + 3)]
        first, second = (lies.get(other, other) for other in run if other != kind)
        yield first, second


def _with_reds(
    own: tuple[Tile, Tile], claimed: Tile, table: TableEvidence
) -> Iterator[tuple[Tile, Tile]]:
    """The tiles from the hand, and the same with the red five of their suit in it."""
    yield own
    for place, tile in enumerate(own):
        red = table.red_of(tile)
        if red is not None and red != claimed:
            yield (red, own[1]) if place == 0 else (own[0], red)
            return


def _other_three(tile: Tile, table: TableEvidence) -> tuple[Tile, ...]:
    """The three other tiles of a kong of this tile, with the red five if the game has one."""
    kind = tile.kind
    red = table.red_of(kind)
    return (kind,) * 3 if red is None or red == tile else (kind, kind, red)


def fed_by(table: TableEvidence, seat: int, tiles: Sequence[int]) -> int | None:
    """The seat that the sideways tile points to: left, middle or right for who fed it."""
    turned = [place for place, tile in enumerate(tiles) if table.sideways(tile, seat)]
    if len(turned) != 1:
        return None
    place, last = turned[0], len(tiles) - 1
    step = 3 if place == 0 else 1 if place == last else 2
    return (seat + step) % 4


def _may_be_claimed(table: TableEvidence, seat: int, tiles: Sequence[int]) -> list[Tile]:
    """Faces of a set that may be the claimed one."""
    likely = [
        face
        for tile in tiles
        for face, _ in table.candidate_faces(tile, FACES_TRIED if table.sideways(tile, seat) else 1)
    ]
    return list(dict.fromkeys(face for face in likely if face.known))


def _closed_kong(
    c: Context, hypothesis: Hypothesis, seat: int, tiles: Sequence[int]
) -> Iterator[Hypothesis]:
    size = hypothesis.waiting(seat)
    if stands(c, size):
        return
    before = turn_of(c, seat, hypothesis, PACE_S)
    if before is None:
        return
    faces = [tile for tile in tiles if c.table.is_face(tile)]
    for kind, cost in kinds_shown(faces, c.table) if faces else [(UNKNOWN, 0.0)]:
        if cost > LIMITS["no_set"]:
            return  # its faces do not agree
        own = (*_other_three(kind, c.table), kind) if kind.known else None
        kong = Kong(seat, "closed", kind, own=own)
        charges = prices.of_closed_kong(tiles, cost, c.table)
        yield from _claimed(c, before, kong, tiles, charges)


def stands(c: Context, size: int) -> bool:
    """Whether too many tiles stand for a closed kong out of a hand that waits with ``size``."""
    return isinstance(c.change, TilesBefore) and c.change.standing > size + LEFT_BY_KONG


def kinds_shown(tiles: Sequence[int], table: TableEvidence) -> list[tuple[Tile, float]]:
    """Kinds that all these tiles may show alike; there is no set of flowers."""
    log = np.asarray(sum(np.log(np.maximum(table.kinds(tile), 1e-6)) for tile in tiles))
    log[FACES.index(ANY_FLOWER)] = -np.inf
    order = np.argsort(-log)[:FACES_TRIED]
    return [(Tile(FACES[i]).kind, float(-log[i])) for i in order if log[i] > log[order[0]] - 5]


def added(c: Context, hypothesis: Hypothesis, seat: int, tile: int) -> Iterator[Hypothesis]:
    """A fourth tile on or beside a pung."""
    before = turn_of(c, seat, hypothesis, PACE_S)
    for meld in hypothesis.state.players[seat].melds if before is not None else ():
        if meld.kind is not SetKind.PUNG:
            continue
        kind = meld.tiles[0].kind
        for face in (kind, c.table.red_of(kind)):
            if face is not None and before is not None:
                charges = prices.of_added(tile, face, c.table)
                kong = Kong(seat, "added", face, meld.from_seat, own=(face,))
                yield from _claimed(c, before, kong, (tile,), charges)


def beside_pung(c: Context, hypothesis: Hypothesis, tile: int) -> int | None:
    """The seat beside whose pung a tile lies."""
    here, near = c.table.tiles[tile].xy_mm, BESIDE * c.table.tile_mm
    for step in hypothesis.hand:
        if not isinstance(step.event, Pung):
            continue
        there = [c.table.tiles[track].xy_mm for track in step.tiles if track in c.table.tiles]
        if there and min(float(np.hypot(*(here - at_mm))) for at_mm in there) < near:
            return step.event.seat
    return None


def _false_set(
    c: Context, hypothesis: Hypothesis, seat: int, tiles: Sequence[int]
) -> Iterator[Hypothesis]:
    """Tiles that were laid open to claim the last discard but are no set: a foul and a claim."""
    last, track = hypothesis.state.last_discard, hypothesis.last_tile
    if hypothesis.state.phase is not Phase.TO_DRAW or last is None or last.seat == seat:
        return
    if track is None or track in c.table.present or len(tiles) != 3:
        return
    faces = tuple(c.table.candidate_faces(tile, 1)[0][0] for tile in tiles)
    shown = [last.tile] if last.tile.known else [f for f, _ in c.table.candidate_faces(track)]
    claimed = next((face for face in shown if face in faces), None)
    if claimed is None or not all(
        face.known and c.table.surely(tile, face) for tile, face in zip(tiles, faces, strict=True)
    ):
        return
    foul = c.step(Foul(seat, "false_set", faces), tiles=tiles, charges=prices.FALSE_SET)
    taken = Pung(seat, last.seat, claimed, (UNKNOWN, UNKNOWN))
    before = last_named(hypothesis, taken, c.table)
    yield from some(before.all((foul, c.step(taken, tiles=tiles))))


def set_shown(seat: int, tiles: Sequence[int], state: State, table: TableEvidence) -> Claim:
    """The likeliest claim, and whose discard it took, of a set that lay there before anybody
    watched."""
    faces = [tile for tile in tiles if table.is_face(tile)]
    if len(faces) < len(tiles):
        return Kong(seat, "closed", kinds_shown(faces, table)[0][0] if faces else UNKNOWN)
    added = _is_added(tiles, table)
    row = tiles[:3] if added else tiles
    fed = fed_by(table, seat, row)
    if fed is None and not table.layout.opposite_turned:
        fed = (seat + 2) % 4
    feeders = [fed] if fed is not None else [(seat + step) % 4 for step in (3, 2, 1)]
    found: list[tuple[float, Claim]] = [
        (LIMITS["no_set"], Pung(seat, feeders[0], UNKNOWN, (UNKNOWN, UNKNOWN)))
    ]
    for feeder in feeders:
        for claim, charges in claims_shown(state, seat, feeder, UNKNOWN, row, table):
            across = isinstance(claim, Chow) and feeder != (seat + 3) % 4
            cost = price({**charges, **prices.of_elsewhere(across)})
            if not added:
                found.append((cost, claim))
            elif isinstance(claim, Pung):
                kind = claim.tile.kind
                found.append((cost, Kong(seat, "added", kind, feeder, own=(kind,))))
    return min(found, key=lambda way: way[0])[1]


def _is_added(tiles: Sequence[int], table: TableEvidence) -> bool:
    """Whether the last of four tiles lies on the far side of the others, out of their row."""
    if len(tiles) != KONG:
        return False
    row = [table.tiles[tile].xy_mm for tile in tiles[:3]]
    along, off = row[2] - row[0], table.tiles[tiles[3]].xy_mm - row[0]
    length = float(np.hypot(*along))
    across = abs(float(along[0] * off[1] - along[1] * off[0])) / max(length, 1e-6)
    return across > 0.6 * table.tile_mm


def with_ready(
    hypothesis: Hypothesis, place: int, signed_s: float = -math.inf
) -> Hypothesis | None:
    """The hypothesis in which ready was claimed with a discard or a set.

    ``signed_s``: when that was seen, where it was later.
    """
    step = hypothesis.hand[place]
    assert isinstance(step.event, Discard | Chow | Pung), "ready is claimed with these"
    event, time_s = replace(step.event, ready=True), max(step.time_s, signed_s)
    later_s = (other.time_s for other in hypothesis.hand[place + 1 :] if other.event is not None)
    time_s = max(step.time_s, min(time_s, next(later_s, math.inf)))
    return hypothesis.with_step(place, step.but(event=event, time_s=time_s))
