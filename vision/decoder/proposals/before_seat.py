"""Tiles came to lie before a player: sets, a hand laid open or down, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.events import Chow, Discard, HandStart, Kong, Pung, Seat
from engine.tiles import Tile
from vision.decoder import prices
from vision.decoder.changes import TableChange, TilesBefore
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.kept import FEW, KEPT, MENDED
from vision.decoder.layout import meld_cost, set_tracks
from vision.decoder.likelihood import LIMITS, Charges
from vision.decoder.prices import KONG
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.flowers import flowers_laid
from vision.decoder.proposals.further_wins import won_again, won_on_it_too
from vision.decoder.proposals.hands import LaidRow, opened
from vision.decoder.proposals.sets import (
    added,
    beside_pung,
    kinds_shown,
    set_laid,
    stands,
    with_ready,
)
from vision.decoder.table_evidence import TableEvidence
from vision.tracking.zones import LEAST_DOWN, TOUCHING, groups, is_down

GAP: Final = 3.0
"""Two tiles of a set are less than so many widths apart, even if the one between them was not
found."""
FAR: Final = 4.0
"""Each tile of an open hand is less than so many widths away from another one of it."""
LEAST_HAND: Final = 4
"""At least so many tiles before a player are an open hand or a part of one; before a player who
holds a single tile, one is enough."""
READY_EVENTS: Final = 8


def tiles_before(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    change = c.change
    assert isinstance(change, TilesBefore), "only tiles before a player are explained here"
    seat = change.seat
    playing = hypothesis.playing
    tiles = [tile for tile in change.lying if tile in c.table.tiles]
    mine = set_tracks(hypothesis, seat)
    loose = [tile for tile in tiles if tile not in mine]
    backs = [tile for tile in loose if tile in change.backs]
    faces = [tile for tile in loose if tile not in backs]
    fresh = [tile for tile in change.fresh if tile in loose or change.rise_off is not None]
    size = hypothesis.waiting(seat)
    if not playing and (len(fresh) < LEAST_HAND or set(fresh) <= set(backs)):
        yield c.nothing(hypothesis, fresh, charges=prices.AFTER_WIN)
    elif change.rise_off is not None:
        yield c.nothing(hypothesis, charges=prices.NUDGED)
        if playing and fresh:
            for way in added(c, hypothesis, seat, fresh[0]):
                yield way.charged(prices.of_rise(change.rise_off))
        return
    elif len(fresh) == 1 and c.table.is_face(fresh[0]):
        yield c.nothing(hypothesis, tile=fresh[0])
    else:
        # Backs beside a row that stands whole were read twice.
        laid = [t for t in fresh if t not in backs] if stands(c, size) else fresh
        yield c.nothing(hypothesis, fresh, charges=prices.of_meaningless_tiles(laid, c.table))
    # What lay there before may be a part of the hand, or a thing.
    came = [tile for tile in faces if tile in fresh]
    won = playing and bool(hypothesis.state.players[seat].won)
    rows = {_open_hand(c, hypothesis, change, some, len(backs)) for some in (faces, came)}
    if won:
        rows.clear()  # it lies open already
    if hypothesis.rules.payment.wins_to_end is None:
        rows |= {_with_tile_apart(row, came) for row in rows if row is not None}
    for row in sorted((row for row in rows if row is not None), key=lambda row: row.tiles):
        for way in opened(c, hypothesis, row):
            yield from won_on_it_too(c, way)
    if not playing:
        return
    if won:
        for way in won_again(c, hypothesis, seat, fresh):
            yield from won_on_it_too(c, way)
        yield from _kong_of_open_hand(c, hypothesis, seat, fresh)
    yield from flowers_laid(c, hypothesis, seat, fresh)
    yield from _won_after_kong(c, hypothesis, change, fresh, loose)
    # Of tiles that were just laid down some may still seem to stand: nobody holds more than a hand.
    down = is_down(len(backs), min(change.standing, max(0, size + 1 - len(backs))))
    # Where the whole hand stands, backs are second readings of standing tiles.
    down = down and change.standing < max(size, LEAST_DOWN)
    hidden = prices.of_hidden_hand(size, change.standing, down)
    sets = _sets(c, hypothesis, seat, fresh, faces if down else loose)
    shown = [way.charged(hidden) for way in sets]
    yield from shown
    unheard = prices.of_sign_unheard(sum(tile in fresh for tile in backs), size)
    for way in (hypothesis, *shown) if down else ():
        yield from laid_down(c, way, seat, unheard)


def _open_hand(
    c: Context, hypothesis: Hypothesis, change: TilesBefore, faces: Sequence[int], backs: int
) -> LaidRow | None:
    """The faces of a hand that lies open; None where too many of its tiles show none."""
    size = hypothesis.waiting(change.seat)
    several = size > 1
    if several and len(faces) > LEAST_HAND:
        # A hand lies together: what lies far from it is another's, or a thing.
        faces = max(_groups(c.table, faces, FAR), key=len)
    # Nobody holds more than a hand: what lies beside a whole one is a wall, or a back read twice.
    hidden = change.standing + min(backs, max(0, size + 1 - len(faces)))
    most_hidden = max(1, len(faces) // 2) if several else 0
    kong = len(faces) == KONG and kinds_shown(faces, c.table)[0][1] < LIMITS["a_set"]
    if several and hidden and kong:
        return None  # no hand waits with all four of a kind
    if len(faces) < (LEAST_HAND if several else 1) or hidden > most_hidden:
        return None
    return LaidRow(change.seat, tuple(faces), size)


def _with_tile_apart(row: LaidRow, came: Sequence[int]) -> LaidRow | None:
    """The hand with the one other tile that came with it, which lies beside its sets."""
    rest = [tile for tile in came if tile not in row.tiles]
    if len(rest) != 1 or len(row.tiles) != row.size:
        return None
    return replace(row, tiles=(*row.tiles, *rest), apart=row.size)


def _kong_of_open_hand(
    c: Context, hypothesis: Hypothesis, seat: Seat, fresh: Sequence[int]
) -> Iterator[Hypothesis]:
    """A kong of who has won and plays on; the other tiles of the open hand make room for it."""
    change = c.change
    assert isinstance(change, TilesBefore), "only tiles before a player are sets"
    alike: dict[Tile, list[int]] = {}
    for tile in change.lying if len(fresh) > 1 else ():
        if tile in c.table.tiles and c.table.is_face(tile):
            alike.setdefault(c.table.candidate_faces(tile, 1)[0][0].kind, []).append(tile)
    parts = {
        tuple(tiles)
        for tiles in alike.values()
        if len(tiles) == KONG and len(_groups(c.table, tiles, TOUCHING)) == 1
    }
    if len(fresh) > KONG:  # two tiles of a closed kong show their backs
        parts |= {part for part in _groups(c.table, fresh, TOUCHING) if len(part) == KONG}
    for part in sorted(part for part in parts if not set(part).isdisjoint(fresh)):
        rest = tuple(tile for tile in fresh if tile not in part)
        for way in set_laid(c, hypothesis, seat, part):
            step = way.hand[-1]
            yield way.relinked(len(way.hand) - 1, step.but(tiles=(*step.tiles, *rest)))


def _won_after_kong(
    c: Context, hypothesis: Hypothesis, change: TilesBefore, fresh: Sequence[int],
    loose: Sequence[int],
) -> Iterator[Hypothesis]:  # fmt: skip
    """A kong and, within the same change, the hand that wins with the tile drawn for it."""
    for part in _groups(c.table, fresh, TOUCHING):
        rest = [tile for tile in loose if tile not in part]
        faces = [tile for tile in rest if tile not in change.backs]
        if len(part) == KONG and len(faces) >= LEAST_HAND:
            for way in set_laid(c, hypothesis, change.seat, part):
                row = _open_hand(c, way, change, faces, len(rest) - len(faces))
                if row is not None:
                    yield from opened(c, way, row)


def _sets(
    c: Context, hypothesis: Hypothesis, seat: int, fresh: Sequence[int], loose: Sequence[int]
) -> Iterator[Hypothesis]:
    """One or two sets, or a tile that was added to one."""
    yield from _named(c, hypothesis, seat, fresh)
    if len(fresh) == 1 and c.table.is_face(fresh[0]):
        (tile,) = fresh
        if beside_pung(c, hypothesis, tile) == seat:
            yield from added(c, hypothesis, seat, tile)
    near = [tile for tile in loose if tile in fresh or _beside(c.table, tile, fresh)]
    size = hypothesis.waiting(seat)
    least_backs = KONG - 1 if _lost_three(c.change, size) else KONG
    ways = _partitions(c.table, fresh, least_backs)
    ways += _partitions(c.table, near, least_backs) if len(near) > len(fresh) else []
    for parts in ways:
        if not parts:
            continue
        hypotheses = [hypothesis]
        for part in parts:
            # Of what the first of two sets may be, only the cheapest ways meet the second.
            first = sorted(hypotheses, key=lambda way: way.paid)[:KEPT]
            likely = [way for way in first if c.limit.allows(way, None, MENDED, True)]
            hypotheses = [new for way in likely for new in set_laid(c, way, seat, part)]
        left = set(fresh).difference(*parts)
        yield from (way.charged(prices.of_tiles_of_no_set(len(left))) for way in hypotheses)


def _lost_three(change: TableChange, size: int) -> bool:
    """Whether the row of a hand that waits with ``size`` stands as after a closed kong.

    One tile of it may be missing, and the next one be drawn; a covered row says nothing.
    """
    assert isinstance(change, TilesBefore), "only tiles before a player are sets"
    return abs(change.standing - (size - KONG + 1)) <= 1


def _named(
    c: Context, hypothesis: Hypothesis, seat: int, fresh: Sequence[int]
) -> Iterator[Hypothesis]:
    """The tiles of a claim that a person has added before they were seen."""
    melds = list(hypothesis.state.players[seat].melds)
    for place, step in enumerate(hypothesis.hand):
        if not isinstance(step.event, Chow | Pung | Kong) or step.event.seat != seat:
            continue
        meld = melds.pop(0) if melds else None
        if meld is not None and step.by_person and not step.tiles:
            cost = min(meld_cost(meld, fresh, c.table), LIMITS["no_set"])
            known = replace(step, tiles=tuple(fresh)).charged(prices.of_faces(cost))
            yield hypothesis.relinked(place, known)


def _beside(table: TableEvidence, tile: int, fresh: Sequence[int]) -> bool:
    """Whether a tile lies beside one that came just now."""
    here, near = table.tiles[tile].xy_mm, TOUCHING * table.tile_mm
    return any(float(np.hypot(*(table.tiles[one].xy_mm - here))) < near for one in fresh)


def _partitions(
    table: TableEvidence, tiles: Sequence[int], least_backs: int
) -> list[list[tuple[int, ...]]]:
    """Ways to take tiles for sets of three or four, or for two of a set whose third is missing.

    ``least_backs``: so many backs alone are a kong; of one whose tiles stand no more, one tile may
    be missing.
    """
    parts: list[tuple[int, ...]] = []
    for group in _groups(table, tiles, GAP if len(tiles) == 2 else TOUCHING):
        faces = any(table.is_face(tile) for tile in group)
        if len(group) in (2, 3, 4, 5) and (faces or least_backs <= len(group) <= KONG):
            parts.append(group)
        elif len(group) in (6, 7, 8) and faces:
            parts += _two_sets(table, group)
    if len(parts) <= 1:
        (part,) = parts or [()]
        # Something else may lie beside a set.
        threes = [part[at : at + 3] for at in range(len(part) - 2)] if len(part) > KONG else []
        return [parts, *([three] for three in threes)]
    # Sets that lie apart came one after the other. Where one has only two tiles, these may belong
    # to no set.
    parts.sort(key=lambda part: max(table.tiles[tile].first_s for tile in part))
    whole = [part for part in parts if len(part) > 2]
    return [parts[:FEW], *([whole] if len(whole) == 1 else ())]


def _two_sets(table: TableEvidence, group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Two sets that were laid side by side almost at once, told apart by when their tiles came."""
    order = sorted(group, key=lambda tile: table.tiles[tile].first_s)
    came = [table.tiles[tile].first_s for tile in order]
    cuts = range(max(3, len(order) - 4), min(4, len(order) - 3) + 1)
    cut = max(cuts, key=lambda at: came[at] - came[at - 1])
    early = set(order[:cut])
    return [
        tuple(tile for tile in group if tile in early),
        tuple(tile for tile in group if tile not in early),
    ]


def _groups(table: TableEvidence, tiles: Sequence[int], reach: float) -> list[tuple[int, ...]]:
    placed = [table.tiles[tile] for tile in tiles]
    return [tuple(tile.id for tile in group) for group in groups(placed, table.tile_mm, reach)]


def stick_laid(c: Context, hypothesis: Hypothesis, seat: Seat) -> Iterator[Hypothesis]:
    """A stick says that ready was claimed with the last discard of its player.

    Where it is that player's turn again, it may be for the next one: it says nothing then.
    """
    place = _last_discard(hypothesis, seat)
    if place is None or hypothesis.state.turn == seat or hypothesis.state.players[seat].ready:
        yield hypothesis
        return
    yield c.nothing(hypothesis, charges=prices.STICK_IGNORED)
    step, later = hypothesis.hand[place], hypothesis.hand[place + 1 :]
    if step.by_person:
        return  # who named it has said that ready was not claimed with it
    claimed = any(step.tile in other.tiles for other in later)
    charges = prices.of_upright_sign(c.table, None if claimed else step.tile, seat)
    yield from (way.charged(charges) for way in some(with_ready(hypothesis, place)))


def _last_discard(hypothesis: Hypothesis, seat: Seat) -> int | None:
    """Where in the hand that is played a seat has made its last discard; None without one."""
    for place, step in reversed(list(enumerate(hypothesis.hand))):
        if isinstance(step.event, Discard) and step.event.seat == seat:
            return place if hypothesis.playing else None
    return None


def laid_down(
    c: Context, hypothesis: Hypothesis, seat: int, unheard: Charges = prices.NO_SIGN
) -> Iterator[Hypothesis]:
    """The hand laid down says that ready was claimed with the discard or claim before it.

    ``unheard``: what speaks against its saying nothing. In some games it is no sign.
    """
    says = c.table.layout.ready_sign == "laid" and unheard["no_sign"] > 0
    if hypothesis.state.players[seat].ready or not says:
        yield hypothesis
        return
    yield c.nothing(hypothesis, charges=unheard)
    events = [(at, step) for at, step in enumerate(hypothesis.hand) if step.event is not None]
    for number in range(len(events) - 1, max(-1, len(events) - READY_EVENTS - 1), -1):
        place, step = events[number]
        event = step.event
        if isinstance(event, HandStart):
            return
        if not isinstance(event, Discard | Chow | Pung) or event.seat != seat:
            continue
        if step.by_person:
            return  # who named it has said that ready was not claimed with it
        ready = with_ready(hypothesis, place, c.change.time_s)
        before_place, before = events[number - 1]
        claim = before.event
        claimed = isinstance(claim, Chow | Pung) and claim.seat == seat and not before.by_person
        if isinstance(event, Discard) and isinstance(claim, Chow | Pung) and claimed:
            # Claimed, discarded, laid down: most players who do so had claimed with the set.
            yield from some(with_ready(hypothesis, before_place))
            ready = None if ready is None else ready.charged(prices.WITH_DISCARD)
        yield from some(ready)
        return
